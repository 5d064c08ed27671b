"""Dialogue, music and sound effects of ElevenLabs against its protocol on loopback."""

from typing import Any

import pytest
from tests.fakes.running import error_of, flow_of, installed, run
from tests.fakes.state import GOOD_KEY, POOR_KEY, Kind, State

from impasto import FlowInvalid, MemoryStore, compile
from impasto_nodes.ai.audio.dialogue import lines_of
from impasto_nodes.providers.elevenlabs import voices

pytestmark = pytest.mark.anyio
SCRIPT = "Anna: Is it cold?\nBen: [laughs] Ice cold."
CALLS = {
    "dialogue": ("script", SCRIPT, "/text-to-dialogue"),
    "music_generation": ("prompt", "Slow jazz, brushes", "/v1/music"),
    "sound_effects": ("prompt", "A can opens", "/sound-generation"),
}
PRICES = {"dialogue": 29 / 1000 * 0.1, "music_generation": 0.3, "sound_effects": 0.12}
VOICES = {"voices": {"Anna": "Rachel", "ben": "Adam"}}


@pytest.fixture(autouse=True)
def unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    """No voices are known from another test."""
    monkeypatch.setattr(voices, "_cache", {})


@pytest.mark.parametrize("node", CALLS)
def test_estimate_is_the_list_price_and_a_usual_time(node: str) -> None:
    port, text, _ = CALLS[node]
    estimate = compile(flow_of(node, {"provider": "elevenlabs"}, {port: text}), installed()).estimate({})
    # A dialogue is estimated with the names of its speakers, which are not spoken.
    assert estimate["usd"] == pytest.approx(len(SCRIPT) / 1000 * 0.1 if node == "dialogue" else PRICES[node])
    assert 5 <= estimate["seconds"] <= 20


def test_longer_music_is_estimated_by_its_minutes() -> None:
    settings = {"provider": "elevenlabs", "seconds": 120}
    flow = flow_of("music_generation", settings, {"prompt": "Slow jazz"})
    assert compile(flow, installed()).estimate({})["usd"] == pytest.approx(4 * PRICES["music_generation"])


async def make(node: str, **settings: Any) -> Any:
    options = {name: settings.pop(name) for name in ("key", "store", "options") if name in settings}
    port, text, _ = CALLS[node]
    given: dict[str, Any] = (VOICES if node == "dialogue" else {}) | settings
    return await run(node, {port: given.pop("text", text)}, **options, **given)


@pytest.mark.parametrize("node", CALLS)
async def test_audio_is_stored_and_charged(fakes: State, node: str) -> None:
    result = await make(node)
    assert result.status == "finished", result.steps["it"].error
    assert result.outputs["it.output"].media_type == "audio/mpeg"
    assert result.outputs["it.output"].seconds == pytest.approx(1.0, abs=0.1)
    assert result.steps["it"].cost_usd == pytest.approx(PRICES[node])


async def test_each_speaker_has_the_chosen_voice(fakes: State) -> None:
    await make("dialogue", stability=1, seed=7)
    (sent,) = fakes.requests("/text-to-dialogue")
    assert sent.body == {
        "inputs": [
            {"text": "Is it cold?", "voice_id": "21m00Tcm4TlvDq8ikWAM"},
            {"text": "[laughs] Ice cold.", "voice_id": "pNInz6obpgDQGcFmaJgB"},
        ],
        "model_id": "eleven_v3",
        "settings": {"stability": 1.0},
        "seed": 7,
    }


async def test_music_and_sound_effects_send_their_settings(fakes: State) -> None:
    await make("music_generation", seconds=12, instrumental=False)
    await make("sound_effects", seconds=2.5, loop=True, prompt_influence=0.8)
    music, effect = (fakes.requests(path)[0].body for path in ("/v1/music", "/sound-generation"))
    assert (music["music_length_ms"], music["force_instrumental"]) == (12_000, False)
    assert (effect["duration_seconds"], effect["loop"], effect["prompt_influence"]) == (2.5, True, 0.8)
    await make("sound_effects")
    assert "duration_seconds" not in fakes.requests("/sound-generation")[1].body


@pytest.mark.parametrize("stability", [0.1, 0.3, 0.8])
async def test_eleven_v3_gets_a_stability_that_it_knows(fakes: State, stability: float) -> None:
    speech = {"provider": "elevenlabs", "model": "eleven_v3", "stability": stability}
    result = await run("text_to_speech", {"text": "Pour a glass."}, **speech)
    assert result.status == "finished", result.steps["it"].error


