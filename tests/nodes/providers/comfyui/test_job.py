"""A job on a ComfyUI server: queued once, followed to its end, cancelled, and found again."""

import asyncio
import copy
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.comfyui import Server, png
from tests.fakes.comfyui_workflow import WORKFLOW
from tests.fakes.running import clean_environment, flow_of, run
from tests.fork_server import forking_context, will_fork
from tests.nodes.providers.comfyui import crash_child

from impasto import Catalog, FolderStore, Image, MemoryStore, NodeError, SqliteJournal, compile, resume, start
from impasto_nodes.ai import comfyui_workflow

IMPORTS = will_fork("impasto_nodes.ai", crash_child.__name__)
OUTPUTS = [{"port": "images_1", "name": "Image", "node": "9"}]
SETTINGS: dict[str, Any] = {
    "workflow": {
        "nodes": WORKFLOW,
        "inputs": [
            {"port": "text_1", "name": "Prompt", "node": "6", "field": "text"},
            {"port": "integer_1", "name": "Seed", "node": "3", "field": "seed"},
        ],
        "outputs": OUTPUTS,
    }
}
pytestmark = pytest.mark.anyio


async def until(condition: Callable[[], Any]) -> None:
    while not condition():
        await asyncio.sleep(0.01)


async def test_inputs_replace_fields_and_images_come_back(comfyui: Server) -> None:
    result = await run("comfyui_workflow", {"text_1": "a red can"}, **SETTINGS)
    assert result.status == "finished", result.steps["it"].error
    nodes = comfyui.jobs[0].nodes
    assert nodes["6"]["inputs"]["text"] == "a red can"
    assert nodes["7"]["inputs"] == WORKFLOW["7"]["inputs"]
    images = result.outputs["it.images_1"]
    assert [(image.width, image.height) for image in images] == [(8, 8), (8, 8)]
    assert result.steps["it"].cost_usd == 0
    assert "it.images_2" not in result.outputs


def finished(result: Any) -> dict[str, Any]:
    return next(event.data for event in result.events if event.type == "step.finished" and event.step == "it")


async def test_the_model_and_the_seed_of_a_job_are_recorded_and_the_job_is_counted(comfyui: Server) -> None:
    settings = {"workflow": {"nodes": WORKFLOW, "outputs": OUTPUTS}}
    done = finished(await run("comfyui_workflow", {}, new_seed=True, **settings))
    assert done["units"] == {"jobs": 1}
    made_by = done["made_by"]
    assert (made_by["provider"], made_by["model"]) == ("comfyui", WORKFLOW["4"]["inputs"]["ckpt_name"])
    assert made_by["seed"] == comfyui.jobs[0].nodes["3"]["inputs"]["seed"]
    done = finished(await run("comfyui_workflow", {}, new_seed=False, **settings))
    assert done["made_by"].get("seed") is None


async def test_the_first_model_file_that_is_named_is_recorded(comfyui: Server) -> None:
    nodes = copy.deepcopy(WORKFLOW)
    nodes["3"]["inputs"]["unet_name"] = "flux.safetensors"
    done = finished(await run("comfyui_workflow", {}, workflow={"nodes": nodes, "outputs": OUTPUTS}))
    assert done["made_by"]["model"] == "flux.safetensors"
    del nodes["3"]["inputs"]["unet_name"]
    nodes["4"]["inputs"]["ckpt_name"] = None
    done = finished(await run("comfyui_workflow", {}, workflow={"nodes": nodes, "outputs": OUTPUTS}))
    assert done["made_by"]["model"] == "workflow"


@pytest.mark.parametrize("workflow", [None, {"nodes": {}, "outputs": []}], ids=["none", "empty"])
async def test_a_step_without_a_workflow_says_what_to_do(workflow: Any) -> None:
    with pytest.raises(NodeError) as refused:
        await comfyui_workflow(workflow=workflow, context=None)
    assert (refused.value.code, refused.value.message) == (
        "bad_workflow", "There is no workflow. Add one: in ComfyUI, use Workflow > Export (API).",
    )  # fmt: skip


async def test_seeds_that_are_no_inputs_are_new_in_each_run(comfyui: Server) -> None:
    settings = {"workflow": {"nodes": WORKFLOW, "outputs": OUTPUTS}}
    for new_seed in (True, True, False):
        await run("comfyui_workflow", {}, new_seed=new_seed, **settings)
    first, second, kept = (job.nodes["3"]["inputs"]["seed"] for job in comfyui.jobs)
    assert first != second
    assert kept == 7


async def test_image_is_uploaded_and_named_in_its_field(comfyui: Server) -> None:
    store = MemoryStore()
    stored = await store.put(png(), "image/png", "can")
    image = Image(asset_id=stored.asset_id, sha256=stored.sha256, bytes=stored.bytes, width=8, height=8)
    nodes = {
        "1": {"class_type": "LoadImage", "inputs": {"image": "example.png"}},
        "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "x"}},
    }
    workflow = {
        "nodes": nodes,
        "inputs": [{"port": "image_1", "name": "Image", "node": "1", "field": "image"}],
        "outputs": [{"port": "images_1", "name": "Result", "node": "2"}],
    }
    result = await run("comfyui_workflow", {"image_1": image}, store=store, workflow=workflow)
    assert result.status == "finished", result.steps["it"].error
    [name] = comfyui.uploads
    assert name.startswith("impasto-")
    assert name.endswith(".png")
    assert comfyui.jobs[0].nodes["1"]["inputs"]["image"] == name
    assert finished(result)["made_by"]["model"] == "workflow", "it loads none by name"


