"""What a run awaits. The modules below may be compiled, so they have no coroutines: those are all here, in
`lazy`, in `recorder` and in `executors`, and are Python's own.
"""

import asyncio
import inspect
import logging
import typing as t

from impasto.compiler.step import Step
from impasto.errors import NodeError
from impasto.hashing import digest
from impasto.runtime.executors.abandonable import Leash
from impasto.runtime.scheduler import Pause, Scheduler
from impasto.runtime.task import Unit

logger = logging.getLogger("impasto")
# What may have been meant for the task that the function ran in.
_OTHERS = (asyncio.CancelledError, GeneratorExit)


async def worker(run: Scheduler) -> None:
    """One worker's life. It never fails of itself: if the engine has a fault, the caller hears."""
    me = t.cast("asyncio.Task[None]", asyncio.current_task())
    recorder = run.recorder
    run.spare = False
    try:
        await _work(run, me)
        if not run.left:
            run.end()
    except Exception as error:  # noqa: BLE001 - the run ends, and whoever waits for it is told
        if recorder.error is None:
            recorder.error = error
            recorder.on_error()
    except BaseException:
        recorder.kick()
        raise
    finally:
        run.workers.discard(me)
        if run.ready and run.running < run.most:
            run.wake()
        if not run.over:
            recorder.kick()
    if run.over:
        await recorder.settle()


async def _work(run: Scheduler, me: "asyncio.Task[None]") -> None:
    while (met := run.advance(me)) is not None:
        if isinstance(met, Pause):
            run.recorder.kick()
            run.wake()
            await asyncio.sleep(0)
            continue
        try:
            found: Leash | Step | Unit | None = met
            while found is not None:
                found = await _meet(run, found, me)
        except asyncio.CancelledError:
            if run.over or run.stopping is None:
                raise


async def _meet(run: Scheduler, met: Leash | Step | Unit, me: "asyncio.Task[None]") -> Leash | Unit | None:
    """Await what a worker has met, and say what comes of it."""
    if isinstance(met, Leash):
        await _see_through(run, met)
        return None
    run.recorder.kick()
    if isinstance(met, Step):
        unit = await _opened(run, met)
        return run.go_on(unit, me)
    return None if await _cached(run, met) else run.start(met, me)


async def _see_through(run: Scheduler, leash: Leash) -> None:
    """Await a unit's function that did not end at once."""
    unit = t.cast("Unit", leash.owner)
    run.hold(unit)
    try:
        returned = await leash
    except BaseException as error:
        run.raised(unit, error)
        if isinstance(error, _OTHERS):
            raise
    else:
        run.returned(unit, returned)


async def _opened(run: Scheduler, step: Step) -> Unit | None:
    """The unit of a step whose key depends on a seed or on the state of the world."""
    try:
        extra = await _outside(run, step)
    except Exception as error:  # noqa: BLE001 - the node type's own function
        run.fail(step, NodeError.wrap(error))
        return None
    return run.open(step, extra)


async def _outside(run: Scheduler, step: Step) -> bytes:
    extra = f"seed {run.options.seed}".encode() if step.type.seeded else b""
    if step.type.fingerprint is not None:
        answer: t.Any = step.type.fingerprint(run.settings_of(step))
        found = run.fingerprints[step.index] = str(await answer if inspect.isawaitable(answer) else answer)
        extra += b"\0" + found.encode()
    return digest(extra)


async def _cached(run: Scheduler, unit: Unit) -> bool:
    """Whether the cache knows the result (or the run has come to its end while it was asked)."""
    try:
        body = await run.cache.get(unit.key.hex()) if run.cache is not None else None
        body = bytes(body) if body is not None else None  # a cache may hand out a view of what it keeps
    except Exception:
        logger.exception("A result could not be looked for.")
        body = None
    run.log.holds = True
    if unit.dead or run.stopping is not None:
        if not unit.dead:
            run.stopped(unit)
        return True
    return run.known(unit, body, run.wanted(unit))


async def farewell(run: Scheduler) -> None:
    """Wait for those that were let go, as long as a cancelled step may take to end."""
    others = run.workers - {asyncio.current_task()}
    if others:
        await asyncio.wait(others, timeout=run.options.grace)
    run.drop_all()
