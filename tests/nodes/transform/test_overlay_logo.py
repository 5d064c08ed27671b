"""Overlay logo: which logo signs an image, where it stands, and the shade behind it."""

import numpy as np
import pytest
from PIL import Image as Pillow
from tests.nodes.transform.test_images import photo

from impasto import Brand, NodeError
from impasto_nodes.transform import overlay_logo
from impasto_nodes.transform.overlay_logo import signed, wordmark

pytestmark = pytest.mark.anyio

RED = (200, 20, 20)


def red_box(image: Pillow.Image) -> tuple[int, int, int, int]:
    """Return the left, top, right and bottom edge of what is red."""
    rows, columns = np.nonzero((np.asarray(image) == RED).all(2))
    return columns.min(), rows.min(), columns.max() + 1, rows.max() + 1


async def test_logo_is_placed_at_the_chosen_position(desk):
    logo = Pillow.new("RGBA", (100, 50), (20, 20, 200, 255))
    inputs = {"image": await desk.image(photo()), "logo": await desk.image(logo)}
    for position, at in (("top left", (60, 40)), ("bottom right", (560, 430))):
        done = await desk.run(overlay_logo, inputs, {"position": position})
        red, _, blue = (await desk.open(done.output)).getpixel(at)
        assert blue > 150 > red


async def test_a_brand_without_a_logo_signs_with_its_name(desk):
    brand = Brand(brand_name="Northbound")
    inputs = {"image": await desk.image(photo()), "brand": brand}
    after = await desk.open((await desk.run(overlay_logo, inputs)).output)
    name = wordmark(brand, 230, (24, 20, 17))  # twice as large as it is shown
    shown = signed(photo(), name, "bottom right", 0.18, 0.05, 1.0)
    assert after.tobytes() == shown.tobytes()


async def test_a_connected_logo_is_used_and_not_the_brands(desk):
    own = await desk.image(Pillow.new("RGBA", (100, 50), (*RED, 255)))
    brands = await desk.image(Pillow.new("RGBA", (100, 50), (20, 20, 200, 255)))
    image = await desk.image(Pillow.new("RGB", (300, 200), "#f4efe4"))
    brand = Brand(brand_name="Acme", logo=brands, logo_dark=brands, clear_space=1.0)
    done = await desk.run(overlay_logo, {"image": image, "logo": own, "brand": brand}, {"size": 0.3})
    assert red_box(await desk.open(done.output)) == (200, 145, 290, 190)


@pytest.mark.parametrize(("size", "shown"), [((200, 1), (90, 1)), ((1, 400), (1, 72))])
async def test_a_thin_logo_has_one_pixel_at_least(desk, size, shown):
    logo = await desk.image(Pillow.new("RGBA", size, (*RED, 255)))
    image = await desk.image(Pillow.new("RGB", (300, 300), "#f4efe4"))
    done = await desk.run(overlay_logo, {"image": image, "logo": logo}, {"size": 0.3})
    left, top, right, bottom = red_box(await desk.open(done.output))
    assert (right - left, bottom - top) == shown


async def test_logo_suits_the_ground(desk):
    inks = {"logo": (10, 10, 120, 255), "logo_dark": (240, 240, 90, 255)}
    logos = {name: await desk.image(Pillow.new("RGBA", (100, 50), ink)) for name, ink in inks.items()}
    for ground, name in (("#f4efe4", "logo"), ("#101418", "logo_dark")):
        image = await desk.image(Pillow.new("RGB", (640, 480), ground))
        done = await desk.run(overlay_logo, {"image": image, "brand": Brand(**logos)})
        assert (await desk.open(done.output)).getpixel((560, 430)) == inks[name][:3]


