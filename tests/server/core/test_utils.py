"""Helpers without a feature of their own."""

import re
import sys
from datetime import UTC, datetime
from uuid import UUID

import pytest

from impasto_server.utils import new_id, own_version, short_switch_interval, utc_now


def test_ids_are_uuids_of_36_characters_in_the_order_of_their_calls() -> None:
    ids = [new_id() for _ in range(1000)]
    assert sorted(set(ids)) == ids
    assert {(UUID(each).version, len(each)) for each in ids} == {(7, 36)}


def test_time_is_that_of_utc() -> None:
    before = datetime.now(UTC)
    assert before <= utc_now() <= datetime.now(UTC)


def test_version_has_three_numbers() -> None:
    assert re.match(r"\d+\.\d+\.\d+", own_version())


def test_switch_interval_of_threads_is_short_inside_the_block_only() -> None:
    before = sys.getswitchinterval()
    with short_switch_interval():
        assert sys.getswitchinterval() == pytest.approx(0.0005)
    assert sys.getswitchinterval() == before
