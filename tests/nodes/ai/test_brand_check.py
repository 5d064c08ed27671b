"""The brand check: whole reports of texts, images and SVGs, and the judgement of the tone."""

import json
from typing import Any

import pytest
from PIL import Image as Pillow
from PIL import ImageDraw
from tests.fakes.media import saved
from tests.fakes.running import error_of, run
from tests.fakes.state import State

from impasto import Brand, Image, MemoryStore

pytestmark = pytest.mark.anyio
NO_OTHERS = "No other brands are known: only a saved brand brings their names."
TONE_OFF = "The setting 'Judge the tone' is off."
GPT = {"provider": "openai", "model": "gpt-5-mini"}


def unmade(why: str) -> dict[str, Any]:
    return {"checked": False, "why": why}


async def report_of(inputs: dict[str, Any], store: MemoryStore | None = None, **settings: Any) -> Any:
    result = await run("brand_check", inputs, store=store, key=None, **settings)
    return result.outputs["it.report"]


async def stored(store: MemoryStore, data: bytes, media_type: str = "image/png") -> Image:
    return Image(asset_id=(await store.put(data, media_type)).asset_id, media_type=media_type)


async def test_report_of_a_text_has_each_check_of_texts() -> None:
    brand = Brand(brand_name="Fjell", banned_words=("cheap",), tone="calm")
    report = await report_of({"text": "A cheap trick.", "brand": brand}, check_tone=False)
    words = {
        "checked": True, "passed": False, "found": ["cheap"], "looked_for": 1, "inflections": ["en"],
    }  # fmt: skip
    assert report == {
        "passed": False,
        "failures": ["words"],
        "summary": (
            f"Banned words: cheap.\nOther brands' names: not checked. {NO_OTHERS}\n"
            f"Tone: not checked. {TONE_OFF}"
        ),
        "checks": [
            {"title": "Banned words", "passed": False, "reason": "Cheap."},
            {"title": "Other brands' names", "passed": None, "reason": NO_OTHERS},
            {"title": "Tone", "passed": None, "reason": TONE_OFF},
        ],
        "words": words,
        "names": unmade(NO_OTHERS),
        "tone": unmade(TONE_OFF),
    }


async def test_an_svg_is_checked_by_its_fonts_and_words_beside_a_text() -> None:
    store = MemoryStore()
    svg = await stored(store, b"<svg><text font-family='Arial'>cheap</text></svg>", "image/svg+xml")
    brand = Brand(brand_name="Fjell", banned_words=("cheap", "free"), fonts=("Arial",))
    report = await report_of({"picture": svg, "text": "Free", "brand": brand}, store, check_tone=False)
    assert report["words"]["found"] == ["cheap", "free"]
    assert report["fonts"] == {"checked": True, "passed": True, "found": ["Arial"], "foreign": []}
    drawn = unmade("An SVG is not drawn by this check.")
    assert [report[name] for name in ("palette", "contrast", "logo")] == [drawn] * 3
    assert report["tone"] == unmade(TONE_OFF)


async def test_words_of_an_svg_without_text_are_not_checked() -> None:
    store = MemoryStore()
    svg = await stored(store, b"<svg><path d='M0 0'/></svg>", "image/svg+xml")
    report = await report_of({"picture": svg, "brand": Brand(banned_words=("x",))}, store)
    unread = unmade("Words inside an image are not read.")
    assert (report["words"], report["names"], "tone" in report) == (unread, unread, False)
    assert (report["passed"], report["failures"]) == ("not checked", [])


async def test_a_damaged_svg_is_refused() -> None:
    store = MemoryStore()
    svg = await stored(store, b"<svg>", "image/svg+xml")
    error = error_of(await run("brand_check", {"picture": svg, "brand": Brand()}, store=store, key=None))
    assert (error.code, error.message) == (
        "unreadable_image", "The image cannot be checked. The SVG is damaged.",
    )  # fmt: skip


async def test_an_image_is_checked_by_its_pixels_and_beside_a_text() -> None:
    store = MemoryStore()
    picture = await stored(store, saved(Pillow.new("RGB", (64, 64), "#de8c3c")))
    brand = Brand(brand_name="Fjell", palette=("#de8c3c",), banned_words=("cheap",))
    report = await report_of({"picture": picture, "text": "cheap", "brand": brand}, store, check_tone=False)
    checks = {"palette", "contrast", "logo", "fonts", "words", "names", "tone"}
    assert set(report) == {"passed", "failures", "summary", "checks"} | checks
    assert (report["palette"]["passed"], report["palette"]["limit"]) == (True, 12.0)
    assert report["logo"] == unmade("The setting 'Logo must be there' is off.")
    assert report["fonts"] == unmade("The letters of an image are pixels, which do not say their font.")
    assert report["failures"] == ["words"]
    settings = {"logo": True, "palette_distance": 3, "check_tone": False}
    report = await report_of({"picture": picture, "brand": brand}, store, **settings)
    assert report["logo"] == unmade("The brand has no logo.")
    assert report["palette"]["limit"] == 3
    assert report["words"] == unmade("Words inside an image are not read.")


