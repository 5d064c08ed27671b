"""The parts of an expansion: nodes before they become steps, the edges between them, and nested flows."""

import typing as t

from impasto.compiler.exposed import Limits
from impasto.document.flow import Flow
from impasto.document.model import FlowNode
from impasto.sdk.node_type import NodeType


class Draft:
    """A node before it becomes a step.

    `fed` has the incoming wires by port, `missing` counts them, `after` has the indices of the drafts that it
    feeds. `stands_in`: the type is a stand-in for the node's own. `cut`: an edge from it was left out,
    because its target has a stand-in. `promoted`: the nodes around it that offer its settings to launchers.
    """

    __slots__ = (
        "after", "cut", "fed", "id", "index", "level", "missing", "node", "promoted", "settings",
        "stands_in", "type",
    )  # fmt: skip

    def __init__(
        self, index: int, path: str, node: FlowNode, node_type: NodeType | None, level: "Level"
    ) -> None:
        self.index = index
        self.id = path
        self.node = node
        self.type = node_type
        self.level = level
        self.settings = node.settings
        self.fed: dict[str, list[Wire]] = {}
        self.after: list[int] = []
        self.missing = 0
        self.stands_in = False
        self.cut = False
        self.promoted: dict[str, list[Promotion]] | None = None


class Wire(t.NamedTuple):
    """An edge between drafts: its source and output port, its position in the document, and its text."""

    source: Draft
    port: str
    order: int
    text: str


class Level:
    """One flow of the expansion: its nodes by id, and the inputs and results that form its ports.

    `feeds`: an edge of the flow around it leaves its node. `cut`: such an edge was left out, because its
    target has a stand-in.
    """

    __slots__ = (
        "cut", "feeds", "flow", "flow_ids", "has_stand_ins", "inputs", "members", "node", "parent", "prefix",
        "results", "title",
    )  # fmt: skip

    def __init__(
        self,
        flow: Flow,
        prefix: str,
        parent: "Level | None",
        node: FlowNode | None,
        flow_ids: tuple[str, ...],
    ) -> None:
        self.flow = flow
        self.prefix = prefix
        self.parent = parent
        self.node = node
        self.flow_ids = flow_ids
        self.members: dict[str, Draft | Level] = {}
        self.inputs: dict[str, tuple[Draft, str]] = {}
        self.results: dict[str, tuple[Draft, str]] = {}
        self.title = node.title if node is not None else None
        self.has_stand_ins = False
        self.feeds = False
        self.cut = False


class Promotion(t.NamedTuple):
    """That a node offers one of its settings to the launchers of its flow.

    `level` is the flow, `node` the id of the node in the whole expansion, `own` its id in the flow, `title`
    what the flow calls it (None for the title of its type). `name` is the setting or inner input.
    """

    level: Level
    node: str
    own: str
    title: str | None
    name: str
    limits: Limits
