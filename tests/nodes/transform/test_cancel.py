import asyncio
import threading

import pytest
from PIL import Image as Pillow

from impasto import Catalog, compile, start
from impasto_nodes.inputs import picture
from impasto_nodes.media.video import video_writer
from impasto_nodes.transform import still_to_video

pytestmark = pytest.mark.anyio


def working(but=()):
    return [
        thread
        for thread in threading.enumerate()
        if thread.name == "impasto-step" and thread.is_alive() and thread not in but
    ]


async def test_a_video_under_way_ends_when_its_run_is_cancelled(desk, monkeypatch):
    drawn, draw = [], video_writer.VideoWriter.add_frame
    monkeypatch.setattr(video_writer.VideoWriter, "add_frame", lambda *given: drawn.append(draw(*given)))
    image = await desk.image(Pillow.effect_noise((400, 300), 80).convert("RGB"))
    flow = {
        "format": 1,
        "nodes": [
            {"id": "photo", "type": "picture"},
            {"id": "clip", "type": "still_to_video", "settings": {"duration": 120}},
        ],
        "edges": [{"from": "photo.output", "to": "clip.image"}],
    }
    plan = compile(flow, Catalog([picture, still_to_video]))
    others = working()
    async with start(plan, {"photo": image}, store=desk.store) as run:
        async for event in run.events():
            if event.type == "step.progress":
                await run.cancel()
        result = await run.result()
    assert result.status == "cancelled"
    assert result.steps["clip"].status == "cancelled"
    while left := working(others):
        await asyncio.to_thread(left[0].join, 0.5)
    assert len(drawn) < 120 * 24 / 2
