"""The nodes as plain functions, alone in a run, and in a flow."""

import asyncio

from impasto_rhyme import Verse, recite, verse

from impasto import execute
from impasto.testing import FakeContext, plan_of, run_node, words


def test_a_text_is_broken_into_lines() -> None:
    """As a plain function."""
    made = asyncio.run(verse("one two three four five", words=2, context=FakeContext()))
    assert made == Verse(("one two", "three four", "five"), "ive")


def test_it_says_how_many_lines_it_made() -> None:
    """As a node by itself."""
    ran = asyncio.run(run_node(verse, {"text": "a b"}, {"words": 1}))
    assert [event.data["message"] for event in ran.events if event.type == "step.progress"] == ["2 lines"]


def test_a_verse_travels_from_node_to_node() -> None:
    """In a flow."""
    plan = plan_of(
        [words, verse, recite],
        {"w": "words", "v": ("verse", {"words": 2}), "r": ("recite", {"loud": True})},
        [("w.output", "v.text"), ("v.output", "r.verse")],
    )
    assert asyncio.run(execute(plan, {"w": "a b c"})).outputs["r.output"] == "A B\nC"
