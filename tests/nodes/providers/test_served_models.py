"""A server of the operator's own, found by its address alone."""

import pytest
from tests.fakes.reports import seen_by
from tests.fakes.running import error_of, options_of, run
from tests.fakes.serving import redirecting
from tests.fakes.state import State

from impasto.runtime.policies.retry import Backoff
from impasto.testing import FakeContext
from impasto_nodes.providers.errors import ProviderError, TimedOut
from impasto_nodes.providers.litellm import served_models
from impasto_nodes.providers.litellm.served_models import list_served_models

pytestmark = pytest.mark.anyio


@pytest.fixture
def own_server(fakes: State, monkeypatch: pytest.MonkeyPatch) -> State:
    monkeypatch.setenv("IMPASTO_OPENAI_COMPATIBLE_BASE_URL", f"{fakes.url}/openai/v1")
    return fakes


async def test_first_listed_model_is_the_default(own_server: State) -> None:
    result = await run("language_model", {"prompt": "A can"}, provider="openai_compatible")
    assert result.status == "finished"
    assert own_server.requests("chat")[0].body["model"] == "gpt-4o-mini"


async def test_models_of_the_server_are_offered(own_server: State) -> None:
    offered = await options_of("language_model", "model")
    assert {"openai_compatible", "local"} <= {option["provider"] for option in offered}


async def test_server_without_an_address_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("IMPASTO_OLLAMA_BASE_URL", raising=False)
    error = error_of(await run("language_model", {"prompt": "A can"}, provider="ollama"))
    assert error.code == "missing_credential"
    assert "IMPASTO_OLLAMA_BASE_URL" in error.message


@pytest.mark.parametrize(
    ("kind", "code"), [("server_error", "provider_unavailable"), ("bad_json", "corrupt_output")]
)
async def test_unreachable_server_is_an_error_and_has_no_models(
    own_server: State, kind: str, code: str
) -> None:
    own_server.misbehave(kind, times=99, on="/models")  # type: ignore[arg-type]
    assert (
        error_of(await run("language_model", {"prompt": "A can"}, provider="openai_compatible")).code == code
    )
    offered = await options_of("language_model", "model")
    assert "openai_compatible" not in {option["provider"] for option in offered}


@pytest.mark.parametrize(
    ("provider", "path"),
    [("ollama", "/ollama"), ("openai_compatible", "/openai/v1")],
)
@pytest.mark.parametrize("status", [302, 307])
async def test_redirect_of_a_server_is_not_followed(
    fakes: State, monkeypatch: pytest.MonkeyPatch, provider: str, path: str, status: int
) -> None:
    async with redirecting(f"{fakes.url}{path}", status) as (address, asked):
        monkeypatch.setenv(f"IMPASTO_{provider.upper()}_BASE_URL", address)
        settings = {"provider": provider, "model": "gpt-5-mini", "options": {"backoff": Backoff(0.01)}}
        error = error_of(await run("language_model", {"prompt": "A can"}, **settings))
    assert error.provider == provider
    assert asked
    assert not fakes.seen


@pytest.mark.parametrize(
    ("status", "body", "code", "detail"),
    [
        (399, '{"data": [{"id": "b"}, {"id": 5}]}', None, ""),
        (400, "{}", "bad_request", "status 400 for the list of models"),
        (401, "{}", "wrong_credential", "status 401 for the list of models"),
        (404, "{}", "provider_unavailable", "status 404 for the list of models"),
        (503, "{}", "provider_unavailable", "status 503 for the list of models"),
        (200, "[]", "corrupt_output", None),
        (200, '{"data": [{}]}', "corrupt_output", "'id'"),
        (200, "<html>", "corrupt_output", None),
    ],
)
async def test_list_of_a_server_is_in_its_own_order_or_has_its_error(
    fakes: State, status: int, body: str, code: str | None, detail: str | None
) -> None:
    address = {"IMPASTO_OPENAI_COMPATIBLE_BASE_URL": f"{fakes.url}/openai/v1"}
    context = seen_by(FakeContext(configuration=address))
    fakes.misbehave("answer", on="/models", status=status, body=body)
    if code is None:
        found = await list_served_models("openai_compatible", context)
        assert [option["value"] for option in found] == ["b", "5"]
    else:
        with pytest.raises(ProviderError) as raised:
            await list_served_models("openai_compatible", context)
        assert (raised.value.code, raised.value.provider) == (code, "openai_compatible")
        assert detail is None or raised.value.detail == detail
    (sent,) = fakes.requests("/models", "GET")
    assert (sent.path, sent.headers["authorization"]) == ("/openai/v1/models", "Bearer none")


async def test_server_that_does_not_answer_in_time_fails(
    fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served_models, "_TIMEOUT_SECONDS", 0.1)
    fakes.misbehave("slow", on="/models")
    context = FakeContext(configuration={"IMPASTO_OLLAMA_BASE_URL": f"{fakes.url}/ollama"})
    with pytest.raises(TimedOut):
        await list_served_models("ollama", seen_by(context))


async def test_ollama_lists_its_models_as_openai_does(fakes: State) -> None:
    context = FakeContext(configuration={"IMPASTO_OLLAMA_BASE_URL": f"{fakes.url}/ollama"})
    fakes.misbehave("answer", on="/v1/models", status=200, body='{"data": [{"id": "a"}]}')
    found = await list_served_models("ollama", seen_by(context))
    assert [option["value"] for option in found] == ["a"]
    assert fakes.requests("/models", "GET")[0].path == "/ollama/v1/models"
