"""xAI, DeepSeek, Azure OpenAI, Amazon Bedrock and Vertex AI: litellm's parameters and nothing else."""

from typing import Any

import pytest
from tests.fakes.fault_matrix import operator_variables
from tests.fakes.running import error_of, run
from tests.fakes.state import GOOD_KEY, REPLY, State

from impasto import Configuration
from impasto.testing import FakeContext
from impasto_nodes.providers.credentials import access_to
from impasto_nodes.providers.errors import MissingCredential, missing_requirement
from impasto_nodes.providers.registry import find_model, specs
from impasto_nodes.providers.validation import problems_with

pytestmark = pytest.mark.anyio
BY_KEY = {"xai": "grok-4.7", "deepseek": "deepseek-v4-flash", "azure": "gpt-5-mini"}
BY_OPERATOR = {"bedrock": "global.anthropic.claude-sonnet-5", "vertex_ai": "gemini-3.8-flash"}
MODELS = BY_KEY | BY_OPERATOR


@pytest.fixture(autouse=True)
def operator(fakes: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an operator sets for the providers with several credentials."""
    for name, value in operator_variables(fakes.url, GOOD_KEY).items():
        monkeypatch.setenv(name, value)


async def write(provider: str, **settings: Any) -> Any:
    key = settings.pop("key", GOOD_KEY)
    given = {"provider": provider, "model": MODELS[provider]} | settings
    return await run("language_model", {"prompt": "A can"}, key=key, **given)


@pytest.mark.parametrize("provider", MODELS)
async def test_answer_is_streamed_and_charged_at_the_listed_price(fakes: State, provider: str) -> None:
    result = await write(provider)
    assert result.outputs["it.output"] == REPLY
    model = find_model("text", provider, MODELS[provider])
    assert model is not None
    finished = [one for one in result.events if one.type == "step.finished" and one.step == "it"]
    units = finished[0].data["units"]
    price = (units["tokens_in"] * model.input_price_usd + units["tokens_out"] * model.price_usd) / 1000
    # Some prices differ by the hour (DeepSeek) or the region (Vertex AI).
    assert 0.4 * price < result.steps["it"].cost_usd < 1.2 * price


@pytest.mark.parametrize("provider", MODELS)
async def test_stream_that_ends_early_is_retried(fakes: State, provider: str) -> None:
    fakes.misbehave("truncated", on="/")
    assert (await write(provider)).outputs["it.output"] == REPLY


@pytest.mark.parametrize("provider", BY_KEY)
async def test_wrong_key_is_named_and_not_shown(fakes: State, provider: str) -> None:
    error = error_of(await write(provider, key="wrong-key-999999"))
    assert error.code == "wrong_credential"
    assert "wrong-key-999999" not in str(error)


@pytest.mark.parametrize("provider", MODELS)
async def test_unknown_model_is_named(fakes: State, provider: str) -> None:
    error = error_of(await write(provider, model="gemini-carrot-1"))
    assert error.code == "unknown_model"
    assert "gemini-carrot-1" in error.message


@pytest.mark.parametrize("provider", MODELS)
async def test_server_error_is_retried(fakes: State, provider: str) -> None:
    fakes.misbehave("unavailable", on=MODELS[provider] if provider != "vertex_ai" else "Content")
    assert (await write(provider)).status == "finished"


async def test_typed_deployment_of_azure_runs(fakes: State) -> None:
    assert (await write("azure", model="our-own-deployment")).outputs["it.output"] == REPLY


async def test_wrong_access_key_of_amazon(fakes: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "another-key")
    error = error_of(await write("bedrock"))
    assert error.code == "wrong_credential"
    assert "a-secret-of-amazon" not in str(error)


async def test_credentials_that_are_missing_are_named() -> None:
    for provider, wanted in {
        "bedrock": "sets AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION_NAME.",
        "vertex_ai": "sets VERTEXAI_CREDENTIALS and VERTEXAI_PROJECT.",
        "azure": "set AZURE_API_KEY on the server. The server's operator also sets AZURE_API_BASE and "
        "AZURE_API_VERSION.",
    }.items():
        assert missing_requirement(provider).endswith(wanted)
        (problem,) = problems_with("text", {"provider": provider}, frozenset())
        assert problem["code"] == "missing_credential"


async def test_variables_that_are_missing_beside_a_users_key_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("AZURE_API_BASE")
    error = error_of(await write("azure"))
    assert error.code == "missing_credential"
    assert error.message == "Azure OpenAI is not set up. The server's operator sets AZURE_API_BASE."


@pytest.mark.parametrize("provider", ["azure", "bedrock", "vertex_ai"])
async def test_each_required_credential_is_needed(provider: str) -> None:
    required = [one.variable for one in specs()[provider].credentials if one.is_required]
    every = dict.fromkeys(required, "set")
    assert specs()[provider].is_configured(Configuration(every))
    for missing in required:
        some = {name: value for name, value in every.items() if name != missing}
        assert not specs()[provider].is_configured(Configuration(some)), missing
        with pytest.raises(MissingCredential):
            await access_to(provider, FakeContext(configuration=some))  # type: ignore[arg-type]


async def test_secrets_are_marked_and_a_user_may_store_only_a_key() -> None:
    for provider in ("bedrock", "vertex_ai"):
        assert not specs()[provider].takes_key
    secret = {one.name for one in specs()["bedrock"].variables if one.is_secret}
    assert secret == {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"}
    assert {one.name for one in specs()["vertex_ai"].variables if one.is_secret} == {"VERTEXAI_CREDENTIALS"}


@pytest.mark.parametrize("allowed", ["gpu.lan:11434", ""])
async def test_address_of_a_user_is_called_only_while_the_operator_allows_it(allowed: str) -> None:
    context: Any = FakeContext(
        configuration=Configuration({"IMPASTO_USER_SERVERS": allowed}),
        credentials={"address:ollama": "http://gpu.lan:11434", "ollama": GOOD_KEY},
    )
    if not allowed:
        with pytest.raises(MissingCredential):
            await access_to("ollama", context)
        return
    access = await access_to("ollama", context)
    assert (access.address, access.key) == ("http://gpu.lan:11434", "")
