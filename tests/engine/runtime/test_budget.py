"""The budget of a run: what fits, what waits in turn, and what is free again."""

import asyncio
import math

import pytest

from impasto.runtime.budget import Budget

pytestmark = pytest.mark.anyio
ROUNDING = 1e-9


class Watched(Budget):
    """A budget that counts how often dollars were freed that no waiting call takes."""

    def __init__(self, max_usd, spent=0.0):
        super().__init__(max_usd, spent)
        self.freed = 0
        self.on_free = self.count

    def count(self):
        self.freed += 1

    @property
    def sums(self):
        return self.spent, self.reserved


async def waiting(budget, usd, at_least=None, earlier=None):
    """A call that waits for its reservation."""
    call = asyncio.ensure_future(budget.acquire(usd, usd if at_least is None else at_least, earlier))
    await asyncio.sleep(0)
    return call


@pytest.mark.parametrize("max_usd", [None, math.inf])
def test_budget_without_a_limit_always_has_something_left(max_usd):
    budget = Watched(max_usd, 5.0)
    assert (budget.max_usd, budget.left, budget.is_exceeded) == (None, math.inf, False)
    assert budget.reserve(1e9).usd == 1e9


def test_budget_is_exceeded_above_its_limit_and_rounding():
    assert not Watched(1.0, 1.0).is_exceeded
    assert not Watched(1.0, 1.0 + ROUNDING).is_exceeded
    assert Watched(1.0, 1.0 + 2 * ROUNDING).is_exceeded


def test_what_is_left_can_be_reserved_and_no_more():
    budget = Watched(1.0, 0.25)
    assert budget.reserve(0.75 + 2 * ROUNDING) is None
    made = budget.reserve(0.75)
    assert (made.usd, made.is_open, budget.left, budget.reserved) == (0.75, True, 0.0, 0.75)
    assert budget.reserve(0.25) is None
    assert budget.reserve(0.0).usd == 0.0


def test_only_a_reservation_of_dollars_is_worth_waiting_for():
    budget = Watched(1.0)
    nothing = budget.reserve(0.0)
    assert not budget.is_held
    made = budget.reserve(0.5)
    assert budget.is_held
    budget.release(nothing)
    assert budget.is_held
    budget.release(made)
    assert not budget.is_held
    assert budget.reserved == 0.0


def test_charges_use_up_their_reservation_first():
    budget = Watched(2.0)
    made = budget.reserve(1.0)
    budget.charge(0.25, made)
    assert (made.usd, budget.sums) == (0.75, (0.25, 0.75))
    budget.charge(1.0, made)
    assert (made.usd, budget.sums) == (0.0, (1.25, 0.0))
    budget.charge(0.25)
    assert budget.sums == (1.5, 0.0)
    assert budget.freed == 0
    budget.release(made)
    assert (budget.freed, made.is_open) == (1, False)


def test_refund_leaves_the_reservation_and_frees_dollars():
    budget = Watched(1.0, 0.5)
    made = budget.reserve(0.25)
    budget.charge(-0.5, made)
    assert (made.usd, budget.sums, budget.freed) == (0.25, (0.0, 0.25), 1)
    budget.charge(0.0, made)
    assert (made.usd, budget.freed) == (0.25, 1)


def test_closed_reservation_is_neither_shrunk_nor_released_again():
    budget = Watched(1.0)
    held, made = budget.reserve(0.25), budget.reserve(0.5)
    budget.release(made)
    budget.shrink(made, 0.1)
    budget.release(made)
    assert (made.usd, budget.reserved, budget.is_held) == (0.5, 0.25, True)
    budget.shrink(held, 0.125)
    assert (held.usd, budget.reserved) == (0.125, 0.125)


def test_refunded_dollars_are_reserved_with_an_earlier_reservation():
    budget = Watched(1.0)
    earlier = budget.reserve(0.25)
    both = budget.reopen(0.5, earlier)
    assert (both.usd, budget.reserved, earlier.is_open) == (0.75, 0.75, False)
    assert budget.reopen(0.125, None).usd == 0.125
    assert budget.reserved == 0.875


def test_detached_budget_reports_nothing():
    budget = Watched(1.0)
    made = budget.reserve(0.5)
    budget.detach()
    budget.release(made)
    assert budget.freed == 0


