"""The exceptions of the engine.

ImpastoError
├── DefinitionError          a node type or value type is declared wrongly (raised at import)
├── FlowInvalid              a flow document does not load or does not compile; holds every problem
│   └── InputsInvalid        inputs, targets or steps to run again do not fit the plan
├── NodeError                a step failed; the only kind that a node raises on purpose
│   ├── StepTimeout          the step passed its deadline
│   ├── BadOutput            the function returned something that its annotation does not allow
│   ├── ConversionFailed     a value could not be converted to the type of its port
│   └── InputUnavailable     a lazy input was awaited, but its source failed or was skipped
├── RunError                 a run as a whole cannot be started or resumed
│   ├── RunNotFound          the journal has no such run
│   ├── RunExists            the journal already has a run with this id
│   ├── LeaseHeld            another process owns the run
│   └── LeaseLost            this process no longer owns the run
├── ServiceUnavailable       a service that the run's host provides cannot be reached; no step fails by it
├── JournalUnusable          a file is no journal, is damaged or cannot be opened
├── ArchiveInvalid           a zip is no exported agent, or is damaged or unsafe
└── AssetNotFound            the store has no such asset
"""

import errno
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

USER_SENTENCE = "An error occurred. Please try again later."
DISK_FULL_SENTENCE = "There is no room left to keep this. Free some space, then try again."
DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def as_text(value: Any) -> str:
    """Return `str(value)` as text that can be encoded: a lone surrogate becomes a question mark.

    Never raises, so that a node's message or exception can always be reported.
    """
    try:
        text = value if isinstance(value, str) else str(value)
    except Exception:  # noqa: BLE001 - __str__ is a plugin's code
        text = f"({type(value).__name__} whose __str__ fails)"
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


