"""Helpers without a feature of their own."""

import sys

import pytest

from impasto_server.utils import short_thread_turns


def test_turns_of_threads_are_short_inside_the_block_only() -> None:
    before = sys.getswitchinterval()
    with short_thread_turns():
        assert sys.getswitchinterval() == pytest.approx(0.0005)
    assert sys.getswitchinterval() == before
