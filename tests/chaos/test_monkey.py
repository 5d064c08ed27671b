"""A short run of the monkey: `make chaos` is the long one."""

import pytest
from tests.chaos.monkey import run_monkey

pytestmark = [pytest.mark.slow, pytest.mark.anyio, pytest.mark.timeout(900)]


async def test_nothing_is_lost_or_paid_twice_while_processes_are_killed() -> None:
    figures = await run_monkey(seconds=12, seed=1)
    assert figures.is_clean, str(figures)
