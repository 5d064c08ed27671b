"""A workflow in ComfyUI's API format, and which of its fields and nodes are ports of the step."""

from collections.abc import Iterator, Mapping
from typing import Any, NotRequired, TypedDict

import orjson

MAX_NODES = 500
MAX_BYTES = 500_000
SEED_FIELDS = ("seed", "noise_seed")
MAX_SEED = 2**53 - 1
"""Larger ones are not exact in JSON of the editor."""

PORTS: Mapping[str, int] = {"text": 8, "number": 6, "integer": 6, "image": 4, "video": 2, "audio": 2}
"""The kinds of inputs, and how many of each a step has: `text_1` to `text_8`."""
RESULTS: Mapping[str, int] = {"images": 4, "videos": 2, "audios": 2}
"""The kinds of outputs, and how many of each a step has."""


class ApiNode(TypedDict):
    """A node as `Export (API)` writes it; an input is a value, or a link `[node, output]`."""

    class_type: str
    inputs: dict[str, Any]
    _meta: NotRequired[dict[str, Any]]


class WorkflowInput(TypedDict):
    """A field that an input port replaces: `field` of the node `node`."""

    port: str
    name: str
    node: str
    field: str


class WorkflowOutput(TypedDict):
    """A node whose files an output port returns."""

    port: str
    name: str
    node: str


class Workflow(TypedDict):
    """An exported workflow, and its ports."""

    nodes: dict[str, ApiNode]
    inputs: NotRequired[list[WorkflowInput]]
    outputs: NotRequired[list[WorkflowOutput]]


def kind_of(port: str) -> str:
    """Return the kind of a port: "text" of `text_1`."""
    return port.rpartition("_")[0]


def is_link(value: Any) -> bool:
    """Return whether a node's input is a link to another node's output."""
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str)


def find_faults(workflow: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield (path in the setting, what is wrong, how to fix it), in time linear in the workflow's size."""
    nodes = workflow.get("nodes")
    if not nodes:
        yield "nodes", "There is no workflow.", "Add one: in ComfyUI, use Workflow > Export (API)."
        return
    if len(nodes) > MAX_NODES or len(orjson.dumps(nodes)) > MAX_BYTES:
        limits = f"{MAX_NODES} nodes and {MAX_BYTES // 1000} kB"
        yield "nodes", f"The workflow is larger than {limits}.", "Use a smaller workflow."
        return
    for node_id, node in nodes.items():
        for field, value in node["inputs"].items():
            if is_link(value) and value[0] not in nodes:
                what = f"'{field}' of node {node_id} is linked to node {value[0]}, which is not there."
                yield f"nodes.{node_id}", what, "Export the workflow again."
    yield from _port_faults(workflow, nodes)


def filled(
    workflow: Mapping[str, Any], values: Mapping[str, Any], seed: int | None
) -> dict[str, dict[str, Any]]:
    """Return the nodes to send: with the ports' values in their fields, and `seed` in the seeds left over."""
    nodes = {node_id: {**node, "inputs": dict(node["inputs"])} for node_id, node in workflow["nodes"].items()}
    driven = set()
    for one in workflow.get("inputs") or ():
        if one["port"] in values:
            nodes[one["node"]]["inputs"][one["field"]] = values[one["port"]]
            driven.add((one["node"], one["field"]))
    if seed is not None:
        for node_id, node in nodes.items():
            for field in SEED_FIELDS:
                value = node["inputs"].get(field)
                is_seed = isinstance(value, int) and not isinstance(value, bool)
                if is_seed and (node_id, field) not in driven:
                    node["inputs"][field] = seed % MAX_SEED
    return nodes


def _port_faults(workflow: Mapping[str, Any], nodes: Mapping[str, ApiNode]) -> Iterator[tuple[str, str, str]]:
    taken: set[Any] = set()
    for at, one in enumerate(workflow.get("inputs") or ()):
        path, node = f"inputs[{at}]", nodes.get(one["node"])
        yield from _port_fault(path, one, PORTS, taken)
        field = (one["node"], one["field"])
        if node is None or one["field"] not in node["inputs"] or is_link(node["inputs"][one["field"]]):
            place = f"'{one['field']}' of node {one['node']}"
            what = f"The input '{one['name']}' replaces {place}, which is no field."
            yield path, what, "Remove the input, or choose its field again."
        elif field in taken:
            yield path, f"Two inputs replace '{one['field']}' of node {one['node']}.", "Remove one."
        taken.add(field)
    outputs = workflow.get("outputs") or ()
    if not outputs:
        yield "outputs", "No node is chosen as an output.", "Choose a node that saves files."
    for at, result in enumerate(outputs):
        yield from _port_fault(f"outputs[{at}]", result, RESULTS, taken)
        if result["node"] not in nodes:
            what = f"The output '{result['name']}' is of node {result['node']}, which is not there."
            yield f"outputs[{at}]", what, "Remove the output."


def _port_fault(
    path: str, one: Mapping[str, Any], kinds: Mapping[str, int], taken: set[Any]
) -> Iterator[tuple[str, str, str]]:
    kind, _, number = one["port"].rpartition("_")
    if number not in map(str, range(1, kinds.get(kind, 0) + 1)):
        listed = ", ".join(f"{name}_1 to {name}_{count}" for name, count in kinds.items())
        yield path, f"There is no port '{one['port']}'.", f"Use {listed}."
    elif one["port"] in taken:
        yield path, f"The port '{one['port']}' is used twice.", "Use another one."
    taken.add(one["port"])
