"""A video job at xAI: how far it is, its clip, and what it costs without one."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.fakes.reports import seen_by, shown
from tests.fakes.running import addresses
from tests.fakes.state import GOOD_KEY, State

from impasto.testing import FakeContext
from impasto_nodes.providers.errors import ProviderError
from impasto_nodes.providers.jobs import clips
from impasto_nodes.providers.protocols import VideoRequest
from impasto_nodes.providers.xai.video import XaiVideo

pytestmark = pytest.mark.anyio
REQUEST = VideoRequest(model="grok-imagine-video", prompt="A can", duration=6)
LIST_USD = 0.3
CENT = {"usage": {"cost_in_usd_ticks": 100_000_000}}


@pytest.fixture
def context(fakes: State, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeContext]:
    monkeypatch.setattr(clips, "FIRST_POLL_SECONDS", 0.0)
    made = FakeContext(configuration={"XAI_API_KEY": GOOD_KEY} | addresses(fakes))
    yield made
    made.close()


@pytest.mark.parametrize(("progress", "fractions"), [(12.5, [0.15625]), ("40", [])])
async def test_percentage_of_a_job_is_shown(
    fakes: State, context: FakeContext, progress: Any, fractions: list[float]
) -> None:
    fakes.polls = 0
    body = json.dumps({"status": "pending", "progress": progress})
    fakes.misbehave("answer", on="/videos/job-", status=202, body=body)
    await XaiVideo().generate(REQUEST, seen_by(context))
    found = [fraction for fraction, message in shown(context) if message == "The model is working"]
    assert found == pytest.approx(fractions)


@pytest.mark.parametrize(
    ("answer", "code", "detail", "usd"),
    [
        ({"status": "failed", "error": "odd"}, "generation_failed", "failed: odd", 0.0),
        ({"status": "failed", "error": "odd"} | CENT, "generation_failed", "failed: odd", 0.01),
        ({"status": "failed", "error": "safety"}, "moderated", "failed: safety", 0.0),
        ({"status": "expired"}, "generation_failed", "the result has expired", LIST_USD),
        ({"status": "expired"} | CENT, "generation_failed", "the result has expired", 0.01),
        ({"status": "x" * 51}, "corrupt_output", f"status: {'x' * 50}", LIST_USD),
        ({"status": "done", "video": "odd"}, "corrupt_output", "status: done", LIST_USD),
        ({"status": "done", "video": {}}, "corrupt_output", "a clip without an address", LIST_USD),
        (
            {"status": "done", "video": {"url": "ftp://x"}},
            "corrupt_output",
            "a clip without an address",
            LIST_USD,
        ),
    ],
)
async def test_job_without_a_clip_says_why_and_costs_what_xai_says(
    fakes: State, context: FakeContext, answer: dict[str, Any], code: str, detail: str, usd: float
) -> None:
    fakes.misbehave("answer", times=5, on="/videos/job-", status=200, body=json.dumps(answer))
    with pytest.raises(ProviderError) as raised:
        await XaiVideo().generate(REQUEST, seen_by(context))
    assert (raised.value.code, raised.value.provider, raised.value.detail) == (code, "xai", detail)
    assert context.spent == pytest.approx(usd)


@pytest.mark.parametrize(
    ("usage", "usd"),
    [
        ({"cost_in_usd_ticks": 0}, 0.0),
        ({"cost_in_usd_ticks": 1}, 1e-10),
        ({"cost_in_usd_ticks": -1}, LIST_USD),
        ({"cost_in_usd_ticks": "7"}, LIST_USD),
        ({}, LIST_USD),
        ("odd", LIST_USD),
    ],
)
async def test_withheld_clip_costs_what_xai_says_else_its_price(
    fakes: State, context: FakeContext, usage: Any, usd: float
) -> None:
    withheld = {"status": "done", "video": {"respect_moderation": False}, "usage": usage}
    fakes.misbehave("answer", on="/videos/job-", status=200, body=json.dumps(withheld))
    with pytest.raises(ProviderError) as raised:
        await XaiVideo().generate(REQUEST, seen_by(context))
    assert raised.value.code == "moderated"
    assert context.spent == pytest.approx(usd, abs=1e-12)


async def test_job_that_xai_no_longer_knows_has_its_price(fakes: State, context: FakeContext) -> None:
    fakes.misbehave("answer", on="/videos/job-", status=404, body='{"error": "No such request."}')
    with pytest.raises(ProviderError) as raised:
        await XaiVideo().generate(REQUEST, seen_by(context))
    assert raised.value.code == "generation_failed"
    assert context.spent == pytest.approx(LIST_USD)


@pytest.mark.parametrize("answer", [{}, {"request_id": ""}, {"request_id": 7}])
async def test_answer_without_the_id_of_a_job_cannot_be_read(
    fakes: State, context: FakeContext, answer: dict[str, Any]
) -> None:
    fakes.misbehave("answer", on="/videos/generations", status=200, body=json.dumps(answer))
    with pytest.raises(ProviderError) as raised:
        await XaiVideo().generate(REQUEST, seen_by(context))
    assert (raised.value.code, raised.value.detail) == ("corrupt_output", "an answer without a request_id")
