"""Results and plans that are kept, and messages to processes."""

import io
import time
from types import SimpleNamespace
from typing import Any

import pytest

from impasto_server.compiler.caches import PlanCache, ResultCache
from impasto_server.compiler.documents import CheckedFlow, Source
from impasto_server.compiler.frames import read_frame, write_frame

KIB, MIB = 2**10, 2**20


def compiled(size: int) -> CheckedFlow:
    return CheckedFlow(can_run=True, problems=[], inputs=bytes(size - 2004), results=b"", contents=b"",
                       own_contents=b"", step_estimates=b"", planned_steps=b"1234")  # fmt: skip


def test_result_counts_as_the_bytes_of_its_parts() -> None:
    assert compiled(5000).size == 5000
    typed = CheckedFlow(can_run=True, problems=[], inputs=b"", node_types={"a": True, "b": False})
    assert typed.size == 2000 + len(b"[]{}[][][]") + 200
    problem: Any = SimpleNamespace()
    assert CheckedFlow(can_run=False, problems=[problem] * 2, inputs=b"").size == 2010 + 1000


def test_results_used_last_are_kept_within_the_limit() -> None:
    cache = ResultCache(10_000)
    for key in "abc":
        cache.add(key, compiled(3000))
    cache.get("a")
    cache.add("d", compiled(3000))
    assert [cache.get(key) is not None for key in "abcd"] == [True, False, True, True]
    cache.add("large", compiled(10_001))
    assert [cache.get(key) is not None for key in ("a", "c", "d", "large")] == [True, True, True, False]
    cache.add("whole", compiled(10_000))
    assert [cache.get(key) is not None for key in ("a", "c", "d", "whole")] == [False, False, False, True]


def test_result_that_is_replaced_counts_once() -> None:
    cache = ResultCache(10_000)
    for _ in range(9):
        cache.add("a", compiled(5000))
    cache.add("b", compiled(5000))
    assert cache.get("a") is not None
    assert cache.get("b") is not None


def test_reason_for_a_refusal_counts_as_two_kilobytes() -> None:
    cache = ResultCache(4000)
    for key in "abc":
        cache.add(key, {"message": key})
    assert [cache.get(key) for key in "abc"] == [None, {"message": "b"}, {"message": "c"}]
    cache = ResultCache(1999)
    cache.add("a", {"message": "a"})
    assert cache.get("a") is None


def test_result_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    cache = ResultCache(4000)
    cache.add("b", {"message": "b"})
    cache.add("a", {"message": "a"}, 160.0)
    now[0] = 159.9
    assert cache.get("a") == {"message": "a"}
    now[0] = 160.0
    assert cache.get("a") is None
    cache.add("c", {"message": "c"})
    assert cache.get("b") == {"message": "b"}, "the expired one takes no room"


def test_times_of_the_last_10_000_documents_are_kept() -> None:
    cache = ResultCache(0)
    assert cache.seconds("0") is None
    for number in range(10_000):
        cache.add_seconds(f"{number}", number)
    cache.add_seconds("0", 0.5)
    cache.add_seconds("next", 1.0)
    assert [cache.seconds(key) for key in ("0", "1", "2", "next")] == [0.5, None, 2, 1.0]


def plan(steps: int = 0) -> Any:
    return SimpleNamespace(steps=[None] * steps)


def test_plans_used_last_are_kept_within_4_mib_of_documents_and_steps() -> None:
    cache = PlanCache()
    first = plan()
    cache.add("a", first, MIB)
    cache.add("b", plan(), MIB)
    cache.add("c", plan(MIB // 64), MIB)
    assert (cache.get("a"), cache.get("other")) == (first, None)
    cache.add("d", plan(), 1)
    assert [cache.get(key) is not None for key in "abcd"] == [True, False, True, True]
    cache.add("a", plan(), MIB)
    assert cache.get("a") is first
    cache.add("e", plan(), MIB - 1)
    assert [cache.get(key) is not None for key in "acde"] == [True, True, True, True]


def test_header_of_a_source_names_what_is_compiled_besides_its_documents() -> None:
    assert Source({}, {}).header() == {"flow_id": None, "targets": None, "configured": None}
    given = Source({}, {}, "f1", ("b", "a"), frozenset({"openai", "fal"}))
    assert given.header() == {"flow_id": "f1", "targets": ["b", "a"], "configured": ["fal", "openai"]}
    assert Source({}, {}, targets=()).header()["targets"] == []


@pytest.mark.parametrize("parts", [[], [b""], [b"one", b"", bytes(70_000)]])
def test_message_is_read_as_it_was_written(parts: list[bytes]) -> None:
    stream = io.BytesIO()
    write_frame(stream, parts)
    write_frame(stream, [b"next"])
    stream.seek(0)
    assert read_frame(stream) == parts
    assert read_frame(stream) == [b"next"]


def test_message_that_ends_early_is_an_end_of_file() -> None:
    stream = io.BytesIO()
    write_frame(stream, [b"one", b"two"])
    for end in range(len(stream.getvalue())):
        with pytest.raises(EOFError):
            read_frame(io.BytesIO(stream.getvalue()[:end]))
