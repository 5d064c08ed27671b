"""OpenAI's images through litellm, against a fake that refuses unknown fields as the service does."""

import pytest
from tests.fakes.media import png
from tests.fakes.running import error_of, run
from tests.fakes.state import Kind, State

from impasto import Image, MemoryStore

PRICE_PER_IMAGE_TOKEN = 30e-6
"""US dollars, as litellm's table lists it for gpt-image-2."""
pytestmark = pytest.mark.anyio


async def generate(**inputs: object) -> object:
    return await run(
        "image_generation", {"prompt": "A can"} | inputs, provider="openai", model="gpt-image-2", n_images=2
    )


async def test_the_body_holds_only_fields_of_the_service(fakes: State) -> None:
    result = await generate()
    assert result.status == "finished"
    (sent,) = fakes.requests("images/generations")
    assert sorted(sent.body) == ["model", "n", "prompt", "size"]
    assert sent.headers["idempotency-key"].endswith(":2")


async def test_the_cost_follows_the_tokens_of_the_answer(fakes: State) -> None:
    details = {"image_tokens": 0, "text_tokens": 10}
    fakes.image_usage["usage"] = {
        "input_tokens": 10,
        "input_tokens_details": details,
        "output_tokens": 2_000,
        "total_tokens": 2_010,
    }
    result = await generate()
    assert result.steps["it"].cost_usd == pytest.approx(PRICE_PER_IMAGE_TOKEN * 2_000, rel=0.05)


@pytest.mark.parametrize("kind", ["unavailable", "server_error", "rate_limit"])
async def test_only_the_step_retries_a_failed_request(fakes: State, kind: Kind) -> None:
    fakes.misbehave(kind, times=20, retry_after=0.01)
    assert error_of(await generate()).retryable
    sent = fakes.requests("images/generations")
    assert len(sent) == 3
    assert len({request.headers["idempotency-key"] for request in sent}) == 1


async def test_an_edit_is_retried_by_the_step_only(fakes: State) -> None:
    store = MemoryStore()
    kept = await store.put(png(), "image/png")
    fakes.misbehave("unavailable", times=20)
    result = await run(
        "image_generation",
        {"prompt": "A can", "picture": Image(asset_id=kept.asset_id)},
        store=store,
        provider="openai",
        model="gpt-image-2",
    )
    assert error_of(result).code == "provider_unavailable"
    sent = fakes.requests("images/edits")
    assert len(sent) == 3
    assert all(request.headers["idempotency-key"] for request in sent)
