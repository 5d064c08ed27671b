"""A unit of work: one call of a node's function, for a whole step or for one item of a lifted one."""

import asyncio
import typing as t
from types import MappingProxyType

from impasto.compiler.step import Step
from impasto.runtime.step_output import Outcome
from impasto.values import MUTABLE as OPEN
from impasto.values import deep_copied as owned

Path = tuple[int, ...]
_NO_SETTINGS: t.Mapping[str, t.Any] = MappingProxyType({})


class Unit:
    """One call under way, which others that need the same result may follow.

    What comes of `dead` units is nobody's concern any more, and for those that are `gone` nobody waits.
    `ready` ones have their arguments. `kept`: what is known of the result, and which places in its lists
    are wanted anew.
    """

    args: tuple[t.Any, ...] = ()
    kwargs: t.Mapping[str, t.Any]
    attempt: int = 1
    cost: float = 0.0
    reserved: float = 0.0
    started: float = 0.0
    dead: bool = False
    gone: bool = False
    ready: bool = False
    deadline: float | None = None
    task: "asyncio.Task[t.Any] | None" = None
    context: t.Any = None
    limit: str | None = None
    units: dict[str, t.Any] | None = None
    made_by: dict[str, t.Any] | None = None
    home: "dict[t.Any, Unit] | None" = None
    followers: "list[Unit] | None" = None
    outcome: Outcome | None = None
    kept: tuple[Outcome, frozenset[int]] | None = None

    def __init__(
        self, run: t.Any, step: Step, key: bytes, path: Path | None = None, items: "Items | None" = None
    ) -> None:
        self.run = run
        self.step = step
        self.key = key
        self.path = path
        self.items = items
        self.kwargs = _NO_SETTINGS

    @property
    def name(self) -> str:
        """The step's id, with the item's path behind it: under this, memos are kept."""
        return self.step.id if self.path is None else f"{self.step.id}#{'.'.join(map(str, self.path))}"

    def own(self) -> None:
        """Copy what the function could change in its arguments: other calls read the same values."""
        self.args = tuple([owned(value) if type(value) in OPEN else value for value in self.args])
        self.own_settings()

    def own_settings(self) -> None:
        """The same for what it takes by name: the plan's own settings stand there."""
        self.kwargs = {
            name: owned(value) if type(value) in OPEN else value for name, value in self.kwargs.items()
        }

    def land(self, key: t.Any) -> None:
        """Nobody need look for the execution any more: its result is in the cache, or there is none."""
        home, self.home = self.home, None
        if home is not None and home.get(key) is self:
            del home[key]


class Items:
    """A lifted step under way: its items, what has come of them, and the shape of the lists."""

    def __init__(self, shape: t.Any, total: int, started: float) -> None:
        self.shape = shape
        self.total = total
        self.left = total
        self.done = 0
        self.cost = 0.0
        self.started = started
        self.outcomes: dict[Path, Outcome] = {}
        self.errors: dict[Path, t.Any] = {}
        self.units: dict[str, t.Any] = {}
        self.made_by: dict[str, t.Any] | None = None
        self.cached = True
        self.stopped = False
