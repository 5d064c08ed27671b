"""Faults of an exported workflow, and the workflow that is sent."""

from typing import Any

import orjson
import pytest

from impasto_nodes.providers.comfyui import workflow as module
from impasto_nodes.providers.comfyui.workflow import (
    MAX_NODES,
    MAX_SEED,
    filled,
    find_faults,
    is_link,
    kind_of,
)

NODES: dict[str, Any] = {
    "1": {"class_type": "Load", "inputs": {"seed": 7, "text": "a", "noise_seed": True, "steps": 20}},
    "2": {"class_type": "Save", "inputs": {"images": ["1", 0], "noise_seed": 8, "seed": "no number"}},
}
TEXT = {"port": "text_1", "name": "Prompt", "node": "1", "field": "text"}
OUT = {"port": "images_1", "name": "Image", "node": "2"}


def faults(**parts: Any) -> list[tuple[str, str, str]]:
    return list(find_faults({"nodes": NODES, "outputs": [OUT]} | parts))


LISTED = "Use text_1 to text_8, number_1 to number_6, integer_1 to integer_6, image_1 to image_4, "
LISTED += "video_1 to video_2, audio_1 to audio_2."


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        ({}, []),
        ({"inputs": [TEXT], "outputs": [OUT, OUT | {"port": "videos_2"}]}, []),
        ({"inputs": [TEXT | {"port": "text_8"}]}, []),
        (
            {"nodes": None},
            [("nodes", "There is no workflow.", "Add one: in ComfyUI, use Workflow > Export (API).")],
        ),
        (
            {"nodes": {"2": NODES["2"]}},
            [
                (
                    "nodes.2",
                    "'images' of node 2 is linked to node 1, which is not there.",
                    "Export the workflow again.",
                )
            ],
        ),
        (
            {"outputs": None},
            [("outputs", "No node is chosen as an output.", "Choose a node that saves files.")],
        ),
        (
            {"outputs": []},
            [("outputs", "No node is chosen as an output.", "Choose a node that saves files.")],
        ),
        (
            {"inputs": [TEXT, TEXT | {"port": "text_2"}]},
            [("inputs[1]", "Two inputs replace 'text' of node 1.", "Remove one.")],
        ),
        (
            {"inputs": [TEXT, TEXT | {"field": "steps"}]},
            [("inputs[1]", "The port 'text_1' is used twice.", "Use another one.")],
        ),
        (
            {"inputs": [TEXT | {"field": "images", "node": "2"}]},
            [
                (
                    "inputs[0]",
                    "The input 'Prompt' replaces 'images' of node 2, which is no field.",
                    "Remove the input, or choose its field again.",
                )
            ],
        ),
        (
            {"inputs": [TEXT | {"node": "9"}]},
            [
                (
                    "inputs[0]",
                    "The input 'Prompt' replaces 'text' of node 9, which is no field.",
                    "Remove the input, or choose its field again.",
                )
            ],
        ),
        (
            {"outputs": [OUT | {"node": "9"}]},
            [("outputs[0]", "The output 'Image' is of node 9, which is not there.", "Remove the output.")],
        ),
    ],
)
def test_fault_is_found_with_its_place_and_remedy(
    parts: dict[str, Any], found: list[tuple[str, str, str]]
) -> None:
    assert faults(**parts) == found


@pytest.mark.parametrize(
    "port", ["text_0", "text_9", "text_x", "text_", "text", "videos_1", "text_²", "text_01", "text_1001"]
)
def test_port_that_a_step_does_not_have_is_refused(port: str) -> None:
    (fault,) = faults(inputs=[TEXT | {"port": port}])
    assert fault == ("inputs[0]", f"There is no port '{port}'.", LISTED)


def test_largest_workflow_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    many = {str(number): {"class_type": "A", "inputs": {}} for number in range(MAX_NODES)}
    assert faults(nodes=many, outputs=[OUT]) == []
    (fault,) = faults(nodes=many | {"one more": {"class_type": "A", "inputs": {}}})
    assert fault == ("nodes", "The workflow is larger than 500 nodes and 500 kB.", "Use a smaller workflow.")
    monkeypatch.setattr(module, "MAX_BYTES", len(orjson.dumps(NODES)))
    assert faults() == []
    monkeypatch.setattr(module, "MAX_BYTES", len(orjson.dumps(NODES)) - 1)
    assert len(faults()) == 1


def test_values_and_new_seeds_are_sent_and_the_export_stays_as_it_is() -> None:
    before = orjson.dumps(NODES)
    seed = {"port": "integer_1", "name": "Seed", "node": "2", "field": "noise_seed"}
    document = {"nodes": NODES, "inputs": [TEXT, seed, TEXT | {"port": "text_2", "field": "steps"}]}
    sent = filled(document, {"text_1": "b", "integer_1": 5}, MAX_SEED + 3)
    assert sent == {
        "1": {"class_type": "Load", "inputs": {"seed": 3, "text": "b", "noise_seed": True, "steps": 20}},
        "2": {"class_type": "Save", "inputs": {"images": ["1", 0], "noise_seed": 5, "seed": "no number"}},
    }
    assert filled(document, {}, 4)["2"]["inputs"]["noise_seed"] == 4
    assert filled({"nodes": NODES}, {}, None) == NODES
    assert orjson.dumps(NODES) == before


@pytest.mark.parametrize(
    ("value", "is_one"),
    [(["1", 0], True), (["1"], False), (["1", 0, 0], False), ([1, 0], False), ("1", False)],
)
def test_link_names_a_node_and_its_output(value: Any, is_one: bool) -> None:
    assert is_link(value) is is_one


def test_kind_of_a_port_is_before_its_number() -> None:
    assert kind_of("text_1") == "text"
