"""Images as providers take them: common formats unchanged, others converted, large ones scaled down."""

import io

import numpy as np
import pytest
from PIL import Image
from tests.fakes.media import saved

from impasto_nodes.media.errors import NotAnImage
from impasto_nodes.media.image.image_file import decode
from impasto_nodes.media.image.normalize_image import MAX_BYTES, MAX_SIDE, plain


def halves(width=60, height=30):
    """Red left, blue right."""
    image = Image.new("RGB", (width, height), (220, 30, 30))
    image.paste((30, 30, 220), (width // 2, 0, width, height))
    return image


@pytest.mark.parametrize("file_format", ["PNG", "JPEG", "WEBP"])
def test_common_formats_are_unchanged(file_format):
    data = saved(halves(), file_format)
    assert plain(data, f"image/{file_format.lower()}") == (f"image/{file_format.lower()}", data)


def test_an_image_on_its_side_is_put_upright():
    """Services look at the pixels, not at the note beside them."""
    turn = Image.Exif()
    turn[0x0112] = 6
    kind, data = plain(saved(halves(), "JPEG", exif=turn), "image/jpeg")
    with Image.open(io.BytesIO(data)) as image:
        assert (kind, image.size) == ("image/jpeg", (30, 60))
        assert image.getexif().get(0x0112, 1) == 1


@pytest.mark.parametrize(
    ("image", "file_format"),
    [(halves().convert("CMYK"), "JPEG"), (halves(), "TIFF"), (halves(), "BMP"), (halves(), "AVIF")],
)
def test_other_formats_are_converted(image, file_format):
    kind, data = plain(saved(image, file_format), f"image/{file_format.lower()}")
    assert kind == "image/jpeg"
    assert decode(data).size == (60, 30)


def test_a_huge_image_is_scaled_down():
    noise = Image.fromarray(np.random.default_rng(1).integers(0, 255, (200, 9_000, 3), np.uint8))
    data = plain(saved(noise), "image/png")[1]
    assert decode(data).width == MAX_SIDE
    assert len(data) < MAX_BYTES
    see_through = noise.convert("RGBA")
    see_through.putalpha(0)
    assert plain(saved(see_through), "image/png")[0] == "image/png"


def test_a_file_that_is_no_image_is_refused_before_the_paid_call():
    with pytest.raises(NotAnImage):
        plain(b"no image", "image/png")


@pytest.mark.parametrize("mode", ["L", "LA", "P", "1", "RGBA"])
def test_modes_that_providers_read_are_unchanged(mode):
    data = saved(halves().convert(mode))
    assert plain(data, "image/png") == ("image/png", data)


def test_an_image_is_unchanged_up_to_the_longest_side():
    widest = saved(Image.new("RGB", (MAX_SIDE, 8), "red"))
    assert plain(widest, "image/png")[1] == widest
    wider = saved(Image.new("RGB", (MAX_SIDE + 1, 8), "red"))
    assert decode(plain(wider, "image/png")[1]).size == (MAX_SIDE, 8)


def test_a_file_is_unchanged_up_to_the_most_bytes():
    largest = saved(halves())
    largest += bytes(MAX_BYTES - len(largest))
    assert plain(largest, "image/png")[1] == largest
    assert len(plain(largest + b"x", "image/png")[1]) < 10_000


def test_animations_and_sixteen_bits_are_converted():
    frames = [halves(), halves().rotate(180)]
    moving = saved(frames[0], "WEBP", save_all=True, append_images=frames[1:], duration=80)
    assert plain(moving, "image/webp")[0] == "image/jpeg"
    deep = saved(Image.new("I;16", (8, 8)))
    assert plain(deep, "image/png")[0] == "image/jpeg"
