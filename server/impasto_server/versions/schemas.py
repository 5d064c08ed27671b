"""History on the wire."""

from datetime import datetime
from typing import Any, Literal

from pydantic import ConfigDict, Field

from impasto_server.flows.schemas import FlowDocument
from impasto_server.http.pagination import Page
from impasto_server.http.schemas import ResponseModel


class VersionAuthor(ResponseModel):
    """Who saved or published."""

    id: str
    username: str


class Version(ResponseModel):
    """One entry of the history. `ref` addresses it: "3" is version 3, "r12" the save of revision 12."""

    ref: str
    number: int | None = Field(description="Null for a save")
    kind: Literal["published", "save"]
    note: str
    created_at: datetime
    author: VersionAuthor | None
    revision: int


class VersionPage(Page[Version]):
    """The history, newest first."""


class VersionDetail(Version):
    """One entry of the history with its document."""

    flow: FlowDocument


class SettingChange(ResponseModel):
    """One value of a node, before and after; an absent one is null."""

    path: str
    before: Any
    after: Any


class Change(ResponseModel):
    """A word that changed."""

    before: str | None
    after: str | None


class NodeChange(ResponseModel):
    """A node that both sides have, with what differs."""

    id: str
    settings: list[SettingChange]
    type: Change | None = None
    title: Change | None = None


class NodesDiff(ResponseModel):
    """Nodes, by id."""

    added: list[str]
    removed: list[str]
    changed: list[NodeChange]


class EdgeEnds(ResponseModel):
    """An edge, by its ends."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    source: str = Field(alias="from")
    target: str = Field(alias="to")


class EdgesDiff(ResponseModel):
    """Edges."""

    added: list[EdgeEnds]
    removed: list[EdgeEnds]


class FlowDiff(ResponseModel):
    """What changed between two documents; positions and canvas furniture don't count."""

    nodes: NodesDiff
    edges: EdgesDiff