async def test_place_in_the_queue_progress_and_preview_are_shown(comfyui: Server) -> None:
    comfyui.held = True
    comfyui.previous(2)
    events: list[Any] = []
    store = MemoryStore()
    running = asyncio.create_task(
        run("comfyui_workflow", {}, store=store, options={"listener": events.append}, **SETTINGS)
    )
    shown = lambda: [event.data.get("message") for event in events if event.type == "step.progress"]  # noqa: E731
    await until(lambda: "Waiting in ComfyUI's queue: 2 before this one" in shown())
    comfyui.held = False
    result = await running
    assert result.status == "finished"
    assert "KSampler, 1 of 4" in shown()
    (sketch,) = [event.data["value"]["sketch"] for event in events if event.type == "step.partial"]
    assert sketch.startswith("data:image/jpeg;base64,")
    stored = {image.asset_id for image in result.outputs["it.images_1"]}
    assert set(store.assets) == stored, "the preview is no asset"


async def test_cancelled_job_that_waits_leaves_the_queue(comfyui: Server) -> None:
    comfyui.held = True
    comfyui.previous(1)
    async with start(plan(), {}, store=MemoryStore()) as live:
        await until(lambda: len(comfyui.pending) == 2)
        await until(lambda: comfyui.count("GET /queue"))
        result = await live.cancel()
    await until(lambda: len(comfyui.pending) == 1)
    assert result.status == "cancelled"
    assert comfyui.interrupted == []


@pytest.mark.parametrize("is_old", [False, True])
async def test_cancelled_job_that_runs_is_interrupted(comfyui: Server, is_old: bool) -> None:
    comfyui.held, comfyui.is_old = True, is_old
    async with start(plan(), {}, store=MemoryStore()) as live:
        await until(lambda: comfyui.running)
        await until(lambda: comfyui.count("GET /queue"))
        await live.cancel()
    await until(lambda: comfyui.interrupted)
    assert comfyui.interrupted == [comfyui.jobs[0].id]


async def test_job_of_another_client_is_not_interrupted(comfyui: Server) -> None:
    await run("comfyui_workflow", {}, **SETTINGS)
    comfyui.held, comfyui.is_old = True, True
    async with start(plan(), {}, store=MemoryStore()) as other:
        await until(lambda: comfyui.running)
        async with start(plan(), {}, store=MemoryStore()) as live:
            await until(lambda: len(comfyui.pending) == 1)
            await live.cancel()
        await until(lambda: not comfyui.pending)
        assert comfyui.interrupted == []
        comfyui.held = False
        assert (await other).status == "finished"


async def test_lost_websocket_is_opened_again(comfyui: Server) -> None:
    comfyui.sockets_lost, comfyui.held = 1, True
    running = asyncio.create_task(run("comfyui_workflow", {}, **SETTINGS))
    await until(lambda: comfyui.running and not comfyui.sockets_lost)
    await until(lambda: comfyui.clients)
    comfyui.held = False
    assert (await running).status == "finished"


async def test_server_without_a_websocket_is_polled(comfyui: Server) -> None:
    comfyui.has_socket = False
    assert (await run("comfyui_workflow", {}, **SETTINGS)).status == "finished"


async def test_request_that_failed_is_repeated_once(comfyui: Server) -> None:
    comfyui.fault = "unavailable once"
    assert (await run("comfyui_workflow", {}, **SETTINGS)).status == "finished"
    assert len(comfyui.jobs) == 1


async def test_run_that_is_taken_over_finds_its_job(comfyui: Server, tmp_path: Path) -> None:
    comfyui.held = True
    journal, store = SqliteJournal(tmp_path / "journal.db"), FolderStore(tmp_path / "store")
    async with start(plan(), {}, run_id="taken", journal=journal, store=store) as live:
        await until(lambda: comfyui.running)
        await until(lambda: comfyui.count("GET /queue"))
        await live.abandon()
    comfyui.held = False
    result = await resume("taken", catalog=Catalog.discover(), journal=journal, store=store)
    assert result.status == "finished", result.steps["it"].error
    assert comfyui.interrupted == []
    assert len(comfyui.jobs) == 1


async def test_killed_worker_finds_the_job_that_ended_without_it(comfyui: Server, tmp_path: Path) -> None:
    """The server chooses its own prompt ids."""
    comfyui.held, comfyui.is_old = True, True
    journal, store = tmp_path / "journal.db", tmp_path / "store"
    await asyncio.to_thread(run_and_kill, comfyui, journal, store)
    comfyui.held = False
    await until(lambda: comfyui.history)
    result = await resume(
        "crashed",
        catalog=Catalog.discover(),
        journal=SqliteJournal(journal),
        store=FolderStore(store),
        owner="the same machine",
        lease_seconds=1.0,
    )
    assert result.status == "finished", result.steps["it"].error
    assert len(result.outputs["it.images_1"]) == 2
    assert len(comfyui.jobs) == comfyui.count("POST /prompt") == 1


def plan() -> Any:
    return compile(flow_of("comfyui_workflow", SETTINGS, {}), Catalog.discover())


def run_and_kill(server: Server, journal: Path, store: Path) -> None:
    """Kill -9 a process that runs the node, once its job runs on the server."""
    environment = clean_environment() | {"IMPASTO_COMFYUI_BASE_URL": server.url}
    given = [json.dumps(SETTINGS), str(journal), str(store)]
    process = forking_context(*IMPORTS).Process(target=crash_child.live, args=(environment, given))
    process.start()
    try:
        deadline = time.monotonic() + 60
        while not server.running:
            assert process.is_alive(), "the child ended by itself"
            assert time.monotonic() < deadline
            process.join(0.02)
    finally:
        process.kill()
        process.join(60)
        process.close()