class ImpastoError(Exception):
    """The base class of all errors that the engine raises. All of them can be pickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (type(self), self.args, self.__dict__))


def _restored(kind: type[ImpastoError], args: tuple[Any, ...], state: dict[str, Any]) -> ImpastoError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class DefinitionError(ImpastoError, TypeError):
    """A node type or value type is declared wrongly. The message names the place, the fault and the fix."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a value does not fit: a stable code with its parameters, and the same as a clause in English.

    The codes and parameters are: "wrong_type" (`expected`, `found`), "too_small", "not_above", "too_large",
    "not_below" (`limit`), "too_short", "too_long" (`count` of characters, items or members), "wrong_format",
    "not_a_choice", "missing_field", "unknown_field" (`name`). "other" has its clause alone.
    """

    code: str
    text: str
    parameters: Mapping[str, str | int | float] = field(default_factory=dict, hash=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the reason as plain data."""
        return {"code": self.code, "text": self.text, "parameters": dict(self.parameters)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One fault of a flow, readable as attributes and as a mapping.

    `code` identifies the kind of fault, `message` says what is wrong, `hint` how to fix it. `node`, `port`
    and `setting` say where, `reason` why a setting's value does not fit, if that is the fault. A "warning"
    does not stop the flow from running.
    """

    code: str
    message: str
    node: str | None = None
    port: str | None = None
    setting: str | None = None
    hint: str | None = None
    severity: Literal["error", "warning"] = "error"
    reason: Reason | None = None

    def __getitem__(self, key: str) -> Any:
        if key not in self.__slots__:
            raise KeyError(key)
        return getattr(self, key)

    def get(self, key: str, default: Any = None) -> Any:
        """Return the field's value, or `default` if there is no such field."""
        return getattr(self, key) if key in self.__slots__ else default

    def keys(self) -> Sequence[str]:
        """Return the names of the fields, so that `dict(problem)` works."""
        return tuple(self.__slots__)

    def __iter__(self) -> Iterator[str]:
        return iter(self.__slots__)

    def to_dict(self) -> dict[str, Any]:
        """Return the problem as plain data, with either `port` or `setting`, and with its reason, if any."""
        data = {key: getattr(self, key) for key in self.__slots__}
        if self.reason is None:
            del data["reason"]
        else:
            data["reason"] = self.reason.to_dict()
        if data["setting"] is None:
            del data["setting"]
        elif data["port"] is None:
            del data["port"]
        return data


class FlowInvalid(ImpastoError, ValueError):
    """A flow cannot be loaded or compiled.

    `problems` holds every fault in document order, `errors` those that are not warnings.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: list[Problem] = list(problems)
        self.errors = [problem for problem in self.problems if problem.severity == "error"]
        super().__init__(self._message())

    def _message(self) -> str:
        shown = "; ".join(problem.message for problem in self.errors[:5])
        more = len(self.errors) - 5
        return f"{shown}; and {more} more" if more > 0 else shown


class InputsInvalid(FlowInvalid):
    """The inputs, targets or steps to run again do not fit the plan. Nothing has run."""


class NodeError(ImpastoError):
    """A step failed.

    `message` is shown to the user, `detail` to the builder of the flow; neither may contain a secret. A
    `retryable` error is retried, after `retry_after` seconds if that is given, at most `max_retries` times if
    that is given and fewer than the node's own. `provider` is the id of the
    provider that failed; `items` are the failed items of a fanned-out step.
    """

    code = "node_failed"
    retryable = False
    max_retries: int | None = None

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
        """Pickle as a plain NodeError: the subclass may not be importable in the other process."""
        return (_rebuilt, (self.to_dict(), self.retry_after))

    def to_dict(self) -> dict[str, Any]:
        """Return the error as plain data, as events contain it."""
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
        """Return the error that `to_dict` wrote, as a plain NodeError."""
        known = {key: data.get(key) for key in ("code", "detail", "retryable", "provider", "items")}
        return NodeError(data["message"], **known)

    @classmethod
    def wrap(cls, error: BaseException) -> "NodeError":
        """Return any exception as a step's failure. Its text becomes the `detail`, never the `message`."""
        if isinstance(error, NodeError):
            return error
        detail = f"{type(error).__name__}: {as_text(error)}"
        if isinstance(error, OSError) and error.errno in DISK_FULL:
            return NodeError(DISK_FULL_SENTENCE, code="disk_full", detail=detail)
        if isinstance(error, AssetNotFound):
            message = "A file that this step uses was deleted. Choose another one, and run again."
            return NodeError(message, code="asset_not_found", detail=detail)
        if isinstance(error, TimeoutError):
            return NodeError(
                "The service took too long to answer.", code="timeout", detail=detail, retryable=True
            )
        if isinstance(error, ConnectionError):
            message = "The connection to the service was lost."
            return NodeError(message, code="connection_lost", detail=detail, retryable=True)
        return NodeError(detail=detail)


def _rebuilt(data: dict[str, Any], retry_after: float | None) -> NodeError:
    error = NodeError.from_dict(data)
    error.retry_after = retry_after
    return error


class StepTimeout(NodeError):
    """The step did not end within its timeout of `seconds`."""

    code = "timeout"
    retryable = True

    def __init__(self, seconds: float) -> None:
        super().__init__(f"This step took longer than its limit of {seconds:g} seconds.")


class BadOutput(NodeError):
    """A node's function returned something that its return annotation does not allow."""

    code = "bad_output"

    def __init__(self, type_id: str, port: str, why: str) -> None:
        super().__init__(detail=f"Node type '{type_id}' returned a wrong value for output '{port}': {why}")


class ConversionFailed(NodeError):
    """A value could not be converted to the type of its port."""

    code = "conversion_failed"

    def __init__(self, port: str, why: str) -> None:
        super().__init__(f"The value for '{port}' does not fit: {why}")


class InputUnavailable(NodeError):
    """The source of a lazy input failed or was skipped. If a node does not catch it, its step is skipped."""

    code = "input_unavailable"

    def __init__(self, port: str, because: str | None, reason: str) -> None:
        super().__init__(f"The input '{port}' has no value: step '{because}' was {reason}.")
        self.because = because
        self.reason = reason


class RunError(ImpastoError):
    """A run cannot be started, resumed or continued."""

    def __init__(self, run_id: str, message: str) -> None:
        self.run_id = run_id
        super().__init__(message)


class RunNotFound(RunError):
    """The journal has no run with this id."""

    def __init__(self, run_id: str) -> None:
        super().__init__(run_id, f"There is no run '{run_id}' in this journal.")


class RunExists(RunError):
    """The journal already has a run with this id; `resume` continues it."""

    def __init__(self, run_id: str) -> None:
        super().__init__(run_id, f"Run '{run_id}' already exists: resume it, or choose another id.")


class LeaseHeld(RunError):
    """Another owner's lease on the run is still valid."""

    def __init__(self, run_id: str, owner: str) -> None:
        self.owner = owner
        super().__init__(run_id, f"Run '{run_id}' is owned by '{owner}'.")


class LeaseLost(RunError):
    """The lease is not the newest: another owner has claimed the run, or the lease was released."""

    def __init__(self, run_id: str) -> None:
        super().__init__(run_id, f"Run '{run_id}' was taken over by another process.")


class ServiceUnavailable(ImpastoError):
    """A service that the run's host provides (store, credentials) cannot be reached.

    A step that raises it, or an error that it caused, does not fail: the run is abandoned, so that it can be
    resumed once the service is back.
    """

    @classmethod
    def find_in(cls, error: BaseException) -> "ServiceUnavailable | None":
        """Return the error itself, or the one among its causes, that is a ServiceUnavailable."""
        seen: set[int] = set()
        cause: BaseException | None = error
        while cause is not None and id(cause) not in seen:
            if isinstance(cause, ServiceUnavailable):
                return cause
            seen.add(id(cause))
            cause = cause.__cause__ or cause.__context__
        return None


class JournalUnusable(ImpastoError):
    """A journal's file contains something else, is damaged or cannot be opened."""

    def __init__(self, path: object, why: str) -> None:
        self.path = str(path)
        super().__init__(f"'{path}' cannot be used as a journal: {why}.")


class ArchiveInvalid(ImpastoError):
    """A zip is no exported agent, or is damaged or unsafe. The message is a sentence."""


class AssetNotFound(ImpastoError):
    """The store has no asset with this id."""

    def __init__(self, asset_id: str) -> None:
        self.asset_id = asset_id
        super().__init__(f"There is no asset '{asset_id}' in this store.")
