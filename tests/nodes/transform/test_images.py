"""Transforms that give images."""

import sys
import weakref

import numpy as np
import pytest
from PIL import Image as Pillow
from PIL import ImageDraw

from impasto import Brand, NodeError
from impasto_nodes.media.image.color import difference, from_hex
from impasto_nodes.transform import (
    contact_sheet,
    overlay_text,
    palette,
    place_product,
    remove_background,
    resize_crop,
    subject_mask,
)
from impasto_nodes.transform.channels import PACKS
from impasto_nodes.transform.files import read_image

pytestmark = pytest.mark.anyio


def photo(size=(640, 480)):
    """A red disc left of the middle on graded grey."""
    grade = np.linspace(90, 170, size[0], dtype=np.uint8)[None, :, None].repeat(size[1], 0).repeat(3, 2)
    image = Pillow.fromarray(grade.copy())
    ImageDraw.Draw(image).ellipse((80, 140, 280, 340), fill=(214, 60, 40))
    return image


@pytest.mark.parametrize("pack", sorted(PACKS))
async def test_every_pack_has_every_size_exactly(desk, pack):
    done = await desk.run(resize_crop, {"image": await desk.image(photo())}, {"sizes": pack})
    sizes = [(await desk.open(image)).size for image in done.output]
    assert sizes == [(place.width, place.height) for place in PACKS[pack]]
    assert all(image.name and image.name.endswith(".png") for image in done.output)


@pytest.mark.parametrize("fit", ["smart", "fill", "fit", "stretch"])
async def test_own_sizes_are_exact_however_it_fits(desk, fit):
    settings = {"width": 333, "height": 777, "fit": fit}
    done = await desk.run(resize_crop, {"image": await desk.image(photo())}, settings)
    assert (await desk.open(done.output[0])).size == (333, 777)


async def test_smart_crop_keeps_the_subject(desk):
    settings = {"width": 300, "height": 480}
    done = await desk.run(resize_crop, {"image": await desk.image(photo())}, settings)
    pixels = np.asarray(await desk.open(done.output[0]), int)
    red = (pixels[..., 0] - pixels[..., 1] > 90).mean()
    assert red > 0.18


async def test_subject_is_cut_out_and_the_method_is_recorded(desk):
    done = await desk.run(remove_background, {"image": await desk.image(photo())}, {"trim": True})
    cut = await desk.open(done.output)
    assert cut.mode == "RGBA"
    assert abs(cut.width - 200) < 40
    assert abs(cut.height - 200) < 40
    finished = next(event for event in done.events if event.type == "step.finished")
    assert finished.data["made_by"]["provider"] == "local"
    assert finished.data["made_by"]["model"]


@pytest.mark.parametrize(("part", "on_disc", "on_ground"), [("subject", 255, 0), ("background", 0, 255)])
async def test_subject_and_background_become_masks(desk, part, on_disc, on_ground):
    done = await desk.run(subject_mask, {"image": await desk.image(photo())}, {"part": part})
    mask = await desk.open(done.output.image)
    assert (mask.mode, mask.size) == ("L", (640, 480))
    assert mask.size == (done.output.image.width, done.output.image.height)
    assert mask.getpixel((180, 240)) == pytest.approx(on_disc, abs=3)
    assert mask.getpixel((600, 20)) == pytest.approx(on_ground, abs=3)


async def test_a_mask_grows_and_fades(desk):
    cut = Pillow.new("RGBA", (400, 200), (0, 0, 0, 0))
    cut.paste((200, 60, 40, 255), (150, 50, 250, 150))
    image = await desk.image(cut)

    async def covered(**settings):
        mask = await desk.open((await desk.run(subject_mask, {"image": image}, settings)).output.image)
        return np.asarray(mask)

    plain, grown, shrunk = await covered(), await covered(grow=4.9), await covered(grow=-2.6)
    assert ((plain > 0).sum(), (grown > 0).sum(), (shrunk > 0).sum()) == (100**2, 140**2, 80**2)
    assert ((await covered(grow=0.5)) > 0).sum() == 104**2
    edge = (await covered(feather=2))[100, 130:170].astype(int)
    assert (edge[0], edge[-1]) == pytest.approx((0, 255), abs=3)
    assert len(set(edge)) > 10
    assert (np.diff(edge) >= 0).all()
    background = await covered(part="background")
    assert (background == 255 - plain).all()


async def test_a_mask_is_as_large_as_an_image_of_more_than_1024_pixels_a_side(desk):
    cut = Pillow.new("RGBA", (1200, 60), (0, 0, 0, 0))
    cut.paste((200, 60, 40, 255), (300, 0, 900, 60))
    mask = await desk.open((await desk.run(subject_mask, {"image": await desk.image(cut)})).output.image)
    assert mask.size == (1200, 60)
    assert mask.point(lambda level: 255 if level > 127 else 0).getbbox() == (300, 0, 900, 60)


async def test_the_background_of_an_image_that_is_all_subject_is_refused(desk):
    cut = Pillow.new("RGBA", (40, 40), (200, 60, 40, 255))
    cut.putpixel((0, 0), (0, 0, 0, 0))
    with pytest.raises(NodeError) as caught:
        await desk.run(subject_mask, {"image": await desk.image(cut)}, {"part": "background", "grow": 5})
    assert caught.value.code == "nothing_found"


