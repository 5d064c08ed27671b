from pathlib import Path

import pytest
from tests.fakes.media import png
from tests.fakes.running import error_of, flow_of, installed, run
from tests.fakes.state import State

from impasto import Audio, Brand, Flow, FlowInvalid, MemoryStore, NodeError, compile
from impasto.testing import run_node
from impasto_nodes.ai import structured_data
from impasto_nodes.ai.video_generation import list_durations
from impasto_nodes.providers.registry import duration_options
from impasto_nodes.providers.schemas.answers import schema_problems

pytestmark = pytest.mark.anyio
OPENAI = {"provider": "openai", "model": "gpt-5-mini"}
PEOPLE = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
    "additionalProperties": False,
}


async def test_variables_in_the_system_prompt_are_ports(fakes: State) -> None:
    inputs = {"prompt": "A can", "audience": "runners"}
    await run("language_model", inputs, system_prompt="Write for {{audience}}, {{mood}}.", **OPENAI)
    assert fakes.requests("chat")[0].body["messages"][0]["content"] == "Write for runners, ."


async def test_brand_voice_is_part_of_the_prompt(fakes: State) -> None:
    brand = Brand(brand_name="Northbound", tone="dry", banned_words=("cheap",))
    await run("language_model", {"prompt": "A can", "brand": brand}, system_prompt="Write an ad.", **OPENAI)
    said = fakes.requests("chat")[0].body["messages"][0]["content"]
    assert "You write for Northbound." in said
    assert "cheap" in said


async def test_custom_schema_returns_data(fakes: State) -> None:
    fakes.replies.append('{"name": "Ann"}')
    result = await run(
        "language_model", {"prompt": "Who?"}, output_schema_preset="custom", schema=PEOPLE, **OPENAI
    )
    assert result.outputs["it.data"] == {"name": "Ann"}


async def test_structured_data_is_repaired_once(fakes: State) -> None:
    fakes.replies.extend(['{"name": 3}', '```json\n{"name": "Ann"}\n```'])
    result = await run("structured_data", {"prompt": "Who?"}, schema=PEOPLE, **OPENAI)
    assert result.outputs["it.output"] == {"name": "Ann"}
    first, again = fakes.requests("chat")
    second = again.body["messages"][-1]["content"]
    assert first.headers["idempotency-key"] != again.headers["idempotency-key"]
    assert "$.name" in second
    assert '{"name": 3}' in second


async def test_schema_that_arrives_in_the_run_is_checked_before_a_model_is_asked() -> None:
    inputs = {"prompt": "Who?", "schema": {"type": "nonsense"}}
    with pytest.raises(NodeError) as refused:
        await run_node(structured_data, inputs, {"provider": "openai"})
    assert refused.value.code == "bad_schema"


async def test_structured_data_that_stays_wrong_fails(fakes: State) -> None:
    fakes.replies.extend(["not json", '{"nome": "Ann"}', '{"name": "never asked"}'])
    error = error_of(await run("structured_data", {"prompt": "Who?"}, schema=PEOPLE, **OPENAI))
    assert error.code == "not_in_shape"
    assert len(fakes.requests("chat")) == 2


@pytest.mark.parametrize(
    "reply", ['{"name": "\\ud83d"}', '{"name": "Ann", "age": NaN}', f'{{"age": {10**30}}}', "[" * 50_000]
)
async def test_unstorable_answer_does_not_match_the_schema(fakes: State, reply: str) -> None:
    fakes.replies.extend([reply, reply])
    error = error_of(await run("structured_data", {"prompt": "Who?"}, schema={"type": "object"}, **OPENAI))
    assert error.code == "not_in_shape"


@pytest.mark.parametrize("found", ["#/$defs/missing", "#nowhere", "#/properties/a/9"])
def test_a_schema_that_refers_to_what_is_not_in_it_is_refused_before_anything_is_paid(found: str) -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": found}}}
    flow = flow_of("structured_data", {"schema": schema}, {"prompt": "Who?"})
    with pytest.raises(FlowInvalid) as caught:
        compile(flow, installed())
    assert found in caught.value.problems[0].message


@pytest.mark.parametrize(
    "part", [{"$ref": "#/$defs/one"}, {"$ref": "#"}, {"$ref": "#kin"}, {"$ref": "#/$defs/a~1b"}]
)
def test_a_schema_may_refer_to_its_own_parts(part: dict[str, str]) -> None:
    one = {"type": "string", "$anchor": "kin"}
    schema = {"type": "object", "properties": {"a": part}, "$defs": {"one": one, "a/b": one}}
    compile(flow_of("structured_data", {"schema": schema}, {"prompt": "Who?"}), installed())


