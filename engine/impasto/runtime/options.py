"""The options of a run."""

import math
import typing as t
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from numbers import Integral, Real

from impasto.configuration import Configuration
from impasto.errors import NodeError
from impasto.runtime.policies.limits import Limits
from impasto.runtime.policies.retry import Backoff
from impasto.sdk.callbacks import Callbacks
from impasto.sdk.paid_call import SpendingLimit
from impasto.sdk.services import OnCallEnded

_BACKOFF = Backoff()
_UNLIMITED = Limits()
Reuse = t.Literal["changed", "pure", "none"]


@dataclass(slots=True, kw_only=True)
class Options:
    """The keyword arguments of `execute`, `start` and `resume`, with their defaults.

    `targets`: run only what these nodes need. `fresh`: these run even if their result is known; `paint#2`
    is the third item of a fanned-out step, or of the list that it returns (see `Context.kept`). `reuse`:
    "changed" uses every known result, "pure" none of generative nodes, "none" none at all. `earlier`: outputs
    by step id, as JSON by port, of a run with the same plan and inputs; a step that need not run takes them
    before any other known result. `budget_usd` and
    `timeout` (seconds) end the run as failed when they are exceeded. `budget_error`: the error of a run that
    its budget ends, instead of the engine's own sentence. `allow_unpriced`: a run with a budget may make
    calls whose price is not known. `spending`: a limit that the run shares with others. `max_concurrency`:
    how many functions run at a time. `limits`: slots by limit name, or a `Limits` that several runs share.
    `seed`: the seed of generative nodes. `credentials`: returns the user's key for a provider.
    `configuration`: the operator's settings, by default the environment of the process, without a `.env`
    file. `callbacks`: opens the URLs that wake a waiting step from outside. `allow_private_hosts`: the HTTP
    client may reach private addresses. `backoff`: the delays between attempts. `events=False`: emit none;
    such a run takes no journal and no listener. `grace`: seconds that a cancelled step may take to end before
    it is abandoned. `owner`: the name in the lease. `lease_seconds`: how long a lease lasts between renewals.
    `durable_starts`: every step is journalled as started before its function is called, so that the journal
    of a process that died names the steps that were running. `on_call_ended`: called on the event loop after
    each call of a node's function, for example to trace it.

    Raises ValueError for values out of range.
    """

    targets: Iterable[str] | None = None
    fresh: Iterable[str] = ()
    reuse: Reuse = "changed"
    earlier: Mapping[str, bytes] | None = None
    budget_usd: float | None = None
    budget_error: NodeError | None = None
    allow_unpriced: bool | None = None
    spending: SpendingLimit | None = None
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
    durable_starts: bool = False
    on_call_ended: OnCallEnded | None = None

    def __post_init__(self) -> None:
        if self.reuse not in ("changed", "pure", "none"):
            raise ValueError(f"reuse must be 'changed', 'pure' or 'none', got {self.reuse!r}")
        if self.max_concurrency is not None:
            self.max_concurrency = _whole("max_concurrency", self.max_concurrency)
        if self.budget_usd is not None:
            self.budget_usd = _number("budget_usd", self.budget_usd, "dollars", 0)
        if self.timeout is not None:
            self.timeout = _number("timeout", self.timeout, "seconds")
        if self.seed is not None:
            self.seed = _seed(self.seed)
        self.grace = _number("grace", self.grace, "seconds", 0)
        self.lease_seconds = _number("lease_seconds", self.lease_seconds, "seconds")
        self.targets = _names("targets", self.targets) if self.targets is not None else None
        self.fresh = _names("fresh", self.fresh)
        if not isinstance(self.limits, Limits):
            self.limits = Limits(self.limits) if self.limits else _UNLIMITED

    @property
    def shared_limits(self) -> Limits:
        """The concurrency limits as an object."""
        assert isinstance(self.limits, Limits)
        return self.limits

    def recorded(self) -> dict[str, t.Any]:
        """Return the options that the journal keeps, with which a resume continues."""
        return {
            "targets": self.targets,
            "fresh": self.fresh,
            "reuse": self.reuse,
            "budget_usd": self.budget_usd,
            **({"allow_unpriced": True} if self.allow_unpriced else {}),
            "seed": self.seed,
        }


def _seed(value: t.Any) -> int:
    """Return the seed, which the journal keeps as JSON."""
    if not isinstance(value, Integral) or not -(2**63) <= int(value) < 2**64:
        raise ValueError(f"seed must be an integer of at most 64 bits, got {value!r}")
    return int(value)


def _whole(name: str, value: t.Any) -> int:
    if not isinstance(value, Integral) or int(value) < 1:
        raise ValueError(f"{name} must be an integer of at least 1, got {value!r}")
    return int(value)


def _number(name: str, value: t.Any, unit: str, least: float | None = None) -> float:
    """Return the number as a float; raises ValueError if it is below `least` (None: not above 0)."""
    found = float(value) if isinstance(value, Real) else math.nan
    if not (found > 0 if least is None else found >= least):
        span = "above 0" if least is None else f"of at least {least:g}"
        raise ValueError(f"{name} must be a number of {unit} {span}, got {value!r}")
    return found


def _names(name: str, value: t.Any) -> list[str]:
    found: list[t.Any] = (
        list(value) if isinstance(value, Iterable) and not isinstance(value, str | bytes) else [None]
    )
    if not all(isinstance(each, str) for each in found):
        raise ValueError(f"{name} must be a list of node ids, got {value!r}")
    return found
