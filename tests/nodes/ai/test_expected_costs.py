"""What a step is expected to cost, to take and to say, before it runs."""

import sys
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.running import flow_of, installed

from impasto import Audio, Image, Mask, compile
from impasto_nodes.ai import (
    captions,
    dialogue,
    image_edit,
    image_generation,
    language_model,
    video_generation,
)
from impasto_nodes.ai.audio import text_to_speech
from impasto_nodes.ai.expected_tokens import expected_tokens
from impasto_nodes.providers.local.notices import DRAWN, FILLED

PHOTO = Image(asset_id="a", width=300, height=200)
NO_KEYS: frozenset[str] = frozenset()


def _module(function: Any) -> Any:
    """The module that a node stands in, which has the functions of its estimate."""
    return sys.modules[function.__module__]


def sound(seconds: float | None = None) -> Audio:
    return Audio(asset_id="a", media_type="audio/wav", seconds=seconds)


@pytest.mark.parametrize(
    ("node_type", "settings", "inputs", "usd", "seconds"),
    [
        ("dialogue", {"provider": "elevenlabs"}, {"script": "Anna: Is it cold?"}, 0.0017, 8),
        ("music_generation", {"provider": "elevenlabs"}, {"prompt": "Jazz"}, 0.3, 20),
        ("music_generation", {"provider": "elevenlabs", "seconds": 90}, {"prompt": "Jazz"}, 0.9, 20),
        ("sound_effects", {"provider": "elevenlabs"}, {"prompt": "A can"}, 0.12, 6),
        ("text_to_speech", {"provider": "elevenlabs"}, {"text": "Hello there"}, 0.0011, 3),
        ("captions", {"provider": "elevenlabs"}, {"audio": sound(90.0)}, 0.00555, 4),
        ("captions", {"provider": "elevenlabs"}, {"audio": sound()}, 0.00185, 4),
        ("captions", {"provider": "elevenlabs"}, {"audio": sound(90.0), "text": "Hi"}, 0.00555, 4),
        ("captions", {}, {"audio": sound(90.0), "text": "Hi"}, 0, 4),
        ("video_generation", {"provider": "local", "duration": 4}, {"prompt": "A can"}, 0, 6),
        ("video_generation", {"provider": "replicate", "duration": 5}, {"prompt": "A can"}, 0.25, 60),
        ("image_edit", {"provider": "openai"}, {"picture": PHOTO, "prompt": "Blue"}, 0.032, 8),
        ("image_generation", {"provider": "openai", "n_images": 3}, {"prompt": "A can"}, 0.096, 14),
    ],
)
def test_price_follows_what_is_asked_for(
    node_type: str, settings: dict[str, Any], inputs: dict[str, Any], usd: float, seconds: float
) -> None:
    expected = compile(flow_of(node_type, settings, inputs), installed()).step_estimates()["it"]
    assert expected == {"usd": pytest.approx(usd), "seconds": seconds}


GPT = {"provider": "openai", "model": "gpt-5-mini"}


@pytest.mark.parametrize(
    ("settings", "inputs", "tokens"),
    [
        ({}, {"prompt": "A can"}, (2, 400)),
        ({}, {"prompt": "A cans!!!"}, (3, 400)),
        ({}, {}, (200, 400)),
        ({"system_prompt": "x" * 41, "max_tokens": 9}, {"prompt": ""}, (11, 9)),
        ({"instructions": "é" * 4}, {"prompt": "abcd"}, (3, 400)),
        ({"schema": {"type": "object"}}, {"prompt": "abcd"}, (6, 400)),
        ({}, {"prompt": "abcd", "pictures": [PHOTO, PHOTO]}, (2001, 400)),
        ({}, {"prompt": "abcd", "pictures": PHOTO}, (1001, 400)),
    ],
)
def test_tokens_are_counted_by_bytes_and_images(
    settings: dict[str, Any], inputs: dict[str, Any], tokens: tuple[int, int]
) -> None:
    assert expected_tokens(settings, inputs) == tokens


