"""Every service with every fault: a step fails with the code that the documentation names."""

from pathlib import Path
from typing import Any

import pytest
from tests.fakes.fault_matrix import CELLS, FAULTS, SERVICES, Service, operator_variables, table
from tests.fakes.media import mp3, png
from tests.fakes.running import error_of, run
from tests.fakes.state import State
from tests.fixtures.tables import diagonals

from impasto import Audio, Image, Mask, MemoryStore
from impasto.runtime.policies.retry import Backoff

PAGE = Path(__file__).parents[3] / "docs" / "guides" / "providers.md"
INPUTS = {"text_to_speech": {"text": "A can"}, "dialogue": {"script": "Adam: A can"}, "captions": {}}


async def inputs_of(called: Service, store: MemoryStore) -> dict[str, Any]:
    given: dict[str, Any] = dict(INPUTS.get(called.node, {"prompt": "A can"}))
    if called.media == "audio":
        kept = await store.put(mp3(), "audio/mpeg")
        given["audio"] = Audio(asset_id=kept.asset_id, media_type="audio/mpeg", seconds=1.0)
    if called.media in {"image", "mask"}:
        kept = await store.put(png(), "image/png")
        given["picture"] = Image(asset_id=kept.asset_id, media_type="image/png", width=64, height=64)
        if called.media == "mask":
            given["mask"] = Mask(image=given["picture"])
    return given


@pytest.mark.anyio
@pytest.mark.parametrize(("service", "fault"), diagonals(CELLS, 3))
async def test_fault_has_the_code_of_the_table(
    fakes: State, monkeypatch: pytest.MonkeyPatch, service: str, fault: str
) -> None:
    called, played = SERVICES[service], FAULTS[fault]
    for name, value in operator_variables(fakes.url, played.key).items():
        monkeypatch.setenv(name, value)
    if played.kind:
        kind: Any = played.kind
        fakes.misbehave(kind, times=9, on=called.path_of(fault))
    store = MemoryStore()
    result = await run(
        called.node,
        await inputs_of(called, store),
        key=played.key,
        store=store,
        options={"backoff": Backoff(0.01)},
        provider=called.provider,
        model=called.model,
        **called.settings,
    )
    error = error_of(result)
    assert (error.code, error.provider) == (CELLS[service, fault], called.provider)
    assert played.key not in f"{error.message}{error.detail}"


def test_table_of_the_documentation_is_current() -> None:
    assert table() in PAGE.read_text("utf-8"), f"put this into {PAGE.name}:\n{table()}"
