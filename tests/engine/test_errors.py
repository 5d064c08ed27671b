"""The exceptions of the engine."""

import pickle

import pytest

from impasto import (
    AssetNotFound,
    DefinitionError,
    FlowInvalid,
    InputsInvalid,
    LeaseHeld,
    LeaseLost,
    NodeError,
    Problem,
    RunExists,
    RunNotFound,
)
from impasto.errors import ServiceUnavailable


@pytest.mark.parametrize(
    "error",
    [
        FlowInvalid(
            [
                Problem(code="cycle", message="Round.", node="a"),
                Problem(code="old", message="Old.", severity="warning"),
            ]
        ),
        InputsInvalid([Problem(code="bad_input", message="No.", node="a")]),
        DefinitionError("Bad."),
        RunNotFound("r"),
        RunExists("r"),
        LeaseHeld("r", "another"),
        LeaseLost("r"),
        AssetNotFound("x"),
        NodeError("No.", code="no", detail="why", retryable=True, retry_after=2.0),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_survive_pickling(error):
    there = pickle.loads(pickle.dumps(error))
    assert (type(there), str(there)) == (type(error), str(error))
    assert vars(there) == vars(error)


def test_step_whose_file_was_deleted_says_so():
    error = NodeError.wrap(AssetNotFound("x"))
    assert (error.code, error.retryable) == ("asset_not_found", False)
    assert error.message == "A file that this step uses was deleted. Choose another one, and run again."
    assert "'x'" in error.detail


def test_unavailable_service_is_found_among_the_causes_of_an_error():
    service = ServiceUnavailable("The store does not answer.")
    outer, middle, handled = ValueError("outer"), KeyError("middle"), OSError("handled")
    outer.__cause__, middle.__context__ = middle, service
    handled.__context__ = service
    assert [ServiceUnavailable.find_in(error) for error in (service, outer, handled)] == [service] * 3
    assert ServiceUnavailable.find_in(ValueError("alone")) is None


@pytest.mark.timeout(10)
def test_search_for_an_unavailable_service_ends_where_causes_go_in_a_circle():
    first, second = ValueError("first"), KeyError("second")
    first.__cause__, second.__cause__ = second, first
    assert ServiceUnavailable.find_in(first) is None


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({}, {"port": None}),
        ({"port": "text"}, {"port": "text"}),
        ({"setting": "size"}, {"setting": "size"}),
        ({"port": "text", "setting": "size"}, {"port": "text", "setting": "size"}),
    ],
)
def test_a_problem_as_data_has_a_port_or_a_setting(fields, place):
    data = Problem(code="bad_value", message="Too large.", node="a", **fields).to_dict()
    assert {key: data[key] for key in data.keys() & {"port", "setting"}} == place


def test_a_problem_reads_like_a_mapping():
    problem = Problem(code="cycle", message="Round.", node="a")
    assert (problem["code"], problem.get("node"), problem.get("color", "none")) == ("cycle", "a", "none")
    assert dict(problem).keys() == {*problem} == {*problem.keys()}
    with pytest.raises(KeyError):
        problem["color"]


def test_the_message_of_an_invalid_flow_names_the_first_five_errors_and_how_many_more():
    problems = [Problem(code="bad", message=f"Error {number}.") for number in range(5)]
    warning = Problem(code="old", message="Old.", severity="warning")
    five = "Error 0.; Error 1.; Error 2.; Error 3.; Error 4."
    assert str(FlowInvalid([warning, *problems])) == five
    assert str(FlowInvalid([*problems, warning, *problems[:2]])) == f"{five}; and 2 more"