@pytest.mark.parametrize(
    ("bright", "clear_space", "name"),
    [
        ((154, 181, 159, 190), 0.0, "logo"),
        ((149, 181, 154, 190), 0.0, "logo_dark"),
        ((185, 181, 190, 190), 0.0, "logo"),
        ((190, 181, 195, 190), 0.0, "logo_dark"),
        ((185, 181, 190, 190), 2.0, "logo_dark"),
        ((154, 181, 190, 183), 0.0, "logo"),
        ((154, 179, 190, 181), 0.0, "logo_dark"),
        ((154, 188, 190, 190), 0.0, "logo"),
        ((154, 190, 190, 192), 0.0, "logo_dark"),
    ],
)
async def test_logo_is_chosen_by_the_ground_at_its_place(desk, bright, clear_space, name):
    inks = {"logo": (10, 10, 120), "logo_dark": (240, 240, 90)}
    logos = {each: await desk.image(Pillow.new("RGBA", (100, 25), (*ink, 255))) for each, ink in inks.items()}
    ground = Pillow.new("RGB", (200, 200), (60, 60, 60))
    ground.paste((255, 255, 255), bright)
    brand = Brand(**logos, clear_space=clear_space)
    done = await desk.run(overlay_logo, {"image": await desk.image(ground), "brand": brand})
    shown = await desk.open(done.output)
    assert shown.getpixel((172, 176 if clear_space else 185)) == inks[name]


@pytest.mark.parametrize("position", ["top left", "bottom right"])
async def test_the_brands_logo_keeps_the_clear_space_that_the_brand_states(desk, position):
    logo = await desk.image(Pillow.new("RGBA", (120, 100), (*RED, 255)))
    image = await desk.image(Pillow.new("RGB", (400, 400), "#f4efe4"))
    brand = Brand(logo=logo, logo_dark=logo, clear_space=1.0)
    done = await desk.run(overlay_logo, {"image": image, "brand": brand}, {"position": position, "size": 0.2})
    left, top, right, bottom = red_box(await desk.open(done.output))
    edges = (left, top) if position == "top left" else (400 - right, 400 - bottom)
    assert min(edges) >= bottom - top - 1


@pytest.mark.parametrize("shape", [(400, 200), (200, 400)])
@pytest.mark.parametrize("position", ["top left", "bottom right"])
async def test_a_clear_space_without_room_leaves_the_logo_in_the_image(desk, shape, position):
    logo = await desk.image(Pillow.new("RGBA", (400, 300), (*RED, 255)))
    image = await desk.image(Pillow.new("RGB", shape, "#f4efe4"))
    brand = Brand(logo=logo, logo_dark=logo, clear_space=3.0)
    done = await desk.run(overlay_logo, {"image": image, "brand": brand}, {"size": 0.6, "position": position})
    left, top, right, bottom = red_box(await desk.open(done.output))
    assert 0 < left < right < shape[0]
    assert 0 < top < bottom < shape[1]


async def test_missing_and_empty_logo_are_errors(desk):
    image = await desk.image(photo())
    with pytest.raises(NodeError, match="no logo"):
        await desk.run(overlay_logo, {"image": image})
    unsigned = await desk.run(overlay_logo, {"image": image, "brand": Brand()})
    assert unsigned.output == image
    logo = await desk.image(Pillow.new("RGBA", (40, 40), (9, 9, 9, 255)))
    done = await desk.run(overlay_logo, {"image": image, "logo": logo, "brand": Brand()})
    assert done.output.name == "with-logo.png"
    empty = await desk.image(Pillow.new("RGBA", (40, 40), (0, 0, 0, 0)))
    with pytest.raises(NodeError, match="logo is empty"):
        await desk.run(overlay_logo, {"image": image, "logo": empty})


@pytest.mark.parametrize(("alpha", "is_shaded"), [(200, True), (201, False)])
def test_a_logo_that_covers_its_ground_is_not_shaded(alpha: int, is_shaded: bool) -> None:
    image = Pillow.new("RGB", (200, 200), (120, 120, 120))
    logo = Pillow.new("RGBA", (40, 20), (110, 110, 110, alpha))
    beside = signed(image, logo, "centre", 0.3, 0.05, 1.0).getpixel((100, 70))
    assert (beside != (120, 120, 120)) is is_shaded


def test_a_logo_too_faint_to_be_seen_leaves_the_image_as_it_is() -> None:
    image, faint = Pillow.new("RGB", (100, 60), "#888888"), Pillow.new("RGBA", (40, 20), (9, 9, 9, 1))
    assert signed(image, faint, "centre", 0.3, 0.05, 0.1).tobytes() == image.tobytes()
