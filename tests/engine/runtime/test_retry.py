"""The pauses before retries: exponential with jitter, or what the provider says."""

import pytest

from impasto import NodeError
from impasto.runtime.policies.limits import Limits
from impasto.runtime.policies.retry import Backoff


@pytest.mark.parametrize(
    ("attempt", "longest"), [(1, 0.25), (2, 0.5), (3, 1.0), (7, 16.0), (8, 30.0), (40, 30.0)]
)
def test_pause_is_doubled_up_to_its_limit_and_shortened_by_half_at_most(attempt, longest):
    found = [Backoff().seconds(attempt, NodeError("busy")) for _ in range(40)]
    assert all(longest / 2 <= seconds <= longest for seconds in found)
    assert len(set(found)) > 1
    assert max(found) > longest * 0.75 > min(found)


@pytest.mark.parametrize(("retry_after", "seconds"), [(0.0, 0.0), (7.5, 7.5), (90.0, 90.0), (-1.0, 0.0)])
def test_pause_is_the_providers_if_it_says_one(retry_after, seconds):
    assert Backoff().seconds(1, NodeError("busy", retry_after=retry_after)) == seconds


@pytest.mark.parametrize("slots", [0, -1, 0.5, float("nan")])
def test_limit_below_one_slot_is_refused(slots):
    with pytest.raises(ValueError, match="limit for 'image' must be at least 1"):
        Limits({"image": slots})
    assert Limits({"image": 1}).max_running == Limits(most={"image": 1}).max_running == {"image": 1}
    assert Limits().max_running == {}
