"""Validates one node of a flow: its type and its settings."""

import typing as t

from impasto.compiler.catalog import Catalog
from impasto.compiler.subflows.expansion import Expansion
from impasto.compiler.subflows.levels import Draft
from impasto.compiler.suggestions import listed
from impasto.document.model import copied
from impasto.errors import FlowInvalid, Problem
from impasto.plugins.allow_list import RefusedPlugin
from impasto.plugins.distributions import normalized
from impasto.sdk.node_type import NodeType
from impasto.sdk.settings import REQUIRED, SettingInvalid

_MUTABLE = frozenset((dict, list))


def check_type(expansion: Expansion, catalog: Catalog, draft: Draft) -> NodeType | None:
    """Return the node's type and migrate its settings; None, with a problem noted, if it is unknown."""
    found, node = draft.type, draft.node
    if found is None:
        _unknown_type(expansion, catalog, draft)
        return None
    if found.deprecated:
        instead = f"Use '{found.replaced_by}' instead." if found.replaced_by else None
        message = f"Node '{draft.id}' is of the type '{found.id}', which is deprecated."
        expansion.problem(draft.index, "deprecated_type", message, draft.id, hint=instead, severity="warning")
    version = node.version
    if version is None or version == found.version:
        return found
    if version > found.version or version < 1:
        installed = f"version {found.version} is installed"
        message = f"Node '{draft.id}' needs version {version} of '{found.id}'; {installed}."
        hint = "Versions count from 1." if version < 1 else "Update the plugin that provides it."
        expansion.problem(draft.index, "bad_version", message, draft.id, hint=hint)
        return found
    _migrate(expansion, draft, found, version)
    return found


def _migrate(expansion: Expansion, draft: Draft, found: NodeType, version: int) -> None:
    settings = dict(draft.settings)
    try:
        for start in range(version, found.version):
            migration = found.migrations.get(start)
            settings = migration(dict(settings)) if migration else settings
    except Exception as error:  # noqa: BLE001 - a plugin's function may raise anything
        why = f"{type(error).__name__}: {error}"
        message = (
            f"The settings of node '{draft.id}' could not be migrated to version {found.version} ({why})."
        )
        expansion.problem(draft.index, "bad_setting", message, draft.id, hint="Enter them again.")
        return
    draft.settings = settings


def _unknown_type(expansion: Expansion, catalog: Catalog, draft: Draft) -> None:
    node = draft.node
    flow = draft.level.flow
    package = node.extra.get("package") or _recorded(flow.extra.get("plugins"), node.type)
    refused = next((one for one in catalog.refused if _is_of(one, package, node.type)), None)
    if refused is not None:
        needs = f"needs the plugin '{refused.package}', which is refused"
        message = f"Node '{draft.id}' {needs}: {refused.reason}."
        expansion.problem(draft.index, "refused_plugin", message, draft.id, hint=refused.hint)
        return
    if package:
        message = f"Node '{draft.id}' needs the plugin '{package}', which is not installed."
        hint = f"Install it: pip install {package}"
        expansion.problem(draft.index, "missing_plugin", message, draft.id, hint=hint)
        return
    message = f"Node '{draft.id}' is of an unknown type '{node.type}'."
    expansion.problem(
        draft.index, "unknown_type", message, draft.id, hint=_hint(expansion, catalog, node.type)
    )


def _is_of(refused: RefusedPlugin, package: t.Any, type_id: str) -> bool:
    return type_id in refused.node_types or (
        isinstance(package, str) and normalized(package) == refused.package
    )


def _recorded(plugins: t.Any, type_id: str) -> str | None:
    name = plugins.get(type_id) if isinstance(plugins, dict) else None
    return name if isinstance(name, str) else None


def _hint(expansion: Expansion, catalog: Catalog, type_id: str) -> str:
    close = expansion.suggestions.closest(type_id, [found.id for found in catalog])
    if close:
        return f"Did you mean '{close}'?"
    if catalog.refused:
        names = ", ".join(plugin.package for plugin in catalog.refused)
        return f"It may belong to a plugin that the operator's list refuses: {names}."
    if catalog.broken:
        names = ", ".join(plugin.package for plugin in catalog.broken)
        return f"It may belong to a plugin that failed to load: {names}."
    return "Install the plugin that provides it, or choose another node."


