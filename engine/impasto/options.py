"""What a run may be told beside its plan and its inputs."""

import typing as t
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass

from impasto.callbacks import Callbacks
from impasto.policies.limits import Limits
from impasto.policies.retry import Backoff

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
        if self.max_concurrency is not None and not self.max_concurrency >= 1:
            raise ValueError(f"max_concurrency is at least 1, not {self.max_concurrency!r}")
        if self.budget_usd is not None and not self.budget_usd >= 0:
            raise ValueError(f"budget_usd is a number of dollars from 0, not {self.budget_usd!r}")
        if self.timeout is not None and not self.timeout > 0:
            raise ValueError(f"timeout is a number of seconds above 0, not {self.timeout!r}")
        if not self.lease_seconds > 0:
            raise ValueError(f"lease_seconds is a number of seconds above 0, not {self.lease_seconds!r}")
        if isinstance(self.targets, str) or isinstance(self.fresh, str):
            raise ValueError("targets and fresh are lists of node ids, not a text")
        if not isinstance(self.limits, Limits):
            self.limits = Limits(self.limits) if self.limits else _UNLIMITED
        self.targets = list(self.targets) if self.targets is not None else None
        self.fresh = list(self.fresh)

    def recorded(self) -> dict[str, t.Any]:
        """What a resumed run goes on with."""
        return {
            "targets": self.targets,
            "fresh": self.fresh,
            "reuse": self.reuse,
            "budget_usd": self.budget_usd,
            "seed": self.seed,
        }
