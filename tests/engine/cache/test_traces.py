"""What the cache keeps of reads, and the keys of results that follow from them."""

import dataclasses

import pytest

from impasto.cache.keys import short_digest
from impasto.cache.traces import base_key, load_sets, result_key, with_set
from impasto.hashing import digest
from impasto.tracking import EVERYTHING, tracked


@tracked
@dataclasses.dataclass(frozen=True)
class Ink:
    color: object = "red"
    size: int = 2

    @property
    def broken(self) -> str:
        raise RuntimeError("broken")


def content(kind: str, dumped: bytes) -> bytes:
    return digest(kind.encode() + b"\0" + short_digest(dumped))


def test_base_key_is_no_key_of_a_result() -> None:
    assert base_key(b"content") == digest(b"\3" + digest(b"content"))


def test_result_key_has_the_sorted_paths_with_their_values() -> None:
    found = result_key(b"base", frozenset({"1.size", "0.color"}), [Ink(), Ink(size=3)])
    color, size = content("str", b'"red"'), content("int", b"3")
    assert found == digest(b'base"0.color"' + color + b'"1.size"' + size)


@pytest.mark.parametrize(
    ("paths", "ink"),
    [
        (EVERYTHING, Ink()),
        ({"0.broken"}, Ink()),
        ({"0.color"}, Ink(color=float("nan"))),
        ({"0.color"}, Ink(color=object())),
        ({"0.size", "1.size"}, Ink()),
    ],
    ids=["everything", "raises", "not a number", "no json", "no such value"],
)
def test_reads_that_have_no_content_make_no_key(paths: set[str], ink: Ink) -> None:
    assert result_key(b"base", frozenset(paths), [ink]) is None


@pytest.mark.parametrize("color", [None, "null", ["null", None]])
def test_null_in_a_value_is_content(color: object) -> None:
    assert result_key(b"base", frozenset({"0.color"}), [Ink(color)]) is not None


def test_equal_json_of_another_type_is_another_result() -> None:
    paths = frozenset({"0.color"})
    keys = {result_key(b"base", paths, [Ink(color)]) for color in (1, True, "1", [1], (1,))}
    assert len(keys) == 5


@pytest.mark.parametrize(
    "body", [None, b"", b"[]", b"{}", b'{"reads": 5}', b'{"reads": [5]}', b'{"reads": [[[]]]}']
)
def test_damaged_sets_of_paths_count_as_none(body: bytes | None) -> None:
    assert load_sets(body) == []


def test_set_used_last_comes_first_and_eight_are_kept() -> None:
    body = None
    for number in range(9):
        body = with_set(body, [f"{number}.b", f"{number}.a"])
    assert load_sets(body) == [frozenset({f"{n}.a", f"{n}.b"}) for n in range(8, 0, -1)]
    assert with_set(body, ["8.a", "8.b"]) is None
    again = with_set(body, ["3.a", "3.b"])
    assert [min(each) for each in load_sets(again)] == [f"{n}.a" for n in (3, 8, 7, 6, 5, 4, 2, 1)]
    assert with_set(None, ["b", "a"]) == b'{"reads":[["a","b"]]}'