async def test_text_that_is_too_long_is_refused_before_it_is_paid(fakes: State) -> None:
    assert error_of(await make("dialogue", text=f"Anna: {'a' * 2001}")).code == "text_too_long"
    speech = {"provider": "elevenlabs", "model": "eleven_v3"}
    assert error_of(await run("text_to_speech", {"text": "a" * 5001}, **speech)).code == "text_too_long"
    crowd = "\n".join(f"Voice {number}: Hello" for number in range(11))
    assert error_of(await make("dialogue", text=crowd)).code == "unsupported"
    assert not fakes.requests("/text-to-", "POST")


FAULTS: list[tuple[Kind, str, int, bool]] = [
    ("rate_limit", "rate_limited", 3, False),
    ("server_error", "provider_unavailable", 3, False),
    ("unavailable", "provider_unavailable", 3, False),
    ("disconnect", "stream_dropped", 3, True),
    ("moderation", "moderated", 1, False),
    ("corrupt", "corrupt_output", 1, True),
    ("empty", "corrupt_output", 1, True),
]


@pytest.mark.parametrize(("kind", "code", "sent", "is_paid"), FAULTS)
@pytest.mark.parametrize("node", CALLS)
async def test_fault_has_its_code_and_its_price(
    fakes: State, node: str, kind: Kind, code: str, sent: int, is_paid: bool
) -> None:
    path = CALLS[node][2]
    fakes.misbehave(kind, times=9, retry_after=0.01, on=path)
    store = MemoryStore()
    result = await make(node, store=store)
    error = error_of(result)
    assert (error.code, error.provider) == (code, "elevenlabs")
    assert GOOD_KEY not in f"{error.message}{error.detail}"
    assert not store.assets
    assert len(fakes.requests(path)) == sent
    assert bool(result.steps["it"].cost_usd) is is_paid


@pytest.mark.parametrize("node", CALLS)
async def test_wrong_key_no_credit_and_unknown_model(fakes: State, node: str) -> None:
    assert error_of(await make(node, key="xi_wrongwrongwrong")).code == "wrong_credential"
    assert error_of(await make(node, key=POOR_KEY)).code == "no_credit"
    options = {"allow_unpriced": True}
    assert error_of(await make(node, model="zero_v9", options=options)).code == "unknown_model"


@pytest.mark.parametrize("node", CALLS)
async def test_budget_that_is_too_small_sends_nothing(fakes: State, node: str) -> None:
    error = error_of(await make(node, options={"budget_usd": 0.001}))
    assert error.code == "budget_exceeded"
    assert not fakes.requests(CALLS[node][2])


@pytest.mark.parametrize("node", CALLS)
def test_without_a_key_the_node_says_how_to_connect_before_the_run(node: str) -> None:
    port, text, _ = CALLS[node]
    with pytest.raises(FlowInvalid) as caught:
        compile(flow_of(node, {}, {port: text}), installed(), configured=frozenset())
    (problem,) = caught.value.problems
    assert problem.code == "missing_credential"
    assert "ELEVENLABS_API_KEY" in (problem.hint or "")


async def test_unknown_voice_is_named(fakes: State) -> None:
    error = error_of(await make("dialogue", voices={"Anna": "Zoe", "Ben": "Adam"}))
    assert error.code == "unknown_voice"
    assert "'Zoe'" in error.message


async def test_line_without_a_name_continues_the_one_before(fakes: State) -> None:
    lines = lines_of("ANNA: Cold?\n  Really?\n\nBen: At 10:30, yes.", {"anna": "Rachel", "Ben": " "})
    assert [(line.voice, line.text) for line in lines] == [
        ("Rachel", "Cold? Really?"),
        ("Ben", "At 10:30, yes."),
    ]
    assert error_of(await make("dialogue", text="Is it cold?")).code == "no_speaker"
    assert error_of(await make("dialogue", text="...")).code == "required_input"


async def test_captions_come_from_scribe_with_the_times_of_words(fakes: State) -> None:
    store = MemoryStore()
    speech = (await make("music_generation", store=store)).outputs["it.output"]
    result = await run("captions", {"audio": speech}, store=store, provider="elevenlabs")
    (cue,) = result.outputs["it.cues"]
    assert (cue["start"], cue["text"]) == (0.0, "Cold brew, warm light.")
    assert cue["end"] == pytest.approx(2.1)
    (form,) = fakes.requests("/speech-to-text")
    assert b"scribe_v2" in form.body
    assert b"word" in form.body
