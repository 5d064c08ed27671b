"""The exceptions of the engine."""

import errno
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
from impasto.errors import (
    DISK_FULL_SENTENCE,
    USER_SENTENCE,
    BadOutput,
    ConversionFailed,
    InputUnavailable,
    JournalUnusable,
    Reason,
    ServiceUnavailable,
    StepTimeout,
    as_text,
)


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


@pytest.mark.parametrize(
    ("error", "data"),
    [
        (
            NodeError("No.", code="no", detail="why", retryable=True, retry_after=2.0, provider="acme"),
            {"code": "no", "message": "No.", "detail": "why", "retryable": True, "provider": "acme"},
        ),
        (
            NodeError(items=[{"path": [0]}]),
            {
                "code": "node_failed",
                "message": "An error occurred. Please try again later.",
                "detail": None,
                "retryable": False,
                "provider": None,
                "items": [{"path": [0]}],
            },
        ),
        (
            StepTimeout(1.5),
            {
                "code": "timeout",
                "message": "This step took longer than its limit of 1.5 seconds.",
                "detail": None,
                "retryable": True,
                "provider": None,
            },
        ),
    ],
    ids=["every field", "items", "timeout"],
)
def test_step_error_as_data_is_read_back_the_same(error, data):
    assert error.to_dict() == data
    assert NodeError.from_dict(data).to_dict() == data
    there = pickle.loads(pickle.dumps(error))
    assert (type(there), there.to_dict(), there.retry_after) == (NodeError, data, error.retry_after)


@pytest.mark.parametrize(
    ("error", "code", "message", "retryable"),
    [
        (OSError(errno.ENOSPC, "full"), "disk_full", DISK_FULL_SENTENCE, False),
        (OSError(errno.EDQUOT, "quota"), "disk_full", DISK_FULL_SENTENCE, False),
        (OSError(errno.EFBIG, "large"), "disk_full", DISK_FULL_SENTENCE, False),
        (OSError(errno.EACCES, "no"), "node_failed", USER_SENTENCE, False),
        (TimeoutError("late"), "timeout", "The service took too long to answer.", True),
        (ConnectionResetError("cut"), "connection_lost", "The connection to the service was lost.", True),
        (ValueError("odd"), "node_failed", USER_SENTENCE, False),
    ],
)
def test_exception_of_a_node_becomes_an_error_with_its_text_as_detail(error, code, message, retryable):
    found = NodeError.wrap(error)
    assert (found.code, found.message, found.retryable) == (code, message, retryable)
    assert found.detail == f"{type(error).__name__}: {error}"
    assert NodeError.wrap(found) is found


class Unprintable(Exception):
    def __str__(self):
        raise ValueError("no text")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "plain"),
        ("ü", "ü"),
        ("\ud800ü", "?ü"),
        (5, "5"),
        (Unprintable(), "(Unprintable whose __str__ fails)"),
    ],
    ids=["ascii", "utf-8", "surrogate", "number", "unprintable"],
)
def test_any_value_has_a_text_that_can_be_encoded(value, text):
    assert as_text(value) == text
    error = NodeError(value, code=value, detail=value, provider=value).to_dict()
    assert [error[name] for name in ("message", "code", "detail", "provider")] == [text] * 4


@pytest.mark.parametrize(
    ("kind", "facts", "message"),
    [
        (RunNotFound, ["r"], "There is no run 'r' in this journal."),
        (RunExists, ["r"], "Run 'r' already exists: resume it, or choose another id."),
        (LeaseHeld, ["r", "a"], "Run 'r' is owned by 'a'."),
        (LeaseLost, ["r"], "Run 'r' was taken over by another process."),
        (JournalUnusable, ["x.db", "it is damaged"], "'x.db' cannot be used as a journal: it is damaged."),
        (AssetNotFound, ["x"], "There is no asset 'x' in this store."),
        (ConversionFailed, ["text", "it is a list"], "The value for 'text' does not fit: it is a list"),
        (
            InputUnavailable,
            ["text", "a", "skipped"],
            "The input 'text' has no value: step 'a' was skipped.",
        ),
        (StepTimeout, [1.5], "This step took longer than its limit of 1.5 seconds."),
        (NodeError, ["No."], "No."),
        (NodeError, [], USER_SENTENCE),
        (FlowInvalid, [[Problem(code="cycle", message="Round.")]], "Round."),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else None,
)
def test_error_says_what_it_is_about(kind, facts, message):
    error = kind(*facts)
    assert (str(error), error.args) == (message, (message,))
    there = pickle.loads(pickle.dumps(error))
    assert str(there) == message


def test_wrong_output_names_the_node_type_and_the_output():
    error = BadOutput("say", "text", "it is a list")
    assert (str(error), error.args) == (USER_SENTENCE, (USER_SENTENCE,))
    assert error.to_dict() == {
        "code": "bad_output",
        "message": USER_SENTENCE,
        "detail": "Node type 'say' returned a wrong value for output 'text': it is a list",
        "retryable": False,
        "provider": None,
    }


def test_errors_carry_what_they_are_about():
    held = LeaseHeld("r", "a")
    assert (held.run_id, held.owner, LeaseLost("r").run_id) == ("r", "a", "r")
    missing = InputUnavailable("text", "a", "failed")
    assert (missing.because, missing.reason) == ("a", "failed")
    assert (JournalUnusable("x.db", "no").path, AssetNotFound("x").asset_id) == ("x.db", "x")


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


def test_a_problem_as_data_has_its_reason_if_any():
    reason = Reason("too_large", "must be at most 9", {"limit": 9})
    problem = Problem(code="bad_setting", message="Too large.", node="a", setting="size", reason=reason)
    assert problem.to_dict() == {
        "code": "bad_setting",
        "message": "Too large.",
        "node": "a",
        "setting": "size",
        "hint": None,
        "severity": "error",
        "reason": {"code": "too_large", "text": "must be at most 9", "parameters": {"limit": 9}},
    }
    assert Problem(code="cycle", message="Round.").to_dict() == {
        "code": "cycle",
        "message": "Round.",
        "node": None,
        "port": None,
        "hint": None,
        "severity": "error",
    }


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
    assert str(FlowInvalid([*problems, warning, *problems[:1]])) == f"{five}; and 1 more"
    assert str(FlowInvalid([*problems, warning, *problems[:2]])) == f"{five}; and 2 more"
