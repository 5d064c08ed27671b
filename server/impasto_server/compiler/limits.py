"""Size limits of flow documents, checked in linear time before a document is compiled."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from impasto import Catalog
from impasto.compiler.subflows.holders import holder_of

MAX_ID_LENGTH = 200  # the ids of nested nodes are joined to paths


@dataclass(frozen=True)
class FlowLimits:
    """The limits of one document; `steps` and `subflows` also count the agents that it runs.

    `setting_values` and `setting_depth` bound the settings of one node, such as a JSON Schema: objects,
    lists and scalars each count as one value.
    """

    nodes: int
    edges: int
    steps: int
    settings_bytes: int
    setting_values: int
    setting_depth: int


class LimitExceeded(Exception):
    """A document exceeds a limit. `limit` names the setting of the server that holds it."""

    def __init__(self, limit: str, maximum: int, actual: int, message: str) -> None:
        super().__init__(message)
        self.limit = limit
        self.maximum = maximum
        self.actual = actual


class SizeCheck:
    """Holds a document and the documents of its subflows against the limits."""

    def __init__(self, limits: FlowLimits, catalog: Catalog, subflows: Mapping[str, Any]) -> None:
        self._limits = limits
        self._catalog = catalog
        self._subflows = subflows
        self._steps: dict[str, int] = {}

    def check(self, document: Any) -> None:
        """Raise `LimitExceeded` if the document, or the flow that it expands to, is too large."""
        steps = self._expanded(document)
        maximum = self._limits.steps
        if steps > maximum:
            raise LimitExceeded(
                "IMPASTO_MAX_FLOW_STEPS",
                maximum,
                steps,
                f"With the agents that it runs, this flow has {steps:,} steps; the limit is {maximum:,}. "
                "Nest fewer agents, or pass a list to one of them: it then runs once for each item.",
            )

    def _expanded(self, document: Any) -> int:
        """Return the number of steps after expansion. Raises `LimitExceeded`."""
        if not isinstance(document, dict):
            return 0
        # Format 0 had nodes by their id.
        nodes, edges = document.get("nodes"), document.get("edges")
        listed = list(nodes.values()) if isinstance(nodes, dict) else nodes if isinstance(nodes, list) else []
        self._check_lengths(listed, edges if isinstance(edges, list) else [])
        total = 0
        settings_bytes = self._check_variables(document.get("variables"))
        for node in listed:
            if not isinstance(node, dict):
                continue
            settings = node.get("settings")
            inner = self._inner(node, settings)
            total += 1 if inner is None else 1 + inner
            if isinstance(settings, dict) and settings:
                settings_bytes += self._check_settings(node, settings)
        if settings_bytes > self._limits.settings_bytes:
            raise LimitExceeded(
                "IMPASTO_MAX_SETTINGS_BYTES",
                self._limits.settings_bytes,
                settings_bytes,
                f"The settings of this flow's nodes have {settings_bytes:,} bytes; the limit is "
                f"{self._limits.settings_bytes:,}. Shorten them, or pass long texts as inputs.",
            )
        return total

    def _check_variables(self, variables: Any) -> int:
        """Return the size of the variables in bytes, which count as settings. Raises `LimitExceeded`."""
        if not isinstance(variables, list) or not variables:
            return 0
        named = {"id": "variables of the flow"}
        self._check_shape(named, *_measure({"variables": variables}, self._limits))
        return len(orjson.dumps(variables))

    def _check_lengths(self, nodes: list[Any], edges: list[Any]) -> None:
        limits = self._limits
        if len(nodes) > limits.nodes:
            raise LimitExceeded(
                "IMPASTO_MAX_FLOW_NODES",
                limits.nodes,
                len(nodes),
                f"This flow has {len(nodes):,} nodes; the limit is {limits.nodes:,}. "
                "Move parts of it into agents of their own.",
            )
        if len(edges) > limits.edges:
            raise LimitExceeded(
                "IMPASTO_MAX_FLOW_EDGES",
                limits.edges,
                len(edges),
                f"This flow has {len(edges):,} edges; the limit is {limits.edges:,}. "
                "Move parts of it into agents of their own.",
            )
        for node in nodes:
            name = node.get("id") if isinstance(node, dict) else None
            if isinstance(name, str) and len(name) > MAX_ID_LENGTH:
                raise LimitExceeded(
                    "node id",
                    MAX_ID_LENGTH,
                    len(name),
                    f"The id of node '{name[:20]}…' has {len(name):,} characters; the limit is "
                    f"{MAX_ID_LENGTH}. Shorten it: its title may be long.",
                )

    def _inner(self, node: dict[str, Any], settings: Any) -> int | None:
        """Return the steps of the flow that a node runs; None for a node that runs none."""
        name = self._holder(node)
        if name is None or not isinstance(settings, dict):
            return None
        holder = holder_of(settings, name)
        if isinstance(holder, dict):
            return self._expanded(holder)
        if not isinstance(holder, str) or holder not in self._subflows:
            return 0
        if holder not in self._steps:
            self._steps[holder] = 0  # a flow that contains itself, which the compiler reports
            self._steps[holder] = self._expanded(self._subflows[holder])
        return self._steps[holder]

    def _check_settings(self, node: dict[str, Any], settings: dict[str, Any]) -> int:
        """Return the size of a node's settings in bytes. Raises `LimitExceeded`.

        The values of a flow inside the settings are not counted: it has been checked as a flow.
        """
        holder = self._holder(node)
        own = {name: value for name, value in settings.items() if name != holder}
        self._check_shape(node, *_measure(own, self._limits))
        return len(orjson.dumps(settings))

    def _holder(self, node: dict[str, Any]) -> str | None:
        """Return the setting that holds the flow that a node runs; None for a node that runs none."""
        type_id = node.get("type")
        found = self._catalog.get(type_id) if isinstance(type_id, str) else None
        return found.subflow if found is not None else None

    def _check_shape(self, node: dict[str, Any], values: int, depth: int) -> None:
        limits, name = self._limits, str(node.get("id"))[:MAX_ID_LENGTH]
        if values > limits.setting_values:
            raise LimitExceeded(
                "IMPASTO_MAX_SETTING_VALUES",
                limits.setting_values,
                values,
                f"The settings of node '{name}' hold at least {values:,} values; the limit is "
                f"{limits.setting_values:,}. Make its lists or its schema smaller.",
            )
        if depth > limits.setting_depth:
            raise LimitExceeded(
                "IMPASTO_MAX_SETTING_DEPTH",
                limits.setting_depth,
                depth,
                f"The settings of node '{name}' are nested at least {depth} levels deep; the limit is "
                f"{limits.setting_depth}. Make its data or its schema flatter.",
            )


def _measure(settings: dict[str, Any], limits: FlowLimits) -> tuple[int, int]:
    """Return how many values the settings hold and how deep they are; counting stops above a limit."""
    level: list[Any] = [settings]
    values = depth = 0
    while level and values <= limits.setting_values and depth <= limits.setting_depth:
        inner: list[Any] = []
        for part in level:
            inner += part.values() if isinstance(part, dict) else part
        values += len(inner)
        level = [part for part in inner if isinstance(part, dict | list)]
        depth += 1
    return values, depth
