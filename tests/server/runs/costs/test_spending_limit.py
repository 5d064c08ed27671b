"""The budget of a run: the smaller of the launch's and its owner's limit."""

import math
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from fastapi import FastAPI

from impasto_server.runs.costs.spending_limit import RunSpending
from impasto_server.runs.models import RunRow

pytestmark = pytest.mark.anyio


def options(app: FastAPI, budget: int | None, cap: int | None, started: bool = False) -> dict[str, Any]:
    row = RunRow(
        budget_usd=None if budget is None else Decimal(budget),
        spend_cap_usd=None if cap is None else Decimal(cap),
        started_at=datetime(2026, 1, 1, tzinfo=UTC) if started else None,
    )
    return RunSpending(app.state.app_state, "run").budget_options(row)


@pytest.mark.parametrize(("budget", "cap"), [(2, 1), (None, 1), (1, 0)])
async def test_owners_limit_is_the_budget_if_it_is_smaller(
    app: FastAPI, budget: int | None, cap: int
) -> None:
    found = options(app, budget, cap)
    assert found["budget_usd"] == cap
    assert found["budget_error"].code == "spending_limit"


@pytest.mark.parametrize(("budget", "cap"), [(1, None), (1, 2), (1, 1), (0, None)])
async def test_launchs_budget_counts_otherwise(app: FastAPI, budget: int, cap: int | None) -> None:
    assert options(app, budget, cap) == {"budget_usd": budget}


async def test_run_without_a_limit_loses_the_one_it_was_started_with(app: FastAPI) -> None:
    assert options(app, None, None) == {"budget_usd": None}
    assert options(app, None, None, started=True) == {"budget_usd": math.inf}
