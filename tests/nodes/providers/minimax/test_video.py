"""A video task at MiniMax: its prompt, its clip, and why there is none."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.fakes.reports import seen_by
from tests.fakes.running import addresses
from tests.fakes.state import GOOD_KEY, State

from impasto.testing import FakeContext
from impasto_nodes.providers.errors import ProviderError
from impasto_nodes.providers.jobs import clips
from impasto_nodes.providers.minimax.video import MiniMaxVideo
from impasto_nodes.providers.protocols import VideoRequest

pytestmark = pytest.mark.anyio
LIST_USD = 0.28


@pytest.fixture
def context(fakes: State, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeContext]:
    monkeypatch.setattr(clips, "FIRST_POLL_SECONDS", 0.0)
    made = FakeContext(configuration={"MINIMAX_API_KEY": GOOD_KEY} | addresses(fakes))
    yield made
    made.close()


async def generate(context: FakeContext, prompt: str = "A can") -> None:
    request = VideoRequest(model="MiniMax-Hailuo-2.3", prompt=prompt, duration=6)
    await MiniMaxVideo().generate(request, seen_by(context))


async def test_prompt_of_2000_characters_is_sent_and_a_longer_one_is_refused(
    fakes: State, context: FakeContext
) -> None:
    await generate(context, "x" * 2_000)
    with pytest.raises(ProviderError) as raised:
        await generate(context, "x" * 2_001)
    assert (raised.value.code, raised.value.detail) == ("text_too_long", "2,001 characters of 2,000")
    assert len(fakes.requests("/v1/video_generation", "POST")) == 1


@pytest.mark.parametrize("answer", [{}, {"task_id": ""}, {"task_id": 0}, {"task_id": None}])
async def test_answer_without_the_id_of_a_task_cannot_be_read(
    fakes: State, context: FakeContext, answer: dict[str, Any]
) -> None:
    fakes.misbehave("answer", on="/v1/video_generation", status=200, body=json.dumps(answer))
    with pytest.raises(ProviderError) as raised:
        await generate(context)
    assert (raised.value.code, raised.value.detail) == ("corrupt_output", "an answer without a task_id")


async def test_id_of_a_task_may_be_a_number(fakes: State, context: FakeContext) -> None:
    fakes.misbehave("answer", on="/v1/video_generation", status=200, body='{"task_id": 7}')
    fakes.misbehave("answer", on="/query/video_generation", status=200, body='{"status": "Fail"}')
    with pytest.raises(ProviderError):
        await generate(context)
    (looked,) = fakes.requests("/query/video_generation", "GET")
    assert looked.query == {"task_id": "7"}


@pytest.mark.parametrize(
    ("answer", "code", "detail", "usd"),
    [
        ({"status": "Fail"}, "generation_failed", "Fail: None", 0.0),
        (
            {"status": "Fail", "base_resp": {"status_code": 1013}},
            "generation_failed",
            "Fail: {'status_code': 1013}",
            0.0,
        ),
        (
            {"status": "Fail", "base_resp": {"status_code": 1027}},
            "moderated",
            "Fail: {'status_code': 1027}",
            0.0,
        ),
        ({"status": "Success"}, "corrupt_output", "status: Success", LIST_USD),
        ({"status": "x" * 51, "file_id": 7}, "corrupt_output", f"status: {'x' * 50}", LIST_USD),
    ],
)
async def test_task_without_a_clip_says_why_and_is_free_if_it_failed(
    fakes: State, context: FakeContext, answer: dict[str, Any], code: str, detail: str, usd: float
) -> None:
    fakes.misbehave("answer", times=5, on="/query/video_generation", status=200, body=json.dumps(answer))
    with pytest.raises(ProviderError) as raised:
        await generate(context)
    assert (raised.value.code, raised.value.provider, raised.value.detail) == (code, "minimax", detail)
    assert context.spent == pytest.approx(usd)


@pytest.mark.parametrize("answer", [{}, {"file": "odd"}, {"file": {}}, {"file": {"download_url": "ftp://x"}}])
async def test_file_without_an_address_cannot_be_read(
    fakes: State, context: FakeContext, answer: dict[str, Any]
) -> None:
    fakes.misbehave("answer", times=5, on="/files/retrieve", status=200, body=json.dumps(answer))
    with pytest.raises(ProviderError) as raised:
        await generate(context)
    assert (raised.value.code, raised.value.detail) == ("corrupt_output", "a file without an address")
