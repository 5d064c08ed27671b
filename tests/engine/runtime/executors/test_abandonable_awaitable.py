"""Awaiting a coroutine that its owner may abandon: what reaches the coroutine, and when it is ended."""

import asyncio
import types

import pytest

from impasto.runtime.executors.abandonable import AbandonableAwaitable

CANCEL = asyncio.CancelledError


class Owner:
    abandoned = False


@types.coroutine
def pause(value):
    """Let the event loop have a value, and return what it sends."""
    return (yield value)


class Function:
    """A coroutine that waits for numbers and notes what it gets; `swallowed` exceptions do not end it."""

    def __init__(self, *swallowed, end=None):
        self.got = []
        self.owner = Owner()
        self._swallowed = swallowed
        self._end = end
        coroutine = self._run()
        self.driver = AbandonableAwaitable(coroutine, self.owner, coroutine.send(None)).__await__()
        assert next(self.driver) == 0

    async def _run(self):
        for number in range(30):
            try:
                got = await pause(number)
            except BaseException as error:
                self.got.append(type(error))
                if not isinstance(error, self._swallowed):
                    raise
            else:
                self.got.append(got)
                if got == "end":
                    if self._end is not None:
                        raise self._end
                    return "result"
        return None


def ended(function, error):
    """Whether the awaiting asyncio task ends with the error that is thrown into it."""
    try:
        function.driver.throw(error)
    except type(error):
        return True
    return False


def test_values_and_errors_reach_the_coroutine_and_its_result_is_returned():
    function = Function(OSError)
    assert function.driver.send("a") == 1
    assert function.driver.throw(OSError()) == 2
    with pytest.raises(StopIteration) as end:
        function.driver.send("end")
    assert end.value.value == "result"
    assert function.got == ["a", OSError, "end"]


@pytest.mark.parametrize("is_abandoned", [True, False])
def test_first_cancellation_reaches_the_coroutine(is_abandoned):
    function = Function(CANCEL)
    function.owner.abandoned = is_abandoned
    assert function.driver.throw(CANCEL()) == 1
    assert function.driver.send("cleaned up") == 2
    assert function.got == [CANCEL, "cleaned up"]


def test_every_cancellation_reaches_the_coroutine_unless_it_is_abandoned():
    function = Function(CANCEL, OSError)
    for number in range(3):
        assert function.driver.throw(CANCEL()) == number + 1
    function.owner.abandoned = True
    assert function.driver.throw(OSError()) == 4
    assert function.driver.send("more") == 5
    assert function.got == [CANCEL] * 3 + [OSError, "more"]


def test_error_does_not_count_as_a_cancellation():
    function = Function(CANCEL, OSError)
    function.owner.abandoned = True
    assert function.driver.throw(OSError()) == 1
    assert function.driver.throw(CANCEL()) == 2
    assert ended(function, CANCEL())


def test_abandoned_coroutine_is_closed_after_ten_cancellations():
    function = Function(CANCEL)
    assert not ended(function, CANCEL())
    function.owner.abandoned = True
    assert ended(function, CANCEL())
    assert function.got == [CANCEL] * 11 + [GeneratorExit]


def test_abandoned_coroutine_that_ends_is_not_cancelled_again():
    function = Function(CANCEL)
    function.driver.throw(CANCEL())
    function._swallowed = ()
    function.owner.abandoned = True
    assert ended(function, CANCEL())
    assert function.got == [CANCEL] * 2


def test_closing_the_awaiting_task_closes_the_coroutine_at_once():
    function = Function(CANCEL)
    function.driver.close()
    assert function.got == [GeneratorExit]


@pytest.mark.parametrize(
    ("error", "raised", "text"),
    [
        (ValueError("no"), ValueError, "no"),
        (GeneratorExit(), RuntimeError, "the function raised GeneratorExit"),
        (CANCEL("odd"), CANCEL, "odd"),
    ],
    ids=["error", "exit", "cancelled"],
)
def test_error_of_the_coroutine_is_raised_where_it_is_awaited(error, raised, text):
    function = Function(end=error)
    with pytest.raises(raised) as found:
        function.driver.send("end")
    assert str(found.value) == text
