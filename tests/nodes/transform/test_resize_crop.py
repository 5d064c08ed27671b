"""Resize and crop: how an image fits another shape, and what a channel's sizes are expected to be."""

import pytest
from PIL import Image as Pillow

from impasto.sdk.node_type import node_type_of
from impasto_nodes.transform import resize_crop

pytestmark = pytest.mark.anyio
GREEN, RED, BLACK = (0, 200, 0), (200, 0, 0), (0, 0, 0)


def banner():
    """An image twice as wide as high: red between two green ends, below a black line."""
    image = Pillow.new("RGB", (400, 200), GREEN)
    image.paste(RED, (100, 0, 300, 200))
    image.paste(BLACK, (0, 0, 400, 20))
    return image


@pytest.mark.parametrize(
    ("fit", "left", "top"), [("stretch", GREEN, BLACK), ("fill", RED, BLACK), ("fit", GREEN, None)]
)
async def test_an_image_is_stretched_cut_or_shown_whole(desk, fit, left, top):
    settings = {"width": 200, "height": 200, "fit": fit}
    done = await desk.run(resize_crop, {"image": await desk.image(banner())}, settings)
    [made] = done.output
    shown = await desk.open(made)
    assert (made.name, shown.size) == ("resized-200x200.png", (200, 200))
    assert (shown.getpixel((10, 100)), shown.getpixel((100, 100))) == (left, RED)
    assert (shown.getpixel((100, 3)) == BLACK) is (top == BLACK)


@pytest.mark.parametrize(("sizes", "items"), [("own size", 1), ("Instagram", 3), ("Display ads", 6)])
def test_sizes_are_counted_before_the_run_and_free(sizes, items):
    found = node_type_of(resize_crop).cost({"sizes": sizes}, {}, frozenset())
    assert found == {"usd": 0.0, "items": items}
