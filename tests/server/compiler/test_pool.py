"""The processes of a pool: shared by owners, replaced when they die, and what their answers mean."""

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from impasto_server.compiler.pool import OutOfMemory, ProcessPool, TooManyWaiting, TooSlow
from impasto_server.compiler.process import ProcessDied

pytestmark = pytest.mark.anyio
Answer = Callable[[list[bytes]], list[bytes]]


class Process:
    """A process of the pool; `answer` makes its answers, or raises."""

    def __init__(self, pid: int, answer: Answer, *, seconds: float | None = 0.0) -> None:
        self.pid = pid
        self.is_alive = True
        self.is_closed = self.is_ready = False
        self._answer = answer
        self.seconds = seconds

    def processor_seconds(self) -> float | None:
        return self.seconds

    def wait_until_ready(self) -> None:
        """Be ready at once, after 3 s of processor time."""
        self.is_ready = True
        if self.seconds is not None:
            self.seconds += 3.0

    def call(self, parts: Sequence[bytes]) -> list[bytes]:
        assert self.is_ready
        if not self.is_alive:
            raise ProcessDied
        return self._answer([*parts])

    def kill(self) -> None:
        self.is_alive = False

    def close(self) -> None:
        self.is_alive, self.is_closed = False, True


class Pool:
    """A pool of such processes, and those that it has started."""

    def __init__(self, answer: Answer, size: int = 2, **about: Any) -> None:
        self.started: list[Process] = []

        def start(setup: bytes) -> Any:
            assert setup == b"setup"
            self.started.append(Process(len(self.started) + 1, answer, **about))
            return self.started[-1]

        self.pool = ProcessPool(size, 60.0, lambda: b"setup", start)

    async def call(
        self, owner: str = "mara", part: bytes = b"one", max_waiting: int | None = None
    ) -> list[bytes]:
        return (await self.pool.call(owner, [part], max_waiting))[0]


def echo(parts: list[bytes]) -> list[bytes]:
    return [b"done", *parts]


def threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name.startswith("compiler")}


async def test_process_is_used_again_and_a_dead_one_is_not() -> None:
    made, before = Pool(echo), threads()
    assert await made.call() == [b"one"]
    assert await made.call("ines") == [b"one"]
    assert made.pool.process_ids == [1]
    made.started[0].is_alive = False
    assert await made.call() == [b"one"]
    assert made.pool.process_ids == [2]
    assert threads() - before
    await made.pool.close()
    assert (made.pool.process_ids, threads() - before) == ([], set())
    assert all(process.is_closed for process in made.started)


async def test_first_process_can_be_started_before_it_is_needed() -> None:
    made = Pool(echo)
    await made.pool.start()
    await made.pool.start()
    assert made.pool.process_ids == [1]
    await made.call()
    assert made.pool.process_ids == [1]
    await made.pool.close()


@pytest.mark.parametrize(
    ("answer", "error", "is_kept"),
    [
        ([b"memory"], OutOfMemory, False),
        ([b"recursion"], TooSlow, True),
        ([b"failed", b"KeyError: 'x'"], RuntimeError, True),
    ],
)
async def test_answer_that_reports_a_failure_is_raised(
    answer: list[bytes], error: type[Exception], is_kept: bool
) -> None:
    made = Pool(lambda _: answer)
    with pytest.raises(error, match="KeyError: 'x'" if error is RuntimeError else None):
        await made.call()
    assert made.pool.process_ids == ([1] if is_kept else [])
    await made.pool.close()


@pytest.mark.parametrize(("deaths", "error"), [(1, None), (2, OutOfMemory)])
async def test_process_that_dies_is_replaced_once(deaths: int, error: type[Exception] | None) -> None:
    calls: list[bytes] = []

    def die_first(parts: list[bytes]) -> list[bytes]:
        calls.extend(parts)
        if len(calls) <= deaths:
            raise ProcessDied
        return echo(parts)

    made = Pool(die_first)
    if error is None:
        assert await made.call() == [b"one"]
        assert made.pool.process_ids == [2]
    else:
        with pytest.raises(error):
            await made.call()
        assert made.pool.process_ids == []
    assert len(calls) == 2
    await made.pool.close()


class Gate:
    """Lets requests wait until the test opens it."""

    def __init__(self) -> None:
        self.arrived: list[bytes] = []
        self._may_answer = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def __call__(self, parts: list[bytes]) -> list[bytes]:
        self.arrived += parts
        asyncio.run_coroutine_threadsafe(self._may_answer.wait(), self._loop).result(20)
        return echo(parts)

    async def until(self, number: int) -> None:
        async with asyncio.timeout(20):
            while len(self.arrived) < number:
                await asyncio.sleep(0)

    def open(self) -> None:
        self._may_answer.set()


async def test_owner_uses_one_process_at_a_time_and_has_few_requests_in_the_queue() -> None:
    gate = Gate()
    made = Pool(gate, size=3)
    first = asyncio.create_task(made.call("mara", b"first", 2))
    await gate.until(1)
    second = asyncio.create_task(made.call("mara", b"second", 2))
    other = asyncio.create_task(made.call("ines", b"other", 2))
    await gate.until(2)
    assert gate.arrived == [b"first", b"other"]
    with pytest.raises(TooManyWaiting):
        await made.call("mara", b"third", 2)
    unlimited = asyncio.create_task(made.call("mara", b"fourth"))
    gate.open()
    assert await asyncio.gather(first, second, other, unlimited) == [
        [b"first"],
        [b"second"],
        [b"other"],
        [b"fourth"],
    ]
    assert await made.call("mara", b"fifth", 1) == [b"fifth"]
    await made.pool.close()


