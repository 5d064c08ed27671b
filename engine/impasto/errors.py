"""Everything that can go wrong, as types that write their own sentence.

ImpastoError
├── DefinitionError          a node type or value type is declared wrongly (raised at import)
├── FlowInvalid              a flow document does not load or does not compile; holds every problem
│   └── InputsInvalid        a run was given inputs, targets or steps that its plan does not have
├── NodeError                a step failed; the only kind that a node raises on purpose
│   ├── StepTimeout          the step passed its deadline
│   ├── BadOutput            the function returned what its annotation does not promise
│   ├── ConversionFailed     a value could not become the type that its port asks for
│   └── InputUnavailable     a lazy input was awaited and what feeds it failed or was closed
├── RunError                 a run as a whole cannot be started or taken up
│   ├── RunNotFound          the journal knows no such run
│   ├── RunExists            a run with this id was already begun
│   ├── LeaseHeld            another process owns the run
│   └── LeaseLost            this process owned the run and does not any more
├── JournalUnusable          a file is no journal, or is damaged
└── AssetNotFound            the store holds no such asset
"""

import errno
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

USER_SENTENCE = "An error occurred. Please try again later."
DISK_FULL_SENTENCE = "There is no room left to keep this. Free some space, then try again."
DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def as_text(said: Any) -> str:
    """Whatever a node said, as a text that can be written down: half a character becomes a question mark."""
    try:
        text = said if isinstance(said, str) else str(said)
    except Exception:  # noqa: BLE001 - a node's own words may fail to be said
        text = f"({type(said).__name__} that cannot be put into words)"
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


class ImpastoError(Exception):
    """The root: catch this to catch whatever the engine raises. All of them travel between processes."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (_revived, (type(self), self.args, self.__dict__))


def _revived(kind: type[ImpastoError], args: tuple[Any, ...], held: dict[str, Any]) -> ImpastoError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(held)
    return error


class DefinitionError(ImpastoError, TypeError):
    """A declaration cannot mean anything; the sentence names the place and the mend."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a flow; readable as attributes and as a mapping."""

    code: str
    message: str
    node: str | None = None
    port: str | None = None
    setting: str | None = None
    hint: str | None = None
    severity: Literal["error", "warning"] = "error"

    def __getitem__(self, key: str) -> Any:
        if key not in self.__slots__:
            raise KeyError(key)
        return getattr(self, key)

    def get(self, key: str, default: Any = None) -> Any:
        """The field's value, or `default` where there is no such field."""
        return getattr(self, key) if key in self.__slots__ else default

    def keys(self) -> Sequence[str]:
        """The names of the fields, so that `dict(problem)` works."""
        return tuple(self.__slots__)

    def __iter__(self) -> Iterator[str]:
        return iter(self.__slots__)

    def to_dict(self) -> dict[str, Any]:
        """The problem as plain data; of `port` and `setting` only the one that is meant."""
        data = {key: getattr(self, key) for key in self.__slots__}
        if data["setting"] is None:
            del data["setting"]
        elif data["port"] is None:
            del data["port"]
        return data


