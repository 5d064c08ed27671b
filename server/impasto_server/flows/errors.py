"""Errors of reading, changing and publishing agents."""

from collections.abc import Sequence

from impasto_server.flows.schemas import Problem
from impasto_server.http.errors import Conflict, Forbidden, Invalid, NotFound
from impasto_server.settings import Settings


class FlowNotFound(NotFound):
    """The agent does not exist or the user may not see it."""

    def __init__(self, flow_id: str) -> None:
        super().__init__("agent", flow_id)


class NotFlowOwner(Forbidden):
    """The user may run the agent, but only its owner may change it."""

    code = "not_owner"

    def __init__(self) -> None:
        super().__init__("This agent belongs to another user. Duplicate it to get your own copy.")


class FlowInvalid(Invalid):
    """The flow does not compile, so it cannot be published or run."""

    code, title = "flow_invalid", "The agent has problems"

    def __init__(self, problems: Sequence[Problem]) -> None:
        count = sum(problem.severity == "error" for problem in problems)
        problem_count = "1 problem" if count == 1 else f"{count} problems"
        super().__init__(
            f"This agent has {problem_count} to fix before it can run.",
            problems=[problem.model_dump() for problem in problems],
        )


class DocumentInvalid(Invalid):
    """The body is not a flow document, or the document is too large."""

    code, title = "flow_refused", "Not a flow document"


class StatusTransitionInvalid(Conflict):
    """The agent's status cannot change to the requested one."""

    code = "status_refused"

    def __init__(self, status: str, target: str) -> None:
        super().__init__(f"This agent is {status}: it cannot become {target}.")


class PrivateBeta(Forbidden):
    """The user has no access to an agent or node in private beta."""

    code, title = "private_beta", "Private beta"

    def __init__(self, subject: str, settings: Settings) -> None:
        super().__init__(
            f"{subject} is in private beta. Book a call with us to get access.",
            book_a_call_url=settings.book_a_call_url or None,
        )
