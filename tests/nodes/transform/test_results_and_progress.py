"""What transforms return beside pixels and samples: names, formats, lengths and progress; their limits."""

import sys

import numpy as np
import pytest
from PIL import Image as Pillow
from tests.fakes.media import saved

from impasto import Brand, File, NodeError
from impasto_nodes.media.audio import audio_file
from impasto_nodes.media.image import matting
from impasto_nodes.media.probe import probe
from impasto_nodes.media.video import video_reader
from impasto_nodes.transform import (
    burn_captions,
    compose_ads,
    contact_sheet,
    convert,
    join_clips,
    mix_audio,
    overlay_logo,
    overlay_text,
    pace_voice,
    palette,
    place_product,
    remove_background,
    resize_crop,
    still_to_video,
    subject_mask,
)
from impasto_nodes.transform.overlay_text import list_fonts

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def _without_network(monkeypatch):
    """Things are found by the colors around them, which is quicker."""
    monkeypatch.setattr(matting, "_network", lambda: None)


def progress(done):
    """The fractions and messages that a step has reported."""
    return [
        (round(event.data["fraction"], 3), event.data["message"])
        for event in done.events
        if event.type == "step.progress"
    ]


def red(size=(60, 40)):
    return Pillow.new("RGB", size, (200, 40, 30))


def cut():
    image = Pillow.new("RGBA", (80, 60), (0, 0, 0, 0))
    image.paste((200, 60, 40, 255), (20, 10, 60, 50))
    return image


async def test_images_are_named_after_what_was_done(desk):
    image, logo = await desk.image(red()), await desk.image(cut())
    named = {
        "with-text.png": (overlay_text, {"image": image, "text": "Hi"}),
        "with-logo.png": (overlay_logo, {"image": image, "logo": logo}),
        "placed.png": (place_product, {"ground": image, "product": logo}),
        "cut-out.png": (remove_background, {"image": logo}),
        "contact-sheet.png": (contact_sheet, {"images": [image]}),
    }
    for name, (node, inputs) in named.items():
        made = (await desk.run(node, inputs)).output
        shown = await desk.open(made)
        assert (made.name, made.media_type) == (name, "image/png")
        assert (made.width, made.height) == shown.size


@pytest.mark.parametrize(
    ("kind", "ending"), [("PNG", "png"), ("JPEG", "jpg"), ("WEBP", "webp"), ("AVIF", "avif"), ("GIF", "png")]
)
async def test_an_image_keeps_its_format_where_a_node_can_write_it(desk, kind, ending):
    done = await desk.run(overlay_text, {"image": await desk.image(red(), kind), "text": "Hi"})
    assert done.output.name == f"with-text.{ending}"
    assert (await desk.open(done.output)).format == ("PNG" if kind == "GIF" else kind)


async def test_a_transparent_image_that_claims_to_be_a_jpeg_becomes_a_png(desk):
    image = await desk.raw_image(saved(cut()), "image/jpeg")
    assert (await desk.run(overlay_text, {"image": image, "text": "Hi"})).output.media_type == "image/png"
    image = await desk.image(cut(), "WEBP")
    assert (await desk.run(overlay_text, {"image": image, "text": "Hi"})).output.media_type == "image/webp"


async def test_progress_follows_the_work(desk):
    image = await desk.image(red())
    done = await desk.run(contact_sheet, {"images": [image] * 3}, {"width": 320})
    assert progress(done) == [(0.3, ""), (0.6, ""), (0.9, "")]
    done = await desk.run(resize_crop, {"image": image}, {"sizes": "LinkedIn"})
    assert progress(done) == [(0.5, "linkedin-post"), (1.0, "linkedin-square")]
    done = await desk.run(compose_ads, {"images": [image], "headlines": ["A", "B"]}, {"sizes": "TikTok"})
    assert progress(done) == [(0.5, "1 of 2"), (1.0, "2 of 2")]
    assert [ad.name for ad in done.output] == ["ad-1-tiktok.png", "ad-2-tiktok.png"]


async def test_progress_of_a_video_ends_before_it_is_stored(desk):
    image = await desk.image(red())
    done = await desk.run(still_to_video, {"image": image}, {"duration": 0.5, "height": 360})
    shown = [fraction for fraction, _ in progress(done)]
    assert shown == sorted(shown)
    assert (shown[0], shown[-1]) == (pytest.approx(0.95 / 12, abs=0.001), 0.95)
    clip = await desk.video(0.5, hertz=None)
    joined = await desk.run(join_clips, {"clips": [clip]})
    cues = {"cues": [{"start": 0, "end": 0.2, "text": "Go"}]}
    captioned = await desk.run(burn_captions, {"video": clip, "cues": cues})
    for done in (joined, captioned):
        shown = [fraction for fraction, _ in progress(done)]
        assert shown[0] == pytest.approx(1 / 12, abs=0.001)
        assert shown[-1] == 0.95
    assert (joined.output.name, captioned.output.name) == ("joined.mp4", "captioned.mp4")
    assert captioned.output.seconds == pytest.approx(0.5)
    assert (captioned.output.width, captioned.output.height) == (160, 90)


