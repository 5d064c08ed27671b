"""A model that follows no instructions: the best of several drafts, shown as soon as one is good."""

import json
import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.reports import seen_by, shown
from tests.fakes.running import close_litellm_clients

from impasto.testing import FakeContext
from impasto_nodes.providers.errors import CorruptOutput
from impasto_nodes.providers.local import text as module
from impasto_nodes.providers.local.language_models import served
from impasto_nodes.providers.local.process import WorkerProcess
from impasto_nodes.providers.local.text import ARRANGER, LocalText
from impasto_nodes.providers.protocols import TextDelta, TextPart, TextRequest, TextResult

pytestmark = pytest.mark.anyio
QUESTION = "What keeps trail running shoes of ocean plastic dry?"
NONE, POOR, FAIR = "Nothing here fits.", "Ocean ocean ocean ocean.", "Ocean waves."
GOOD = "Ocean plastic shoes keep your feet dry."
LATE = f"Well then. {GOOD}"
SMALL, CAPABLE, ALONE = "smollm2-135m", "qwen2.5-1.5b", "mistral-7b"
LOADING = [(0.0, "Preparing the language model on this machine"), (0.0, "Loading with 3 threads")]
FRUIT = """
apple apricot banana blackberry blueberry cherry clementine coconut cranberry currant date elderberry fig
gooseberry grape grapefruit guava kiwi kumquat lemon lime lychee mandarin mango melon mulberry nectarine
olive orange papaya passionfruit peach pear persimmon pineapple plum pomegranate quince raspberry strawberry
tangerine
"""
SHAPE = {"anyOf": [{"type": "object", "properties": {"a": {"type": "string"}}}]}


@pytest.fixture(scope="module")
def worker() -> Iterator[WorkerProcess]:
    made = WorkerProcess("tests.nodes.providers.language_models.scripted:serve")
    yield made
    made.stop()


