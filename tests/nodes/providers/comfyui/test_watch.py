"""What a step shows of a job, by the events of the websocket."""

import struct
from typing import Any

import orjson
import pytest

from impasto_nodes.providers.comfyui import events
from impasto_nodes.providers.comfyui.events import Watch

pytestmark = pytest.mark.anyio
NODES = {
    "1": {"class_type": "Load"},
    "2": {"class_type": "Sample", "_meta": {"title": "Paint"}},
    "3": {"class_type": "Save"},
    "4": {},
}


class Shown:
    """A watch of a job, and what it has shown."""

    def __init__(self, nodes: dict[str, Any] | None = None) -> None:
        self.progress: list[tuple[float, str]] = []
        self.previews: list[bytes] = []

        async def keep(image: bytes) -> None:
            self.previews.append(image)

        def add(fraction: float, message: str) -> None:
            self.progress.append((fraction, message))

        self.watch = Watch("job", NODES if nodes is None else nodes, add, keep)

    async def read(self, kind: str, **data: Any) -> None:
        await self.watch.read(orjson.dumps({"type": kind, "data": data}).decode())


async def test_progress_counts_the_nodes_that_are_done_and_the_steps_of_the_current_one() -> None:
    shown = Shown()
    await shown.read("execution_start", nodes=["2", "3"])
    await shown.read("execution_cached", nodes="3")
    await shown.read("execution_cached", nodes=["1", 99])
    await shown.read("executing", node="2", prompt_id="job")
    await shown.read("progress", value=1, max=4)
    await shown.read("progress", value=9, max=4)
    await shown.read("progress", value=-1, max=4)
    await shown.read("executing", node="3")
    await shown.read("executing", node="4")
    await shown.read("progress", value=4, max=4)
    assert shown.progress == [
        (0.25, "Paint"),
        (0.3125, "Paint, 1 of 4"),
        (0.5, "Paint, 9 of 4"),
        (0.25, "Paint, -1 of 4"),
        (0.5, "Save"),
        (0.75, "Running"),
        (0.99, "Running, 4 of 4"),
    ]


@pytest.mark.parametrize(("value", "maximum"), [("1", 4), (1, "4"), (1, 0), (1, None), (None, 4), (1, -1)])
async def test_progress_that_is_no_share_is_not_shown(value: Any, maximum: Any) -> None:
    shown = Shown()
    await shown.read("progress", value=value, max=maximum)
    assert shown.progress == []


async def test_progress_of_a_single_step_is_shown() -> None:
    shown = Shown()
    await shown.read("progress", value=1, max=1)
    assert shown.progress == [(0.25, "Running, 1 of 1")]


async def test_long_title_is_cut_and_an_empty_workflow_has_one_part() -> None:
    shown = Shown({"1": {"class_type": "x" * 81}})
    await shown.read("executing", node=1)
    assert shown.progress == [(0.0, "x" * 80)]
    empty = Shown({})
    await empty.read("progress", value=1, max=2)
    assert empty.progress == [(0.5, "Running, 1 of 2")]


async def test_status_of_the_queue_is_a_change_until_the_job_starts() -> None:
    shown = Shown()
    await shown.read("status")
    assert shown.watch.changed.is_set()
    shown.watch.changed.clear()
    await shown.read("execution_cached", nodes="none")
    assert shown.watch.has_started
    await shown.read("status")
    assert not shown.watch.changed.is_set()


@pytest.mark.parametrize("kind", ["execution_success", "execution_error", "execution_interrupted"])
async def test_end_of_the_job_is_a_change_and_an_error_is_kept(kind: str) -> None:
    shown = Shown()
    await shown.read(kind, why="full")
    assert shown.watch.changed.is_set()
    assert shown.watch.error == ({"why": "full"} if kind == "execution_error" else None)
    await shown.read("execution_success")
    assert shown.watch.error == ({"why": "full"} if kind == "execution_error" else None)


async def test_last_node_is_a_change_without_progress() -> None:
    shown = Shown()
    await shown.read("executing", node="1")
    assert not shown.watch.changed.is_set()
    await shown.read("executing", node=None)
    assert shown.watch.changed.is_set()
    await shown.read("progress", value=1, max=4)
    assert shown.progress == [(0.0, "Load"), (0.3125, "Running, 1 of 4")]


async def test_event_of_another_job_is_not_shown() -> None:
    shown = Shown()
    await shown.read("executing", node="1", prompt_id="other")
    assert shown.progress == []
    assert not shown.watch.has_started


@pytest.mark.parametrize("message", ["", "[]", "7", '{"type": "executing"}', '{"type": "x", "data": 5}'])
async def test_message_that_cannot_be_read_is_left_out(message: str) -> None:
    shown = Shown()
    await shown.watch.read(message)
    assert (shown.progress, shown.watch.has_started) == ([], False)


@pytest.mark.parametrize(
    ("frame", "image"),
    [
        (struct.pack(">II", 1, 1) + b"j", b"j"),
        (struct.pack(">II", 1, 2) + b"png", b"png"),
        (struct.pack(">II", 1, 3) + b"gif", None),
        (struct.pack(">II", 2, 1) + b"text", None),
        (struct.pack(">II", 1, 1), None),
        (b"abc", None),
    ],
)
async def test_only_jpeg_and_png_previews_are_shown(frame: bytes, image: bytes | None) -> None:
    shown = Shown()
    await shown.watch.read(frame)
    assert shown.previews == ([image] if image else [])


async def test_largest_preview_is_shown_and_a_larger_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "_MAX_PREVIEW_BYTES", 10)
    shown, head = Shown(), struct.pack(">II", 1, 1)
    await shown.watch.read(head + b"abc")
    await shown.watch.read(head + b"ab")
    assert shown.previews == [b"ab"]


async def test_twenty_previews_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "_SECONDS_BETWEEN_PREVIEWS", 0.0)
    shown = Shown()
    for number in range(25):
        await shown.watch.read(struct.pack(">II", 1, 1) + bytes([number]))
    assert shown.previews == [bytes([number]) for number in range(20)]