async def test_finished_request_frees_one_place_in_the_queue() -> None:
    gates = {name: Gate() for name in (b"first", b"second", b"third")}
    made = Pool(lambda parts: gates[parts[0]](parts), size=1)
    tasks = [asyncio.create_task(made.call("mara", b"first", 2))]
    await gates[b"first"].until(1)
    for done, name in ((b"first", b"second"), (b"second", b"third")):
        tasks.append(asyncio.create_task(made.call("mara", name, 2)))
        await asyncio.sleep(0)
        with pytest.raises(TooManyWaiting):
            await made.call("mara", b"one more", 2)
        gates[done].open()
        await gates[name].until(1)
    gates[b"third"].open()
    assert await asyncio.gather(*tasks) == [[b"first"], [b"second"], [b"third"]]
    await made.pool.close()


async def test_pool_has_as_many_processes_as_its_size() -> None:
    gate = Gate()
    made = Pool(gate, size=2)
    tasks = [asyncio.create_task(made.call(f"user {number}")) for number in range(3)]
    await gate.until(2)
    gate.open()
    assert await asyncio.gather(*tasks) == [[b"one"]] * 3
    assert len(made.started) == 2, "the third request waited for one of them"
    await made.pool.close()


async def test_requests_under_way_fail_when_the_pool_is_closed() -> None:
    gate = Gate()

    def die(parts: list[bytes]) -> list[bytes]:
        gate(parts)
        raise ProcessDied

    made = Pool(die)
    calling = asyncio.create_task(made.call())
    await gate.until(1)
    closing = asyncio.create_task(made.pool.close())
    await asyncio.sleep(0)
    assert not made.started[0].is_alive
    gate.open()
    with pytest.raises(TooSlow):
        await calling
    await closing


async def test_request_that_waits_when_the_pool_is_closed_and_later_ones_fail() -> None:
    gate = Gate()
    made = Pool(gate, size=1)
    async with asyncio.timeout(20):
        first = asyncio.create_task(made.call("mara", b"first"))
        await gate.until(1)
        waiting = asyncio.create_task(made.call("ines", b"waiting"))
        await asyncio.sleep(0)
        closing = asyncio.create_task(made.pool.close())
        await asyncio.sleep(0)
        gate.open()
        assert await first == [b"first"]
        with pytest.raises(TooSlow):
            await waiting
        await closing
        for _ in range(2):
            with pytest.raises(TooSlow):
                await made.call()
        with pytest.raises(TooSlow):
            await made.pool.start()
        await made.pool.close()
    assert (gate.arrived, len(made.started), made.started[0].is_closed) == ([b"first"], 1, True)


async def test_request_counts_the_processor_time_that_it_took() -> None:
    def answer(parts: list[bytes]) -> list[bytes]:
        [process] = made.started
        process.seconds = (process.seconds or 0.0) + 0.25
        return echo(parts)

    made = Pool(answer, seconds=7.0)
    assert await made.pool.call("mara", [b"one"]) == ([b"one"], 0.25)
    await made.pool.close()


async def test_time_by_the_clock_counts_where_that_of_the_processor_is_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]

    def answer(parts: list[bytes]) -> list[bytes]:
        now[0] += 2.5
        return echo(parts)

    made = Pool(answer, seconds=None)
    await made.pool.start()
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    assert await made.pool.call("mara", [b"one"]) == ([b"one"], 2.5)
    monkeypatch.undo()
    await made.pool.close()


class Endless(Process):
    """A process that answers nothing until it is killed; `used` tells the processor time that it has used."""

    def __init__(self, used: Callable[[], float | None]) -> None:
        super().__init__(1, echo)
        self._used = used
        self._killed = threading.Event()

    def processor_seconds(self) -> float | None:
        return self._used()

    def call(self, parts: Sequence[bytes]) -> list[bytes]:
        self._killed.wait(20)
        raise ProcessDied

    def kill(self) -> None:
        super().kill()
        self._killed.set()


@pytest.mark.parametrize(
    ("used", "stretch"),
    [(lambda: None, 1), (time.monotonic, 1), (lambda: 7.0, 3)],
    ids=["unknown", "busy", "waits_for_a_processor"],
)
async def test_process_is_killed_once_it_has_used_its_time_or_waited_three_times_as_long(
    used: Callable[[], float | None], stretch: int
) -> None:
    started: list[Any] = []

    def start(_setup: bytes) -> Any:
        started.append(Endless(used))
        return started[-1]

    pool = ProcessPool(1, 0.05, lambda: b"setup", start)
    began = time.monotonic()
    with pytest.raises(TooSlow):
        await pool.call("mara", [b"one"])
    # The last part of it, which is shorter than timers are exact, is not waited for.
    assert time.monotonic() - began >= stretch * 0.05 - 0.021
    assert (len(started), started[0].is_alive, pool.process_ids) == (1, False, [])
    await pool.close()
