"""Killed in any phase of a prediction, and taken up again: paid for once."""

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from typing import Literal, get_args

import pytest
from tests.fakes.running import addresses, clean_environment
from tests.fakes.state import GOOD_KEY, State

from impasto import Catalog, FolderStore, SqliteJournal, resume

ROOT = Path(__file__).parents[3]


Phase = Literal["asked for", "remembered", "fetched"]


def reached(phase: Phase, fakes: State) -> bool:
    """Whether the child has come so far, which is where it is killed."""
    if phase == "asked for":
        return bool(fakes.predictions)
    return bool(fakes.requests("/outputs/" if phase == "fetched" else "/v1/predictions/", "GET"))


@pytest.mark.anyio
@pytest.mark.parametrize("phase", get_args(Phase))
async def test_one_prediction_in_all(fakes: State, tmp_path: Path, phase: Phase) -> None:
    if phase == "asked for":
        fakes.misbehave("held")
    if phase == "fetched":
        fakes.misbehave("slow", on="/outputs/")
    fakes.polls = 1 if phase == "fetched" else None
    journal, store = tmp_path / "journal.db", tmp_path / "store"
    await asyncio.to_thread(run_and_kill, phase, fakes, journal, store)
    assert len(fakes.predictions) == 1
    fakes.polls = 1

    async def credentials(provider: str) -> str:
        return GOOD_KEY

    result = await resume(
        "crashed",
        catalog=Catalog.discover(),
        journal=SqliteJournal(journal),
        store=FolderStore(store),
        credentials=credentials,
        owner="the same machine",
    )
    assert result.status == "finished"
    assert len(result.outputs["it.output"]) == 1
    assert len(fakes.predictions) == 1
    assert len(fakes.requests("/predictions", "POST")) == 1


def run_and_kill(phase: Phase, fakes: State, journal: Path, store: Path) -> None:
    """Kill -9 the child as soon as it has come so far."""
    child = Path(__file__).with_name("crash_child.py")
    environment = clean_environment() | addresses(fakes) | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, str(child), str(journal), str(store)], env=environment)
    try:
        deadline = time.monotonic() + 60
        while not reached(phase, fakes):
            assert process.poll() is None, "the child ended by itself"
            assert time.monotonic() < deadline
            time.sleep(0.02)
    finally:
        process.kill()
        process.wait()