async def test_calls_are_served_in_turn_as_dollars_are_freed():
    budget = Watched(1.0)
    first, second = budget.reserve(0.5), budget.reserve(0.5)
    large, small = await waiting(budget, 1.0), await waiting(budget, 0.25)
    assert budget.freed == 0
    assert budget.reserve(0.25) is None
    budget.release(first)
    assert budget.reserve(0.25) is None  # it is the first call's turn
    await asyncio.sleep(0)
    assert (large.done(), small.done(), budget.freed) == (False, False, 0)
    budget.release(second)
    made = await large
    assert (made.usd, small.done()) == (1.0, False)
    budget.release(made)
    assert (await small).usd == 0.25
    assert budget.sums == (0.0, 0.25)
    assert budget.freed == 1


async def test_call_that_would_fit_waits_for_those_before_it():
    budget = Watched(1.0)
    held = budget.reserve(0.5)
    large, small = await waiting(budget, 0.75), await waiting(budget, 0.25)
    assert not small.done()
    budget.release(held)
    assert ((await large).usd, (await small).usd) == (0.75, 0.25)


async def test_call_that_costs_nothing_does_not_wait():
    budget = Watched(1.0)
    budget.reserve(1.0)
    first = await waiting(budget, 0.5)
    assert (await budget.acquire(0.0, 0.0)).usd == 0.0
    assert budget.reserve(0.0).usd == 0.0
    assert not first.done()
    first.cancel()


async def test_last_call_gets_what_is_left_if_that_is_enough():
    budget = Watched(1.0, 0.25)
    made = await budget.acquire(1.0, 0.75)
    assert (made.usd, budget.reserved, budget.freed) == (0.75, 0.75, 1)
    budget.release(made)
    assert await budget.acquire(1.0, 0.75 + 2 * ROUNDING) is None
    assert await Watched(1.0, 2.0).acquire(0.5, 0.0) is None
    assert (await Watched(1.0, 1.0 + ROUNDING / 2).acquire(0.5, 0.0)).usd == 0.0


async def test_at_least_is_no_more_than_what_is_asked_for():
    assert (await Watched(1.0).acquire(0.5, 2.0)).usd == 0.5


async def test_call_that_may_not_wait_gets_what_is_left_or_nothing():
    budget = Watched(1.0)
    held = budget.reserve(0.5)
    queued = await waiting(budget, 1.0)
    assert (await budget.acquire(0.25, 0.25, may_wait=False)).usd == 0.25
    assert (await budget.acquire(1.0, 0.125, may_wait=False)).usd == 0.25
    assert await budget.acquire(1.0, 0.125, may_wait=False) is None
    assert not queued.done()
    queued.cancel()
    budget.release(held)


async def test_earlier_reservation_is_given_up_for_the_next_one():
    budget = Watched(1.0)
    other, earlier = budget.reserve(0.25), budget.reserve(0.75)
    queued = await waiting(budget, 0.5)
    made = await budget.acquire(0.5, 0.5, earlier)
    assert (made.usd, earlier.is_open, budget.reserved) == (0.5, False, 0.75)
    assert not queued.done()
    budget.release(other)
    assert (await queued).usd == 0.5


async def test_what_an_earlier_reservation_leaves_goes_to_the_call_that_waits():
    budget = Watched(1.0)
    earlier = budget.reserve(1.0)
    queued = await waiting(budget, 0.5)
    await budget.acquire(0.25, 0.25, earlier)
    assert (await queued).usd == 0.5


async def test_cancelled_call_gives_up_its_turn():
    budget = Watched(1.0)
    held = budget.reserve(0.75)
    first, second = await waiting(budget, 1.0), await waiting(budget, 0.25)
    first.cancel()
    assert (await second).usd == 0.25
    assert budget.sums == (0.0, 1.0)
    budget.release(held)
    assert budget.reserved == 0.25


async def test_call_that_is_cancelled_when_it_was_served_frees_its_dollars():
    budget = Watched(1.0)
    held = budget.reserve(1.0)
    first, second = await waiting(budget, 1.0), await waiting(budget, 0.5)
    budget.release(held)
    first.cancel()
    assert (await second).usd == 0.5
    assert first.cancelled()
    assert (budget.sums, budget.is_held) == ((0.0, 0.5), True)


async def test_refund_serves_the_call_that_waits():
    budget = Watched(1.0, 0.5)
    budget.reserve(0.25)
    queued = await waiting(budget, 0.5)
    budget.charge(-0.5)
    assert (await queued).usd == 0.5
    assert budget.freed == 1
