"""A server of the operator's own, found by its address alone."""

import pytest
from tests.fakes.running import error_of, options_of, run
from tests.fakes.state import State

pytestmark = pytest.mark.anyio


@pytest.fixture
def own_server(fakes: State, monkeypatch: pytest.MonkeyPatch) -> State:
    monkeypatch.setenv("IMPASTO_OPENAI_COMPATIBLE_BASE_URL", f"{fakes.url}/openai/v1")
    return fakes


async def test_its_first_model_writes_when_none_is_named(own_server: State) -> None:
    result = await run("language_model", {"prompt": "A can"}, provider="openai_compatible")
    assert result.status == "finished"
    assert own_server.requests("chat")[0].body["model"] == "gpt-4o-mini"


async def test_its_models_are_offered(own_server: State) -> None:
    offered = await options_of("language_model", "model")
    assert {"openai_compatible", "local"} <= {option["provider"] for option in offered}


async def test_without_an_address_it_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("IMPASTO_OLLAMA_BASE_URL", raising=False)
    error = error_of(await run("language_model", {"prompt": "A can"}, provider="ollama"))
    assert error.code == "missing_credential"
    assert "IMPASTO_OLLAMA_BASE_URL" in error.message


@pytest.mark.parametrize(
    ("kind", "code"), [("server_error", "provider_unavailable"), ("bad_json", "corrupt_output")]
)
async def test_a_server_that_is_down_is_told_and_silent_in_lists(
    own_server: State, kind: str, code: str
) -> None:
    own_server.misbehave(kind, times=99, on="/models")  # type: ignore[arg-type]
    assert (
        error_of(await run("language_model", {"prompt": "A can"}, provider="openai_compatible")).code == code
    )
    offered = await options_of("language_model", "model")
    assert "openai_compatible" not in {option["provider"] for option in offered}
