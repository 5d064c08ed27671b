"""The limits of a user: their names, values, overrides and use."""

from dataclasses import dataclass, fields
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from impasto_server.http.schemas import Money, RequestModel, ResponseModel, money
from impasto_server.settings import Settings

LimitName = Literal[
    "runs_per_day",
    "usd_per_day",
    "usd_per_month",
    "stored_bytes",
    "assets",
    "agents",
    "brands",
    "versions",
    "concurrent_runs",
    "queued_runs",
    "streams",
    "uploads",
    "exports",
]
Unit = Literal["count", "bytes", "usd"]
MAX_COUNT = 10**9
MAX_BYTES = 2**60
Count = Annotated[int, Field(ge=0, le=MAX_COUNT)]
# At least one: without any, a run would wait forever.
AtLeastOne = Annotated[int, Field(ge=1, le=MAX_COUNT)]
Dollars = Annotated[
    str, StringConstraints(pattern=r"^\d{1,9}(\.\d{1,6})?$"), Field(description="US dollars", examples=["5"])
]
DOLLAR_LIMITS = frozenset({"usd_per_day", "usd_per_month"})


@dataclass(frozen=True)
class Limits:
    """The limits that apply to a user. `versions` is for each agent or brand; others are for the user."""

    runs_per_day: int
    usd_per_day: Decimal
    usd_per_month: Decimal
    stored_bytes: int
    assets: int
    agents: int
    brands: int
    versions: int
    concurrent_runs: int
    queued_runs: int
    streams: int
    uploads: int
    exports: int

    @classmethod
    def from_settings(cls, settings: Settings) -> "Limits":
        """Return the defaults for every user."""
        others = {field.name for field in fields(cls)} - {"runs_per_day"}
        return cls(
            runs_per_day=settings.daily_quota, **{name: getattr(settings, f"limit_{name}") for name in others}
        )

    def with_overrides(self, overrides: dict[str, Any]) -> "Limits":
        """Return the limits of a user with these overrides. Unknown names are ignored."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        for name in values.keys() & overrides.keys():
            values[name] = Decimal(overrides[name]) if name in DOLLAR_LIMITS else int(overrides[name])
        return Limits(**values)

    def to_json(self) -> dict[str, Any]:
        """Return the limits by name, with dollars as decimal strings."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: money(value) if name in DOLLAR_LIMITS else value for name, value in values.items()}


class LimitOverrides(RequestModel):
    """A change of a user's limits: a missing limit stays, null is the default again."""

    runs_per_day: Count | None = None
    usd_per_day: Dollars | None = None
    usd_per_month: Dollars | None = None
    stored_bytes: Annotated[int, Field(ge=0, le=MAX_BYTES)] | None = None
    assets: Count | None = None
    agents: Count | None = None
    brands: Count | None = None
    versions: AtLeastOne | None = None
    concurrent_runs: AtLeastOne | None = None
    queued_runs: AtLeastOne | None = None
    streams: AtLeastOne | None = None
    uploads: AtLeastOne | None = None
    exports: AtLeastOne | None = None


class LimitValues(ResponseModel):
    """Every limit by name."""

    runs_per_day: int
    usd_per_day: Money
    usd_per_month: Money
    stored_bytes: int
    assets: int
    agents: int
    brands: int
    versions: int
    concurrent_runs: int
    queued_runs: int
    streams: int
    uploads: int
    exports: int


class UserLimits(ResponseModel):
    """The limits of a user: those that apply, the defaults, and the names of those the operator has set."""

    limits: LimitValues
    defaults: LimitValues
    overridden: list[LimitName]


class LimitUsage(ResponseModel):
    """One limit and its use. Dollars are decimal strings, bytes and counts are integers."""

    name: LimitName
    unit: Unit
    used: int | Money
    limit: int | Money
    resets_at: datetime | None


class Usage(ResponseModel):
    """The use of every limit."""

    items: list[LimitUsage]
    book_a_call_url: str | None
