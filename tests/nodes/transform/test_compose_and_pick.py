"""Compose and Pick: text from templates and data; templates execute no code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes.running import installed

from impasto import Flow, NodeError
from impasto import compile as compile_flow
from impasto.sdk.node_type import node_type_of
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
    template = {"template": "{{who}}: {{data.title|none}}"}
    assert (await run_node(compose, {"who": "", "data": DATA}, template)).outputs == {}


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


def spoken_price(template, x):
    """The estimate of a dialogue whose script is composed."""
    nodes = [
        {"id": "x", "type": "user_prompt", "settings": {"text": x}},
        {"id": "script", "type": "compose", "settings": {"template": template}},
        {"id": "talk", "type": "dialogue", "settings": {"provider": "elevenlabs"}},
    ]
    edges = [{"from": "script.output", "to": "talk.script"}]
    if "{{x}}" in template:
        edges.append({"from": "x.output", "to": "script.x"})
    flow = Flow.parse({"format": 1, "nodes": nodes, "edges": edges})
    return compile_flow(flow, installed()).step_estimates()["talk"]["usd"]


def test_a_text_whose_places_are_all_known_before_the_run_is_estimated_by_its_length():
    usual = spoken_price("{{data.script}}", "unused")  # of 600 characters
    assert spoken_price("Anna: {{x}}", "a" * 94) == pytest.approx(usual * 100 / 600)
    assert spoken_price("Anna: {{x}} {{data.more}}", "a" * 94) == pytest.approx(usual)
    assert spoken_price("Anna: Hi", "unused") == pytest.approx(usual)


@pytest.mark.parametrize(
    ("template", "inputs", "estimate"),
    [
        ("{{a}} and {{b}}", {"a": "x", "b": "y"}, {"usd": 0.0, "value": "x and y"}),
        ("{{a}} and {{b}}", {"a": "x"}, {"usd": 0.0}),
        ("{{a}}", {"a": 5}, {"usd": 0.0}),
        ("{{a|friend}} and {{b}}", {"a": "", "b": ""}, {"usd": 0.0, "value": "friend and "}),
        ("Hi", {}, {"usd": 0.0}),
        (None, {}, {"usd": 0.0}),
    ],
    ids=["known", "unknown", "no text", "default", "no place", "no template"],
)
def test_estimate_is_free_and_has_the_text_that_is_known_before_the_run(template, inputs, estimate):
    assert node_type_of(compose).cost({"template": template}, inputs, frozenset()) == estimate


@pytest.mark.parametrize(
    ("template", "variables", "said"),
    [
        ("{{a}}{{b|-}}", {"a": "", "b": ""}, "-"),
        ("{{a|x}} {{a}}", {"a": ""}, "x "),
        ("{{a}} {{gone}}", {"a": "1"}, "1 {{gone}}"),
        ("{{a}} {{b}}", {"a": "1", "b": ""}, "1 "),
    ],
)
async def test_defaults_fill_empty_places_and_unknown_names_stay(template, variables, said):
    assert await compose(template=template, variables=variables) == said


@pytest.mark.parametrize(
    ("path", "data", "said"),
    [
        ("data.0", ["a"], "a"),
        ("data.1|none", ["a"], "none"),
        ("data.a|none", {"a": ""}, "none"),
        ("data.a|none", {"a": []}, "none"),
        ("data.a|none", {"a": {}}, "none"),
        ("data.a", {"a": 0}, "0"),
        ("data.a", {"a": False}, "false"),
        ("data.a", {"a": ["x", 1]}, '["x",1]'),
        ("data.a.b", {"a": {"b": {"c": 1}}}, '{"c":1}'),
        ("data.0.b|none", {"0": 1}, "none"),
        ("data.a.0|none", {"a": "text"}, "none"),
        ("data.²|none", ["a"], "none"),
        (f"data.{'9' * 5000}|none", ["a"], "none"),
    ],
)
async def test_data_at_a_path_is_written_as_text(path, data, said):
    assert await compose(data=data, template="{{" + path + "}}", variables={}) == said


@pytest.mark.parametrize(
    ("path", "data", "found"),
    [
        ("*", {"a": "x", "b": "y"}, ["x", "y"]),
        ("", ["x", None, "y"], ["x", "y"]),
        ("a..0", {"a": ["x", "y"]}, ["x"]),
        ("1", ["x", "y"], ["y"]),
        ("*.0", [["x"], ["y"]], ["x", "y"]),
        ("a", {"a": [[1], {"b": 2}, True]}, ["[1]", '{"b":2}', "true"]),
    ],
)
async def test_a_path_picks_one_value_or_all(path, data, found):
    assert await pick(data=data, path=path) == found


@pytest.mark.parametrize("path", ["*.*", "2", "x", "0.*", "0.0", "²", "9" * 5000], ids=lambda path: path[:9])
async def test_a_path_that_the_data_does_not_have_is_an_error(path):
    with pytest.raises(NodeError) as caught:
        await pick(data=["x", "y"], path=path)
    assert caught.value.code == "nothing_there"
