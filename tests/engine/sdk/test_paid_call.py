"""A paid call: what it records of its cost, and when its reservation counts as settled."""

import math

import pytest

from impasto.sdk.paid_call import PaidCall, require_charge


def opened(max_usd=None):
    """A call, and what it has recorded."""
    recorded = []
    return PaidCall(max_usd, lambda *charge: recorded.append(charge)), recorded


def test_open_call_has_its_limit_and_is_not_settled():
    call, recorded = opened(0.5)
    assert (call.max_usd, call.is_settled, call.is_left_open, recorded) == (0.5, False, False, [])
    assert opened()[0].max_usd is None


def test_charges_settle_a_call_and_are_recorded_each():
    call, recorded = opened()
    call.charge(1, tokens=120)
    call.charge(0)
    assert (call.is_settled, call.is_left_open) == (True, False)
    assert recorded == [(1.0, {"tokens": 120}, False), (0.0, {}, False)]
    assert type(recorded[0][0]) is float


def test_call_of_unknown_outcome_records_its_whole_reservation():
    call, recorded = opened()
    call.assume_spent()
    assert (call.is_settled, call.is_left_open) == (True, False)
    assert recorded == [(math.inf, {}, True)]


def test_call_that_another_process_continues_records_nothing():
    call, recorded = opened()
    call.leave_open()
    assert (call.is_settled, call.is_left_open, recorded) == (True, True, [])


@pytest.mark.parametrize(
    ("usd", "units"), [(-0.01, {}), (math.nan, {}), (math.inf, {}), (1, {"tokens": math.inf})], ids=str
)
def test_charge_that_is_no_price_is_refused_and_settles_nothing(usd, units):
    call, recorded = opened()
    with pytest.raises(ValueError, match="charge\\(\\) takes a finite number of dollars of at least 0"):
        call.charge(usd, **units)
    assert (call.is_settled, recorded) == (False, [])
    with pytest.raises(ValueError, match=f"got {usd!r} and"):
        require_charge(usd, units)
