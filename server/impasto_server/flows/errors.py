"""What may stand between a user and an agent."""

from collections.abc import Sequence

from impasto_server.flows.schemas import Problem
from impasto_server.http.errors import Conflict, Forbidden, Invalid, NotFound


class FlowNotFound(NotFound):
    """No such agent, or somebody else's."""

    def __init__(self, flow_id: str) -> None:
        super().__init__("agent", flow_id)


class NotFlowOwner(Forbidden):
    """An agent that everybody may run and only its owner may change."""

    code = "not_owner"

    def __init__(self) -> None:
        super().__init__("This agent belongs to somebody else. Duplicate it to make it yours.")


class FlowInvalid(Invalid):
    """A flow that does not compile cannot be published or run."""

    code, title = "flow_invalid", "The agent has problems"

    def __init__(self, problems: Sequence[Problem]) -> None:
        count = sum(problem.severity == "error" for problem in problems)
        words = "1 problem" if count == 1 else f"{count} problems"
        super().__init__(
            f"This agent has {words} to mend before it can run.",
            problems=[problem.model_dump() for problem in problems],
        )


class DocumentInvalid(Invalid):
    """Something that is not a flow document, or one that is too large."""

    code, title = "flow_refused", "Not a flow document"


class StatusTransitionInvalid(Conflict):
    """A move that an agent's status does not allow."""

    code = "status_refused"

    def __init__(self, status: str, wanted: str) -> None:
        super().__init__(f"This agent is {status}: it cannot become {wanted}.")
