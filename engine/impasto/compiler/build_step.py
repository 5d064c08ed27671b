"""Builds a step from a node: its type, settings, ports and the static part of its key."""

import typing as t

from impasto.cache.keys import static_key, type_key
from impasto.compiler.catalog import Catalog
from impasto.compiler.step import Step
from impasto.compiler.subflows import Draft, Expansion
from impasto.compiler.validate import check_type, checked_settings
from impasto.sdk.node_type import InputPort, NodeType, input_ports
from impasto.serialization import json_error


class StepBuilder:
    """Builds the steps of one flow; problems are noted in the expansion."""

    def __init__(
        self,
        expansion: Expansion,
        catalog: Catalog,
        configured: frozenset[str] | None,
        checks: bool = True,
    ) -> None:
        self.expansion = expansion
        self._checks = checks
        self.catalog = catalog
        self._usable = catalog.configured | (configured or frozenset())
        self.configured = None if configured is None else self._usable
        self._type_parts: dict[NodeType, bytes] = {}

    def step(self, draft: Draft) -> Step | None:
        """Return the node's step, not yet connected; None, with a problem noted, if its type is unknown."""
        if draft.stands_in:
            return self._stand_in_step(draft)
        found = check_type(self.expansion, self.catalog, draft)
        if found is None:
            return None
        settings = checked_settings(self.expansion, draft, found, self.configured, self._checks)
        ports = input_ports(found, settings)
        part = self._type_parts.get(found) if ports is found.inputs else _type_part(found, ports)
        if part is None:
            part = self._type_parts[found] = _type_part(found, ports)
        try:
            static = static_key(part, settings)
        except (TypeError, ValueError, RecursionError):
            self._note_not_json(draft, settings)
            static = b""
        return Step(
            draft.index, draft.id, draft.node.title, found, ports, settings, part, static, self._usable
        )

    def _stand_in_step(self, draft: Draft) -> Step:
        """Return the step of a stand-in. Its key differs from every key of the node's own type."""
        node, found = draft.node, t.cast("NodeType", draft.type)
        names = [*found.input_names, *found.output_names]
        part = type_key(f"{node.mode or 'pinned'} {found.id}", found.version, names)
        static = static_key(part, {"pin": node.pin if node.mode is None else None})
        return Step(draft.index, draft.id, node.title, found, found.inputs, {}, part, static, self._usable)

    def _note_not_json(self, draft: Draft, settings: dict[str, t.Any]) -> None:
        """Note the settings that have no JSON form; only a program can have made such a flow."""
        for name, value in settings.items():
            why = json_error(value)
            if why is not None:
                message = f"The setting '{name}' of node '{draft.id}' cannot be stored as JSON: {why}."
                self.expansion.problem(
                    draft.index, "bad_setting", message, draft.id, setting=name, hint="Give it JSON data."
                )


def _type_part(found: NodeType, ports: tuple[InputPort, ...]) -> bytes:
    return type_key(found.id, found.version, [port.name for port in ports])
