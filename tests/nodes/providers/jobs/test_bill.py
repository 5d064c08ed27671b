"""A job is charged once, whichever attempt or process sees its end."""

import pytest
from tests.fakes.reports import seen_by

from impasto import PaidCall
from impasto.testing import FakeContext
from impasto_nodes.providers.jobs.bill import Bill, is_charged

pytestmark = pytest.mark.anyio


class Account:
    """A bill, the context that remembers it, and what it has charged."""

    def __init__(self, price_usd: float | None = 0.5) -> None:
        self.context = FakeContext()
        self.charges: list[float] = []
        self.call = PaidCall(None, lambda usd, units, is_assumed: self.charges.append(usd))
        self.bill = Bill(self.call, price_usd, seen_by(self.context))


@pytest.mark.parametrize(
    ("price_usd", "billed_usd", "charged"),
    [(0.5, None, 0.5), (None, None, 0.25), (0.5, 0.75, 0.75), (0.5, 0.0, 0.0), (0.0, None, 0.0)],
)
async def test_job_costs_what_is_billed_else_its_price_else_what_was_measured(
    price_usd: float | None, billed_usd: float | None, charged: float
) -> None:
    account = Account(price_usd)
    await account.bill.charge("job", "id-1", 0.25, billed_usd)
    assert account.charges == [charged]


async def test_job_is_charged_once_and_another_job_again() -> None:
    account = Account()
    assert not await is_charged("job", seen_by(account.context))
    await account.bill.charge("job", "id-1", 0.25)
    assert await is_charged("job", seen_by(account.context))
    await account.bill.charge("job", "id-1", 0.25)
    assert account.charges == [0.5]
    await account.bill.charge("job", "id-2", 0.25)
    await account.bill.charge("other", "id-1", 0.25)
    assert account.charges == [0.5, 0.5, 0.5]


@pytest.mark.parametrize(("price_usd", "charged"), [(0.5, 0.5), (None, 0.0)])
async def test_job_that_may_exist_is_charged_once_whether_it_is_found_or_not(
    price_usd: float | None, charged: float
) -> None:
    account = Account(price_usd)
    await account.bill.assume("job")
    await account.bill.assume("job")
    assert account.charges == [charged]
    await account.bill.charge("job", "id-1", 0.25)
    await account.bill.charge("job", "id-1", 0.25)
    assert account.charges == [charged]


async def test_job_in_place_of_a_forgotten_one_is_charged() -> None:
    account = Account()
    await account.bill.charge("job", "id-1", 0.25)
    await account.bill.forget("job")
    assert not await is_charged("job", seen_by(account.context))
    await account.bill.assume("job")
    assert account.charges == [0.5, 0.5]


@pytest.mark.parametrize(("abandoned", "charges"), [(False, [0.0]), (True, [])])
async def test_run_that_another_process_goes_on_with_leaves_the_call_open(
    abandoned: bool, charges: list[float]
) -> None:
    account = Account()
    account.context.abandoned = abandoned
    account.bill.leave()
    assert account.charges == charges
    assert account.call.is_left_open is abandoned
