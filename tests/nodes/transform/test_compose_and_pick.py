"""Compose and Pick: text from templates and data; templates execute no code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impasto import NodeError
from impasto.testing import run_node
from impasto_nodes.transform import compose, pick

pytestmark = pytest.mark.anyio
DATA = {
    "title": "Dawn",
    "shots": [{"scene": "A can", "seconds": 2}, {"scene": "A hand", "seconds": 3}],
    "tags": ["a", "b"],
}


async def composed(template, data=None, **variables):
    return (
        await run_node(
            compose, variables | ({"data": data} if data is not None else {}), {"template": template}
        )
    ).output


async def test_names_become_inputs_and_paths_read_data():
    assert await composed("{{who}} at {{ place }}", who="Ines", place="six") == "Ines at six"
    assert await composed("{{data.title}}: {{data.shots.1.scene}}", DATA) == "Dawn: A hand"
    assert await composed("{{data}}", {"a": 1}) == '{"a":1}'
    assert await composed("{{data.tags}} {{data.shots.0.seconds}}", DATA) == "a, b 2"


async def test_missing_field_of_data_is_an_error_or_has_a_default():
    with pytest.raises(NodeError, match=r"nothing at 'data\.nothing'"):
        await composed("{{data.nothing}}", DATA)
    assert await composed("{{data.nothing|quiet}}.", DATA) == "quiet."


async def test_a_name_without_a_value_leaves_its_place_empty():
    assert await composed("{{who}}, {{where}}.", who="Ines") == "Ines, ."
    assert await composed("Hi {{who|friend}}, {{who}}", who="Ines") == "Hi Ines, Ines"
    assert await composed("Hi {{who|friend}}.") == "Hi friend."


async def test_output_is_closed_without_any_value():
    assert (await run_node(compose, {"who": ""}, {"template": "Dear {{who}}"})).outputs == {}


@pytest.mark.parametrize("template", ["{{__import__('os')}}", "{{1+1}}", "{% if %}", "{{ }}", "{{data.a-b}}"])
async def test_template_executes_no_code(template):
    assert await composed(template, DATA) == template


@pytest.mark.parametrize("template", ["{{data.__class__}}", "{{data.title.upper}}", "{{data.shots.-1}}"])
async def test_a_path_reaches_data_only(template):
    said = await composed(template.replace("}}", "|nothing}}"), DATA)
    assert said in {"nothing", template.replace("}}", "|nothing}}")}


@given(st.text(st.characters(exclude_characters="{}")))
def test_plain_text_is_left_alone(text):
    import asyncio

    assert asyncio.run(compose(template=text, variables={})) == text


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("title", ["Dawn"]),
        ("shots.*.scene", ["A can", "A hand"]),
        ("shots.1.seconds", ["3"]),
        ("tags", ["a", "b"]),
        ("shots.0", ['{"scene":"A can","seconds":2}']),
    ],
)
async def test_texts_are_picked_out_of_data(path, expected):
    assert (await run_node(pick, {"data": DATA}, {"path": path})).output == expected


@pytest.mark.parametrize("path", ["nothing", "shots.9.scene", "title.deeper", "shots.*.nothing"])
async def test_path_without_a_match_is_an_error(path):
    with pytest.raises(NodeError, match="nothing at"):
        await run_node(pick, {"data": DATA}, {"path": path})


async def test_at_most_the_requested_number_is_picked():
    assert (
        await run_node(pick, {"data": {"letters": list("abcdef")}}, {"path": "letters", "most": 2})
    ).output == ["a", "b"]
