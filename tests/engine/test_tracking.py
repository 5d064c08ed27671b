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
from impasto.tracking import (
    EVERYTHING,
    WHOLE,
    ReadLog,
    attached,
    detached,
    field_at,
    is_tracked,
    is_tracked_class,
    replaced,
    source_of,
    value_class,
    view_of,
)


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
    for number in range(512):
        view_of(THEME, number, log).ink  # noqa: B018
    assert log.paths == {f"{number}.ink" for number in range(512)}
    view_of(THEME, 511, log).ink  # noqa: B018
    assert len(log.paths) == 512
    view_of(THEME, 512, log).ink  # noqa: B018
    assert log.paths == EVERYTHING


def test_log_takes_the_paths_of_another_one_and_is_set_back():
    log = ReadLog()
    log.add(0, "ink")
    before = log.paths
    log.add_all({"1.ink", "0.ink"})
    assert log.paths == {"0.ink", "1.ink"}
    log.restore(before)
    assert log.paths == {"0.ink"}
    log.add_all(EVERYTHING)
    assert log.paths == EVERYTHING


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("0.ink", "ink"),
        ("0.smallest", "smallest"),
        ("0.*", WHOLE),
        ("0.label", None),
        ("0.color", None),
        ("0", None),
        ("1.ink", None),
        ("-1.ink", None),
        ("x.ink", None),
        (".ink", None),
        ("000000000.ink", "ink"),
        ("0000000000.ink", None),
        ("*", None),
    ],
)
def test_path_names_a_field_of_a_value(path, field):
    assert field_at(path, [THEME]) == (None if field is None else (THEME, field))


def test_value_says_where_it_comes_from():
    @tracked
    @dataclasses.dataclass(frozen=True)
    class Unknown:
        name: str = ""

    assert (source_of(Theme(origin="b1")), source_of(THEME), source_of(Theme(origin=5))) == ("b1", "", "")
    assert source_of(Unknown()) == ""


def test_tracked_values_are_known_by_their_class():
    view = view_of(THEME, 0, ReadLog())
    assert (is_tracked(THEME), is_tracked(view), is_tracked("text")) == (True, True, False)
    assert (is_tracked_class(Theme), is_tracked_class(str), is_tracked_class(None)) == (True, False, False)
    assert (value_class(type(view)), value_class(Theme), value_class(str)) == (Theme, Theme, str)
    assert type(view).__name__ == "Theme"


def test_tracked_values_are_replaced_at_any_depth():
    value = [THEME, ({"a": THEME, "b": [5]}, "text"), THEME]
    assert replaced(value, lambda theme: theme.ink) == ["navy", ({"a": "navy", "b": [5]}, "text"), "navy"]
    log = ReadLog()
    views = replaced((THEME,), lambda theme: view_of(theme, 0, log))
    there = attached(pickle.loads(pickle.dumps(detached(views))), log)
    assert (type(there), there[0].ink) == (tuple, "navy")
    assert detached([THEME]) == [THEME]


def test_view_of_a_view_compares_with_views():
    log, other = ReadLog(), ReadLog()
    assert view_of(THEME, 0, log) == view_of(THEME, 1, other)
    assert (log.paths, other.paths) == ({"0.*"}, {"1.*"})


def test_only_frozen_dataclasses_with_the_named_field_can_be_tracked():
    with pytest.raises(TypeError, match="frozen dataclasses"):

        @tracked
        class Plain: ...

    with pytest.raises(TypeError, match="no such field"):

        @tracked(source="nowhere")
        @dataclasses.dataclass(frozen=True)
        class Other:
            name: str = ""

    with pytest.raises(TypeError, match="frozen dataclasses"):

        @tracked
        @dataclasses.dataclass
        class Thawed:
            name: str = ""
