"""Every fault of a ComfyUI server: a step fails with the code that the documentation names."""

import asyncio
import copy
from pathlib import Path

import pytest
from tests.fakes.comfyui import Server
from tests.fakes.comfyui_workflow import WORKFLOW
from tests.fakes.running import error_of, run
from tests.nodes.providers.comfyui.faults import FAULTS, Fault, table

from impasto.runtime.policies.retry import Backoff

PAGE = Path(__file__).parents[4] / "docs" / "guides" / "comfyui.md"
OUTPUTS = [{"port": "images_1", "name": "Image", "node": "9"}]


@pytest.mark.anyio
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.title)
async def test_fault_has_the_code_of_the_table(comfyui: Server, fault: Fault) -> None:
    nodes = copy.deepcopy(WORKFLOW)
    if fault.change:
        node, field, value = fault.change
        (nodes[node] if field == "class_type" else nodes[node]["inputs"])[field] = value
    comfyui.fault = fault.kind
    running = asyncio.create_task(
        run(
            "comfyui_workflow",
            {},
            options={"backoff": Backoff(0.01)},
            workflow={"nodes": nodes, "outputs": OUTPUTS},
        )
    )
    if fault.kind == "restart":
        comfyui.held = True
        while not running.done():
            if comfyui.running:
                comfyui.restart()
            await asyncio.sleep(0.01)
    error = error_of(await running)
    assert (error.code, error.provider) == (fault.code, "comfyui")
    assert fault.words in error.message


def test_table_of_the_documentation_is_current() -> None:
    assert table() in PAGE.read_text("utf-8"), f"put this into {PAGE.name}:\n{table()}"
