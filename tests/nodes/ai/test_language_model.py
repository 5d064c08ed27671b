"""The nodes that write: what they ask, show and answer, and the problems that are known before."""

import json
from typing import Any

import pytest
from tests.fakes.media import stored_image
from tests.fakes.running import error_of, flow_of, installed, run
from tests.fakes.state import GOOD_KEY, State

from impasto import Flow, FlowInvalid, MemoryStore, compile, execute
from impasto.testing import flow_of as flow_from

pytestmark = pytest.mark.anyio
GPT = {"provider": "openai", "model": "gpt-5-mini"}
PEOPLE = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}},
    "required": ["name", "tags"],
    "additionalProperties": False,
}
ANN = '{"name": "Ann", "tags": ["#a", "#b"]}'


def events(result: Any, kind: str) -> list[Any]:
    return [one.data for one in result.events if one.type == kind and one.step == "it"]


async def test_text_is_shown_while_it_is_written_and_data_is_not(fakes: State) -> None:
    fakes.replies.append("Cold brew")
    result = await run("language_model", {"prompt": "A can"}, **GPT)
    assert result.outputs["it.output"] == "Cold brew"
    assert "it.data" not in result.outputs
    assert "".join(data["delta"] for data in events(result, "step.partial")) == "Cold brew"
    assert events(result, "step.progress") == []
    fakes.replies.append(ANN)
    settings = GPT | {"output_schema_preset": "custom", "schema": PEOPLE}
    result = await run("language_model", {"prompt": "Who?"}, **settings)
    assert result.outputs["it.data"] == json.loads(ANN)
    assert result.outputs["it.output"] == "Ann\n\n#a #b"
    assert events(result, "step.partial") == []
    assert {(one["fraction"], one["message"]) for one in events(result, "step.progress")} == {
        (0.5, "Writing")
    }


@pytest.mark.parametrize("node_type", ["language_model", "structured_data"])
async def test_an_answer_is_corrected_once_with_the_reason(fakes: State, node_type: str) -> None:
    fakes.replies.extend(['{"name": 3}', ANN])
    settings = GPT | {"schema": PEOPLE}
    if node_type == "language_model":
        settings |= {"output_schema_preset": "custom"}
    result = await run(node_type, {"prompt": "Who?"}, **settings)
    output = "it.data" if node_type == "language_model" else "it.output"
    assert result.outputs[output] == json.loads(ANN)
    assert (0.6, "Correcting the answer") in [
        (one["fraction"], one["message"]) for one in events(result, "step.progress")
    ]
    asked = fakes.requests("chat")[1].body["messages"][-1]["content"]
    assert asked.startswith('Who?\n\nYour last answer was:\n{"name": 3}\n\nIt does not fit. ')
    assert asked.endswith("\nAnswer again with corrected JSON only.")
    [finished] = events(result, "step.finished")
    assert finished["cost_usd"] > 0
    assert (finished["made_by"]["provider"], finished["made_by"]["prompt"]) == ("openai", asked)


async def test_a_request_has_the_settings_of_the_node(fakes: State) -> None:
    store = MemoryStore()
    picture = await stored_image(store)
    settings = {"temperature": 0.3, "max_tokens": 77, "system_prompt": "Be brief.", "language": "German"}
    model = {"provider": "openai", "model": "gpt-4o-mini"}
    result = await run(
        "language_model", {"prompt": "A can", "pictures": picture}, store=store, **model, **settings
    )
    assert result.status == "finished", result.steps["it"].error
    body = fakes.requests("chat")[0].body
    assert body["model"] == "gpt-4o-mini"
    assert body["messages"][0]["content"] == "Be brief.\nWrite in German."
    assert body["temperature"] == 0.3
    assert 77 in {body.get("max_tokens"), body.get("max_completion_tokens")}
    parts = body["messages"][1]["content"]
    assert {part["type"] for part in parts} == {"text", "image_url"}
    settings = {"schema": PEOPLE, "instructions": "Find names.", "temperature": 0.7, "max_tokens": 99}
    inputs = {"prompt": "A can", "pictures": picture}
    await run("structured_data", inputs, store=store, **model, **settings)
    body = fakes.requests("chat")[1].body
    assert body["model"] == "gpt-4o-mini"
    assert body["messages"][0]["content"].startswith("Find names.")
    assert {part["type"] for part in body["messages"][1]["content"]} == {"text", "image_url"}
    assert (body["temperature"], body.get("max_tokens", body.get("max_completion_tokens"))) == (0.7, 99)


