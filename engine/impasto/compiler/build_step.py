"""Builds a step from a node: its type, settings, ports and the static part of its key."""

import typing as t
from collections.abc import Mapping

from impasto.cache.keys import static_key, type_key
from impasto.compiler.catalog import Catalog
from impasto.compiler.exposed import ExposedSetting, limited
from impasto.compiler.step import Step
from impasto.compiler.subflows.expansion import Expansion
from impasto.compiler.subflows.levels import Draft, Level, Promotion
from impasto.compiler.subflows.promoted import promotions
from impasto.compiler.validate import check_type, checked_settings
from impasto.encoding import to_json
from impasto.sdk.node_type import InputPort, NodeType, input_ports
from impasto.sdk.settings import SettingInvalid
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
        step = Step(
            draft.index, draft.id, draft.node.title, found, ports, settings, part, static, self._usable
        )
        if draft.node.exposed or draft.promoted:
            step.exposed = _exposed_settings(self.expansion, draft, found, settings, self.configured)
        return step

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


def _exposed_settings(
    expansion: Expansion,
    draft: Draft,
    found: NodeType,
    settings: Mapping[str, t.Any],
    configured: frozenset[str] | None,
) -> tuple[ExposedSetting, ...]:
    """Return the exposed settings of a node, in the order of its document; note what is wrong with them.

    An edge of a flow around the one that offers a setting may drive it; its values are held to the limits.
    """
    exposed = []
    for name in dict.fromkeys((*draft.node.exposed, *(draft.promoted or ()))):
        reason = _not_exposable(found, name) if name in draft.node.exposed else ""
        if reason:
            message = f"Node '{draft.id}' cannot offer '{name}' to launchers: {reason}."
            expansion.problem(draft.index, "bad_exposed", message, draft.id, setting=name, hint="Hide it.")
            continue
        spec, last = found.setting_names[name], None
        for promotion in promotions(draft, name):
            if any(_is_inside(promotion.level, wire.source.level) for wire in draft.fed.get(name, ())):
                if promotion.level.parent is None:
                    _note_connected(expansion, draft, promotion)
                break
            try:
                spec = limited(spec, promotion.limits)
                if name in settings and name not in draft.fed:
                    spec.decode(to_json(settings[name]))
            except SettingInvalid as error:
                _note_limits(expansion, draft, promotion, error)
                last = None
                break
            last = promotion
        if last is not None:
            exposed.append(
                ExposedSetting(
                    name=f"{last.own}.{last.name}",
                    node=last.own,
                    title=last.title,
                    outermost=last.level.parent is None,
                    spec=spec,
                    order=last.limits.get("order"),
                    configured=configured,
                )
            )
    return tuple(exposed)


def _note_limits(expansion: Expansion, draft: Draft, promotion: Promotion, error: SettingInvalid) -> None:
    expansion.problem(
        draft.index,
        "bad_exposed",
        f"The limits for launchers do not fit the setting '{promotion.name}' of node '{promotion.node}': "
        f"{error.why}.",
        promotion.node,
        setting=promotion.name,
        hint="Change the limits, or the value of the setting.",
    )


def _is_inside(level: Level, inner: Level | None) -> bool:
    """Return whether a level is `level`, or that of a subflow of it."""
    while inner is not None and inner is not level:
        inner = inner.parent
    return inner is level


def _note_connected(expansion: Expansion, draft: Draft, promotion: Promotion) -> None:
    name, node = promotion.name, promotion.node
    message = f"Launchers cannot set '{name}' of node '{node}', because it is connected."
    hint = "Remove the connection, or hide the setting from launchers."
    expansion.problem(
        draft.index, "connected_exposed", message, node, setting=name, hint=hint, severity="warning"
    )


def _not_exposable(found: NodeType, name: str) -> str:
    if name not in found.setting_names:
        return "it has no such setting"
    if name == found.input:
        return "it is an input already"
    if name in found.variables:
        return "its placeholders are ports of the node"
    return ""