def checked_settings(
    expansion: Expansion, draft: Draft, found: NodeType, configured: frozenset[str] | None, checks: bool
) -> dict[str, t.Any]:
    """Return the decoded settings with defaults filled in; note what is wrong with them.

    Without `checks`, the node type's own check is not called.
    """
    given, decoded = draft.settings, {}
    known = 0
    for spec in found.settings:
        name = spec.name
        if name in given:
            known += 1
            try:
                value = given[name]
                decoded[name] = spec.decode(value if type(value) not in _MUTABLE else _copied(value))
            except SettingInvalid as error:
                _bad_setting(expansion, draft, name, error)
        elif spec.default is not REQUIRED:
            decoded[name] = spec.default
        elif name != found.input and name not in draft.fed:
            message = f"Node '{draft.id}' has no value for its setting '{name}'."
            expansion.problem(draft.index, "bad_setting", message, draft.id, setting=name, hint="Set it.")
        elif name == found.input and draft.level.parent is not None and name not in draft.fed:
            _unfed_input(expansion, draft)
    if known < len(given):
        _unknown_settings(expansion, draft, found)
    if checks and found.check is not None:
        _run_check(expansion, draft, found, decoded, configured)
    return decoded


def _copied(value: t.Any) -> t.Any:
    """Return a copy, so that editing the flow later does not change the plan."""
    try:
        return copied(value)
    except FlowInvalid:
        return value  # noted when the step's key is built


def _bad_setting(expansion: Expansion, draft: Draft, name: str, error: SettingInvalid) -> None:
    path = f"$.{name}{error.path[1:]}"
    place: dict[str, t.Any] = {"node": draft.id, "reason": error.reason}
    used = draft.node.variables.get(name)
    if used is not None:
        message = (
            f"The variable '{used}' does not fit the setting '{name}' of node '{draft.id}': {error.why}."
        )
        hint = "Change its value, or use another variable."
        expansion.problem(draft.index, "wrong_variable", message, setting=name, hint=hint, **place)
        return
    message = f"The setting '{name}' of node '{draft.id}' is wrong: {error.why} (at {path})."
    hint = f"Change {path}."
    expansion.problem(draft.index, "bad_setting", message, setting=path[2:], hint=hint, **place)


def _unfed_input(expansion: Expansion, draft: Draft) -> None:
    parent = draft.level.prefix.rstrip("/")
    message = f"The input '{draft.node.id}' of node '{parent}' is not connected."
    hint = "Connect it, or give the inner input a value."
    expansion.problem(draft.index, "required_input", message, parent, port=draft.node.id, hint=hint)


def _unknown_settings(expansion: Expansion, draft: Draft, found: NodeType) -> None:
    for name in draft.settings:
        if name not in found.setting_names:
            close = expansion.suggestions.closest(name, list(found.setting_names))
            hint = f"Did you mean '{close}'?" if close else f"It has: {listed(found.setting_names)}."
            message = f"Node '{draft.id}' ({found.title}) has no setting '{name}'."
            expansion.problem(draft.index, "unknown_setting", message, draft.id, setting=name, hint=hint)


def _run_check(
    expansion: Expansion,
    draft: Draft,
    found: NodeType,
    settings: dict[str, t.Any],
    configured: frozenset[str] | None,
) -> None:
    """Note the problems that the node type's own check finds."""
    try:
        found_problems = found.check(settings, configured) if found.check else None
        problems = [_problem_of(draft, item) for item in found_problems or ()]
    except Exception as error:  # noqa: BLE001 - a plugin's function may raise anything, and must not hide other problems
        message = f"The check of node type '{found.id}' failed: {type(error).__name__}: {error}"
        problems = [Problem(code="bad_setting", message=message, node=draft.id, severity="warning")]
    expansion.problems += [(draft.index, problem) for problem in problems]


def _problem_of(draft: Draft, item: t.Mapping[str, t.Any]) -> Problem:
    fields = {key: item.get(key) for key in ("setting", "port", "hint")}
    severity: t.Literal["warning", "error"] = "warning" if item.get("severity") == "warning" else "error"
    return Problem(
        code=str(item["code"]), message=str(item["message"]), node=draft.id, severity=severity, **fields
    )