def test_a_text_costs_its_input_and_its_longest_answer_and_at_least_a_short_one() -> None:
    module = _module(language_model)
    expected = module.estimate(GPT | {"max_tokens": 4000}, {"prompt": "x" * 4000}, NO_KEYS)
    assert expected["usd"] == pytest.approx(1000 * 0.25e-6 + 4000 * 2e-6)
    shortest = module.estimate(GPT | {"max_tokens": 10}, {"prompt": "x" * 4000}, NO_KEYS)
    assert shortest["usd"] == shortest["at_least"] == pytest.approx(1000 * 0.25e-6 + 10 * 2e-6)
    assert shortest["at_least"] < expected["at_least"] < expected["usd"]
    assert expected["seconds"] == 4.0


LOCAL = {"provider": "local"}
EDITS: dict[str, dict[str, Any]] = {"whole": {}, "masked": {"mask": Mask(image=PHOTO)}}
BRIEF = "A new tea shop in Leeds"


def test_the_local_text_is_known_before_the_run() -> None:
    estimate = _module(language_model).estimate
    known = estimate(LOCAL, {"prompt": BRIEF}, NO_KEYS)
    assert known["seconds"] == 1.0
    assert "tea shop" in known["value"].lower()
    assert known["notices"] == []
    shaped = estimate(LOCAL | {"output_schema_preset": "ad_copy"}, {"prompt": BRIEF}, NO_KEYS)
    assert "value" not in shaped
    assert shaped["notices"] == known["notices"]
    for prompt in (None, " "):
        unknown = estimate(LOCAL, {"prompt": prompt}, NO_KEYS)
        assert (unknown["seconds"], "notices" in unknown, "value" in unknown) == (1.0, False, False)
    french = estimate(LOCAL | {"language": "French"}, {"prompt": BRIEF}, NO_KEYS)
    assert [notice["code"] for notice in french["notices"]] == ["draft_language"]
    plain = estimate(LOCAL | {"output_schema_preset": "none"}, {"prompt": BRIEF}, NO_KEYS)
    assert plain == known
    asked = estimate(LOCAL | {"language": "as the brief"}, {"prompt": BRIEF}, NO_KEYS)
    assert asked["notices"] == known["notices"]


def test_a_local_model_that_follows_instructions_is_expected_to_write_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "SmolLM3-3B.gguf"
    file.write_bytes(b"GGUF")
    monkeypatch.setenv("IMPASTO_LOCAL_MODEL", str(file))
    known = _module(language_model).estimate(LOCAL, {"prompt": BRIEF}, NO_KEYS)
    assert (known["seconds"], "value" in known, "notices" in known) == (20.0, False, False)


def test_an_edit_is_estimated_with_the_model_for_edits() -> None:
    estimate = _module(image_edit).estimate
    model = {"provider": "fal"}
    usd = {kind: estimate(model | more, {}, NO_KEYS)["usd"] for kind, more in EDITS.items()}
    assert usd == {"whole": pytest.approx(0.04), "masked": pytest.approx(0.05)}


def test_a_local_image_is_announced_as_a_drawing() -> None:
    estimate = _module(image_generation).estimate
    settings = LOCAL | {"n_images": 2, "aspect_ratio": "1:1"}
    assert estimate(settings, {}, NO_KEYS)["notices"] == [DRAWN]
    known = estimate(settings, {"prompt": BRIEF}, NO_KEYS)
    assert (known["items"], known["seconds"], known["usd"]) == (2, 10.0, 0)
    assert known["notices"][0] == DRAWN
    paid = estimate(settings | {"provider": "openai"}, {"prompt": "Five vertical images of tea"}, NO_KEYS)
    assert [notice["code"] for notice in paid["notices"]] == ["image_count", "image_shape"]
    assert estimate(settings | {"provider": "openai"}, {}, NO_KEYS)["notices"] == []


@pytest.mark.parametrize(
    ("settings", "inputs", "notice"),
    [
        ({}, {}, DRAWN),
        ({"mask": Mask(image=PHOTO)}, {}, FILLED),
        ({}, {"mask": None}, FILLED),
    ],
)
def test_a_local_edit_says_what_it_does(
    settings: dict[str, Any], inputs: dict[str, Any], notice: str
) -> None:
    estimate = _module(image_edit).estimate
    assert estimate(LOCAL | settings, inputs, NO_KEYS)["notices"] == [notice]
    assert "notices" not in estimate({"provider": "openai"} | settings, inputs, NO_KEYS)