def test_choice_without_choices_is_a_warning_at_its_field() -> None:
    urgency = {"type": "string", "enum": []}
    parts = {"type": "array", "items": {"type": "object", "properties": {"full name": urgency}}}
    schema = {"type": "object", "properties": {"urgency": urgency, "parts": parts}}
    found = [(one["severity"], one["setting"], one["message"]) for one in schema_problems(schema)]
    said = "The field '{}' has no choices, so that no value is valid."
    assert found == [
        ("warning", "schema.properties.urgency.enum", said.format("urgency")),
        (
            "warning",
            'schema.properties.parts.items.properties["full name"].enum',
            said.format("full name"),
        ),
    ]


def test_invalid_schema_does_not_compile() -> None:
    flow = flow_of("structured_data", {"schema": {"type": "nonsense"}}, {"prompt": "Who?"})
    with pytest.raises(FlowInvalid) as caught:
        compile(flow, installed())
    assert [problem.code for problem in caught.value.problems] == ["bad_schema"]


@pytest.mark.parametrize("key", ["$ref", "$dynamicRef"])
def test_a_schema_that_reaches_outside_is_refused(key: str) -> None:
    schema = {"type": "object", "properties": {"a": {key: "http://127.0.0.1:9/schema.json"}}}
    settings = {"output_schema_preset": "custom", "schema": schema}
    with pytest.raises(FlowInvalid, match="outside of itself"):
        compile(flow_of("language_model", settings, {"prompt": "Who?"}), installed())


def test_a_missing_key_does_not_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ELEVENLABS_API_KEY", raising=False)
    flow = flow_of("text_to_speech", {"provider": "elevenlabs"}, {"text": "Hi"})
    with pytest.raises(FlowInvalid) as caught:
        compile(flow, installed(), configured=frozenset())
    (problem,) = caught.value.problems
    assert (problem.code, problem.node, problem.setting) == ("missing_credential", "it", "provider")
    assert compile(flow, installed(), configured=frozenset({"elevenlabs"}))


def test_estimates_come_from_list_prices() -> None:
    settings = {"provider": "replicate", "model": "black-forest-labs/flux-1.1-pro", "n_images": 4}
    plan = compile(flow_of("image_generation", settings, {"prompt": "A can"}), installed())
    assert plan.estimate({})["usd"] == pytest.approx(0.16)
    one = flow_of("image_generation", {**settings, "n_images": 1}, {"prompt": "A can"})
    assert compile(one, installed()).estimate({}) == {"usd": pytest.approx(0.04), "seconds": 6}


async def test_captions_of_a_known_text_need_no_provider() -> None:
    store = MemoryStore()
    kept = await store.put(b"RIFF", "audio/wav")
    inputs = {
        "audio": Audio(asset_id=kept.asset_id, media_type="audio/wav", seconds=4.0),
        "text": "Cold brew, warm light. Pour a glass.",
    }
    result = await run("captions", inputs, store=store, key=None)
    cues = result.outputs["it.cues"]
    assert [cue["text"] for cue in cues] == ["Cold brew, warm light.", "Pour a glass."]
    assert cues[-1]["end"] == pytest.approx(4.0)
    assert "00:00:04,000" in result.outputs["it.srt"]


async def test_captions_on_this_machine_say_what_they_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IMPASTO_MODELS_DIR", str(tmp_path))
    monkeypatch.setenv("IMPASTO_LOCAL_DOWNLOAD", "1")
    flow = flow_of("captions", {"provider": "local"}, {"audio": Audio(asset_id="a", media_type="audio/wav")})
    plan = compile(flow, installed(), configured=frozenset())
    (problem,) = [one for one in plan.warnings if one.code == "caption_model_missing"]
    assert (problem.severity, problem.setting) == ("warning", "provider")
    assert "impasto models pull whisper-small" in problem.hint
    folder = tmp_path / "captions" / "tiny"
    folder.mkdir(parents=True)
    (folder / "model.bin").write_bytes(b"x")
    again = compile(flow, installed(), configured=frozenset())
    assert not [one for one in again.warnings if one.code == "caption_model_missing"]


async def test_brand_check_routes_images_to_pass_or_fail() -> None:
    store = MemoryStore()
    from impasto import Image

    kept = await store.put(png(), "image/png")
    inputs = {"picture": Image(asset_id=kept.asset_id), "brand": Brand(brand_name="N", palette=("#de8c3c",))}
    grey = await run("brand_check", inputs, store=store, key=None, contrast=1)
    assert grey.outputs["it.passed"].asset_id == kept.asset_id
    assert "it.failed" not in grey.outputs


