"""Tracked values among inputs: what is read of them, by the function and as a worker process reports it."""

import dataclasses

import pytest

from impasto.cache.traces import result_key
from impasto.cache.tracked_inputs import TrackedInputs, sources_in, track
from impasto.tracking import EVERYTHING, tracked


@tracked(source="origin")
@dataclasses.dataclass(frozen=True)
class Theme:
    ink: str = "black"
    paper: str = "white"
    origin: str = ""


def tracked_inputs(*themes: Theme) -> TrackedInputs:
    found = track([list(themes)], [b"hash"], b"before", b"after")
    assert found is not None
    return found[0]


def test_reads_that_a_worker_process_reports_are_noted():
    inputs = tracked_inputs(Theme(origin="a"), Theme(origin="b"))
    inputs.add_reported(frozenset({"0.ink", "1.*"}))
    assert inputs.paths == {"0.ink", "1.*"}
    assert inputs.fields_by_source() == {"a": {"ink"}, "b": {"*"}}


def test_read_of_a_view_is_noted_by_the_number_of_its_value():
    first, second = Theme(origin="a"), Theme(origin="b")
    found = track([first, [second]], [b"one", b"two"], b"before", b"after")
    assert found is not None
    inputs, (view, (other,)) = found
    assert (view.ink, other.paper) == ("black", "white")
    assert inputs.paths == {"0.ink", "1.paper"}
    assert inputs.fields_by_source() == {"a": {"ink"}, "b": {"paper"}}


@pytest.mark.parametrize(
    "reported",
    [
        None,
        {"0.ink"},
        frozenset({5}),
        frozenset({"*"}),
        frozenset({"0.colour"}),
        frozenset({"1.ink"}),
        frozenset({"9" * 5000 + ".ink"}),
        frozenset({"\ud800.ink"}),
        frozenset(f"{'0' * (number % 9)}0.ink{number}" for number in range(513)),
    ],
)
def test_report_of_a_worker_process_that_names_no_fields_of_the_inputs_counts_as_everything(reported):
    inputs = tracked_inputs(Theme(origin="a"))
    inputs.add_reported(reported)
    assert inputs.paths == EVERYTHING
    assert inputs.key_of(inputs.paths) is None
    assert inputs.fields_by_source() == {"a": EVERYTHING}


@pytest.mark.parametrize(
    "path", [pytest.param("9" * 5000 + ".ink", id="digits"), "1.ink", "0.colour", "0", ""]
)
def test_path_that_names_no_field_makes_no_key(path):
    assert result_key(b"base", frozenset({path}), [Theme()]) is None
    assert result_key(b"base", frozenset({"0.ink"}), [Theme()]) is not None


@pytest.mark.parametrize(
    ("value", "sources"),
    [
        ([1, 2, 3], set()),
        ({"a": [None, "x"]}, set()),
        (Theme(), set()),
        (Theme(origin="a"), {"a"}),
        ([Theme(origin="a"), {"b": Theme(origin="b")}, Theme()], {"a", "b"}),
    ],
    ids=["numbers", "texts", "no source", "one source", "nested"],
)
def test_sources_of_the_tracked_values_inside_a_value(value, sources):
    assert sources_in(value) == sources


def test_report_may_name_as_many_fields_as_are_recorded():
    inputs = tracked_inputs(*(Theme(origin=f"{number}") for number in range(256)))
    reported = frozenset(f"{number}.{field}" for number in range(256) for field in ("ink", "paper"))
    inputs.add_reported(reported)
    assert (len(reported), inputs.paths) == (512, reported)
    inputs.add_reported(frozenset({"0.origin"}))
    assert inputs.paths == EVERYTHING
