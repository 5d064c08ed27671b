"""Compose ads: variations by images, headlines and sizes."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow
from PIL import ImageDraw
from tests.fixtures.approved import assert_approved, sheet_of

from impasto import Brand, NodeError
from impasto.sdk.node_type import node_type_of
from impasto_nodes.transform import compose_ads
from impasto_nodes.transform.channels import PACKS
from impasto_nodes.transform.compose_ads import _FAMILIES

pytestmark = pytest.mark.anyio
APPROVED = Path(__file__).parent / "approved"


async def test_one_ad_per_variation_and_size(desk):
    images = [await desk.image(Pillow.new("RGB", (80, 100), color)) for color in ("#803020", "#208030")]
    inputs = {
        "images": images,
        "headlines": ["One", "Two", "Three"],
        "offer": "Free until June",
        "calls": ["Book now", "Call us"],
        "brand": Brand(brand_name="Acme", palette=("#0b6e4f", "#f4e9cd"), legal_line="Acme Ltd, Leeds"),
    }
    done = await desk.run(compose_ads, inputs, {"sizes": "LinkedIn"})
    sizes = [(ad.width, ad.height) for ad in done.output]
    assert sizes == [(place.width, place.height) for place in PACKS["LinkedIn"]] * 3
    assert len({ad.asset_id for ad in done.output}) == 6
    assert [(await desk.open(ad)).size for ad in done.output] == sizes
    places = [place.name for place in PACKS["LinkedIn"]]
    assert [ad.name for ad in done.output] == [f"ad-{at}-{place}.png" for at in (1, 2, 3) for place in places]
    shown = [event.data for event in done.events if event.type == "step.progress"]
    assert [each["message"] for each in shown][-1] == "3 of 3"
    assert shown[-1]["fraction"] == 1.0


async def test_missing_inputs_are_named(desk):
    image = await desk.image(Pillow.new("RGB", (40, 50), "#803020"))
    with pytest.raises(NodeError, match=r"^An ad needs a headline: connect one\.$") as refused:
        await desk.run(compose_ads, {"images": [image], "headlines": [" "]})
    assert refused.value.code == "required_input"
    with pytest.raises(NodeError, match="An ad needs an image"):
        await desk.run(compose_ads, {"images": [], "headlines": ["One"]})
    with pytest.raises(NodeError, match="No font here"):
        await desk.run(compose_ads, {"images": [image], "headlines": ["\U00010a60"]})


async def test_number_of_variations_is_limited(desk):
    image = await desk.image(Pillow.new("RGB", (40, 50), "#803020"))
    with pytest.raises(NodeError) as refused:
        await desk.run(compose_ads, {"images": [image], "headlines": ["One"] * 25})
    assert refused.value.code == "too_many_variations"
    assert refused.value.message == (
        "1 images and 25 headlines would make 25 variations. Connect at most 24 of each."
    )


async def test_the_logo_is_the_one_for_the_ground(desk):
    logo = await desk.image(Pillow.new("RGBA", (100, 50), (10, 10, 120, 255)))
    light = await desk.image(Pillow.new("RGBA", (100, 50), (240, 240, 90, 255)))
    inputs = {
        "images": [await desk.image(Pillow.new("RGB", (80, 100), "#777777"))],
        "headlines": ["One"],
        "brand": Brand(brand_name="Acme", palette=("#101830", "#ffffff"), logo=logo, logo_dark=light),
    }
    done = await desk.run(compose_ads, inputs, {"sizes": "Instagram"})
    for ad in done.output:
        colors = (await desk.open(ad)).convert("RGB").getcolors(1 << 22) or []
        assert sum(count for count, color in colors if color == (240, 240, 90)) > 400
        assert not any(color == (10, 10, 120) for _, color in colors)


async def test_with_a_product_no_ad_cuts_its_subject(desk):
    ground = np.random.default_rng(3).integers(80, 130, (40, 60, 3)).astype(np.uint8)
    photo = Pillow.fromarray(ground).resize((600, 400), Pillow.Resampling.BICUBIC)
    pen = ImageDraw.Draw(photo)
    pen.rectangle((160, 30, 240, 370), fill=(150, 20, 20))
    pen.rectangle((160, 30, 240, 45), fill=(255, 0, 255))
    pen.rectangle((160, 355, 240, 370), fill=(0, 0, 255))
    image = await desk.image(photo)
    inputs = {"images": [image], "headlines": ["One"], "product": image}
    done = await desk.run(compose_ads, inputs, {"sizes": "LinkedIn"})
    for ad in done.output:
        pixels = np.asarray((await desk.open(ad)).convert("RGB"), int)
        for end in ((255, 0, 255), (0, 0, 255)):
            assert (np.abs(pixels - end).max(2) < 70).any()


@pytest.mark.parametrize(
    ("ink", "name", "is_shown"),
    [
        ((36, 44, 76), "Acme", False),
        ((36, 44, 76), "", True),
        ((240, 240, 90), "Acme", True),
    ],
)
async def test_the_name_stands_for_a_logo_that_is_hardly_seen(desk, ink, name, is_shown):
    logo = await desk.image(Pillow.new("RGBA", (100, 50), (*ink, 255)).rotate(20, expand=True))
    brand = Brand(brand_name=name, palette=("#101830", "#ffffff"), logo=logo)
    inputs = {
        "images": [await desk.image(Pillow.new("RGB", (80, 100), "#777777"))],
        "headlines": ["One"],
        "brand": brand,
    }
    done = await desk.run(compose_ads, inputs, {"sizes": "TikTok"})
    pixels = np.asarray((await desk.open(done.output[0])).convert("RGB"), int)
    shown = (np.abs(pixels - ink).max(2) < 3).sum() > 400
    assert bool(shown) is is_shown


async def test_without_a_brand_the_colors_are_those_of_the_image(desk):
    image = Pillow.new("RGB", (80, 100), (128, 128, 128))
    image.paste((200, 40, 120), (0, 0, 80, 30))
    inputs = {"images": [await desk.image(image)], "headlines": ["One"]}
    for brand in (None, Brand(palette=("pink", ""))):
        done = await desk.run(compose_ads, inputs | ({"brand": brand} if brand else {}), {"sizes": "TikTok"})
        ad = (await desk.open(done.output[0])).convert("RGB")
        assert ad.getpixel((20, 1900)) == pytest.approx((200, 40, 120), abs=3)


async def test_text_is_set_in_the_brands_font_and_without_one_in_the_designs(desk):
    inputs = {"images": [await desk.image(Pillow.new("RGB", (80, 100), "#777777"))], "headlines": ["One"]}

    async def drawn(font, name=""):
        brand = Brand(brand_name=name, palette=("#101830", "#ffffff"), fonts=(font,) if font else ())
        return (await desk.run(compose_ads, inputs | {"brand": brand}, {"sizes": "TikTok"})).output[0].sha256

    own, other, none = [await drawn(font) for font in (_FAMILIES[0], _FAMILIES[1], "")]
    assert own == none != other
    assert await drawn("", "Acme") != none, "its name is its sign"


async def test_the_main_color_is_the_brands_or_a_colorful_one_of_medium_lightness(desk):
    image = Pillow.new("RGB", (80, 100), (0, 0, 90))
    image.paste((90, 130, 170), (0, 0, 80, 50))
    inputs = {"images": [await desk.image(image)], "headlines": ["One"]}

    async def drawn(**more):
        ad = (await desk.run(compose_ads, inputs | more, {"sizes": "TikTok"})).output[0]
        return (await desk.open(ad)).convert("RGB").getpixel((20, 1900))

    assert await drawn() == pytest.approx((90, 130, 170), abs=3)
    assert await drawn(brand=Brand(palette=("#a02060", "#ffffff"))) == (160, 32, 96)


async def test_an_ad_without_a_brand_has_its_texts_beside_the_image(desk):
    image = Pillow.linear_gradient("L").resize((80, 100)).convert("RGB")
    image.paste("#b04020", (20, 30, 60, 80))
    inputs = {
        "images": [await desk.image(image)],
        "headlines": ["Coffee for slow mornings", "Tea"],
        "offer": "Free until June",
        "calls": ["Order now"],
    }
    done = await desk.run(compose_ads, inputs, {"sizes": "Pinterest"})
    ads = [(await desk.open(ad)).convert("RGB").reduce(4) for ad in done.output]
    assert_approved(sheet_of(ads, 250).convert("RGB"), APPROVED / "ads.png")


async def test_blank_texts_are_left_out_and_spaces_around_others(desk):
    image = await desk.image(Pillow.new("RGB", (80, 100), "#777777"))

    async def drawn(**inputs):
        done = await desk.run(compose_ads, {"images": [image], **inputs}, {"sizes": "Pinterest"})
        return [ad.sha256 for ad in done.output]

    plain = {"headlines": ["One"], "offer": "Two for one", "calls": ["Go"]}
    spaced = {"headlines": [" ", " One "], "offer": " Two for one ", "calls": ["", " Go "]}
    ad = await drawn(**plain)
    assert await drawn(**spaced) == ad
    without = await drawn(headlines=["One"], calls=[" "])
    assert await drawn(headlines=["One"], calls=["x"]) != without, "it has a button"
    legal = Brand(palette=("#101830", "#ffffff"), legal_line="Acme Ltd, Leeds")
    assert await drawn(**plain, brand=legal) != await drawn(**plain, brand=replace(legal, legal_line=""))


@pytest.mark.parametrize(
    ("sizes", "inputs", "seconds"),
    [
        ("Instagram", {}, 1.2),
        ("LinkedIn", {"images": ["a", "b"], "headlines": ["c"] * 3}, 2.4),
        ("TikTok", {"images": ["a", "b"], "headlines": "unknown"}, 0.8),
    ],
    ids=["unknown", "more headlines", "more images"],
)
def test_expected_time_follows_the_variations_and_the_sizes(sizes, inputs, seconds):
    assert node_type_of(compose_ads).cost({"sizes": sizes}, inputs, frozenset()) == {
        "usd": 0.0,
        "seconds": pytest.approx(seconds),
    }