async def test_a_mix_reports_its_progress(desk, sine):
    done = await desk.run(mix_audio, {"voice": await desk.audio(sine(0.5))})
    assert progress(done) == [(0.3, ""), (0.6, "")]
    assert (done.output.name, done.output.media_type) == ("mix.m4a", "audio/mp4")
    assert done.output.seconds == pytest.approx(0.5)


async def test_only_a_missing_font_family_is_reported(desk):
    image = await desk.image(red((200, 100)))
    for font, shown in (("No Such Family", "No Such Family"), ("N" * 41, "N" * 40)):
        done = await desk.run(overlay_text, {"image": image, "text": "Hi"}, {"font": font})
        assert progress(done) == [(0.0, f"No font here is named '{shown}', so another one is used.")]
    assert progress(await desk.run(overlay_text, {"image": image, "text": "Hi"}, {"font": "Manrope"})) == []
    brand = Brand(brand_name="A", fonts=("Nowhere",))
    captions = {"video": await desk.video(0.1, hertz=None), "cues": {"cues": []}, "brand": brand}
    assert "'Nowhere'" in progress(await desk.run(burn_captions, captions))[0][1]
    ads = {"images": [image], "headlines": ["A"], "brand": brand}
    assert "'Nowhere'" in progress(await desk.run(compose_ads, ads, {"sizes": "TikTok"}))[0][1]


@pytest.mark.parametrize(("node", "word"), [(remove_background, "cut-out"), (subject_mask, "mask")])
async def test_how_a_subject_was_found_is_recorded(desk, node, word):
    done = await desk.run(node, {"image": await desk.image(cut())})
    finished = next(event for event in done.events if event.type == "step.finished")
    assert finished.data["made_by"] == {
        **finished.data["made_by"],
        "provider": "local",
        "model": "already see-through",
        "method": "enhanced",
    }
    made = done.output if node is remove_background else done.output.image
    assert made.name == f"{word}.png"
    assert (made.width, made.height) == (80, 60)
    assert progress(done) == []
    whole = Pillow.new("RGB", (90, 60), (225, 228, 230))
    whole.paste((200, 60, 40), (30, 15, 60, 45))
    assert progress(await desk.run(node, {"image": await desk.image(whole)})) == [(0.1, "")]


@pytest.mark.parametrize("node", [remove_background, subject_mask])
@pytest.mark.parametrize(("alpha", "counts"), [(249, True), (250, False)])
async def test_a_transparent_pixel_makes_an_image_a_cut_out(desk, node, alpha, counts):
    image = Pillow.new("RGBA", (90, 60), (225, 228, 230, 255))
    image.paste((200, 60, 40, 255), (30, 15, 60, 45))
    image.putpixel((0, 0), (225, 228, 230, alpha))
    done = await desk.run(node, {"image": await desk.image(image)})
    finished = next(event for event in done.events if event.type == "step.finished")
    assert (finished.data["made_by"]["model"] == "already see-through") is counts


async def test_trimming_keeps_what_can_be_seen(desk):
    image = cut()
    image.putpixel((70, 30), (9, 9, 9, 7))
    image.putpixel((20, 55), (9, 9, 9, 8))
    done = await desk.run(remove_background, {"image": await desk.image(image)}, {"trim": True})
    assert (await desk.open(done.output)).size == (40, 46)
    with pytest.raises(NodeError, match="'sand' is not a colour"):
        await desk.run(remove_background, {"image": await desk.image(image)}, {"ground": "sand"})


@pytest.mark.parametrize(
    ("shape", "ratio", "size"),
    [
        ((100, 100), "as the picture", (360, 360)),
        ((400, 100), "as the picture", (900, 360)),
        ((100, 400), "as the picture", (360, 900)),
        ((101, 100), "as the picture", (364, 360)),
        ((100, 100), "16:9", (640, 360)),
        ((100, 100), "4:5", (360, 450)),
    ],
)
async def test_a_still_has_its_short_side_and_its_ratio(desk, shape, ratio, size):
    settings = {"duration": 0.5, "height": 360, "aspect_ratio": ratio}
    done = await desk.run(still_to_video, {"image": await desk.image(red(shape))}, settings)
    assert (done.output.width, done.output.height, done.output.seconds) == (*size, 0.5)
    assert video_reader.size_of(await desk.file(done.output, "mp4")) == size


