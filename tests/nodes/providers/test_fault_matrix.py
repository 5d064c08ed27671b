"""Every service with every fault: a step fails with the code that the documentation names."""

from pathlib import Path
from typing import Any

import pytest
from tests.fakes import azure
from tests.fakes.fault_matrix import CELLS, FAULTS, SERVICES, table
from tests.fakes.running import error_of, run
from tests.fakes.state import State

from impasto.runtime.policies.retry import Backoff

PAGE = Path(__file__).parents[3] / "docs" / "guides" / "providers.md"
INPUTS = {"text_to_speech": {"text": "A can"}, "dialogue": {"script": "Adam: A can"}}


@pytest.mark.anyio
@pytest.mark.parametrize(("service", "fault"), CELLS)
async def test_fault_has_the_code_of_the_table(
    fakes: State, monkeypatch: pytest.MonkeyPatch, service: str, fault: str
) -> None:
    monkeypatch.setenv("AZURE_API_BASE", f"{fakes.url}/azure")
    monkeypatch.setenv("AZURE_API_VERSION", azure.VERSION)
    called, played = SERVICES[service], FAULTS[fault]
    if played.kind:
        kind: Any = played.kind
        fakes.misbehave(kind, times=9, on=called.path_of(fault))
    result = await run(
        called.node,
        INPUTS.get(called.node, {"prompt": "A can"}),
        key=played.key,
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
