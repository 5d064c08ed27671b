"""The limits of a user: what an operator may set, and how they are read and written."""

from dataclasses import fields, replace
from decimal import Decimal
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from impasto_server.limits.schemas import LimitName, LimitOverrides, Limits, LimitValues
from impasto_server.limits.service import LimitsService
from impasto_server.settings import Settings
from impasto_server.users.models import User
from impasto_server.utils import utc_now

COUNTS = ("runs_per_day", "assets", "agents", "brands")
AT_LEAST_ONE = ("versions", "concurrent_runs", "queued_runs", "streams", "uploads", "exports")


def is_accepted(name: str, value: Any) -> bool:
    try:
        found = LimitOverrides.model_validate({name: value})
    except ValidationError:
        return False
    return bool(getattr(found, name) == value)


def test_every_limit_can_be_set_and_has_a_value() -> None:
    names = [*get_args(LimitName)]
    assert [field.name for field in fields(Limits)] == names
    assert [*LimitOverrides.model_fields] == [*LimitValues.model_fields] == names
    assert LimitOverrides().model_dump() == dict.fromkeys(names)


@pytest.mark.parametrize("name", [*COUNTS, *AT_LEAST_ONE])
def test_number_is_a_whole_one_up_to_a_billion(name: str) -> None:
    least = 1 if name in AT_LEAST_ONE else 0
    accepted = {value: is_accepted(name, value) for value in (-1, 0, 1, 10**9, 10**9 + 1)}
    assert accepted == {-1: False, 0: least == 0, 1: True, 10**9: True, 10**9 + 1: False}
    assert not is_accepted(name, "1")
    assert not is_accepted(name, 1.5)


def test_stored_bytes_are_at_most_an_exbibyte() -> None:
    accepted = {value: is_accepted("stored_bytes", value) for value in (-1, 0, 2**60, 2**60 + 1)}
    assert accepted == {-1: False, 0: True, 2**60: True, 2**60 + 1: False}


@pytest.mark.parametrize("name", ["usd_per_day", "usd_per_month"])
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("0", True), ("12.5", True), ("0.000001", True), ("999999999.999999", True), ("1000000000", False),
        ("0.0000001", False), ("-1", False), ("1.", False), (".5", False), ("", False), ("1e3", False),
        (5, False),
    ],
)  # fmt: skip
def test_dollars_are_a_decimal_number_with_up_to_six_decimals(name: str, value: Any, expected: bool) -> None:
    assert is_accepted(name, value) is expected


def test_limits_are_those_of_the_settings_but_for_those_of_the_user() -> None:
    wanted: dict[str, Any] = {
        "limit_usd_per_day": "1.50", "limit_usd_per_month": "20", "limit_stored_bytes": 3, "limit_assets": 4,
        "limit_agents": 5, "limit_brands": 6, "limit_versions": 7, "limit_concurrent_runs": 8,
        "limit_queued_runs": 9, "limit_streams": 10, "limit_uploads": 11, "limit_exports": 12,
    }  # fmt: skip
    limits = Limits.from_settings(Settings(_env_file=None, daily_quota=2, **wanted))
    expected = {
        "runs_per_day": 2, "usd_per_day": "1.5", "usd_per_month": "20", "stored_bytes": 3, "assets": 4,
        "agents": 5, "brands": 6, "versions": 7, "concurrent_runs": 8, "queued_runs": 9, "streams": 10,
        "uploads": 11, "exports": 12,
    }  # fmt: skip
    assert limits.to_json() == expected
    own = limits.with_overrides({"usd_per_month": "0.25", "agents": 0, "former": 1})
    assert own.to_json() == {**expected, "usd_per_month": "0.25", "agents": 0}
    assert (own.usd_per_month, own.usd_per_day) == (Decimal("0.25"), Decimal("1.50"))
    assert limits.to_json() == expected


def test_limits_of_a_user_are_the_defaults_but_for_their_own() -> None:
    database: Any = None
    limits = LimitsService(Settings(_env_file=None, daily_quota=7), database, utc_now)
    assert limits.of(User(id="mara")) == limits.defaults
    assert limits.of(User(id="mara", daily_quota=0)) == replace(limits.defaults, runs_per_day=0)
    own = User(id="mara", daily_quota=3, limits={"agents": 2, "usd_per_day": "0.5"})
    assert limits.of(own) == replace(limits.defaults, runs_per_day=3, agents=2, usd_per_day=Decimal("0.5"))
