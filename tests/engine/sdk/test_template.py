"""Templates: what is a placeholder, what stays text, and how long parsing takes."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impasto import Placeholder, Template

# The definition by a regular expression: right, but of cubic time on hostile texts.
DEFINITION = re.compile(r"\{\{\s*([A-Za-z_][\w.]*)\s*(?:\|\s*([^{}]*?)\s*)?\}\}")


@given(st.text(alphabet="{}|ab.1 \n", max_size=40))
def test_placeholders_are_those_of_the_definition(text):
    expected = [(found[1], found[2], found[0]) for found in DEFINITION.finditer(text)]
    found = [(place.path, place.default, place.source) for place in Template.parse(text).placeholders]
    assert found == expected


@given(st.text(alphabet="{}|ab. ", max_size=60))
def test_rendering_each_placeholder_as_its_source_gives_the_text_back(text):
    assert Template.parse(text).render(lambda place: place.source) == text


def test_names_are_single_names_each_once_in_order():
    assert Template.parse("{{b}} {{ a | x }} {{b}} {{data.shots.0}}").names == ("b", "a")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{{a}}{{b}}", "<a><b>"),
        ("{{a}}x{{b}}y", "<a>x<b>y"),
        ("}}{{a}}}}{{b}}", "}}<a>}}<b>"),
        ("{{{a}}}", "{<a>}"),
    ],
)
def test_placeholders_that_touch_are_each_rendered(text, shown):
    assert Template.parse(text).render(lambda place: f"<{place.path}>") == shown


A, B = Placeholder("a", None, "{{a}}"), Placeholder("b", "x y", "{{ b | x y }}")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ()),
        ("text", ("text",)),
        ("{{a}}", (A,)),
        ("{{a}}{{ b | x y }}", (A, B)),
        ("x{{a}} {{ b | x y }}y", ("x", A, " ", B, "y")),
        ("{{a|}}", (Placeholder("a", "", "{{a|}}"),)),
        ("{{1}}{{a}}", ("{{1}}", A)),
        ("{{a|{}}", ("{{a|{}}",)),
        ("{{a|b}c}}", ("{{a|b}c}}",)),
        ("{{ }}", ("{{ }}",)),
    ],
    ids=repr,
)
def test_template_has_its_texts_and_placeholders_as_parts(text, parts):
    assert Template.parse(text).parts == parts


def test_text_that_is_made_literal_is_read_as_it_is():
    text = "{{a}} } {"
    assert Template.parse(Template.literal(text)).parts == (text,)
    assert Template.parse(f"{{{{a}}}}{Template.literal(text)}{{{{a}}}}").parts == (A, text, A)
    assert (A.is_name, Placeholder("a.0", None, "").is_name) == (True, False)


def test_a_value_is_not_read_as_a_template_again():
    assert Template.parse("{{a}}").render(lambda place: "{{b}}") == "{{b}}"


@pytest.mark.parametrize(
    "text",
    [
        "{{w}} {{a|" + " " * 400_000,
        "{{a|" * 100_000,
        "{{" * 200_000 + "}}" * 200_000,
        "}}" * 200_000,
        "{{a" + " " * 400_000 + "}}",
        "{{a|}" * 80_000 + "}}",
    ],
    ids=["open default", "open placeholders", "nested braces", "closing braces", "spaces", "broken ends"],
)
def test_hostile_text_is_parsed_within_a_second(text):
    started = time.process_time()
    Template.parse(text)
    assert time.process_time() - started < 1
