"""Views of tracked values: they behave like the values, and record what is read."""

import copy
import dataclasses
import json
import operator
import pickle

import pytest

from impasto import tracked
from impasto.encoding import to_json
from impasto.hashing import canonical_json
from impasto.tracking import EVERYTHING, ReadLog, attached, detached, view_of


@tracked(source="origin")
@dataclasses.dataclass(frozen=True, order=True)
class Theme:
    ink: str = "black"
    paper: str = "white"
    sizes: tuple[int, ...] = (12, 18)
    origin: str = ""

    @property
    def smallest(self) -> int:
        return min(self.sizes)

    def label(self) -> str:
        return f"{self.ink} on {self.paper}"


THEME = Theme(ink="navy")


@pytest.mark.parametrize(
    ("use", "read"),
    [
        (lambda theme: theme.ink, {"0.ink"}),
        (lambda theme: getattr(theme, "paper"), {"0.paper"}),  # noqa: B009
        (lambda theme: theme.label(), {"0.ink", "0.paper"}),
        (lambda theme: theme.smallest, {"0.smallest"}),
        (lambda theme: dataclasses.replace(theme, ink="red"), {"0.paper", "0.sizes", "0.origin"}),
        (lambda theme: isinstance(theme, Theme), set()),
        (lambda theme: [field.name for field in dataclasses.fields(theme)], set()),
        (lambda theme: copy.deepcopy(theme).ink, {"0.ink"}),
        (lambda theme: copy.copy([theme])[0].paper, {"0.paper"}),
        (lambda theme: dataclasses.asdict(theme), {"0.ink", "0.paper", "0.sizes", "0.origin"}),
        (to_json, {"0.ink", "0.paper", "0.sizes", "0.origin"}),
        (canonical_json, {"0.ink", "0.paper", "0.sizes", "0.origin"}),
        (lambda theme: theme == THEME, {"0.*"}),
        (lambda theme: operator.eq(THEME, theme), {"0.*"}),
        (lambda theme: theme != Theme(), {"0.*"}),
        (lambda theme: theme < Theme(), {"0.*"}),
        (lambda theme: theme in [Theme(), THEME], {"0.*"}),
        (lambda theme: {THEME: 1}[theme], {"0.*"}),
        (repr, {"0.*"}),
        (lambda theme: f"{theme}", {"0.*"}),
        (lambda theme: vars(theme), {"0.*"}),
        (lambda theme: json.dumps(theme, default=vars), {"0.*"}),
        (lambda theme: pickle.loads(pickle.dumps(theme)), {"0.*"}),
    ],
)
def test_view_behaves_like_the_value_and_records_what_is_read(use, read):
    log = ReadLog()
    assert use(view_of(THEME, 0, log)) == use(THEME)
    assert log.paths == read


def test_match_statement_reads_the_matched_fields():
    log = ReadLog()
    match view_of(THEME, 3, log):
        case Theme(ink="red"):
            raise AssertionError
        case Theme(ink="navy"):
            assert log.paths == {"3.ink"}


def test_view_cannot_be_changed():
    with pytest.raises(AttributeError):
        view_of(THEME, 0, ReadLog()).ink = "red"


def test_view_passes_to_another_process_without_a_read():
    log, there = ReadLog(), ReadLog()
    sent = pickle.dumps(detached([{"theme": view_of(THEME, 1, log)}, 5]))
    received = attached(pickle.loads(sent), there)
    assert log.paths == there.paths == frozenset()
    assert (received[0]["theme"].ink, received[1]) == ("navy", 5)
    assert there.paths == {"1.ink"}


def test_more_paths_than_a_cache_should_hold_count_as_everything():
    log = ReadLog()
    for number in range(513):
        view_of(THEME, number, log).ink  # noqa: B018
    assert log.paths == EVERYTHING


def test_only_frozen_dataclasses_with_the_named_field_can_be_tracked():
    with pytest.raises(TypeError, match="frozen dataclasses"):

        @tracked
        class Plain: ...

    with pytest.raises(TypeError, match="no such field"):

        @tracked(source="nowhere")
        @dataclasses.dataclass(frozen=True)
        class Other:
            name: str = ""
