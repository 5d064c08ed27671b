"""The error of a plugin that uses what it does not declare."""

from impasto.errors import NodeError
from impasto.plugins.capabilities import FILE

_USES = {
    "network": "the network",
    "subprocess": "other programs",
    "files": "files",
    "environment": "the environment",
}


class CapabilityDenied(NodeError, PermissionError):
    """A plugin tried something in a worker process that it does not declare.

    It is a PermissionError too, so that a library that can do without goes on. `attempt` says what was tried,
    such as "connect to a.example"; `declaration` is the line that would declare it.
    """

    code = "capability_denied"

    def __init__(self, package: str, capability: str, attempt: str, declaration: str) -> None:
        super().__init__(
            f"The plugin '{package}' was stopped: it does not declare this use of {_USES[capability]}.",
            detail=f"The plugin '{package}' tried to {attempt} without declaring it. If that is wanted, its "
            f"author adds to [capabilities] in {FILE}: {declaration}",
        )
        self.package = package
        self.capability = capability


class VariableDenied(CapabilityDenied, KeyError):
    """A plugin read an environment variable that it does not declare: to `os.environ`, it is not set."""


def find_in(error: BaseException) -> CapabilityDenied | None:
    """Return the error itself, or the one among its causes, that is a CapabilityDenied."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        if isinstance(cause, CapabilityDenied):
            return cause
        seen.add(id(cause))
        cause = cause.__cause__ or cause.__context__
    return None
