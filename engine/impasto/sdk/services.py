"""The protocols that a `Context` needs from its run. The runtime implements them."""

import typing as t
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager

from impasto.configuration import Configuration
from impasto.sdk.callbacks import Callbacks
from impasto.sdk.node_type import NodeType
from impasto.sdk.paid_call import PaidCall
from impasto.store import Store

if t.TYPE_CHECKING:
    import httpx

Credentials = Callable[[str], Awaitable[str | None]]


class StepInfo(t.Protocol):
    """The step of a plan that is being called."""

    @property
    def id(self) -> str:
        """The step's id: a path inside a subflow."""

    @property
    def type(self) -> NodeType:
        """The step's node type."""


class StepCall(t.Protocol):
    """One call of a node's function: for a whole step, or for one item of a fanned-out step."""

    made_by: dict[str, t.Any] | None
    uses_own_key: bool

    @property
    def step(self) -> StepInfo:
        """The step that is called."""

    @property
    def name(self) -> str:
        """The step's id, followed by the item's path."""

    @property
    def path(self) -> tuple[int, ...] | None:
        """The item's path; None for a whole step."""

    @property
    def args(self) -> Sequence[t.Any]:
        """The positional arguments: the values of the input ports."""

    @property
    def kwargs(self) -> Mapping[str, t.Any]:
        """The keyword arguments: the values of the settings, also of those that an edge drives."""

    @property
    def attempt(self) -> int:
        """1 for the first attempt."""

    @property
    def cancelled(self) -> bool:
        """Whether the result will be discarded."""


class EndedCall(StepCall, t.Protocol):
    """A call that has ended, with what it has spent."""

    cost: float
    units: dict[str, t.Any] | None


OnCallEnded = Callable[[EndedCall, float, BaseException | None], None]
"""Receives a call that has ended, its seconds with all attempts, and its error. Must not raise or block."""


class RunOptions(t.Protocol):
    """The options of a run that nodes depend on."""

    @property
    def credentials(self) -> Credentials | None:
        """Looks up the user's key for a provider."""

    @property
    def configuration(self) -> Configuration | None:
        """The operator's configuration; None for the process's environment alone."""

    @property
    def callbacks(self) -> Callbacks | None:
        """Opens callback URLs."""


CallT_contra = t.TypeVar("CallT_contra", bound=StepCall, contravariant=True)


class RunServices(t.Protocol[CallT_contra]):
    """The services of a run for the calls of its steps. A run serves its own kind of call only."""

    @property
    def run_id(self) -> str:
        """The run's id."""

    @property
    def options(self) -> RunOptions:
        """The run's options."""

    @property
    def abandoned(self) -> bool:
        """Whether the run stops in order to be resumed elsewhere."""

    @property
    def store(self) -> Store | None:
        """Where assets are stored."""

    def http(self) -> "httpx.AsyncClient":
        """Return the run's HTTP client."""

    def progress(self, call: CallT_contra, fraction: float, message: str, /) -> None:
        """Report a call's progress."""

    def partial(self, call: CallT_contra, data: dict[str, t.Any], /) -> None:
        """Report a part of a call's result."""

    def charge(self, call: CallT_contra, usd: float, units: dict[str, float], /) -> None:
        """Record a call's cost."""

    def reserve(
        self, call: CallT_contra, usd: float | None, at_least: float | None, name: str, /
    ) -> AbstractAsyncContextManager[PaidCall]:
        """Reserve dollars for a paid call."""

    def remember(self, call: CallT_contra, key: str, value: t.Any, /) -> Awaitable[None]:
        """Write a memo; durable once awaited."""

    def recall(self, call: CallT_contra, key: str, /) -> t.Any:
        """Return a memo; None if there is none."""

    def kept(self, call: CallT_contra, port: str | None, /) -> list[t.Any] | None:
        """Return the items of an earlier result to keep, with None at the positions to regenerate."""

    def seed_of(self, call: CallT_contra, /) -> int:
        """Return the call's seed."""

    def idempotency_key(self, call: CallT_contra, /) -> str:
        """Return the key that all attempts of the call share."""
