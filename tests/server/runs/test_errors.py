"""Why launches are refused."""

import pytest

from impasto_server.runs.errors import InputsInvalid

ONE = {"path": "inputs.ask", "code": "required", "message": "Words has no value."}


@pytest.mark.parametrize(
    ("errors", "detail"),
    [
        ([ONE], "Words has no value."),
        ([ONE, ONE], "Some inputs are missing or invalid."),
    ],
    ids=["one", "two"],
)
def test_single_error_of_the_inputs_is_the_detail_of_the_problem(
    errors: list[dict[str, str]], detail: str
) -> None:
    refused = InputsInvalid(errors)
    assert (refused.detail, refused.members) == (detail, {"errors": errors})