@pytest.fixture
async def context(
    tmp_path: Path, worker: WorkerProcess, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[FakeContext]:
    monkeypatch.setattr(served, "_worker", worker)
    monkeypatch.setattr(module, "_SECONDS_FOR_DRAFTS", 600.0)
    configuration = {"IMPASTO_MODELS_DIR": str(tmp_path), "IMPASTO_LOCAL_THREADS": "3"}
    yield FakeContext(configuration=configuration, seed=11)
    await close_litellm_clients()


async def answer(
    context: FakeContext, name: str, drafts: list[str], prompt: str = QUESTION, **facts: Any
) -> tuple[list[TextPart], list[dict[str, Any]]]:
    """The parts of an answer, and what the model was asked."""
    folder = Path(context.configuration.text("IMPASTO_MODELS_DIR"))
    (folder / f"{name}.gguf").write_bytes(b"GGUF")
    (folder / f"{name}.drafts.json").write_text(json.dumps(drafts), "utf-8")
    request = TextRequest(model="", prompt=prompt, **facts)
    parts = [part async for part in LocalText().stream(request, seen_by(context))]
    noted = folder / f"{name}.asked.json"
    return parts, json.loads(noted.read_text("utf-8")) if noted.exists() else []


def text_of(parts: list[TextPart]) -> str:
    """The text, which the deltas and the result agree on."""
    *deltas, result = parts
    assert isinstance(result, TextResult)
    assert all(isinstance(part, TextDelta) for part in deltas)
    assert "".join(part.text for part in deltas).strip() == result.text
    return result.text


async def test_draft_that_begins_well_is_shown_at_once(context: FakeContext) -> None:
    parts, asked = await answer(context, SMALL, [f"{GOOD} Rain stays outside."])
    assert text_of(parts) == f"{GOOD} Rain stays outside."
    assert parts[-1].model == f"{SMALL}, keeping to the brief (on this machine)"  # type: ignore[union-attr]
    assert len(asked) == 1
    assert shown(context) == [*LOADING, (0.0, "Draft 1")]


async def test_best_of_five_poor_drafts_is_shown(context: FakeContext) -> None:
    parts, asked = await answer(context, SMALL, [NONE, POOR, FAIR, NONE, POOR])
    assert text_of(parts) == FAIR
    assert len(asked) == 5
    assert [body["seed"] for body in asked] == [11, 12, 13, 14, 15]
    assert [fraction for fraction, words in shown(context) if words.startswith("Draft")] == [
        0.0,
        0.2,
        0.4,
        0.6,
        0.8,
    ]


async def test_draft_that_is_good_as_a_whole_ends_the_search(context: FakeContext) -> None:
    parts, asked = await answer(context, SMALL, [POOR, LATE, FAIR])
    assert text_of(parts) == LATE
    assert len(asked) == 2


async def test_first_of_equal_drafts_is_kept(context: FakeContext) -> None:
    parts, _ = await answer(context, SMALL, [NONE, "No word is there.", POOR, POOR, POOR])
    assert text_of(parts) == NONE


async def test_search_ends_when_its_time_is_up(context: FakeContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SECONDS_FOR_DRAFTS", -1.0)
    parts, asked = await answer(context, SMALL, [POOR, LATE])
    assert text_of(parts) == POOR
    assert len(asked) == 1


async def test_answer_has_three_sentences_at_most(context: FakeContext) -> None:
    long = "Ocean plastic shoes keep dry. Rain runs off. Feet stay warm. Mud falls away."
    parts, _ = await answer(context, SMALL, [long])
    assert text_of(parts) == "Ocean plastic shoes keep dry. Rain runs off. Feet stay warm."
    result = parts[-1]
    assert isinstance(result, TextResult)
    assert dict(result.units) == {"tokens_out": 11}


async def test_answer_of_a_model_that_follows_instructions_has_forty_sentences_at_most(
    context: FakeContext,
) -> None:
    sentences = [f"{word.capitalize()}." for word in FRUIT.split()]
    assert len(sentences) == 41
    parts, _ = await answer(context, CAPABLE, [" ".join(sentences)], "Which fruit is there?")
    assert text_of(parts) == " ".join(sentences[:40])


@pytest.mark.parametrize(
    ("draft", "text"),
    [
        (f"{GOOD} And then the", f"{GOOD} And then the"),
        (f"{GOOD} And then the[cut]", GOOD),
        (f"{GOOD} Rain stays[cut]", GOOD),
        ("Ocean plastic shoes of the[cut]", "Ocean plastic shoes"),
    ],
    ids=["whole", "half clause", "half sentence", "no sentence"],
)
async def test_half_a_sentence_is_dropped_where_the_answer_reached_its_limit(
    context: FakeContext, draft: str, text: str
) -> None:
    parts, _ = await answer(context, SMALL, [draft])
    assert text_of(parts) == text


async def test_draft_without_a_word_is_a_poor_one(context: FakeContext) -> None:
    parts, asked = await answer(context, SMALL, ["", GOOD])
    assert text_of(parts) == GOOD
    assert len(asked) == 2


@pytest.mark.parametrize("draft", ["Ocean waves.", "Well then. Ocean."], ids=["first sentence", "whole"])
async def test_draft_with_half_of_the_briefs_words_is_good_enough(context: FakeContext, draft: str) -> None:
    parts, asked = await answer(context, SMALL, [draft, GOOD], "Is it ocean plastic?")
    assert text_of(parts) == draft
    assert len(asked) == 1


async def test_model_that_follows_no_instructions_is_asked_by_examples(context: FakeContext) -> None:
    _, (body,) = await answer(context, SMALL, [GOOD], system="Be kind.")
    roles = [message["role"] for message in body["messages"]]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
    assert body["messages"][-1]["content"] == f"Be kind.\nBrief: {QUESTION}"
    assert body["stop"] == ["\n\n", "Brief:"]
    assert (body["temperature"], body.get("max_tokens", body.get("max_completion_tokens"))) == (0.2, 160)


@pytest.mark.parametrize(
    ("name", "facts", "limit"),
    [
        (SMALL, {"max_tokens": 100}, 100),
        (SMALL, {"max_tokens": 500}, 160),
        (SMALL, {"schema": SHAPE}, 1_024),
        (SMALL, {"schema": SHAPE, "max_tokens": 2_000}, 1_024),
        (CAPABLE, {}, 400),
        (CAPABLE, {"max_tokens": 399}, 399),
        (CAPABLE, {"schema": SHAPE, "max_tokens": 50}, 50),
    ],
)
async def test_answer_is_limited_by_what_the_model_can_and_what_is_asked(
    context: FakeContext, name: str, facts: dict[str, Any], limit: int
) -> None:
    draft = json.dumps({"a": GOOD}) if "schema" in facts else GOOD
    _, asked = await answer(context, name, [draft], **facts)
    assert asked[0].get("max_tokens", asked[0].get("max_completion_tokens")) == limit


@pytest.mark.parametrize("seed", [0, 7])
async def test_seed_is_the_requests_else_the_steps(context: FakeContext, seed: int) -> None:
    _, asked = await answer(context, SMALL, [GOOD], seed=seed)
    assert asked[0]["seed"] == seed


@pytest.mark.parametrize(("name", "is_plain"), [(SMALL, True), (CAPABLE, False)])
async def test_data_of_an_involved_shape_is_the_models_and_tidied(
    context: FakeContext, name: str, is_plain: bool
) -> None:
    half = {"a": "Ocean plastic shoes keep the café dry. And then the"}
    parts, asked = await answer(context, name, [json.dumps(half)], schema=SHAPE)
    assert text_of(parts) == '{"a": "Ocean plastic shoes keep the café dry."}'
    assert len(asked) == 1
    assert asked[0]["response_format"]["type"] == "json_schema"
    assert ("pattern" in json.dumps(asked[0]["response_format"])) is is_plain
    assert "stop" not in asked[0]


async def test_best_of_the_drafts_of_data_is_shown(context: FakeContext) -> None:
    drafts = [json.dumps({"a": each}) for each in (NONE, FAIR, POOR, NONE, POOR)]
    parts, asked = await answer(context, SMALL, drafts, schema=SHAPE)
    assert json.loads(text_of(parts)) == {"a": FAIR}
    assert len(asked) == 5


async def test_data_that_is_no_json_is_an_error(context: FakeContext) -> None:
    with pytest.raises(CorruptOutput):
        await answer(context, SMALL, ["{half"], schema=SHAPE)


SIMPLE = {"type": "object", "properties": {"headline": {"type": "string"}}}
HALF = '{"headline": "Ocean plastic'


@pytest.mark.parametrize(
    ("drafts", "schema", "asks", "text"),
    [
        (
            [HALF, '{"headline": "Shoes of ocean plastic"}'],
            SIMPLE,
            2,
            '{"headline": "Shoes of ocean plastic"}',
        ),
        ([HALF], SIMPLE, 3, '{"headline": "Shoes of ocean plastic, for rainy trails"}'),
        ([HALF, HALF, f'{{"a": "{GOOD}"}}'], SHAPE, 3, f'{{"a": "{GOOD}"}}'),
    ],
    ids=["next draft", "arranged", "last draft"],
)
async def test_data_that_was_cut_off_is_not_used(
    context: FakeContext, drafts: list[str], schema: dict[str, Any], asks: int, text: str
) -> None:
    brief = "Shoes of ocean plastic, for rainy trails."
    parts, asked = await answer(context, CAPABLE, drafts, brief, schema=schema)
    assert parts[-1].text == text
    assert len(asked) == asks


async def test_data_of_an_involved_shape_that_is_always_cut_off_is_an_error(context: FakeContext) -> None:
    with pytest.raises(CorruptOutput):
        await answer(context, CAPABLE, [HALF], schema=SHAPE)


@pytest.mark.parametrize(
    ("name", "contents"),
    [
        (CAPABLE, ["Be kind.", QUESTION]),
        (ALONE, [f"Be kind.\n\n{QUESTION}"]),
    ],
)
async def test_instructions_are_a_message_of_their_own_where_the_model_takes_one(
    context: FakeContext, name: str, contents: list[str]
) -> None:
    _, asked = await answer(context, name, [GOOD], system="Be kind.")
    assert [message["content"] for message in asked[0]["messages"]] == contents
    assert "stop" not in asked[0]


async def test_text_is_arranged_from_the_brief_without_asking_the_small_model(context: FakeContext) -> None:
    parts, asked = await answer(context, SMALL, [GOOD], "Shoes of ocean plastic, for rainy trails.")
    assert asked == []
    result = parts[-1]
    assert isinstance(result, TextResult)
    assert (result.model, result.provider, dict(result.units)) == (ARRANGER, "local", {})
    assert "ocean plastic" in text_of(parts)
    assert shown(context) == [(0.5, "Writing")]


async def test_generated_field_that_was_cut_off_is_an_error(context: FakeContext) -> None:
    schema = {"type": "object", "properties": {"mood": {"enum": ["calm", "loud"]}}}
    with pytest.raises(CorruptOutput):
        await answer(context, SMALL, ['{"mood": "lo[cut]'], "Shoes of ocean plastic.", schema=schema)


async def test_tokens_of_generated_fields_are_counted(context: FakeContext) -> None:
    schema = {
        "type": "object",
        "properties": {"headline": {"type": "string"}, "mood": {"enum": ["calm", "loud"]}},
    }
    drafts = ['{"mood": "loud"}']
    parts, asked = await answer(context, SMALL, drafts, "Shoes of ocean plastic for a café.", schema=schema)
    (result,) = parts
    assert isinstance(result, TextResult)
    assert result.text == '{"headline": "Shoes of ocean plastic for a café", "mood": "loud"}'
    assert [body["seed"] for body in asked] == [11]
    assert result.model.startswith(SMALL)
    assert result.units["tokens_out"] > 0
    assert shown(context) == [*LOADING, (0.5, "Writing")]
    plain = {"type": "object", "properties": {"headline": {"type": "string"}}}
    (other,), _ = await answer(context, SMALL, drafts, "Shoes of ocean plastic.", schema=plain)
    assert isinstance(other, TextResult)
    assert (other.model, dict(other.units)) == (ARRANGER, {})


async def test_text_is_arranged_after_three_drafts_with_faults(
    context: FakeContext, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="impasto.step")
    parts, asked = await answer(
        context, CAPABLE, ["Only 99 Euro."], "Shoes of ocean plastic, for rainy trails."
    )
    assert [body["seed"] for body in asked] == [11, 12, 13]
    assert parts[-1].model == ARRANGER  # type: ignore[union-attr]
    refused = [
        text for text in caplog.messages if text.startswith("a draft on this machine is not used: it ")
    ]
    assert len(refused) == 3
    assert shown(context) == [
        *LOADING,
        (0.0, "Draft 1"),
        (1 / 3, "Draft 2"),
        (2 / 3, "Draft 3"),
        (0.5, "Writing"),
    ]
