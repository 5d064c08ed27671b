"""A server's errors name the nodes of the workflow."""

from typing import Any

import pytest

from impasto_nodes.providers.comfyui.errors import failure, node_name, rejection

NODES = {
    "1": {"class_type": "Load"},
    "2": {"class_type": "Sample", "_meta": {"title": " My  paint. "}},
    "3": {"_meta": {"title": ""}},
}

OUT_OF_MEMORY = "ComfyUI ran out of memory in 'Load' (node 1). "
OUT_OF_MEMORY += "Use a smaller size, fewer images or a smaller model."


@pytest.mark.parametrize(
    ("node", "class_type", "name"),
    [
        ("1", "", "'Load' (node 1)"),
        ("2", "Other", "'My paint' (node 2)"),
        ("3", "Given", "'Given' (node 3)"),
        ("9", "", "'a node' (node 9)"),
    ],
)
def test_node_is_named_by_its_title_else_its_class(node: str, class_type: str, name: str) -> None:
    assert node_name(NODES, node, class_type) == name


def test_long_title_is_cut() -> None:
    assert node_name({"1": {"class_type": "x" * 81}}, "1") == f"'{'x' * 80}' (node 1)"


def value_error(value: str = "", kind: str = "value_not_in_list", **facts: Any) -> dict[str, Any]:
    return {"type": kind, "message": "Not in list.", "extra_info": {"received_value": value}} | facts


@pytest.mark.parametrize(
    ("answer", "code", "message", "detail"),
    [
        (
            {"error": {"message": "It is invalid."}},
            "bad_workflow",
            "ComfyUI did not accept the workflow. It is invalid.",
            None,
        ),
        ({"error": "plain"}, "bad_workflow", "ComfyUI did not accept the workflow. plain.", None),
        ("<html>", "bad_workflow", "ComfyUI did not accept the workflow. .", None),
        (
            {"node_errors": {"1": {"errors": [value_error(details="cfg: 3.", type="other")]}}},
            "bad_workflow",
            "ComfyUI did not accept the workflow. In 'Load' (node 1): Not in list, cfg: 3.",
            "node 1: Not in list.: cfg: 3.",
        ),
        (
            {"node_errors": {"1": {"errors": [value_error("a.safetensors")]}}},
            "unknown_model",
            "This ComfyUI has no model file 'a.safetensors', which 'Load' (node 1) loads. Install it there,"
            " or export the workflow with another model.",
            "node 1: Not in list.: None",
        ),
        (
            {"node_errors": {"1": {"errors": [value_error("a.GGUF")]}}},
            "unknown_model",
            "This ComfyUI has no model file 'a.GGUF', which 'Load' (node 1) loads. Install it there, or"
            " export the workflow with another model.",
            "node 1: Not in list.: None",
        ),
        (
            {"node_errors": {"1": {"errors": [value_error("a.safetensors.txt")]}}},
            "bad_workflow",
            "ComfyUI did not accept the workflow. In 'Load' (node 1): Not in list.",
            "node 1: Not in list.: None",
        ),
        (
            {"node_errors": {"1": {"errors": [{"message": "A"}]}, "2": {"errors": [{"message": "B"}] * 3}}},
            "bad_workflow",
            "ComfyUI did not accept the workflow. In 'Load' (node 1): A. In 'My paint' (node 2): B."
            " In 'My paint' (node 2): B.",
            "node 1: A: None; node 2: B: None; node 2: B: None; node 2: B: None",
        ),
        (
            {
                "error": {"message": "M"},
                "node_errors": {"1": "odd", "2": {"errors": "odd"}, "3": {"errors": [5]}},
            },
            "bad_workflow",
            "ComfyUI did not accept the workflow. M.",
            None,
        ),
        (
            {"node_errors": [1], "error": {"message": "M"}},
            "bad_workflow",
            "ComfyUI did not accept the workflow. M.",
            None,
        ),
    ],
)
def test_rejection_names_what_is_wrong(answer: Any, code: str, message: str, detail: str | None) -> None:
    error = rejection(answer, NODES)
    assert (error.code, error.message, error.provider) == (code, message, "comfyui")
    assert error.detail == (message if detail is None else detail)


@pytest.mark.parametrize(
    ("error", "named"),
    [
        ({"type": "missing_node_type", "extra_info": {"class_type": "Sharpen"}}, "Sharpen"),
        ({"type": "missing_node_type", "details": "Node ID '#1'"}, "Load"),
        ({"type": "missing_node_type", "extra_info": {"class_type": "Sharpen"}, "details": "#1"}, "Sharpen"),
        ({"type": "invalid_prompt", "message": "Cannot execute because node Blur does not exist."}, "Blur"),
        ({"type": "missing_node_type", "message": "none", "extra_info": "odd", "details": "#77"}, "?"),
    ],
)
def test_node_that_the_server_lacks_is_named(error: dict[str, Any], named: str) -> None:
    found = rejection({"error": error}, NODES)
    assert found.code == "missing_node"
    assert f"no node '{named}'." in found.message


def test_name_of_a_missing_model_file_is_cut_after_200_characters() -> None:
    name = "x" * 189 + ".safetensors"
    message = rejection({"node_errors": {"1": {"errors": [value_error(name)]}}}, NODES).message
    assert message.startswith(f"This ComfyUI has no model file '{name[:200]}', which ")


def test_node_that_exists_is_not_missing() -> None:
    assert rejection({"error": {"extra_info": {"class_type": "Load"}}}, NODES).code == "bad_workflow"


@pytest.mark.parametrize(
    ("data", "code", "message", "detail"),
    [
        (
            {"node_id": 2, "exception_type": "ValueError", "exception_message": "too\n big."},
            "generation_failed",
            "In ComfyUI, 'My paint' (node 2) failed: too big",
            "ValueError: too big",
        ),
        (
            {"node_id": "9", "node_type": "Blur", "exception_type": "ValueError"},
            "generation_failed",
            "In ComfyUI, 'Blur' (node 9) failed: ValueError",
            "ValueError: ",
        ),
        ({}, "generation_failed", "In ComfyUI, 'a node' (node ?) failed: it gave no reason", ": "),
        (
            {"node_id": "1", "exception_type": "torch.OutOfMemoryError"},
            "out_of_memory",
            OUT_OF_MEMORY,
            "torch.OutOfMemoryError: ",
        ),
        (
            {"node_id": "1", "exception_message": "Allocation on device 0"},
            "out_of_memory",
            OUT_OF_MEMORY,
            ": Allocation on device 0",
        ),
    ],
)
def test_failure_names_its_node_and_reason(
    data: dict[str, Any], code: str, message: str, detail: str
) -> None:
    error = failure(data, NODES)
    assert (error.code, error.message, error.detail) == (code, message, detail)
    assert error.provider == "comfyui"


def test_reason_is_one_line_of_300_characters() -> None:
    message = failure({"node_id": "1", "exception_message": "x" * 301}, NODES).message
    assert message == f"In ComfyUI, 'Load' (node 1) failed: {'x' * 300}"
    spaced = failure({"node_id": "1", "exception_message": "x" + " " * 1_198 + "yz"}, NODES).message
    assert spaced.endswith("failed: x y")
