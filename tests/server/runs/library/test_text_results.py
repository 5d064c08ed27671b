"""The texts among a run's results: which there are, how they read, and their ids."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from impasto_server.runs.library.meaning_texts import text_of_meaning
from impasto_server.runs.library.text_results import repeated_texts, text_results, texts_of

LAUNCHED = datetime(2026, 1, 31, 9, 0, 0, 250_000, tzinfo=UTC)
IMAGE = {"$type": "Image", "asset_id": "a1", "name": "hero"}


def planned(node: str, port: str = "output", **about: Any) -> dict[str, Any]:
    return {"node": node, "port": port, **about}


def finished(**outputs: Any) -> dict[str, Any]:
    return {"outputs": outputs}


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        ("a", ["a"]), (" ", []), ("", []), (None, []), (7, []), ("a\0b", ["ab"]),
        (["a", " ", "b\0"], ["a", "b"]), ([], []), ([""], []),
        (["a", 1], ["a"]), (["a", {"b": "c"}], ["a\nB: c"]),
        ({"head_line": "Hi", "n": 3, "empty": " "}, ["Head line: Hi"]),
        ({"points": ["a", "b"], "one": ["c"]}, ["Points:\na\nb\nOne: c"]),
        ({"$type": "Post", "text": "a"}, ["Text: a"]),
        (IMAGE, []), ({"image": IMAGE, "text": "a"}, ["Text: a"]), ([IMAGE, "a"], ["a"]),
        ({"a": {"b": {"c": {"d": "deep"}}}}, ["A: B: C: D: deep"]),
        ({"a": {"b": {"c": {"d": {"e": "deeper"}}}}}, []),
        ([[[["deep"]]]], ["deep"]), ([[[[["deeper"]]]]], []),
    ],
)  # fmt: skip
def test_structure_is_a_text_of_lines_with_labels(value: object, texts: list[str]) -> None:
    assert list(texts_of(value)) == texts


@pytest.mark.parametrize(
    ("meaning", "value", "text"),
    [
        ("post", {"caption": " a ", "text": "b", "hashtags": ["#x", 1, "#y"]}, "a\n\n#x #y"),
        ("post", {"text": "b"}, "b"),
        ("post", {"hashtags": ["#x"]}, None),
        ("ad", {"headline": "a", "body": "b", "call_to_action": "c"}, "a\n\nb\n\nc"),
        ("ad", {"headline": "a", "body": 3}, "a"),
        ("ad", {"body": "b"}, None),
        ("hashtags", {"hashtags": ["#x", "#y", "#x"]}, "#x #y"),
        ("hashtags", {"hashtags": "#x"}, None),
        (
            "shot_list",
            {
                "title": "Ad",
                "shots": [
                    {"seconds": 2.5, "light": "dawn", "motion": "pan", "scene": "sea"},
                    "damaged",
                    {"scene": "hut", "seconds": "2"},
                ],
            },
            "Ad\n\n1. sea · pan · dawn · 2.5 s\n2. hut",
        ),
        ("shot_list", {"title": "Ad", "shots": []}, None),
        ("brand_check", {"checks": [{"title": "A", "reason": "b"}, {"title": "C"}]}, "A: b\nC: "),
        ("brand_check", {"checks": []}, None),
        ("other", {"text": "a"}, None),
        (None, {"text": "a"}, None),
    ],
)  # fmt: skip
def test_structure_with_a_meaning_has_a_text_of_its_parts(
    meaning: str | None, value: dict[str, Any], text: str | None
) -> None:
    assert text_of_meaning(meaning, value) == text


def test_texts_are_in_the_order_of_the_results_and_repeats_are_left_out() -> None:
    plan = [
        planned("write", "posts", meaning="post"),
        planned("write", "plain", text_of="posts"),
        planned("list"),
        planned("again"),
        planned("other", "plain", text_of="posts"),
        planned("not_run"),
        planned("image"),
    ]
    post = {"text": "a\0"}
    steps = {
        "write": finished(posts=post, plain="a"),
        "list": finished(output=["b", "c"]),
        "again": finished(output=["b", "c"]),
        "other": finished(plain="d", posts=None),
        "image": finished(output=IMAGE),
    }
    found = list(text_results(plan, steps))
    assert [(text.planned["node"], text.place, text.text, text.plain) for text in found] == [
        ("write", 0, "a", "Text: a"),
        ("list", 0, "b", "b"),
        ("list", 1, "c", "c"),
        ("other", 0, "d", "d"),
    ]
    assert found[0].step is steps["write"]
    repeats = [
        (left_out.planned["node"], left_out.planned["port"], left_out.text, kept.planned["node"], kept.text)
        for left_out, kept in repeated_texts(plan, steps)
    ]
    assert repeats == [
        ("write", "plain", "a", "write", "a"),
        ("again", "output", "b", "list", "b"),
        ("again", "output", "c", "list", "c"),
    ]


def test_further_texts_of_a_repeat_stand_for_the_last_that_is_kept() -> None:
    plan = [planned("write", "post", meaning="post"), planned("write", "lines", text_of="post")]
    steps = {"write": finished(post={"text": "a"}, lines=["a", "b"])}
    assert [(left_out.text, kept.text) for left_out, kept in repeated_texts(plan, steps)] == [
        ("a", "a"),
        ("b", "a"),
    ]


def test_plain_text_of_an_output_without_a_value_is_a_result() -> None:
    plan = [planned("write", "plain", text_of="post")]
    for step in (finished(plain="a"), finished(plain="a", post=None)):
        assert [text.text for text in text_results(plan, {"write": step})] == ["a"]
        assert list(repeated_texts(plan, {"write": step})) == []
    assert list(text_results(plan, {"write": {"outputs": None}})) == []


def test_id_of_a_text_follows_from_its_run_place_and_content() -> None:
    plan = [planned("a"), planned("b"), planned("a", "second")]
    steps = {"a": finished(output=["x", "y"], second="x"), "b": finished(output="z")}
    found = list(text_results(plan, steps))
    ids = [UUID(text.asset_id("run", LAUNCHED)) for text in found]
    assert [UUID(text.asset_id("run", LAUNCHED)) for text in text_results(plan, steps)] == ids
    assert len({*ids, *(UUID(text.asset_id("run 2", LAUNCHED)) for text in found)}) == 8
    assert {(each.version, each.variant) for each in ids} == {(7, "specified in RFC 4122")}
    assert {each.int >> 80 for each in ids} == {1_769_850_000_250}
    assert str(ids[0]) == "019c1347-d37a-72c7-a7e8-a84145ec2d4a", "later releases find it again"
