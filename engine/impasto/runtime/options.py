"""What a run may be told beside its plan and its inputs."""

import math
import typing as t
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from numbers import Integral, Real

from impasto.configuration import Configuration
from impasto.runtime.policies.limits import Limits
from impasto.runtime.policies.retry import Backoff
from impasto.sdk.callbacks import Callbacks

_BACKOFF = Backoff()
_UNLIMITED = Limits()
Reuse = t.Literal["changed", "pure", "none"]


@dataclass(slots=True, kw_only=True)
class Options:
    """The keyword arguments of `execute`, `start` and `resume`, with their defaults.

    `targets`: run only what these nodes need. `fresh`: these run even if their result is known; `paint#2`
    is the third item of a step that runs once an item, or of the list that it gives (see `Context.kept`).
    `reuse`: "changed" uses every known result, "pure" none of generative nodes, "none" none at all.
    `budget_usd`, `timeout` (seconds) end the run as failed. `limits` may be one `Limits` shared by runs.
    `credentials(provider)` returns the user's key, `configuration` is the operator's: by default the
    environment of the process, without a `.env` file.
    `callbacks`: how the outside wakes a waiting step; without it nobody can.
    `events=False`: none are made, for a run that nobody watches or resumes; it takes no journal, no listener.
    `grace`: how long a cancelled step may take to end before it is given up.
    """

    targets: Iterable[str] | None = None
    fresh: Iterable[str] = ()
    reuse: Reuse = "changed"
    budget_usd: float | None = None
    max_concurrency: int | None = None
    limits: Limits | Mapping[str, int] | None = None
    timeout: float | None = None
    seed: int | None = None
    credentials: Callable[[str], Awaitable[str | None]] | None = None
    configuration: Configuration | None = None
    callbacks: Callbacks | None = None
    allow_private_hosts: bool = False
    backoff: Backoff = _BACKOFF
    events: bool = True
    grace: float = 1.0
    owner: str | None = None
    lease_seconds: float = 30.0

    def __post_init__(self) -> None:
        if self.reuse not in ("changed", "pure", "none"):
            raise ValueError(f"reuse is 'changed', 'pure' or 'none', not {self.reuse!r}")
        if self.max_concurrency is not None:
            self.max_concurrency = _whole("max_concurrency", self.max_concurrency)
        if self.budget_usd is not None:
            self.budget_usd = _number("budget_usd", self.budget_usd, "dollars", 0)
        if self.timeout is not None:
            self.timeout = _number("timeout", self.timeout, "seconds")
        self.grace = _number("grace", self.grace, "seconds", 0)
        self.lease_seconds = _number("lease_seconds", self.lease_seconds, "seconds")
        self.targets = _names("targets", self.targets) if self.targets is not None else None
        self.fresh = _names("fresh", self.fresh)
        if not isinstance(self.limits, Limits):
            self.limits = Limits(self.limits) if self.limits else _UNLIMITED

    def recorded(self) -> dict[str, t.Any]:
        """What a resumed run goes on with."""
        return {
            "targets": self.targets,
            "fresh": self.fresh,
            "reuse": self.reuse,
            "budget_usd": self.budget_usd,
            "seed": self.seed,
        }


def _whole(name: str, value: t.Any) -> int:
    if not isinstance(value, Integral) or int(value) < 1:
        raise ValueError(f"{name} is a whole number from 1, not {value!r}")
    return int(value)


def _number(name: str, value: t.Any, unit: str, least: float | None = None) -> float:
    """The number as a float: it may be `least`; where that is not given, it is more than nothing."""
    found = float(value) if isinstance(value, Real) else math.nan
    if not (found > 0 if least is None else found >= least):
        span = "above 0" if least is None else f"from {least:g}"
        raise ValueError(f"{name} is a number of {unit} {span}, not {value!r}")
    return found


def _names(name: str, value: t.Any) -> list[str]:
    found: list[t.Any] = (
        list(value) if isinstance(value, Iterable) and not isinstance(value, str | bytes) else [None]
    )
    if not all(isinstance(each, str) for each in found):
        raise ValueError(f"{name} is a list of node ids, not {value!r}")
    return found