async def test_settings_that_are_not_set_are_not_sent(fakes: State) -> None:
    fakes.replies.extend(["Cold brew", '{"title": "A", "points": []}'])
    for node_type in ("language_model", "structured_data"):
        await run(node_type, {"prompt": "A can"}, **GPT)
    for request in fakes.requests("chat"):
        assert not {"temperature", "max_tokens", "max_completion_tokens"} & set(request.body)
    messages = fakes.requests("chat")[0].body["messages"]
    assert [(one["role"], one["content"]) for one in messages] == [("user", "A can")]


@pytest.mark.parametrize("node_type", ["language_model", "structured_data"])
async def test_invalid_fields_that_another_node_makes_are_refused_before_anything_is_paid(
    fakes: State, node_type: str
) -> None:
    custom = {"output_schema_preset": "custom"} if node_type == "language_model" else {}
    nodes = {
        "fields": ("data", {"value": {"type": "nonsense"}}),
        "ask": ("user_prompt", {"text": "Who?"}),
        "it": (node_type, GPT | custom),
    }
    edges = [("fields.output", "it.schema"), ("ask.output", "it.prompt")]

    async def credentials(provider: str) -> str:
        return GOOD_KEY

    plan = compile(flow_from(nodes, edges), installed())
    result = await execute(plan, credentials=credentials)
    assert error_of(result).code == "bad_schema"
    assert not fakes.requests("chat")


def problems_of(flow: Flow, *configured: str) -> list[tuple[str, str, str]]:
    """The problems of the node, where these providers have a key."""
    try:
        found = compile(flow, installed(), configured=frozenset(configured)).warnings
    except FlowInvalid as refused:
        found = refused.problems
    return [(one.code, one.setting, one.severity) for one in found if one.node == "it"]


def problems(node_type: str, **settings: Any) -> list[tuple[str, str, str]]:
    return problems_of(flow_of(node_type, settings, {"prompt": "A can"}), "openai")


def test_problems_of_a_custom_schema_are_known_before_a_run() -> None:
    custom = {**GPT, "output_schema_preset": "custom"}
    assert problems("language_model", **custom) == [("bad_setting", "schema", "warning")]
    assert problems("language_model", **custom, schema=PEOPLE) == []
    bad = {"type": "nonsense"}
    [(code, setting, severity)] = problems("language_model", **custom, schema=bad)
    assert (code, severity) == ("bad_schema", "error")
    assert setting.startswith("schema")
    assert problems("language_model", **GPT, schema=bad) == []
    assert problems("structured_data", **GPT, schema=bad)[0][0] == "bad_schema"


def test_a_plain_text_may_be_read_as_a_post() -> None:
    def meaning(**settings: Any) -> Any:
        flow = flow_of("language_model", GPT | settings, {"prompt": "A can"})
        [shown] = [one for one in compile(flow, installed()).results if one["port"] == "output"]
        return shown.get("meaning")

    assert meaning(reads_as="post") == "post"
    assert meaning(reads_as="text") is None


@pytest.mark.parametrize(("judged", "known"), [(True, True), (False, False)])
def test_the_key_of_a_brand_check_is_needed_only_to_judge_the_tone(judged: bool, known: bool) -> None:
    flow = flow_of("brand_check", {"provider": "anthropic", "check_tone": judged}, {"text": "Hi"})
    assert ("missing_credential" in [code for code, _, _ in problems_of(flow)]) is known


def test_a_brand_check_judges_the_tone_unless_that_is_off() -> None:
    flow = flow_of("brand_check", {"provider": "anthropic"}, {"text": "Hi"})
    assert problems_of(flow)[0][:2] == ("missing_credential", "provider")
