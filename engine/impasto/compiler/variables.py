"""Puts the values of a flow's variables in place, before nodes become steps.

Steps see values only, so their keys depend on the value of a variable and not on its name. What is put in
place is data: it is never read as a template again.
"""

import typing as t
from collections.abc import Mapping
from dataclasses import replace

from impasto.compiler.catalog import Catalog
from impasto.compiler.subflows.holders import VERSION
from impasto.compiler.suggestions import Suggestions, listed
from impasto.document.flow import Flow
from impasto.document.model import FlowNode, dump_json
from impasto.document.variables import VARIABLE_TYPES, FlowVariable
from impasto.errors import Problem
from impasto.sdk import conversions
from impasto.sdk.node_type import NodeType
from impasto.sdk.template import Placeholder, Template
from impasto.types import TEXT

# What the variables of a flow and of all its subflows may add to settings. Each use makes a copy.
MAX_ADDED_CHARACTERS: t.Final = 4_000_000
_INNER = "inputs."


def bind_variables(flow: Flow, catalog: Catalog) -> Flow:
    """Return the flow as its nodes run: with the values of its variables in their settings.

    A setting keeps its own value where its variable is missing. What flows inside it use stays as it is.
    """
    return VariableBinder(catalog).bind(flow)


class VariableBinder:
    """Binds the flows of one compilation. `problems` has what is wrong, each with its place in the flow."""

    def __init__(self, catalog: Catalog) -> None:
        self.problems: list[tuple[int, Problem]] = []
        self.suggestions = Suggestions()
        self._catalog = catalog
        self._left = MAX_ADDED_CHARACTERS

    def bind(self, flow: Flow, prefix: str = "", place: int | None = None) -> Flow:
        """Return the flow with values instead of variables; the same flow if no node uses any.

        `prefix` goes before the ids of nodes in problems. `place` is the order of all problems; by default,
        each has that of its node.
        """
        if not flow.variables and not any(node.variables for node in flow.nodes):
            return flow
        values = {variable.name: variable for variable in flow.variables}
        connected = {edge.target for edge in flow.edges}
        nodes = []
        for index, node in enumerate(flow.nodes):
            scope = _Scope(self, values, connected, node, prefix, index if place is None else place)
            nodes.append(scope.bound(self._catalog.get(node.type)))
        return replace(flow, nodes=nodes)

    def add(self, size: int) -> bool:
        """Count what a use adds; False once it is too much."""
        self._left -= size
        return self._left >= 0


class _Scope:
    """One node, and the variables that it may use."""

    def __init__(
        self,
        binder: VariableBinder,
        values: Mapping[str, FlowVariable],
        connected: set[str],
        node: FlowNode,
        prefix: str,
        place: int,
    ) -> None:
        self._binder = binder
        self._values = values
        self._connected = connected
        self._node = node
        self._id = prefix + node.id
        self._place = place
        self._is_full = False

    def bound(self, found: NodeType | None) -> FlowNode:
        node = self._node
        settings: dict[str, t.Any] = dict(node.settings)
        templates: dict[str, bool] = {}
        if found is not None:
            templates = _templates(found)
            for name, is_parsed_again in templates.items():
                text = settings.get(name)
                if name not in node.variables and isinstance(text, str) and "{{" in text and self._values:
                    settings[name] = self._filled(text, found, is_parsed_again=is_parsed_again)
        for name, used in node.variables.items():
            variable = self._variable(name, used, found)
            if variable is None:
                continue
            value = variable.value
            if templates.get(name) and isinstance(value, str):
                value = Template.literal(value)
            inner = name.removeprefix(_INNER)
            if inner != name and found is not None and found.subflow:
                given = settings.get("inputs")
                settings["inputs"] = {**(given if isinstance(given, dict) else {}), inner: value}
            else:
                settings[name] = value
        return node if settings == node.settings and not node.variables else replace(node, settings=settings)

    def _variable(self, setting: str, used: str, found: NodeType | None) -> FlowVariable | None:
        """Return the variable that sets a setting; None, with a problem noted, if it cannot."""
        if found is not None and found.subflow and setting in (found.subflow, VERSION):
            message = f"A variable cannot choose the flow that node '{self._id}' runs."
            self._note("wrong_variable", message, setting, "Choose the flow in the setting itself.")
            return None
        variable = self._values.get(used)
        if variable is None:
            names = list(self._values)
            close = self._binder.suggestions.closest(used, names)
            hint = f"Did you mean '{close}'?" if close else f"It has: {listed(names)}."
            message = f"The setting '{setting}' of node '{self._id}' is set to the variable '{used}', "
            message += "which the flow does not have."
            self._note("unknown_variable", message, setting, hint)
            return None
        return variable if self._has_room(_size(variable), setting) else None

    def _filled(self, text: str, found: NodeType, *, is_parsed_again: bool) -> str:
        """Return a template with the values of the variables that it names."""
        template = Template.parse(text)
        used: dict[str, str] = {}
        for place in template.placeholders:
            name = place.path
            variable = self._values.get(name) if place.is_name else None
            if variable is None or name in found.input_names or f"{self._node.id}.{name}" in self._connected:
                continue
            value = used[name] if name in used else _text(variable)
            if not self._has_room(len(value), None):
                return text
            used[name] = value

        def part_of(part: str | Placeholder) -> str:
            if isinstance(part, Placeholder):
                if part.path not in used:
                    return part.source
                part = used[part.path] or part.default or ""
            # What stands around a value may hold braces that would make a placeholder of it.
            return Template.literal(part) if is_parsed_again else part

        return "".join(map(part_of, template.parts)) if used else text

    def _has_room(self, size: int, setting: str | None) -> bool:
        if self._binder.add(size):
            return True
        if not self._is_full:
            self._is_full = True
            message = f"The variables add more than {MAX_ADDED_CHARACTERS:,} characters to this flow."
            hint = "Shorten their values, or use them in fewer places."
            self._note("too_large", message, setting, hint)
        return False

    def _note(self, code: str, message: str, setting: str | None, hint: str) -> None:
        problem = Problem(code=code, message=message, node=self._id, setting=setting, hint=hint)
        self._binder.problems.append((self._place, problem))


def _templates(found: NodeType) -> dict[str, bool]:
    """Return the settings of a type whose placeholders are filled, and whether the node parses them, too."""
    templates = dict.fromkeys(found.variables, True)
    spec = found.setting_names.get(found.input) if found.input else None
    if spec is not None and spec.port is not None and spec.port.base is TEXT and not spec.port.depth:
        templates.setdefault(spec.name, False)
    return templates


def _text(variable: FlowVariable) -> str:
    convert = conversions.find(VARIABLE_TYPES[variable.type], TEXT)
    return str(convert(variable.value)) if convert is not None else ""


def _size(variable: FlowVariable) -> int:
    value = variable.value
    return len(value) if isinstance(value, str) else len(dump_json(value))
