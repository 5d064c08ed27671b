"""Costs of calls of providers: reserved before, charged after, for successful and failed calls."""

from typing import Any

import pytest
from tests.fakes.media import png
from tests.fakes.running import error_of, run
from tests.fakes.state import Kind, State

import impasto
from impasto import Catalog, Image, MemoryStore
from impasto_nodes.ai.language_model import estimate

pytestmark = pytest.mark.anyio
CAP = 0.004
PRICE_IN, PRICE_OUT = 0.25e-6, 2e-6
"""US dollars of a token of gpt-5-mini."""
LONG = "A long answer. " * 213


async def write(**given: Any) -> Any:
    return await run(
        "language_model", {"prompt": "A can"}, **{"provider": "openai", "model": "gpt-5-mini"} | given
    )


def billed(fakes: State) -> float:
    """What the service bills for its answers, each of `LONG` or as long as the request allows."""
    limits = [request.body.get("max_completion_tokens", 10**9) for request in fakes.requests("chat")]
    return sum(12 * PRICE_IN + min(limit, -(-len(LONG) // 8)) * PRICE_OUT for limit in limits)


async def test_ten_parallel_calls_spend_no_more_than_the_cap(fakes: State) -> None:
    fakes.replies.extend([LONG] * 10)
    model = {"provider": "openai", "model": "gpt-5-mini"}
    nodes, edges = [], []
    for n in range(10):
        nodes.append({"id": f"ask{n}", "type": "user_prompt", "settings": {"text": f"A can {n}"}})
        nodes.append({"id": f"it{n}", "type": "language_model", "settings": model})
        edges.append({"from": f"ask{n}.output", "to": f"it{n}.prompt"})
    document = {"format": 1, "name": "ten", "nodes": nodes, "edges": edges}
    plan = impasto.compile(document, Catalog.discover())

    async def credentials(provider: str) -> str | None:
        return "good-key-123456"

    result = await impasto.execute(plan, credentials=credentials, budget_usd=CAP)
    assert result.error.code == "budget_exceeded"
    assert 4 <= len(fakes.requests("chat")) < 10
    assert result.cost_usd == pytest.approx(billed(fakes))
    assert billed(fakes) <= CAP


async def test_answer_that_the_budget_cuts_off_is_no_result(fakes: State) -> None:
    fakes.replies.append(LONG)
    result = await write(max_tokens=1000, options={"budget_usd": 0.0006})
    assert error_of(result).code == "budget_exceeded"
    assert 0 < result.cost_usd <= 0.0006


async def test_budget_too_small_for_an_answer_makes_no_call(fakes: State) -> None:
    result = await write(options={"budget_usd": 0.0001})
    assert result.error.code == "budget_exceeded"
    assert not fakes.requests("chat")


async def test_run_without_a_budget_limits_no_answer(fakes: State) -> None:
    await write()
    assert not {"max_tokens", "max_completion_tokens"} & fakes.requests("chat")[0].body.keys()


@pytest.mark.parametrize(
    ("kind", "code", "calls"),
    [("refusal", "refused", 1), ("tools_only", "empty_answer", 2), ("no_text", "empty_answer", 2)],
)
async def test_answer_without_text_is_an_error_and_is_charged(
    fakes: State, kind: Kind, code: str, calls: int
) -> None:
    fakes.misbehave(kind, times=9)
    result = await write()
    assert error_of(result).code == code
    sent = fakes.requests("chat")
    assert len(sent) == calls
    assert len({request.headers["idempotency-key"] for request in sent}) == calls
    assert result.cost_usd == pytest.approx(calls * (12 * PRICE_IN + 40 * PRICE_OUT))


async def test_empty_answer_is_asked_for_once_more(fakes: State) -> None:
    fakes.misbehave("no_text")
    result = await write()
    assert result.status == "finished"
    assert result.steps["it"].cost_usd > 12 * PRICE_IN + 40 * PRICE_OUT


@pytest.mark.parametrize("kind", ["disconnect", "truncated"])
async def test_interrupted_answers_are_charged(fakes: State, kind: Kind) -> None:
    fakes.misbehave(kind, times=9)
    result = await write()
    assert error_of(result).code == "stream_dropped"
    assert result.cost_usd > 3 * 4 * PRICE_OUT


@pytest.mark.parametrize("kind", ["rate_limit", "unavailable", "reject"])
async def test_calls_that_were_refused_cost_nothing(fakes: State, kind: Kind) -> None:
    fakes.misbehave(kind, times=9, retry_after=0.01)
    result = await write()
    error_of(result)
    assert result.cost_usd == 0


async def test_image_has_the_quality_that_the_budget_allows(fakes: State) -> None:
    image = {"provider": "openai", "model": "gpt-image-2"}
    for budget, quality in ((0.05, "medium"), (1.0, None)):
        result = await run("image_generation", {"prompt": "A can"}, options={"budget_usd": budget}, **image)
        assert result.status == "finished"
        assert fakes.requests("generations")[-1].body.get("quality") == quality
    result = await run("image_generation", {"prompt": "A can"}, options={"budget_usd": 0.02}, **image)
    assert result.error.code == "budget_exceeded"
    assert len(fakes.requests("generations")) == 2


async def test_image_whose_answer_is_lost_counts_as_paid(fakes: State) -> None:
    fakes.misbehave("bad_json", on="generations", times=9)
    result = await run("image_generation", {"prompt": "A can"}, provider="openai", model="gpt-image-2")
    error_of(result)
    assert result.cost_usd >= 0.03 * len(fakes.requests("generations"))


async def test_model_without_a_price_is_refused_in_a_run_with_a_budget(fakes: State) -> None:
    store = MemoryStore()
    kept = await store.put(png(), "image/png")
    settings = {"provider": "replicate", "model": "bytedance/unlisted-model", "duration": 5}
    inputs = {"prompt": "A can", "picture": Image(asset_id=kept.asset_id)}
    refused = await run("video_generation", inputs, store=store, options={"budget_usd": 5}, **settings)
    assert error_of(refused).code == "price_unknown"
    assert not fakes.predictions
    options = {"budget_usd": 5, "allow_unpriced": True}
    allowed = await run("video_generation", inputs, store=store, options=options, **settings)
    assert allowed.status == "finished"
    assert allowed.cost_usd > 0


async def test_failed_prediction_is_not_charged_and_a_bad_output_is(fakes: State) -> None:
    image = {"provider": "replicate", "model": "black-forest-labs/flux-1.1-pro"}
    fakes.fails_with = "CUDA out of memory"
    failed = await run("image_generation", {"prompt": "A can"}, **image)
    assert error_of(failed).code == "generation_failed"
    assert failed.cost_usd == 0
    fakes.fails_with = None
    fakes.misbehave("corrupt", on="outputs", times=9)
    bad = await run("image_generation", {"prompt": "A can"}, **image)
    assert error_of(bad).code == "corrupt_output"
    assert bad.cost_usd == pytest.approx(0.04)


def test_estimate_counts_the_input_and_the_longest_answer() -> None:
    def usd(prompt: str, **settings: Any) -> float:
        return estimate({"provider": "openai", **settings}, {"prompt": prompt}, frozenset({"openai"}))["usd"]

    assert usd("word " * 10_000) > usd("word") + 10_000 * PRICE_IN
    assert usd("word", max_tokens=8_000) == pytest.approx(8_000 * PRICE_OUT, rel=0.01)
    assert usd("word", model="gpt-0-unknown") is None
    assert usd("word", provider="openai_compatible", model="any") == 0
