"""litellm's real client against each provider's own protocol: the same contract for every provider."""

from itertools import product

import pytest
from tests.fakes.media import png
from tests.fakes.running import error_of, run
from tests.fakes.state import GOOD_KEY, POOR_KEY, REPLY, Kind, Seen, State
from tests.fixtures.tables import diagonals

from impasto import Image, MemoryStore
from impasto_nodes.providers.litellm import chat
from impasto_nodes.providers.registry import default_model

pytestmark = pytest.mark.anyio
KEYED = ("anthropic", "gemini", "mistral", "groq", "openrouter")
EVERYONE = (*KEYED, "ollama")
PATHS = {"groq": "openai", "openrouter": "openai"}
AD = '{"headline": "Cold at last", "body": "A frosted can on old warm cedar.", "call_to_action": "Sip it"}'
SOON = 0.01


@pytest.fixture(autouse=True)
def own_servers(fakes: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """Groq and OpenRouter speak OpenAI's protocol; Ollama is where the operator says."""
    monkeypatch.setenv("IMPASTO_GROQ_BASE_URL", f"{fakes.url}/openai/v1")
    monkeypatch.setenv("IMPASTO_OPENROUTER_BASE_URL", f"{fakes.url}/openai/v1")
    monkeypatch.setenv("IMPASTO_OLLAMA_BASE_URL", f"{fakes.url}/ollama")


def model_of(provider: str) -> str:
    named = {"openrouter": "gpt-5-mini", "ollama": "llama3.2"}
    return named.get(provider) or default_model("text", provider)


async def write(provider: str, key: str = GOOD_KEY, **settings: object) -> object:
    given = {"provider": provider, "model": model_of(provider)} | settings
    return await run("language_model", {"prompt": "A can"}, key=key, **given)


def questions(fakes: State, provider: str) -> list[Seen]:
    """What was asked of a model; not what litellm asks about one, once a process."""
    sent = fakes.requests(f"/{PATHS.get(provider, provider)}/", "POST")
    return [one for one in sent if not one.path.endswith("/api/show")]


def asked(fakes: State, provider: str) -> int:
    return len(questions(fakes, provider))


@pytest.mark.parametrize("provider", EVERYONE)
async def test_text_streams_is_counted_and_charged(fakes: State, provider: str) -> None:
    result = await write(provider, system_prompt="Write an ad.")
    step = result.steps["it"]
    assert step.status == "finished", step.error.detail
    assert step.outputs["output"] == REPLY
    deltas = [e.data["delta"] for e in result.events if e.type == "step.partial" and e.step == "it"]
    assert len(deltas) > 3
    assert "".join(deltas) == REPLY
    (done,) = [e for e in result.events if e.type == "step.finished" and e.step == "it"]
    assert (done.data["made_by"]["provider"], done.data["made_by"]["model"]) == (provider, model_of(provider))
    assert (done.data["units"]["tokens_in"], done.data["units"]["tokens_out"]) == (12, 7)
    assert (step.cost_usd > 0) is (provider != "ollama")


async def test_usage_in_the_answer_takes_precedence_over_the_list_price(fakes: State) -> None:
    assert (await write("openrouter")).steps["it"].cost_usd == pytest.approx(0.00042)


@pytest.mark.parametrize("provider", EVERYONE)
async def test_answer_matches_the_requested_schema(fakes: State, provider: str) -> None:
    fakes.replies.append(AD)
    result = await write(provider, output_schema_preset="ad_copy")
    assert result.status == "finished", result.error.detail
    assert result.outputs["it.data"]["headline"] == "Cold at last"
    assert "call_to_action" in str(questions(fakes, provider)[0].body)


@pytest.mark.parametrize("provider", ["anthropic", "gemini", "mistral", "openrouter", "ollama"])
async def test_images_are_sent_to_the_model(fakes: State, provider: str) -> None:
    store = MemoryStore()
    kept = await store.put(png(), "image/png")
    inputs = {"prompt": "What is this?", "pictures": Image(asset_id=kept.asset_id)}
    result = await run("language_model", inputs, store=store, provider=provider, model=model_of(provider))
    assert result.status == "finished", result.steps["it"].error
    assert "iVBOR" in str(questions(fakes, provider)[0].body)


FAULTS: dict[Kind, tuple[str, bool]] = {
    "rate_limit": ("rate_limited", True),
    "server_error": ("provider_unavailable", True),
    "unavailable": ("provider_unavailable", True),
    "reject": ("bad_request", False),
    "bad_json": ("stream_dropped", True),
    "disconnect": ("stream_dropped", True),
    "truncated": ("stream_dropped", True),
    "broken_event": ("stream_dropped", True),
}
"""The code of each, and whether it is retried."""


@pytest.mark.parametrize(("provider", "kind"), diagonals(product(EVERYONE, FAULTS), 2))
async def test_each_error_has_its_code_and_message(fakes: State, provider: str, kind: Kind) -> None:
    code, retryable = FAULTS[kind]
    fakes.misbehave(kind, times=9, retry_after=SOON)
    error = error_of(await write(provider))
    assert (error.code, error.retryable, error.provider) == (code, retryable, provider)
    assert GOOD_KEY not in f"{error.message}{error.detail}"
    assert asked(fakes, provider) == (3 if retryable else 1)


@pytest.mark.parametrize("provider", EVERYONE)
async def test_retry_after_is_respected(fakes: State, provider: str) -> None:
    fakes.misbehave("rate_limit", times=9, retry_after=SOON)
    result = await write(provider)
    assert error_of(result).retry_after == SOON
    waits = [e.data["seconds"] for e in result.events if e.type == "step.retrying"]
    assert waits == [SOON, SOON]


@pytest.mark.parametrize("provider", KEYED)
async def test_wrong_keys_and_empty_accounts_have_different_codes(fakes: State, provider: str) -> None:
    wrong = error_of(await write(provider, key="sk-wrong-key-000000"))
    assert wrong.code == "wrong_credential"
    assert "sk-wrong" not in f"{wrong.message}{wrong.detail}"
    assert error_of(await write(provider, key=POOR_KEY)).code == "no_credit"
    assert asked(fakes, provider) == 2


@pytest.mark.parametrize("provider", EVERYONE)
async def test_unknown_model_is_named_in_the_error(fakes: State, provider: str) -> None:
    error = error_of(await write(provider, model="nothing-9"))
    assert error.code == "unknown_model"
    assert "'nothing-9'" in error.message


@pytest.mark.parametrize("provider", KEYED)
async def test_moderated_request_is_not_retried(fakes: State, provider: str) -> None:
    fakes.misbehave("moderation", times=9)
    assert error_of(await write(provider)).code == "moderated"
    assert asked(fakes, provider) == 1


@pytest.mark.parametrize(("provider", "code"), [("anthropic", "refused"), ("gemini", "moderated")])
async def test_answer_withheld_at_its_end_is_an_error(fakes: State, provider: str, code: str) -> None:
    fakes.misbehave("withheld", times=9)
    result = await write(provider)
    assert error_of(result).code == code
    assert result.steps["it"].cost_usd > 0


@pytest.mark.parametrize("provider", EVERYONE)
async def test_timeout_is_reported(fakes: State, provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "_TIMEOUT", 0.2)
    fakes.misbehave("slow", times=9)
    error = error_of(await write(provider))
    assert (error.code, error.retryable) == ("provider_timeout", True)


@pytest.mark.parametrize(
    ("provider", "kind", "code"),
    [
        ("anthropic", "overloaded", "provider_unavailable"),
        ("anthropic", "error_event", "provider_unavailable"),
        ("ollama", "error_event", "generation_failed"),
        ("gemini", "quota", "rate_limited"),
    ],
)
async def test_error_of_a_single_provider_has_its_code(
    fakes: State, provider: str, kind: Kind, code: str
) -> None:
    fakes.misbehave(kind, times=9, retry_after=SOON)
    assert error_of(await write(provider)).code == code


async def test_text_after_a_retry_has_no_part_of_the_failed_attempt(fakes: State) -> None:
    fakes.misbehave("disconnect")
    result = await write("gemini")
    assert result.outputs["it.output"] == REPLY
    assert asked(fakes, "gemini") == 2


async def test_gemini_makes_images_one_a_call(fakes: State) -> None:
    result = await run(
        "image_generation", {"prompt": "A can"}, provider="gemini", n_images=2, aspect_ratio="4:5"
    )
    assert [image.width for image in result.outputs["it.output"]] == [64, 64], result.steps["it"].error
    first, _ = fakes.requests("generateContent")
    assert first.body["generationConfig"]["imageConfig"] == {"aspectRatio": "4:5"}
    assert result.steps["it"].cost_usd > 0.05


async def test_a_retry_pays_only_for_the_images_that_are_missing(fakes: State) -> None:
    fakes.misbehave("rate_limit", after=2, retry_after=SOON, on="generateContent")
    result = await run("image_generation", {"prompt": "A can"}, provider="gemini", n_images=3)
    assert [image.width for image in result.outputs["it.output"]] == [64, 64, 64]
    assert len(fakes.requests("generateContent")) == 4
    assert result.steps["it"].cost_usd == pytest.approx(3 * await price_of_one(fakes))


async def price_of_one(fakes: State) -> float:
    return (await run("image_generation", {"prompt": "A can"}, provider="gemini")).steps["it"].cost_usd


async def test_gemini_changes_an_image(fakes: State) -> None:
    store = MemoryStore()
    kept = await store.put(png(), "image/png")
    inputs = {"picture": Image(asset_id=kept.asset_id, width=640, height=360), "prompt": "Make it dusk"}
    result = await run("image_edit", inputs, store=store, provider="gemini")
    assert result.outputs["it.output"].media_type == "image/png", result.steps["it"].error
    sent = fakes.requests("generateContent")[0].body
    assert sent["generationConfig"]["imageConfig"] == {"aspectRatio": "16:9"}
    assert "iVBOR" in str(sent["contents"])


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("moderation", "moderated"),
        ("withheld", "moderated"),
        ("empty", "generation_failed"),
        ("corrupt", "corrupt_output"),
        ("rate_limit", "rate_limited"),
        ("bad_json", "corrupt_output"),
    ],
)
async def test_gemini_without_an_image_is_an_error(fakes: State, kind: Kind, code: str) -> None:
    fakes.misbehave(kind, times=9, retry_after=SOON)
    store = MemoryStore()
    error = error_of(await run("image_generation", {"prompt": "A can"}, provider="gemini", store=store))
    assert error.code == code, error.detail
    assert not store.assets
