"""Killed in any phase of a prediction, and taken up again: paid for once."""

import asyncio
import json
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import pytest
from tests.fakes.running import addresses, clean_environment
from tests.fakes.state import GOOD_KEY, State
from tests.fork_server import forking_context, will_fork
from tests.nodes.providers import crash_child

from impasto import Catalog, FolderStore, SqliteJournal, resume

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerProcess

IMPORTS = will_fork("tests.nodes.providers.crash_imports", "impasto_nodes.ai", crash_child.__name__)

Phase = Literal["asked for", "remembered", "fetched"]
IMAGE = ("image_generation", {"provider": "replicate"})
FAL = ("image_generation", {"provider": "fal", "model": "fal-ai/flux/schnell"})
CLIP = (
    "video_generation",
    {"provider": "gemini", "model": "veo-3.1-fast-generate-001", "duration": 8},
)
XAI = ("video_generation", {"provider": "xai", "model": "grok-imagine-video", "duration": 6})
MINIMAX = ("video_generation", {"provider": "minimax", "model": "MiniMax-Hailuo-2.3", "duration": 6})
CLIPS = {
    "gemini": (CLIP, "LongRunning", 0.8),
    "xai": (XAI, "/videos/generations", 0.3),
    "minimax": (MINIMAX, "/v1/video_generation", 0.28),
}


def reached(phase: Phase, fakes: State) -> bool:
    """Whether the child has come so far, which is where it is killed."""
    if phase == "asked for":
        return bool(fakes.predictions)
    fetched = ("/outputs/", "/files/")
    polled = ("/v1/predictions/", "/operations/", "/requests/", "/videos/job-", "/query/")
    return any(fakes.requests(path, "GET") for path in (fetched if phase == "fetched" else polled))


@pytest.mark.anyio
@pytest.mark.parametrize("phase", get_args(Phase))
async def test_one_prediction_in_all(fakes: State, tmp_path: Path, phase: Phase) -> None:
    if phase == "asked for":
        fakes.misbehave("held")
    if phase == "fetched":
        fakes.misbehave("slow", on="/outputs/")
    fakes.polls = 1 if phase == "fetched" else None
    journal, store = tmp_path / "journal.db", tmp_path / "store"
    await asyncio.to_thread(run_and_kill, phase, fakes, journal, store, IMAGE)
    assert len(fakes.predictions) == 1
    fakes.polls = 1
    result = await resumed(journal, store)
    assert result.status == "finished"
    assert len(result.outputs["it.output"]) == 1
    assert len(fakes.predictions) == 1
    assert len(fakes.requests("/predictions", "POST")) == 1


@pytest.mark.anyio
@pytest.mark.parametrize("phase", ["remembered", "fetched"])
async def test_one_request_of_fal_in_all(fakes: State, tmp_path: Path, phase: Phase) -> None:
    if phase == "fetched":
        fakes.misbehave("slow", on="/files/")
    fakes.polls = 1 if phase == "fetched" else None
    journal, store = tmp_path / "journal.db", tmp_path / "store"
    await asyncio.to_thread(run_and_kill, phase, fakes, journal, store, FAL)
    fakes.polls = 1
    result = await resumed(journal, store)
    assert result.status == "finished", result.steps["it"].error
    assert result.steps["it"].cost_usd == pytest.approx(0.003)
    assert len(fakes.requests("/flux/schnell", "POST")) == 1


@pytest.mark.anyio
async def test_request_of_fal_of_which_the_answer_never_came_is_not_paid_again(
    fakes: State, tmp_path: Path
) -> None:
    fakes.misbehave("held")
    journal, store = tmp_path / "journal.db", tmp_path / "store"
    await asyncio.to_thread(run_and_kill, "asked for", fakes, journal, store, FAL)
    result = await resumed(journal, store)
    assert result.steps["it"].error.code == "stream_dropped"
    assert result.steps["it"].cost_usd == pytest.approx(0.003)
    assert len(fakes.requests("/flux/schnell", "POST")) == 1


@pytest.mark.anyio
@pytest.mark.parametrize("provider", CLIPS)
async def test_one_video_job_in_all(fakes: State, tmp_path: Path, provider: str) -> None:
    node, path, usd = CLIPS[provider]
    fakes.polls = None
    journal, store = tmp_path / "journal.db", tmp_path / "store"
    await asyncio.to_thread(run_and_kill, "remembered", fakes, journal, store, node)
    for job in fakes.predictions.values():
        job.polls = 0
    result = await resumed(journal, store)
    assert result.status == "finished", result.steps["it"].error
    assert result.steps["it"].cost_usd == pytest.approx(usd)
    assert len(fakes.requests(path, "POST")) == 1


