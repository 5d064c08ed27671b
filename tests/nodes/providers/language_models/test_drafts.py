"""Drafts of a model that follows instructions: the first without faults is shown."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.running import run

from impasto_nodes.providers.local.language_models import served
from impasto_nodes.providers.local.process import WorkerProcess
from impasto_nodes.providers.local.text import ARRANGER

pytestmark = pytest.mark.anyio
BRIEF = "Neue Hydraulikpumpe für Bagger, 350 bar, ab März lieferbar."
GOOD = "Mehr Druck für Ihren Bagger. Die neue Hydraulikpumpe liefert 350 bar, leise und robust."
BAD = "A new pump with 500 bar for your excavator, and it is very strong and good."
HANDLER = "tests.nodes.providers.language_models.scripted:serve"


@pytest.fixture(scope="module")
def worker() -> Iterator[WorkerProcess]:
    """The worker process of all tests of this file, which serves the drafts of each folder."""
    made = WorkerProcess(HANDLER)
    yield made
    made.stop()


@pytest.fixture
def folder(worker: WorkerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(served, "_worker", worker)
    monkeypatch.setenv("IMPASTO_MODELS_DIR", str(tmp_path))
    monkeypatch.delenv("IMPASTO_LOCAL_MODEL", raising=False)
    return tmp_path


async def write(folder: Path, name: str, drafts: list[str], prompt: str = BRIEF, **settings: Any) -> Any:
    (folder / f"{name}.gguf").write_bytes(b"GGUF")
    (folder / f"{name}.drafts.json").write_text(json.dumps(drafts), "utf-8")
    result = await run("language_model", {"prompt": prompt}, key=None, provider="local", **settings)
    assert result.status == "finished", result.steps["it"].error
    (done,) = [event for event in result.events if event.type == "step.finished" and event.step == "it"]
    return result.outputs["it.output"], done.data["made_by"]["model"], result.outputs.get("it.data")


def asked(folder: Path, name: str) -> Any:
    return json.loads((folder / f"{name}.asked.json").read_text("utf-8"))


async def test_first_draft_without_faults_is_shown_and_named(folder: Path) -> None:
    text, model, _ = await write(folder, "qwen2.5-1.5b-instruct", [BAD, f"Gerne! {GOOD}", BAD])
    assert (text, model) == (GOOD, "qwen2.5-1.5b-instruct (on this machine)")
    assert len(asked(folder, "qwen2.5-1.5b-instruct")) == 2


async def test_without_a_faultless_draft_the_text_is_composed_from_the_brief(folder: Path) -> None:
    text, model, _ = await write(folder, "any-instruct", [BAD])
    assert model == ARRANGER
    assert "350 bar" in text
    assert len(asked(folder, "any-instruct")) == 3


async def test_invented_figure_in_a_later_sentence_is_left_out(folder: Path) -> None:
    long = (
        f"{GOOD} " * 1
        + "Für Bagger, die viel leisten und lange laufen sollen. Sie kostet nur 99 Euro. Ab März."
    )
    text, _, _ = await write(folder, "any-instruct", [f"{long} {BAD}"])
    assert "99" not in text
    assert "500" not in text
    assert text.endswith("Ab März.")


async def test_answer_to_a_question_is_the_last_draft_if_all_have_faults(folder: Path) -> None:
    text, model, _ = await write(folder, "any-instruct", [BAD], "Wie heißt die Hydraulikpumpe?")
    assert (text, model) == (BAD, "any-instruct (on this machine)")
    assert len(asked(folder, "any-instruct")) == 3


async def test_answer_may_say_what_the_question_does_not(folder: Path) -> None:
    text, _, _ = await write(
        folder, "any-instruct", ["It is 2035, in Lisbon."], "When and where is the next fair?"
    )
    assert text == "It is 2035, in Lisbon."
    assert len(asked(folder, "any-instruct")) == 1


async def test_data_with_faults_is_filled_from_the_brief(folder: Path) -> None:
    bad = json.dumps({"headline": "Pump", "body": BAD, "call_to_action": "Buy now"})
    _, model, data = await write(folder, "any-instruct", [bad], output_schema_preset="ad_copy")
    assert model == ARRANGER
    assert "500" not in json.dumps(data)


async def test_field_that_the_brief_cannot_give_is_the_models(folder: Path) -> None:
    schema = {
        "type": "object",
        "properties": {"headline": {"type": "string"}, "mood": {"enum": ["calm", "loud"]}},
        "required": ["headline", "mood"],
    }
    _, model, data = await write(
        folder, "any-base", ['{"mood": "loud"}'], output_schema_preset="custom", schema=schema
    )
    assert model == "any-base (on this machine)"
    assert data["mood"] == "loud"
    assert "350 bar" in data["headline"]
    assert len(asked(folder, "any-base")) == 1


@pytest.mark.parametrize(
    ("name", "thinks", "roles"),
    [
        ("Qwen3-4B-Q4_K_M", {"enable_thinking": False}, ["system", "user"]),
        ("Mistral-7B-Instruct-v0.3", None, ["user"]),
        ("Llama-3.2-3B-Instruct", None, ["system", "user"]),
    ],
)
async def test_prompt_follows_the_template_of_the_model_family(
    folder: Path, name: str, thinks: Any, roles: list[str]
) -> None:
    await write(folder, name, [GOOD], system_prompt="Write a post.")
    (request,) = asked(folder, name)
    assert request.get("chat_template_kwargs") == thinks
    assert [message["role"] for message in request["messages"]] == roles
    assert "Write a post." in json.dumps(request["messages"])


@pytest.mark.parametrize(("beginning", "drafts"), [(199, 2), (200, 1)])
async def test_draft_is_judged_by_its_first_200_characters(folder: Path, beginning: int, drafts: int) -> None:
    start = f"{GOOD} Für Bagger, die viel leisten und lange laufen sollen, ab März lieferbar, mit "
    start += "Schlauch und Filter".ljust(beginning - len(start) - 1, "s") + "."
    texts = [f"{start} Sie ist billig und stark.", GOOD]
    text, _, _ = await write(folder, "any-instruct", texts, system_prompt="Never use these words: billig.")
    assert len(start) == beginning
    assert text == texts[drafts - 1]
    assert len(asked(folder, "any-instruct")) == drafts