async def test_a_still_with_shorter_audio_lasts_its_own_time(desk, sine):
    inputs = {"image": await desk.image(red()), "audio": await desk.audio(sine(0.2))}
    done = await desk.run(still_to_video, inputs, {"duration": 0.5, "height": 360})
    assert (done.output.seconds, done.output.name) == (0.5, "still.mp4")
    sound = audio_file.load(await desk.file(done.output, "mp4"))
    assert np.abs(sound[:, : audio_file.RATE // 10]).max() > 0.2
    assert np.abs(sound[:, audio_file.RATE * 4 // 10 :]).max() < 0.02


@pytest.mark.parametrize(
    ("own", "asked", "messages"),
    [
        (3.0, 1.5, []),
        (3.6, 1.5, [(1.0, "The voice lasts 4 s, longer than 1.5 s: no word is cut.")]),
        (2.0, 2.0, []),
    ],
)
async def test_a_voice_that_is_long_enough_stays_as_it_is(desk, sine, own, asked, messages):
    voice = await desk.audio(sine(own))
    done = await desk.run(pace_voice, {"voice": voice}, {"seconds": asked})
    assert done.output == voice
    assert progress(done) == messages


async def test_a_paced_voice_is_a_wav_of_its_length(desk, sine):
    done = await desk.run(pace_voice, {"voice": await desk.audio(sine(1.0))}, {"seconds": 3})
    assert (done.output.name, done.output.media_type, done.output.seconds) == ("paced.wav", "audio/wav", 3.0)


@pytest.mark.parametrize(
    ("target", "media_type", "name"),
    [
        ("JPEG", "image/jpeg", "a.photo.jpg"),
        ("PNG", "image/png", "a.photo.png"),
        ("WebP", "image/webp", "a.photo.webp"),
        ("AVIF", "image/avif", "a.photo.avif"),
    ],
)
async def test_a_converted_file_keeps_its_name_with_another_ending(desk, target, media_type, name):
    image = await desk.image(red())
    file = File(asset_id=image.asset_id, media_type="image/png", name="a.photo.png")
    made = (await desk.run(convert, {"file": file}, {"format": target})).output
    assert (made.name, made.media_type) == (name, media_type)
    assert made.bytes == len(await desk.bytes(made))
    unnamed = File(asset_id=image.asset_id, media_type="image/png")
    assert (await desk.run(convert, {"file": unnamed})).output.name == "converted.jpg"


async def test_quality_of_a_converted_image_is_the_one_that_was_set(desk):
    image = await desk.image(Pillow.effect_noise((120, 90), 80).convert("RGB"))
    file = File(asset_id=image.asset_id, media_type="image/png")
    sizes = [
        (await desk.run(convert, {"file": file}, {"format": "WebP", "quality": quality})).output.bytes
        for quality in (20, 90)
    ]
    assert sizes[1] > 1.6 * sizes[0]


async def test_an_animation_becomes_a_video_and_audio_does_not(desk, sine):
    pages = [Pillow.new("RGB", (64, 48), color) for color in ("red", "blue")]
    image = await desk.image(pages[0], "GIF", save_all=True, append_images=pages[1:], duration=500)
    file = File(asset_id=image.asset_id, media_type="image/gif")
    made = (await desk.run(convert, {"file": file}, {"format": "MP4"})).output
    assert probe(await desk.file(made, "mp4")).seconds == pytest.approx(1.0, abs=0.1)
    sound = await desk.audio(sine(0.3))
    file = File(asset_id=sound.asset_id, media_type="audio/wav")
    with pytest.raises(NodeError, match="An audio file can't become MP4"):
        await desk.run(convert, {"file": file}, {"format": "MP4"})
    assert (await desk.run(convert, {"file": file}, {"format": "M4A"})).output.media_type == "audio/mp4"


@pytest.mark.parametrize(("size", "shown"), [((160, 90), (160, 90)), ((600, 40), (480, 32))])
async def test_a_gif_has_12_5_images_a_second_and_at_most_480_pixels_a_side(desk, size, shown):
    clip = await desk.video(0.5, size)
    file = File(asset_id=clip.asset_id, media_type="video/mp4")
    made = await desk.open((await desk.run(convert, {"file": file}, {"format": "GIF"})).output)
    assert made.size == shown
    assert made.n_frames == pytest.approx(6, abs=1)
    assert made.info["loop"] == 0
    assert made.info["duration"] == 80


async def test_colors_that_are_nearly_the_same_are_named_once_and_grey_ones_weigh_less(desk):
    image = Pillow.new("RGB", (120, 60), (128, 128, 128))
    image.paste((129, 129, 129), (0, 0, 60, 60))
    image.paste((230, 30, 30), (110, 0, 120, 60))
    report = (await desk.run(palette, {"image": await desk.image(image)}, {"count": 2})).outputs["report"]
    assert [entry["share"] for entry in report["colours"]] == [0.9167, 0.0833]
    assert report["most_colourful"] == report["colours"][1]["hex"]
    assert report["contrast"] == pytest.approx(1.05, abs=0.2)


@pytest.mark.parametrize(("other", "count"), [(139, 1), (140, 2)])
async def test_colors_closer_than_the_eye_tells_apart_are_one(desk, other, count):
    image = Pillow.new("RGB", (60, 60), (128, 128, 128))
    image.paste((other, other, other), (0, 0, 30, 60))
    done = await desk.run(palette, {"image": await desk.image(image)}, {"count": 2})
    assert len(done.outputs["colours"]) == count


async def test_transparent_pixels_do_not_count_unless_all_are(desk):
    image = Pillow.new("RGBA", (60, 60), (0, 0, 255, 127))
    image.paste((255, 0, 0, 128), (0, 0, 60, 10))
    assert (await desk.run(palette, {"image": await desk.image(image)})).outputs["colours"] == ["#ff0000"]
    image = Pillow.new("RGBA", (60, 60), (0, 0, 255, 127))
    assert (await desk.run(palette, {"image": await desk.image(image)})).outputs["colours"] == ["#0000ff"]


async def test_a_sheet_holds_120_images(desk):
    image = await desk.image(red((8, 8)))
    page = await desk.open(
        (await desk.run(contact_sheet, {"images": [image] * 120}, {"width": 320, "columns": 12})).output
    )
    assert page.getpixel((page.width - 20, page.height - 20)) == (200, 40, 30)


async def test_as_many_variations_as_the_limit_are_made(desk, monkeypatch):
    monkeypatch.setattr(sys.modules["impasto_nodes.transform.compose_ads"], "MAX_VARIATIONS", 2)
    image = await desk.image(red((80, 100)))
    inputs = {"images": [image], "headlines": ["A", " ", "B"], "calls": ["Go", "Buy", " "]}
    assert len((await desk.run(compose_ads, inputs, {"sizes": "TikTok"})).output) == 2
    with pytest.raises(NodeError, match="3 images and 2 headlines would make 3 variations"):
        await desk.run(compose_ads, inputs | {"images": [image] * 3}, {"sizes": "TikTok"})


async def test_a_product_that_cannot_be_seen_is_refused(desk):
    ground, faint = await desk.image(red()), Pillow.new("RGBA", (40, 40), (9, 9, 9, 15))
    with pytest.raises(NodeError, match="product is empty"):
        await desk.run(place_product, {"ground": ground, "product": await desk.image(faint)})
    faint.putpixel((20, 20), (9, 9, 9, 16))
    placed = await desk.run(place_product, {"ground": ground, "product": await desk.image(faint)})
    assert placed.output.name == "placed.png"


async def test_fonts_of_a_text_are_offered_by_name():
    assert await list_fonts("MANR", None) == [{"value": "Manrope", "label": "Manrope"}]
    assert len(await list_fonts("", None)) > 10
    assert await list_fonts("no such", None) == []


@pytest.mark.parametrize("node", [remove_background, subject_mask])
async def test_an_image_in_which_nothing_stands_out_is_refused(desk, node):
    with pytest.raises(NodeError, match="Nothing stands out") as caught:
        await desk.run(node, {"image": await desk.image(red())})
    assert caught.value.code == "nothing_found"
    assert caught.value.detail == matting.CLASSICAL


@pytest.mark.parametrize(
    ("palette", "ground"),
    [
        (None, (246, 243, 236)),
        (("#102030", "none"), (246, 243, 236)),
        (("#102030", "#fffdf0", "#ffffff"), (255, 253, 240)),
    ],
)
async def test_a_sheet_lies_on_the_first_light_color_of_the_brand(desk, palette, ground):
    inputs = {"images": [await desk.image(red())]}
    if palette:
        inputs["brand"] = Brand(palette=palette)
    page = await desk.open((await desk.run(contact_sheet, inputs, {"width": 320})).output)
    assert page.getpixel((1, 1)) == ground


@pytest.mark.parametrize(("logos", "at"), [(("logo",), 0), (("logo_dark",), 0), (("logo", "logo_dark"), 1)])
async def test_the_logo_for_dark_grounds_is_taken_where_text_would_be_light(desk, logos, at):
    """A logo in one version only is used on every ground."""
    inks = {"logo": (10, 10, 120), "logo_dark": (240, 240, 90)}
    marks = {name: await desk.image(Pillow.new("RGBA", (100, 50), (*inks[name], 255))) for name in logos}
    half = Pillow.new("RGB", (400, 300), (250, 250, 250))
    half.paste((10, 14, 20), (200, 150, 400, 300))
    done = await desk.run(overlay_logo, {"image": await desk.image(half), "brand": Brand(**marks)})
    assert (await desk.open(done.output)).getpixel((350, 265)) == inks[logos[at]]