class FlowInvalid(ImpastoError, ValueError):
    """A flow cannot be loaded or compiled; `problems` holds all that is wrong, in document order."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: list[Problem] = list(problems)
        self.errors = [problem for problem in self.problems if problem.severity == "error"]
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        shown = "; ".join(problem.message for problem in self.errors[:5])
        more = len(self.errors) - 5
        return f"{shown}; and {more} more" if more > 0 else shown


class InputsInvalid(FlowInvalid):
    """The inputs (or targets, or steps to run afresh) do not fit the plan; nothing has run."""


class NodeError(ImpastoError):
    """A step failed. `message` is for the user, `detail` for the builder; neither may hold a secret."""

    code = "node_failed"
    retryable = False

    def __init__(
        self,
        message: str = USER_SENTENCE,
        *,
        code: str | None = None,
        detail: str | None = None,
        retryable: bool | None = None,
        retry_after: float | None = None,
        provider: str | None = None,
        items: Sequence[dict[str, Any]] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail
        self.retry_after = retry_after
        self.provider = provider
        self.items = list(items) if items is not None else None
        if code is not None:
            self.code = code
        if retryable is not None:
            self.retryable = retryable

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors come back from worker processes as plain NodeErrors."""
        return (_rebuilt, (self.to_dict(), self.retry_after))

    def to_dict(self) -> dict[str, Any]:
        """The error as plain data, as it stands in events."""
        data: dict[str, Any] = {
            "code": as_text(self.code),
            "message": as_text(self.message),
            "detail": None if self.detail is None else as_text(self.detail),
            "retryable": bool(self.retryable),
            "provider": None if self.provider is None else as_text(self.provider),
        }
        if self.items is not None:
            data["items"] = self.items
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "NodeError":
        """The error that `to_dict` wrote."""
        known = {key: data.get(key) for key in ("code", "detail", "retryable", "provider", "items")}
        return NodeError(data["message"], **known)

    @classmethod
    def wrap(cls, error: BaseException) -> "NodeError":
        """Any exception as a step's failure: its text goes to the builder, never to the user."""
        if isinstance(error, NodeError):
            return error
        detail = f"{type(error).__name__}: {as_text(error)}"
        if isinstance(error, OSError) and error.errno in DISK_FULL:
            return NodeError(DISK_FULL_SENTENCE, code="disk_full", detail=detail)
        if isinstance(error, TimeoutError):
            return NodeError(
                "The service took too long to answer.", code="timeout", detail=detail, retryable=True
            )
        if isinstance(error, ConnectionError):
            sentence = "The connection to the service was lost."
            return NodeError(sentence, code="connection_lost", detail=detail, retryable=True)
        return NodeError(detail=detail)


def _rebuilt(data: dict[str, Any], retry_after: float | None) -> NodeError:
    error = NodeError.from_dict(data)
    error.retry_after = retry_after
    return error


class StepTimeout(NodeError):
    """The step did not end before its deadline."""

    code = "timeout"
    retryable = True

    def __init__(self, seconds: float) -> None:
        super().__init__(f"This step took longer than its limit of {seconds:g} seconds.")


class BadOutput(NodeError):
    """A node's function returned something that its return annotation does not promise."""

    code = "bad_output"

    def __init__(self, type_id: str, port: str, why: str) -> None:
        super().__init__(detail=f"Node type '{type_id}' gave a wrong value for its output '{port}': {why}")


class ConversionFailed(NodeError):
    """A value could not be converted to the type of the port it arrives at."""

    code = "conversion_failed"

    def __init__(self, port: str, why: str) -> None:
        super().__init__(f"The value for '{port}' does not fit: {why}")


class InputUnavailable(NodeError):
    """What feeds a lazy input failed or was closed; unhandled, it skips the step."""

    code = "input_unavailable"

    def __init__(self, port: str, because: str | None, reason: str) -> None:
        super().__init__(f"The input '{port}' has no value: step '{because}' was {reason}.")
        self.because = because
        self.reason = reason


class RunError(ImpastoError):
    """A run cannot be begun, taken up or gone on with."""

    def __init__(self, run_id: str, sentence: str) -> None:
        self.run_id = run_id
        super().__init__(sentence)


class RunNotFound(RunError):
    """The journal holds no run with this id."""

    def __init__(self, run_id: str) -> None:
        super().__init__(run_id, f"There is no run '{run_id}' in this journal.")


class RunExists(RunError):
    """A run with this id was begun before; `resume` continues it."""

    def __init__(self, run_id: str) -> None:
        super().__init__(run_id, f"Run '{run_id}' was already begun: resume it, or choose another id.")


class LeaseHeld(RunError):
    """Another owner's lease on the run has not ended."""

    def __init__(self, run_id: str, owner: str) -> None:
        self.owner = owner
        super().__init__(run_id, f"Run '{run_id}' is being run by '{owner}'.")


class LeaseLost(RunError):
    """The fencing number is old: another owner has taken the run over, or the lease was released."""

    def __init__(self, run_id: str) -> None:
        super().__init__(run_id, f"Run '{run_id}' was taken over by another process.")


class JournalUnusable(ImpastoError):
    """The file that a journal was asked to keep its runs in holds something else, or is damaged."""

    def __init__(self, path: object, why: str) -> None:
        self.path = str(path)
        super().__init__(f"'{path}' cannot be used as a journal: {why}.")


class AssetNotFound(ImpastoError):
    """The store holds nothing under this id."""

    def __init__(self, asset_id: str) -> None:
        self.asset_id = asset_id
        super().__init__(f"There is no asset '{asset_id}' in this store.")
