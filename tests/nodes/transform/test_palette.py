"""Palette: the whole report of an image of a few colors."""

import pytest
from PIL import Image as Pillow

from impasto_nodes.transform import palette

pytestmark = pytest.mark.anyio


def stripes(*colors):
    image = Pillow.new("RGB", (72, 72))
    for number, (color, rows) in enumerate(colors):
        top = sum(high for _, high in colors[:number])
        image.paste(color, (0, top, 72, top + rows))
    return image


async def test_report_has_each_color_with_its_share_and_its_role(desk):
    image = stripes(("#ffffff", 36), ("#000000", 27), ("#de4f2a", 9))
    outputs = (await desk.run(palette, {"image": await desk.image(image)})).outputs
    assert outputs["colours"] == ["#ffffff", "#000000", "#de4f2a"]
    assert outputs["report"] == {
        "colours": [
            {"hex": "#ffffff", "share": 0.5},
            {"hex": "#000000", "share": 0.375},
            {"hex": "#de4f2a", "share": 0.125},
        ],
        "lightest": "#ffffff",
        "darkest": "#000000",
        "most_colourful": "#de4f2a",
        "contrast": 21.0,
    }


async def test_contrast_of_two_colors_is_rounded_to_a_hundredth(desk):
    image = stripes(("#2f57e0", 48), ("#de4f2a", 24))
    report = (await desk.run(palette, {"image": await desk.image(image)})).outputs["report"]
    assert report == {
        "colours": [{"hex": "#2f57e0", "share": 0.6667}, {"hex": "#de4f2a", "share": 0.3333}],
        "lightest": "#de4f2a",
        "darkest": "#2f57e0",
        "most_colourful": "#2f57e0",
        "contrast": 1.48,
    }


async def test_no_more_colors_are_named_than_asked_for(desk):
    image = stripes(("#ffffff", 18), ("#000000", 18), ("#de4f2a", 18), ("#2f57e0", 18))
    for count in (2, 3, 4):
        done = await desk.run(palette, {"image": await desk.image(image)}, {"count": count})
        assert len(done.outputs["colours"]) == count
        assert sum(each["share"] for each in done.outputs["report"]["colours"]) == pytest.approx(1)
