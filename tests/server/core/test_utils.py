"""Helpers without a feature of their own."""

import sys

import pytest

from impasto_server.utils import short_switch_interval


def test_switch_interval_of_threads_is_short_inside_the_block_only() -> None:
    before = sys.getswitchinterval()
    with short_switch_interval():
        assert sys.getswitchinterval() == pytest.approx(0.0005)
    assert sys.getswitchinterval() == before
