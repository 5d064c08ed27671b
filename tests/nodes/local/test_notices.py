"""Notices before a launch about requests that local models cannot fulfil."""

import json
import time
from pathlib import Path

import pytest
from tests.fakes.running import flow_of, installed
from tests.fixtures.briefs import BRIEFS, CASES

from impasto import Flow, compile
from impasto_nodes.providers.local.notices import (
    font_notices,
    image_notices,
    text_notices,
    video_notices,
    voice_notices,
    wish_notices,
)

AGENTS = Path(__file__).parents[3] / "examples" / "agents"


def codes(notices: object) -> list[str]:
    return [notice["code"] for notice in notices]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("language", "brief"), CASES)
def test_a_language_that_is_written_needs_no_notice(language: str, brief: str) -> None:
    assert list(text_notices(brief)) == []
    assert codes(voice_notices(brief)) == ([] if language == "en" else ["voice_language"])
    assert list(font_notices(brief)) == []


@pytest.mark.parametrize(("language", "is_silent"), [("de", False), ("ja", True), ("ar", True), ("hi", True)])
def test_notice_says_that_the_voice_cannot_read_the_script(language: str, is_silent: bool) -> None:
    (notice,) = voice_notices(BRIEFS[language][0])
    assert ("silent" in notice["message"]) is is_silent


@pytest.mark.parametrize(
    ("brief", "name"),
    [
        ("Нова стоматологічна клініка у Львові", "Ukrainian"),
        ("Nova zubna klinika u Zagrebu, za cijelu obitelj", "Croatian"),
        ("คลินิกทันตกรรมใหม่", "Thai"),
    ],
)
def test_a_language_that_is_not_written_is_named_with_the_way_out(brief: str, name: str) -> None:
    (notice,) = text_notices(brief)
    assert notice["code"] == "draft_language"
    assert name in notice["message"]
    assert "Provider keys" in notice["hint"]


def test_a_length_that_is_not_written_is_named() -> None:
    assert codes(text_notices("A blog post about soap, 800 words")) == ["draft_length"]
    assert codes(text_notices("Soap", "Forty words at most, 60 words are too many")) == []


@pytest.mark.usefixtures("system_fonts")
def test_letters_without_a_font_are_named() -> None:
    (notice,) = font_notices("Tea កខគឃងចឆជឈញដឋឌ")
    assert notice["code"] == "missing_font"
    assert notice["message"] == (
        "No font on this computer draws 'កខគឃងចឆជឈញដឋ': images will be made without it."
    )


@pytest.mark.parametrize(
    ("brief", "expected"),
    [
        ("6 square pictures for our tea shop", ["image_count", "image_shape"]),
        ("six pictures of our tea shop", ["image_count"]),
        ("Vier Bilder für unser Café, Hochformat", []),
        ("山梨のワイナリーの正方形の画像を6枚", ["image_count", "image_shape"]),
        ("Our tea shop has 12 teas", []),
        ("6 квадратных картинок для чайной", ["image_count", "image_shape"]),
        ("Šest je málo: 8 čtvercových obrázků pro čajovnu", ["image_count", "image_shape"]),
        ("6 τετράγωνες εικόνες για το τεϊοποτείο", ["image_count", "image_shape"]),
        ("6 neliönmuotoista kuvaa teehuoneelle", ["image_count", "image_shape"]),
        ("6 immagini quadrate per la sala da tè", ["image_count", "image_shape"]),
    ],
)
def test_a_number_and_a_shape_that_differ_are_named(brief: str, expected: list[str]) -> None:
    assert codes(image_notices(brief, 4, "4:5")) == ["local_drafts", *expected]


@pytest.mark.parametrize("unit", ["1-", "の1", "1 a ", " ", "(", "a", "no "])
def test_the_notices_of_a_long_prompt_take_a_bounded_time(unit: str) -> None:
    prompt = unit * 200_000
    started = time.process_time()
    for notices in (text_notices(prompt), voice_notices(prompt), image_notices(prompt, 1, "1:1")):
        list(notices)
    assert time.process_time() - started < 3


def test_a_length_of_video_that_differs_is_named() -> None:
    assert codes(video_notices("A 30-second teaser for our escape room", 5)) == ["video_length"]
    assert codes(video_notices("A 30-second teaser for our escape room", 29)) == []


@pytest.mark.parametrize("language", ["de", "ja"])
def test_every_built_in_agent_with_a_voice_says_so_before_the_launch(language: str) -> None:
    catalog = installed()
    for name in ("product_launch_kit", "reel_maker", "podcast_teaser"):
        document = json.loads((AGENTS / f"{name}.json").read_text())
        plan = compile(Flow.parse(document), catalog, configured=frozenset())
        (prompt,) = (node["id"] for node in document["nodes"] if node["type"] == "user_prompt")
        found = plan.notices({prompt: BRIEFS[language][0]})
        assert {notice.code for _, notice in found} == {"voice_language", "local_drafts"}, name
        assert [notice.code for _, notice in plan.notices({prompt: BRIEFS["en"][0]})] == ["local_drafts"]


