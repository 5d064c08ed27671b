"""ComfyUI as a provider: found on the machine, tested, and its workflows checked before a run."""

import time
from typing import Any

import pytest
from tests.fakes.comfyui import Server
from tests.fakes.comfyui_workflow import WORKFLOW

from impasto.sdk.options_context import options_context
from impasto_nodes.ai.comfyui_workflow import find_problems
from impasto_nodes.providers.comfyui.client import read_checkpoints
from impasto_nodes.providers.comfyui.spec import SPEC
from impasto_nodes.providers.comfyui.workflow import MAX_BYTES, MAX_NODES
from impasto_nodes.providers.local_servers import LocalServer, find

OUTPUT = {"port": "images_1", "name": "Image", "node": "9"}


@pytest.mark.anyio
async def test_server_on_this_machine_is_found_with_its_checkpoints(comfyui: Server) -> None:
    (usual,) = SPEC.local_servers
    port = int(comfyui.url.rpartition(":")[2])
    here = LocalServer(title=usual.title, port=port, path=usual.path, count_models=usual.count_models)
    (found,) = await find("comfyui", [here])
    assert (usual.port, found.address, found.models) == (8188, comfyui.url, 2)


@pytest.mark.anyio
async def test_check_counts_checkpoints(comfyui: Server) -> None:
    async with options_context() as context:
        found = await SPEC.check(context)
    assert (found.models, found.is_tested) == (2, True)


def test_checkpoints_are_read_in_both_forms() -> None:
    def answer(*choices: Any) -> Any:
        return {"CheckpointLoaderSimple": {"input": {"required": {"ckpt_name": list(choices)}}}}

    assert read_checkpoints(answer(["a.safetensors"], {})) == ["a.safetensors"]
    assert read_checkpoints(answer("COMBO", {"options": ["a.safetensors"]})) == ["a.safetensors"]
    assert read_checkpoints({"data": []}) is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"nodes": {}}, "There is no workflow."),
        ({"outputs": []}, "No node is chosen as an output."),
        ({"outputs": [{**OUTPUT, "port": "images_5"}]}, "There is no port 'images_5'."),
        ({"outputs": [OUTPUT, OUTPUT]}, "The port 'images_1' is used twice."),
        ({"outputs": [{**OUTPUT, "node": "99"}]}, "node 99, which is not there"),
        ({"inputs": [{"port": "text_1", "name": "A", "node": "6", "field": "clip"}]}, "which is no field"),
        ({"inputs": [{"port": "text_x", "name": "A", "node": "6", "field": "text"}]}, "no port 'text_x'"),
        (
            {"nodes": {"9": {"class_type": "SaveImage", "inputs": {"images": ["8", 0]}}}},
            "node 8, which is not",
        ),
        ({"nodes": {str(at): WORKFLOW["4"] for at in range(MAX_NODES + 1)}}, "larger than"),
        ({"nodes": {"9": {"class_type": "A", "inputs": {"text": "x" * MAX_BYTES}}}}, "larger than"),
    ],
)
def test_faults_of_a_workflow_are_known_before_a_run(change: dict[str, Any], words: str) -> None:
    workflow = {"nodes": WORKFLOW, "outputs": [OUTPUT], **change}
    messages = [one["message"] for one in find_problems({"workflow": workflow}, frozenset({"comfyui"}))]
    assert any(words in message for message in messages), messages


def test_workflow_without_faults_has_no_problems_but_a_missing_server() -> None:
    settings = {"workflow": {"nodes": WORKFLOW, "outputs": [OUTPUT]}}
    assert list(find_problems(settings, frozenset({"comfyui"}))) == []
    (problem,) = find_problems(settings, frozenset())
    assert (problem["code"], problem["severity"]) == ("missing_credential", "warning")
    assert (problem["setting"], problem["hint"]) == ("workflow", "Add the server under Connections.")
    assert list(find_problems(settings, None)) == []


def test_a_step_without_a_workflow_is_refused_and_the_place_of_a_fault_named() -> None:
    found = list(find_problems({}, None))
    assert {(one["code"], one["severity"]) for one in found} == {("bad_workflow", "error")}
    assert all(one["setting"].startswith("workflow.") for one in found)


def test_hostile_workflow_is_checked_in_linear_time() -> None:
    inputs = [{"port": "text_1", "name": "A", "node": "6", "field": "text"}] * 20_000
    started = time.process_time()
    assert sum(1 for _ in find_problems({"workflow": {"nodes": WORKFLOW, "inputs": inputs}}, None)) > 20_000
    assert time.process_time() - started < 2