@pytest.mark.anyio
@pytest.mark.parametrize("provider", ["xai", "minimax"])
async def test_clip_that_was_being_fetched_is_fetched_again_and_paid_once(
    fakes: State, tmp_path: Path, provider: str
) -> None:
    node, path, usd = CLIPS[provider]
    slow = fakes.misbehave("slow", on="/outputs/")
    journal, store = tmp_path / "journal.db", tmp_path / "store"
    await asyncio.to_thread(run_and_kill, "fetched", fakes, journal, store, node)
    slow.times = 0  # the child may have been killed before it met it
    result = await resumed(journal, store)
    assert result.status == "finished", result.steps["it"].error
    assert result.steps["it"].cost_usd == pytest.approx(usd)
    assert len(fakes.requests(path, "POST")) == 1


@pytest.mark.anyio
@pytest.mark.parametrize("provider", CLIPS)
async def test_video_job_of_which_the_answer_never_came_is_not_paid_again(
    fakes: State, tmp_path: Path, provider: str
) -> None:
    node, path, usd = CLIPS[provider]
    fakes.misbehave("held")
    journal, store = tmp_path / "journal.db", tmp_path / "store"
    await asyncio.to_thread(run_and_kill, "asked for", fakes, journal, store, node)
    result = await resumed(journal, store)
    assert result.steps["it"].error.code == "stream_dropped"
    assert result.steps["it"].cost_usd == pytest.approx(usd)
    assert len(fakes.requests(path, "POST")) == 1


PAID = {
    "replicate": (IMAGE, "/predictions", 0.04),
    "fal": (FAL, "/flux/schnell", 0.003),
    **CLIPS,
}


@pytest.mark.anyio
@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("provider", PAID)
async def test_crash_around_a_charge_is_paid_and_recorded_once(
    fakes: State, tmp_path: Path, provider: str, moment: str
) -> None:
    node, path, usd = PAID[provider]
    fakes.polls = 0
    journal, store = tmp_path / "journal.db", tmp_path / "store"
    ended = await asyncio.to_thread(run_to_the_end, fakes, journal, store, node, moment)
    assert ended == -signal.SIGKILL
    result = await resumed(journal, store)
    assert result.status == "finished", result.steps["it"].error
    assert result.steps["it"].cost_usd == pytest.approx(usd)
    assert len(fakes.requests(path, "POST")) == 1


async def resumed(journal: Path, store: Path) -> Any:
    """The result of the run after the crash."""

    async def credentials(provider: str) -> str:
        return GOOD_KEY

    return await resume(
        "crashed",
        catalog=Catalog.discover(),
        journal=SqliteJournal(journal),
        store=FolderStore(store),
        credentials=credentials,
        owner="the same machine",
    )


def started(
    fakes: State, journal: Path, store: Path, node: tuple[str, dict[str, Any]], *more: str
) -> "ForkServerProcess":
    """The child, which runs the node."""
    environment = clean_environment() | addresses(fakes)
    given = [str(journal), str(store), node[0], json.dumps(node[1]), *more]
    process = forking_context(*IMPORTS).Process(target=crash_child.live, args=(environment, given))
    process.start()
    return process


def run_to_the_end(
    fakes: State, journal: Path, store: Path, node: tuple[str, dict[str, Any]], moment: str
) -> int | None:
    """Wait for the child that kills itself; return how it ended."""
    process = started(fakes, journal, store, node, moment)
    try:
        process.join(60)
        return process.exitcode
    finally:
        end_child(process)


def run_and_kill(
    phase: Phase, fakes: State, journal: Path, store: Path, node: tuple[str, dict[str, Any]]
) -> None:
    """Kill -9 the child as soon as it has come so far."""
    process = started(fakes, journal, store, node)
    try:
        deadline = time.monotonic() + 60
        while not reached(phase, fakes):
            assert process.is_alive(), "the child ended by itself"
            assert time.monotonic() < deadline
            process.join(0.02)
    finally:
        end_child(process)


def end_child(process: "ForkServerProcess") -> None:
    """Kill -9 the child, and free what waits for it."""
    process.kill()
    process.join(60)
    process.close()
