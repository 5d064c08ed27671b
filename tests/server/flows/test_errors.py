"""Why agents are refused: the members of each problem."""

import pytest

from impasto_server.flows.errors import FlowInvalid, PrivateBeta
from impasto_server.flows.schemas import Problem
from impasto_server.settings import Settings


@pytest.mark.parametrize(
    ("errors", "sentence"),
    [
        (0, "This agent has 0 problems to fix before it can run."),
        (1, "This agent has 1 problem to fix before it can run."),
        (2, "This agent has 2 problems to fix before it can run."),
    ],
)
def test_agent_that_cannot_run_says_how_many_errors_it_has_and_lists_all_problems(
    errors: int, sentence: str
) -> None:
    problems = [Problem(code="x", message="X.", node=f"n{number}") for number in range(errors)]
    problems.append(Problem(code="y", message="Y.", severity="warning"))
    refused = FlowInvalid(problems)
    assert refused.detail == sentence
    assert refused.members["problems"] == [problem.model_dump() for problem in problems]


def test_private_beta_offers_a_call_where_the_operator_gives_a_link() -> None:
    for url, offered in (("https://calls.example", "https://calls.example"), ("", None)):
        refused = PrivateBeta("The node 'Glow'", Settings(_env_file=None, book_a_call_url=url))
        assert refused.members == {"book_a_call_url": offered}
        assert refused.detail.startswith("The node 'Glow' is in private beta.")
