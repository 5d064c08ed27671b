"""A paid job is created once, and a request whose answer was lost is not sent again."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from tests.fakes.reports import seen_by

from impasto.testing import FakeContext
from impasto_nodes.providers.errors import BadRequest, ProviderError, RateLimited, StreamDropped, TimedOut
from impasto_nodes.providers.jobs import memory as module
from impasto_nodes.providers.jobs.memory import JobMemory

pytestmark = pytest.mark.anyio


def memory() -> JobMemory:
    return JobMemory("openai", "job", seen_by(FakeContext()))


def answers(found: str | ProviderError) -> Callable[[], Awaitable[str]]:
    async def create() -> str:
        if isinstance(found, ProviderError):
            raise found
        return found

    return create


async def test_created_job_is_known_to_later_attempts() -> None:
    job = memory()
    assert await job.existing() is None
    assert not await job.may_exist()
    assert await job.created(answers("id-1")) == "id-1"
    assert await job.existing() == "id-1"
    assert await job.is_known()
    assert await job.may_exist()
    await job.forget()
    assert await job.existing() is None
    assert not await job.is_known()


@pytest.mark.parametrize("error", [RateLimited("openai"), BadRequest("openai")])
async def test_request_that_the_service_refused_leaves_no_job(error: ProviderError) -> None:
    job, is_retryable = memory(), error.retryable
    with pytest.raises(type(error)) as raised:
        await job.created(answers(error))
    assert raised.value.retryable is is_retryable
    assert not await job.may_exist()


@pytest.mark.parametrize("error", [TimedOut("openai"), StreamDropped("openai")])
async def test_request_whose_answer_was_lost_may_have_made_a_job_and_is_not_repeated(
    error: ProviderError,
) -> None:
    job = memory()
    with pytest.raises(type(error)) as raised:
        await job.created(answers(error))
    assert not raised.value.retryable
    assert await job.may_exist()
    assert not await job.is_known()
    with pytest.raises(StreamDropped) as again:
        await job.existing()
    assert not again.value.retryable
    assert again.value.detail == "an earlier attempt may have created a job"
    assert again.value.provider == "openai"


@pytest.mark.parametrize("found", ["id-1", BadRequest("openai")])
async def test_cancelled_step_waits_for_the_answer_and_remembers_it(found: str | ProviderError) -> None:
    job, sent, answer = memory(), asyncio.Event(), asyncio.Event()

    async def create() -> str:
        sent.set()
        await answer.wait()
        return await answers(found)()

    creating = asyncio.ensure_future(job.created(create))
    await sent.wait()
    assert (await job.may_exist(), await job.is_known()) == (True, False)
    assert await job.context.recall("job") == {"requested": True}
    creating.cancel()
    asyncio.get_running_loop().call_soon(answer.set)
    with pytest.raises(asyncio.CancelledError):
        await creating
    assert await job.existing() == (found if isinstance(found, str) else None)


async def test_cancelled_step_does_not_wait_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FINAL_SECONDS", 0.0)
    job, sent = memory(), asyncio.Event()

    async def create() -> str:
        sent.set()
        await asyncio.Event().wait()
        return ""

    creating = asyncio.ensure_future(job.created(create))
    await sent.wait()
    creating.cancel()
    async with asyncio.timeout(20):
        with pytest.raises(asyncio.CancelledError):
            await creating
    assert (await job.may_exist(), await job.is_known()) == (True, False)
