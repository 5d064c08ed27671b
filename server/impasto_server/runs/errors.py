"""Errors of launching, cancelling and resuming runs."""

from typing import Any

from impasto_server.http.errors import Conflict, Invalid, NotFound


class RunNotFound(NotFound):
    """The run does not exist or belongs to another user."""

    def __init__(self, run_id: str) -> None:
        super().__init__("run", run_id)


class NotPublished(Conflict):
    """The agent has no published version."""

    code = "not_published"

    def __init__(self) -> None:
        super().__init__("This agent is not published yet. Publish it, or run its draft.")


class InputsInvalid(Invalid):
    """Inputs do not match the agent's form. `errors` lists each of them."""

    code, title = "inputs_invalid", "Some inputs are not valid"

    def __init__(self, errors: list[dict[str, Any]]) -> None:
        detail = errors[0]["message"] if len(errors) == 1 else "Some inputs are missing or invalid."
        super().__init__(detail, errors=errors)


class NotComparable(Invalid):
    """Settings of the node cannot be compared; the detail says why, and what to do."""

    code, title = "not_comparable", "These settings cannot be compared"


class VariantNotFound(NotFound):
    """The run is no comparison, or has no such variant."""

    def __init__(self, step: str) -> None:
        super().__init__("variant", step)


class RunAlreadyEnded(Conflict):
    """The run has ended, so it cannot be cancelled."""

    code = "run_over"

    def __init__(self, status: str) -> None:
        super().__init__(f"This run is already {status}.")


class RunHasProcess(Conflict):
    """A living process executes the run, so it is not taken away without being asked to."""

    code = "run_has_process"

    def __init__(self, run_id: str, process: str) -> None:
        super().__init__(f"Run {run_id} is executed by {process}, which is alive.")


class NothingToResume(Conflict):
    """The run is live or finished, so it cannot be resumed."""

    code = "nothing_to_resume"

    def __init__(self, status: str) -> None:
        super().__init__(f"This run is {status}: there is nothing to resume.")


class RunStillLive(Conflict):
    """The run is queued or running, so it cannot be deleted."""

    code = "run_live"

    def __init__(self) -> None:
        super().__init__("This run is still going. Stop it before you delete it.")
