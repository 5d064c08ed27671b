"""Stand-ins for nodes that a run does not call as they are: disabled, bypassed and pinned ones.

A stand-in is a node type with the outputs of the node's own, and a function that needs nothing of it. A
pinned node gives its stored outputs, a bypassed one passes its inputs on, and a disabled one is skipped, with
what needs it. Edges into inputs that a stand-in does not have are left out.
"""

import typing as t
from collections.abc import Mapping
from dataclasses import replace

from impasto.document.flow import Flow
from impasto.document.model import FlowNode
from impasto.encoding import from_json
from impasto.sdk.node_type import InputPort, NodeType, OutputPort, input_ports
from impasto.types import ANY, SKIP, PortType, ValueType
from impasto.values import fits

NOTES: t.Final[Mapping[str, tuple[str, str, str]]] = {
    "disabled": ("disabled", "is disabled: a run skips it, with what needs it", "Enable it to run it."),
    "bypassed": (
        "bypassed",
        "is bypassed: a run passes its inputs on unchanged",
        "End the bypass to run it.",
    ),
    "pinned": ("pinned", "has a pinned result, which runs use instead of a new one", "Unpin it to run it."),
}
"""By why a node has a stand-in: the code of the problem, the end of its sentence, and its hint."""


class PinInvalid(Exception):
    """A pinned result does not fit its node. The message completes "the pinned result of node 'x' ..."."""


def stand_in(
    node: FlowNode, found: NodeType | None, flow: Flow, value_types: Mapping[str, ValueType]
) -> NodeType | None:
    """Return the type that stands in for a node; None if a run calls the node itself.

    `found` is the node's own type, `flow` its document. Raises PinInvalid.
    """
    if (node.mode is None and node.pin is None) or found is None:
        return None
    if node.mode == "disabled":
        return _without_inputs(found, _used_outputs(found, node, flow), never_called)
    if node.pin is not None:
        return _pinned(node.pin, found, value_types)
    if found.subflow is not None:
        return None
    prefix = f"{node.id}."
    connected = {edge.target[len(prefix) :] for edge in flow.edges if edge.target.startswith(prefix)}
    return _bypassed(found, [port for port in input_ports(found, node.settings) if port.name in connected])


async def never_called() -> t.NoReturn:
    """Stand in for the function of a node that a run skips: disabled, or bypassed with nothing to pass on."""
    raise AssertionError("a skipped node has been called")


def _used_outputs(found: NodeType, node: FlowNode, flow: Flow) -> tuple[OutputPort, ...]:
    """Return the outputs of a disabled node; those of a node that runs another flow are what edges name."""
    if found.subflow is None:
        return found.outputs
    prefix = f"{node.id}."
    names = dict.fromkeys(edge.source[len(prefix) :] for edge in flow.edges if edge.source.startswith(prefix))
    return tuple(OutputPort(name=name, type=PortType(ANY), title=name) for name in names)


def _pinned(pin: Mapping[str, t.Any], found: NodeType, value_types: Mapping[str, ValueType]) -> NodeType:
    own = {port.name: port for port in found.outputs}
    outputs, values = [], []
    for name, stored in pin["outputs"].items():
        base = value_types.get(stored["type"])
        if base is None:
            raise PinInvalid(f"has the type '{stored['type']}' at '{name}', which is not installed")
        if found.subflow is None and name not in own:
            raise PinInvalid(f"is for the output '{name}', which the node does not have")
        try:
            value = from_json(stored["value"], value_types)
        except (TypeError, ValueError, KeyError) as error:
            raise PinInvalid(f"cannot be read at '{name}' ({error})") from error
        if not fits(value, stored["depth"], base):
            raise PinInvalid(f"is not {PortType(base, stored['depth'])} at '{name}'")
        title = own[name].title if name in own else name
        outputs.append(OutputPort(name=name, type=PortType(base, stored["depth"]), title=title))
        values.append(value)
    for port in found.outputs:
        if port.name not in pin["outputs"]:
            outputs.append(replace(port, optional=True))
            values.append(SKIP)
    stand = _without_inputs(found, tuple(outputs), never_called)

    async def pinned() -> t.Any:
        return values[0] if stand.single else tuple(values)

    closed = [port.name for port, value in zip(outputs, values, strict=True) if value is SKIP]
    # Estimates count the items of a list that is known.
    known = {"value": values[0]} if len(values) == 1 and not closed else {}
    return replace(stand, function=pinned, cost=lambda *_: {**known, "closed": closed})


def _bypassed(found: NodeType, connected: t.Iterable[InputPort]) -> NodeType:
    """Return a type that passes each output the first connected input of the same type.

    A run skips the node if there is none.
    """
    inputs = [port for port in connected if not port.lazy]
    passed = [
        next((one for one in inputs if one.type.base is port.type.base), None) for port in found.outputs
    ]
    used = [port for port in inputs if port in passed]
    if not used:
        return _without_inputs(found, found.outputs, never_called)
    places = [used.index(port) if port is not None else None for port in passed]
    outputs = tuple(
        replace(port, type=source.type if source is not None else port.type, optional=True)
        for port, source in zip(found.outputs, passed, strict=True)
    )

    async def bypassed(*values: t.Any) -> t.Any:
        given = [SKIP if place is None else values[place] for place in places]
        return given[0] if found.single else tuple(given)

    closed = [port.name for port, source in zip(found.outputs, passed, strict=True) if source is None]

    def cost(_: t.Any, values: Mapping[str, t.Any], configured: t.Any) -> dict[str, t.Any]:
        passing = values[used[0].name]
        if len(outputs) > 1 or passing is None:
            return {"closed": closed}
        if isinstance(passing, list) and all(item is None for item in passing):
            return {"items": len(passing)}
        return {"value": passing}

    ports = tuple(replace(port, default=SKIP, lazy=False, spread=False, variable=False) for port in used)
    stand = replace(_without_inputs(found, outputs, bypassed), inputs=ports, input_names=_numbered(ports))
    return replace(stand, cost=cost)


def _without_inputs(
    found: NodeType, outputs: tuple[OutputPort, ...], function: t.Callable[..., t.Any]
) -> NodeType:
    return replace(
        found,
        function=function,
        kind="async",
        inputs=(),
        outputs=outputs,
        settings=(),
        single=found.single and [port.name for port in outputs] == ["output"],
        context=None,
        input=None,
        variables=(),
        generative=False,
        seeded=False,
        fingerprint=None,
        timeout=None,
        retries=0,
        limit=None,
        beta=False,
        deprecated=False,
        cost=None,
        check=None,
        subflow=None,
        plugin=None,
        setting_names={},
        input_names={},
        output_names=_numbered(outputs),
        positional=True,
        plain=frozenset(),
        direct=True,
        outside=False,
        open=False,
        simple=False,
        effects=False,
    )


def _numbered(ports: t.Sequence[InputPort | OutputPort]) -> dict[str, int]:
    return {port.name: number for number, port in enumerate(ports)}