async def test_brand_check_of_a_text_closes_the_other_output() -> None:
    inputs = {"text": "A cheap trick.", "brand": Brand(brand_name="N", banned_words=("cheap",))}
    result = await run("brand_check", inputs, key=None)
    assert result.outputs["it.report"]["failures"] == ["words"]
    assert result.outputs["it.failed"] == "A cheap trick."
    assert "it.passed" not in result.outputs


NO_OTHER_NAMES = (
    "Other brands' names: not checked. No other brands are known: only a saved brand brings their names.\n"
)


async def test_a_check_says_what_it_looked_at_and_what_it_could_not_judge() -> None:
    brand = Brand(brand_name="N", banned_words=("cheap",), tone="calm")
    report = (await run("brand_check", {"text": "A trick.", "brand": brand}, key=None)).outputs["it.report"]
    assert report["passed"] is True
    assert report["summary"] == (
        "Banned words: none in the text, of 1 looked for in any inflection (English).\n"
        f"{NO_OTHER_NAMES}Tone: not checked. "
        "No language model with a key is set; the local one is too small to judge tone."
    )


async def test_a_brand_without_values_is_not_checked() -> None:
    result = await run("brand_check", {"text": "A trick.", "brand": Brand()}, key=None)
    report = result.outputs["it.report"]
    assert (report["passed"], report["failures"]) == ("not checked", [])
    assert report["summary"] == (
        f"Banned words: not checked. The brand bans no words.\n{NO_OTHER_NAMES}"
        "Tone: not checked. The brand has no tone of voice."
    )
    assert result.outputs["it.passed"] == "A trick."


async def test_the_tone_is_judged_by_a_model_with_a_key(fakes: State) -> None:
    fakes.replies.append('{"fits": false, "why": "Too loud."}')
    inputs = {"text": "BUY NOW!!!", "brand": Brand(brand_name="N", tone="calm")}
    result = await run("brand_check", inputs, provider="openai", model="gpt-5-mini")
    assert result.outputs["it.report"]["tone"]["why"] == "Too loud."
    assert result.outputs["it.report"]["failures"] == ["tone"]


async def test_missing_inputs_are_reported() -> None:
    assert (
        error_of(await run("brand_check", {"brand": Brand(brand_name="N")}, key=None)).code
        == "required_input"
    )
    assert error_of(await run("video_generation", {}, key=None)).code == "required_input"
    assert error_of(await run("captions", {}, key=None)).code == "required_input"
    assert error_of(await run("text_to_speech", {"text": "…"}, key=None)).code == "nothing_to_say"


@pytest.mark.parametrize(
    ("node_type", "name", "message"),
    [
        ("dialogue", "script", "There is nothing to say: the script holds no words."),
        ("music_generation", "prompt", "Describe the music: the prompt holds no words."),
        ("sound_effects", "prompt", "Describe the sound effect: the prompt holds no words."),
    ],
)
async def test_text_without_words_is_refused(node_type: str, name: str, message: str) -> None:
    error = error_of(await run(node_type, {name: "… !"}))
    assert (error.code, error.message) == ("required_input", message)


def test_an_agent_is_a_flow_in_a_node() -> None:
    inner = flow_of("language_model", {}, {"prompt": "A can"}).to_dict()
    outer = {
        "format": 1,
        "name": "outer",
        "nodes": [{"id": "team", "type": "agent", "settings": {"flow": inner}}],
        "edges": [],
    }
    plan = compile(Flow.parse(outer), installed())
    assert {step.id for step in plan.steps} == {"team/it", "team/in_prompt"}


def test_catalog_describes_the_ai_nodes() -> None:
    described = {found["id"]: found for found in installed().describe()["types"]}
    for name in ("language_model", "image_generation", "video_generation", "text_to_speech"):
        assert described[name]["category"] == "ai_models"
        assert described[name]["generative"] is True
    for name in ("structured_data", "image_edit", "brand_check", "captions", "agent"):
        assert described[name]["category"] == "advanced_models"
        assert described[name]["summary"].endswith(".")
    assert described["language_model"]["streams"] is True
    settings = described["language_model"]["settings"]["properties"]
    assert list(settings)[:4] == ["provider", "model", "system_prompt", "output_schema_preset"]
    assert list(described["text_to_speech"]["settings"]["properties"])[2:] == [
        "voice",
        "stability",
        "similarity_boost",
        "style",
        "speed",
    ]


async def test_lengths_of_clips_are_those_that_a_model_makes() -> None:
    offered = await list_durations("", None)
    assert offered == duration_options()
    assert {option["value"] for option in offered} >= {5, 8, 10}
