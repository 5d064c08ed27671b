"""Why a stream ended, by litellm and by Gemini's own chunks."""

from types import SimpleNamespace
from typing import Any

import pytest

from impasto_nodes.providers.litellm.finish_reason import FinishReason

pytestmark = pytest.mark.anyio


def answer(received: str | None = None, intermittent: str | None = None, **more: Any) -> Any:
    """litellm's object of a streamed answer, as far as the reason is read from it."""
    return SimpleNamespace(received_finish_reason=received, intermittent_finish_reason=intermittent, **more)


@pytest.mark.parametrize(
    ("received", "intermittent", "reason"),
    [("stop", None, "stop"), (None, "length", "length"), ("stop", "length", "stop"), (None, None, None)],
)
async def test_reason_is_the_one_that_litellm_received(
    received: str | None, intermittent: str | None, reason: str | None
) -> None:
    assert FinishReason(answer(received, intermittent), "openai").reason == reason
    assert FinishReason(answer(received, intermittent, make_call=None), "gemini").reason == reason


@pytest.mark.parametrize("provider", ["gemini", "vertex_ai"])
@pytest.mark.parametrize(
    ("chunks", "reason"),
    [
        ([{}], None),
        ([{"candidates": []}], None),
        ([{"candidates": [{"text": "a"}]}], None),
        ([{"candidates": [{"finishReason": "STOP"}]}], "stop"),
        ([{"candidates": [{"finishReason": "STOP"}]}, {"candidates": [{}]}], "stop"),
        ([{"promptFeedback": {"blockReason": "SAFETY"}}], "stop"),
        ([{"promptFeedback": None}], None),
    ],
)
async def test_stream_of_gemini_without_a_reason_of_its_own_was_interrupted(
    provider: str, chunks: list[dict[str, Any]], reason: str | None
) -> None:
    async def call(*args: Any, **kwargs: Any) -> Any:
        assert (args, kwargs) == ((1,), {"a": 2})
        return SimpleNamespace(chunk_parser=lambda chunk: ("parsed", chunk))

    made = answer("stop", make_call=call)
    finish = FinishReason(made, provider)
    stream = await made.make_call(1, a=2)
    assert [stream.chunk_parser(chunk) for chunk in chunks] == [("parsed", chunk) for chunk in chunks]
    assert finish.reason == reason


async def test_other_providers_are_not_observed() -> None:
    call = object()
    made = answer("stop", make_call=call)
    FinishReason(made, "openai")
    assert made.make_call is call
