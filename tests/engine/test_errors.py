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