def test_a_notice_is_not_given_where_a_model_is_connected() -> None:
    document = json.loads((AGENTS / "reel_maker.json").read_text())
    configured = frozenset({"openai", "elevenlabs", "replicate"})
    plan = compile(Flow.parse(document), installed(), configured=configured)
    assert plan.notices({"prompt": "Campagna per il nostro nuovo studio dentistico"}) == []


def test_a_text_in_another_language_than_the_brief_is_not_promised() -> None:
    (notice,) = text_notices("Unser neues Brot ist da", wanted="Japanese")
    assert notice["message"].startswith("This computer does not translate into Japanese")
    assert list(text_notices("Unser neues Brot ist da", wanted="German")) == []


def test_notice_names_the_settings_for_a_wish_in_the_prompt() -> None:
    wishes = list(wish_notices("6 square pictures for our tea shop", 4, "4:5"))
    assert [wish["settings"] for wish in wishes] == [{"n_images": 6}, {"aspect_ratio": "1:1"}]


@pytest.mark.parametrize(
    ("file", "expected"), [("qwen2.5-1.5b-instruct.gguf", []), ("smollm2-135m.gguf", ["draft_language"])]
)
def test_downloaded_model_that_can_write_needs_no_notice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, expected: list[str]
) -> None:
    monkeypatch.setenv("IMPASTO_MODELS_DIR", str(tmp_path))
    (tmp_path / file).write_bytes(b"GGUF")
    brief = "Нова стоматологічна клініка у Львові"
    plan = compile(flow_of("language_model", {"provider": "local"}, {"prompt": brief}), installed())
    assert [notice.code for _, notice in plan.notices({})] == expected


@pytest.mark.parametrize(
    ("brief", "number", "ratio", "settings"),
    [
        ("Square images of our tea", 1, "1:1", []),
        ("Square images of our tea", 1, "4:5", [{"aspect_ratio": "1:1"}]),
        ("Portrait images of our tea", 1, "4:5", []),
        ("Portrait images of our tea", 1, "9:16", []),
        ("Portrait images of our tea", 1, "1:1", [{"aspect_ratio": "4:5"}]),
        ("Portrait images of our tea", 1, "10:9", [{"aspect_ratio": "4:5"}]),
        ("Landscape images of our tea", 1, "16:9", []),
        ("Landscape images of our tea", 1, "4:3", []),
        ("Landscape images of our tea", 1, "9:10", [{"aspect_ratio": "16:9"}]),
        ("Our tea", 3, "9:16", []),
        ("Four images of our tea", 4, "1:1", []),
        ("FOUR images of our tea", 3, "1:1", [{"n_images": 4}]),
        ("4 images of our tea", 4, "1:1", []),
        ("12 images of our tea", 4, "1:1", [{"n_images": 12}]),
    ],
)
def test_a_wish_that_the_settings_fulfil_needs_no_notice(
    brief: str, number: int, ratio: str, settings: list[dict[str, object]]
) -> None:
    assert [notice["settings"] for notice in wish_notices(brief, number, ratio)] == settings


@pytest.mark.parametrize(("words", "expected"), [(100, []), (120, []), (121, ["draft_length"])])
def test_a_text_of_120_words_is_written(words: int, expected: list[str]) -> None:
    assert codes(text_notices(f"Our soap, in {words} words")) == expected
    assert codes(text_notices("Our soap", f"Write {words} words.")) == expected


@pytest.mark.parametrize(
    ("seconds", "expected"), [(28, []), (32, []), (27, ["video_length"]), (33, ["video_length"])]
)
def test_a_video_may_be_two_seconds_longer_or_shorter(seconds: float, expected: list[str]) -> None:
    assert codes(video_notices("A 30-second teaser for our escape room", seconds)) == expected
    assert codes(video_notices("A teaser for our escape room", seconds)) == []


def test_the_notice_of_a_text_names_its_language_once() -> None:
    (notice,) = text_notices("Нова стоматологічна клініка у Львові", wanted="Ukrainian")
    assert "does not write Ukrainian" in notice["message"]
    (notice,) = text_notices("Café")
    assert "a language that is not recognized" in notice["message"]
    (notice,) = voice_notices("Café")
    assert "a language that is not recognized" in notice["message"]


@pytest.mark.usefixtures("system_fonts")
def test_letters_of_the_headline_without_a_font_are_named_before_a_launch() -> None:
    assert codes(image_notices("ភាសាខ្មែរ", 1, "1:1")) == ["local_drafts", "missing_font"]
    assert list(font_notices("Tea")) == []
    assert list(font_notices("Thé")) == []


def test_what_is_beyond_the_part_that_is_read_needs_no_notice() -> None:
    long = "Our tea. " * 445
    assert codes(image_notices(f"{long}6 square images", 1, "4:5")) == ["local_drafts"]
    assert codes(wish_notices(f"{long}6 square images", 1, "4:5")) == []
    assert codes(text_notices(f"{long}Write 800 words.")) == []
    assert codes(text_notices("Our tea", f"{long}Write 800 words.")) == []