def test_a_local_clip_says_what_it_shows_once_its_prompt_is_known() -> None:
    estimate = _module(video_generation).estimate
    settings = LOCAL | {"duration": 4.0}
    assert "notices" not in estimate(settings, {}, NO_KEYS)
    longer = "A 30-second teaser for a tea shop"
    assert estimate(settings, {"prompt": longer}, NO_KEYS)["notices"][0]["code"] == "video_length"
    assert "notices" not in estimate({"provider": "replicate", "duration": 5}, {"prompt": longer}, NO_KEYS)


def test_a_local_voice_says_what_it_cannot_speak() -> None:
    estimate = _module(text_to_speech.text_to_speech).estimate
    assert "notices" not in estimate(LOCAL, {}, NO_KEYS)
    foreign = estimate(LOCAL, {"text": "京都の新しい店"}, NO_KEYS)
    assert [notice["code"] for notice in foreign["notices"]] == ["voice_language"]
    unknown = estimate({"provider": "elevenlabs"}, {}, NO_KEYS)
    assert unknown["usd"] == pytest.approx(0.03)
    assert unknown["seconds"] == 3.0
    assert "notices" not in estimate({"provider": "elevenlabs"}, {"text": "京都の新しい店"}, NO_KEYS)
    assert (foreign["usd"], foreign["seconds"]) == (0, 3.0)


@pytest.mark.parametrize(
    ("settings", "provider"),
    [
        ({"voice": "Kore"}, "gemini"),
        ({"voice": "Kore", "provider": "auto"}, "gemini"),
        ({"voice": "Kore", "provider": "openai"}, "openai"),
        ({"voice": "Kore", "model": "eleven_v3"}, "elevenlabs"),
        ({"voice": "No such voice"}, "elevenlabs"),
        ({}, "elevenlabs"),
    ],
)
def test_a_voice_that_one_provider_has_is_estimated_with_it(settings: dict[str, Any], provider: str) -> None:
    estimate = _module(text_to_speech.text_to_speech).estimate
    keys = frozenset({"elevenlabs", "gemini", "openai"})
    assert estimate(settings, {"text": "Hi"}, keys)["provider"] == provider


def test_a_script_that_is_not_known_counts_as_600_characters() -> None:
    estimate = _module(dialogue).estimate
    for inputs in ({}, {"script": None}, {"script": ""}, {"script": "x" * 600}):
        assert estimate({"provider": "elevenlabs"}, inputs, NO_KEYS)["usd"] == pytest.approx(0.06)


def test_a_clip_costs_what_its_image_and_its_resolution_cost() -> None:
    estimate = _module(video_generation).estimate
    settings = {"provider": "xai", "model": "grok-imagine-video-1.5", "duration": 5.0}
    prompt = {"prompt": "A can"}
    assert estimate(settings | {"more": None}, prompt, NO_KEYS)["usd"] == pytest.approx(0.4)
    assert estimate(settings, prompt | {"picture": PHOTO}, NO_KEYS)["usd"] == pytest.approx(0.41)
    large = settings | {"more": {"resolution": "720p"}}
    assert estimate(large, prompt, NO_KEYS)["usd"] == pytest.approx(0.7)


def test_captions_of_a_known_text_are_free_only_on_this_machine() -> None:
    estimate = _module(captions).estimate
    inputs = {"audio": sound(60.0), "text": "Hi"}
    assert estimate({}, inputs, NO_KEYS) == {"usd": 0.0, "seconds": 4.0, "provider": "local"}
    assert estimate(LOCAL, inputs, NO_KEYS)["usd"] == 0
    assert estimate({"provider": "elevenlabs"}, inputs, NO_KEYS)["usd"] == pytest.approx(0.0037)
    video = {"video": sound(120.0), "text": ""}
    assert estimate({"provider": "elevenlabs"}, video, NO_KEYS)["usd"] == pytest.approx(0.0074)
    key = frozenset({"elevenlabs"})
    assert [estimate({}, inputs | {"text": text}, key)["usd"] for text in ("Hi", " ", None)] == pytest.approx(
        [0, 0.0037, 0.0037]
    )