async def test_the_checked_image_or_else_the_text_leaves_by_the_output_of_its_verdict() -> None:
    store = MemoryStore()
    picture = await stored(store, saved(Pillow.new("RGB", (64, 64), "#de8c3c")))
    brand = Brand(brand_name="Fjell", banned_words=("cheap",))
    for text, output in (("Cheap.", "failed"), ("Calm.", "passed")):
        for given, subject in (({"picture": picture}, picture), ({}, text)):
            inputs = {"text": text, "brand": brand, **given}
            result = await run("brand_check", inputs, store=store, key=None, check_tone=False)
            made = {name: value for name, value in result.outputs.items() if name.startswith("it.")}
            assert made == {"it.report": made["it.report"], f"it.{output}": subject}


async def test_the_contrast_that_is_asked_for_is_the_limit() -> None:
    store = MemoryStore()
    image = Pillow.new("RGB", (512, 64), "white")
    for left in range(0, 512, 4):
        ImageDraw.Draw(image).line((left, 0, left, 63), fill="black")
    picture = await stored(store, saved(image))
    report = await report_of({"picture": picture, "brand": Brand()}, store, contrast=7)
    assert (report["contrast"]["passed"], report["contrast"]["limit"]) == (True, 7)


async def test_the_version_of_the_logo_that_is_found_counts() -> None:
    store = MemoryStore()
    shapes = []
    for spots in (((0, 10, 80, 90), (110, 10, 190, 90)), ((90, 5, 110, 95), (0, 40, 199, 60))):
        shape = Pillow.new("RGBA", (200, 100), (0, 0, 0, 0))
        for spot in spots:
            ImageDraw.Draw(shape).rectangle(spot, fill=(20, 20, 20, 255))
        shapes.append(shape)
    image = Pillow.new("RGB", (640, 480), "#f2e6d0")
    image.paste(shapes[0].resize((160, 80)), (200, 200), shapes[0].resize((160, 80)))
    there, absent = [await stored(store, saved(shape)) for shape in shapes]
    picture = await stored(store, saved(image))
    brand = Brand(logo=absent, logo_dark=there)
    report = await report_of({"picture": picture, "brand": brand}, store, logo=True)
    assert (report["logo"]["present"], report["logo"]["passed"]) == (True, True)


async def test_a_model_is_asked_for_the_tone_with_the_brands_lines(fakes: State) -> None:
    fakes.replies.append('{"fits": true, "why": "Quiet."}')
    brand = Brand(brand_name="Fjell", tone="calm", example_lines=("One.", "Two."))
    result = await run("brand_check", {"text": "Sleep well.", "brand": brand})
    tone = result.outputs["it.report"]["tone"]
    assert (tone["checked"], tone["passed"], tone["why"]) == (True, True, "Quiet.")
    assert tone["model"].startswith("gpt-")
    assert result.steps["it"].cost_usd > 0
    [finished] = [one for one in result.events if (one.type, one.step) == ("step.finished", "it")]
    made_by = {name: value for name, value in finished.data["made_by"].items() if value is not None}
    assert made_by == {"provider": "openai", "model": tone["model"], "method": "enhanced"}
    [request] = fakes.requests("chat")
    system, asked = (one["content"] for one in request.body["messages"])
    assert system.startswith(
        "Judge whether the text sounds like Fjell. Tone: calm. Lines that do: One. / Two."
    )
    assert asked.startswith("Text:\nSleep well.")


async def test_the_tone_of_a_brand_without_a_name_is_known_by_its_lines(fakes: State) -> None:
    fakes.replies.append('{"fits": false, "why": ""}')
    brand = Brand(example_lines=("One.",))
    result = await run("brand_check", {"text": "BUY", "brand": brand}, provider="openai", model="gpt-4o-mini")
    report = result.outputs["it.report"]
    assert (report["failures"], report["tone"]["passed"]) == (["tone"], False)
    [request] = fakes.requests("chat")
    assert request.body["messages"][0]["content"].startswith("Judge whether the text sounds like the brand.")
    assert (request.body["model"], request.body["temperature"]) == ("gpt-4o-mini", 0)


@pytest.mark.parametrize(
    ("answer", "is_read"),
    [
        ({"fits": True, "why": "x" * 200}, True),
        ({"fits": True, "why": "x" * 201}, False),
        ({"fits": True, "why": "", "more": 1}, False),
        ({"fits": "yes", "why": ""}, False),
    ],
    ids=["200 characters", "201 characters", "another field", "no verdict"],
)
async def test_a_judgement_is_a_verdict_and_a_reason_of_200_characters(
    fakes: State, answer: dict[str, Any], is_read: bool
) -> None:
    fakes.replies.append(json.dumps(answer))
    result = await run("brand_check", {"text": "Hi", "brand": Brand(tone="calm")}, **GPT)
    assert (result.status == "finished") is is_read
