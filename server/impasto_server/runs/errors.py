"""What may keep a launch from starting, or a run from being changed."""

from typing import Any

from impasto_server.http.errors import Conflict, Forbidden, Invalid, NotFound
from impasto_server.settings import Settings


class RunNotFound(NotFound):
    """No such run, or somebody else's."""

    def __init__(self, run_id: str) -> None:
        super().__init__("run", run_id)


class NotPublished(Conflict):
    """A launch of an agent that has no published version yet."""

    code = "not_published"

    def __init__(self) -> None:
        super().__init__("This agent is not published yet. Publish it, or run its draft.")


class PrivateBeta(Forbidden):
    """A launch of something in private beta by somebody who was not let in."""

    code, title = "private_beta", "Private beta"

    def __init__(self, what: str, settings: Settings) -> None:
        super().__init__(
            f"{what} is in private beta. Book a call with us to get access.",
            book_a_call_url=settings.book_a_call_url or None,
        )


class InputsInvalid(Invalid):
    """Inputs that don't fit the agent's form; `errors` names each."""

    code, title = "inputs_invalid", "Some inputs are wrong"

    def __init__(self, errors: list[dict[str, Any]]) -> None:
        detail = errors[0]["message"] if len(errors) == 1 else "Some inputs are missing or wrong."
        super().__init__(detail, errors=errors)


class RunIsOver(Conflict):
    """A run that has ended cannot be cancelled."""

    code = "run_over"

    def __init__(self, status: str) -> None:
        super().__init__(f"This run is already {status}.")


class RunGoesOn(Conflict):
    """A run that still goes on, or went well, has nothing to resume."""

    code = "nothing_to_resume"

    def __init__(self, status: str) -> None:
        super().__init__(f"This run is {status}: there is nothing to resume.")