async def test_background_is_replaced(desk):
    inputs = {"image": await desk.image(photo())}
    assert (
        await desk.open((await desk.run(remove_background, inputs, {"ground": " "})).output)
    ).mode == "RGBA"
    done = await desk.run(remove_background, inputs, {"ground": "#00ff00"})
    image = await desk.open(done.output)
    assert image.mode == "RGB"
    assert image.getpixel((600, 20)) == pytest.approx((0, 255, 0), abs=12)
    assert image.getpixel((180, 240)) == pytest.approx((214, 60, 40), abs=12)


async def test_product_is_placed_on_the_backdrop(desk):
    product = Pillow.new("RGBA", (120, 200), (0, 0, 0, 0))
    ImageDraw.Draw(product).rectangle((20, 20, 99, 179), fill=(30, 90, 200, 255))
    ground = Pillow.new("RGB", (400, 500), (225, 220, 210))
    inputs = {"ground": await desk.image(ground), "product": await desk.image(product)}
    page = await desk.open((await desk.run(place_product, inputs, {"size": 0.5, "floor": 0.8})).output)
    assert page.size == (400, 500)
    assert page.getpixel((200, 300)) == (30, 90, 200)
    assert page.getpixel((200, 140)) == (225, 220, 210)
    assert sum(page.getpixel((200, 405))) < sum((225, 220, 210)) - 60


async def test_palette_has_the_main_colors_of_the_image(desk):
    image = Pillow.new("RGB", (300, 100), (240, 236, 226))
    image.paste((222, 79, 42), (200, 0, 290, 100))
    image.paste((47, 87, 224), (290, 0, 300, 100))
    done = await desk.run(palette, {"image": await desk.image(image)}, {"count": 3})
    shares = {entry["hex"]: entry["share"] for entry in done.outputs["report"]["colours"]}
    assert done.outputs["colours"] == list(shares)
    assert [round(share, 1) for share in shares.values()] == [0.7, 0.3, 0.0]
    for role, colour in {"lightest": (240, 236, 226), "darkest": (47, 87, 224)}.items():
        assert difference(from_hex(done.outputs["report"][role]), colour) < 3


async def test_a_sheet_holds_every_image_and_its_label(desk):
    colours = [(200, 40, 40), (40, 160, 60), (40, 60, 200), (220, 180, 40), (120, 40, 160)]
    images = [await desk.image(Pillow.new("RGB", (200, 200), colour)) for colour in colours]
    inputs = {"images": images, "labels": ["One", "Two"], "title": "Five colours"}
    page = await desk.open((await desk.run(contact_sheet, inputs, {"columns": 3, "width": 900})).output)
    assert page.width == 900
    seen = {page.getpixel((x, y)) for x in range(20, 900, 40) for y in range(20, page.height, 40)}
    assert set(colours) <= seen


async def test_empty_and_overfull_sheets_are_errors(desk):
    with pytest.raises(NodeError, match="no image for the sheet"):
        await desk.run(contact_sheet, {"images": []})
    one = await desk.image(Pillow.new("RGB", (8, 8)))
    with pytest.raises(NodeError, match="121 images are too many"):
        await desk.run(contact_sheet, {"images": [one] * 121})


async def test_a_hundred_images_are_held_one_at_a_time(desk, monkeypatch):
    one = await desk.image(Pillow.new("RGB", (300, 300), "teal"))
    held, peak = [], 0

    def read(image, context):
        nonlocal peak
        bitmap = read_image(image, context)
        held.append(weakref.ref(bitmap))
        peak = max(peak, sum(one() is not None for one in held))
        return bitmap

    monkeypatch.setattr(sys.modules["impasto_nodes.transform.contact_sheet"], "read_image", read)
    done = await desk.run(contact_sheet, {"images": [one] * 100}, {"width": 800, "columns": 10})
    assert done.output.width == 800
    assert peak <= 3


@pytest.mark.parametrize(
    ("settings", "code"),
    [({"columns": 12, "gap": 0.1}, "no_room"), ({"columns": 1, "width": 6000}, "picture_too_large")],
)
async def test_impossible_sheet_is_an_error(desk, settings, code):
    tall = await desk.image(Pillow.new("RGB", (10, 40)))
    with pytest.raises(NodeError) as caught:
        await desk.run(contact_sheet, {"images": [tall] * 24}, settings)
    assert caught.value.code == code


async def test_a_brand_from_elsewhere_may_name_colors_that_are_none(desk):
    brand = Brand(brand_name="Odd", palette=("periwinkle", "", "#zzzzzz", "#fffdf0"))
    inputs = {"images": [await desk.image(photo())], "brand": brand}
    assert (await desk.run(contact_sheet, inputs)).output.width == 1600


@pytest.mark.parametrize("node", [overlay_text, resize_crop, remove_background, subject_mask, palette])
@pytest.mark.parametrize(("data", "code"), [(b"", "empty_file"), (b"no image", "not_a_picture")])
async def test_invalid_file_has_one_message(desk, node, data, code):
    inputs = {"image": await desk.raw_image(data)} | ({"text": "x"} if node is overlay_text else {})
    with pytest.raises(NodeError) as caught:
        await desk.run(node, inputs)
    assert caught.value.code == code
    assert caught.value.message.endswith(".")
