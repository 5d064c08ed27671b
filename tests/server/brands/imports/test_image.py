"""Palettes and logos of images."""

import base64
import io

import pytest
from PIL import Image
from tests.fakes.media import saved

from impasto_server.brands.imports.image import ImageUnreadable, as_logo, is_cutout, logo_of, palette

CLEAR, HALF, FULL = (0, 0, 0, 0), (222, 79, 42, 127), (222, 79, 42, 128)


def stripes(*parts: tuple[tuple[int, ...], int], width: int = 100) -> Image.Image:
    """Return an image of stripes below each other: a colour and its height."""
    image = Image.new("RGBA", (width, sum(height for _, height in parts)))
    top = 0
    for color, height in parts:
        image.paste(color, (0, top, width, top + height))
        top += height
    return image


def decoded(logo: str) -> Image.Image:
    assert logo.startswith("data:image/png;base64,")
    return Image.open(io.BytesIO(base64.b64decode(logo.partition(",")[2])))


def colors(image: Image.Image) -> list[tuple[str, float, str]]:
    found = palette(saved(image), "logo.png", 1)
    return sorted((color.hex, color.weight, color.found) for color in found)


def test_palette_has_the_share_of_each_color_of_what_is_not_transparent() -> None:
    blue, red = (24, 70, 92, 255), (222, 79, 42, 255)
    assert colors(stripes((red, 75), (blue, 25))) == [
        ("#18465c", 0.25, "25% of logo.png"),
        ("#de4f2a", 0.75, "75% of logo.png"),
    ]
    assert colors(stripes((FULL, 30), (HALF, 30), (CLEAR, 40))) == [("#de4f2a", 1.0, "100% of logo.png")]
    assert colors(stripes((HALF, 60), (CLEAR, 40))) == []
    assert colors(stripes((red, 3), width=1)) == [("#de4f2a", 1.0, "100% of logo.png")]


@pytest.mark.parametrize(("height", "shown"), [(1, True), (0, False)])
def test_color_of_one_hundredth_of_an_image_is_in_its_palette(height: int, shown: bool) -> None:
    image = stripes(((255, 255, 255, 255), 100 - height), ((0, 0, 0, 255), height))
    image.putpixel((0, 0), (0, 0, 0, 255))
    image.putpixel((0, 99), (255, 255, 255, 255))
    assert ("#000000" in [color for color, _, _ in colors(image)]) is shown


def test_large_images_are_made_smaller_before_their_colors_are_counted() -> None:
    image = Image.new("RGBA", (800, 800), (255, 255, 255, 255))
    for place in range(0, 800, 8):
        image.paste((0, 0, 0, 255), (place, 0, place + 4, 800))
    found = {color for color, _, _ in colors(image)}
    assert found, "the stripes are gray"
    assert found.isdisjoint({"#000000", "#ffffff"})


@pytest.mark.parametrize(("transparent", "expected"), [(5, False), (6, True), (100, True), (0, False)])
def test_cutout_is_transparent_on_more_than_a_twentieth(transparent: int, expected: bool) -> None:
    image = stripes((CLEAR, transparent), ((222, 79, 42, 1), 100 - transparent))
    assert is_cutout(saved(image), 1) is expected


def test_logo_is_cut_to_what_is_not_transparent() -> None:
    image = Image.new("RGBA", (300, 200), CLEAR)
    image.paste((222, 79, 42, 255), (30, 20, 130, 60))
    logo = decoded(as_logo(saved(image), 1))
    assert (logo.size, logo.mode, logo.getpixel((0, 0))) == ((100, 40), "RGBA", (222, 79, 42, 255))
    paletted = image.quantize(8)
    assert decoded(as_logo(saved(paletted, transparency=paletted.getpixel((0, 0))), 1)).size == (100, 40)
    opaque = decoded(as_logo(saved(image.convert("RGB")), 1))
    assert (opaque.size, opaque.mode) == ((300, 200), "RGB")


@pytest.mark.parametrize(
    ("size", "made"),
    [
        ((16, 16), (16, 16)), ((15, 16), None), ((16, 15), None), ((1024, 16), (1024, 16)),
        ((2048, 1024), (1024, 512)), ((2048, 16), None),
    ],
)  # fmt: skip
def test_logo_has_16_to_1024_pixels_on_each_side(size: tuple[int, int], made: tuple[int, int] | None) -> None:
    image = Image.new("RGB", size, "#de4f2a")
    if made is None:
        with pytest.raises(ImageUnreadable):
            logo_of(image)
    else:
        assert decoded(logo_of(image)).size == made


def test_empty_image_is_no_logo() -> None:
    with pytest.raises(ImageUnreadable):
        logo_of(Image.new("RGBA", (100, 100), CLEAR))


def test_image_has_at_most_the_allowed_megapixels() -> None:
    assert palette(saved(Image.new("RGB", (1000, 1000), "white")), "a", 1)[0].hex == "#ffffff"
    with pytest.raises(ImageUnreadable):
        palette(saved(Image.new("RGB", (101, 9901), "white")), "a", 1)


def test_image_is_turned_as_its_camera_says_and_a_damaged_one_is_refused() -> None:
    turned = Image.Exif()
    turned[0x0112] = 6
    data = saved(Image.new("RGB", (100, 40), "white"), "JPEG", exif=turned)
    assert decoded(as_logo(data, 1)).size == (40, 100)
    plain = saved(Image.new("RGB", (100, 40), "white"))
    for damaged in (data[:-100], plain[:-30], b"", b"no image"):
        with pytest.raises(ImageUnreadable):
            as_logo(damaged, 1)


WIDE = "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='10'>"
SHAPE = "<rect width='100%' height='100%' fill='#de4f2a'/></svg>"


@pytest.mark.parametrize(
    ("start", "size"),
    [
        ("<svg xmlns='http://www.w3.org/2000/svg' width='10' height='20'>", (256, 512)),
        ("<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg' width='20' height='10'>", (512, 256)),
        ("\n <svg xmlns='http://www.w3.org/2000/svg' width='20' height='10'>", (512, 256)),
        (f"\ufeff<!-- made by\na program --><!DOCTYPE svg>{WIDE}", (512, 256)),
        pytest.param(" " * (2**16 - 4) + WIDE, (512, 256), id="in 64 KiB"),
        pytest.param(" " * (2**16 - 3) + WIDE, None, id="after 64 KiB"),
        ("<!DOCTYPE svg><SVG xmlns='http://www.w3.org/2000/svg' width='20' height='10'>", None),
        ("<svg xmlns='http://www.w3.org/2000/svg' width='4' height='2'>", (256, 128)),
        ("<svg xmlns='http://www.w3.org/2000/svg' width='10000' height='5000'>", (512, 256)),
        ("<svg xmlns='http://www.w3.org/2000/svg' width='10001' height='5000'>", (512, 512)),
        ("<svg xmlns='http://www.w3.org/2000/svg' width='5000' height='10001'>", (512, 512)),
        ("<svg xmlns='http://www.w3.org/2000/svg'>", (512, 512)),
        ("<svg xmlns='http://www.w3.org/2000/svg' width='", None),
    ],
)
def test_drawing_becomes_an_image_of_512_pixels_at_most_64_times_as_large(
    start: str, size: tuple[int, int] | None
) -> None:
    data = (start + SHAPE).encode()
    if size is None:
        with pytest.raises(ImageUnreadable):
            as_logo(data, 1)
        return
    logo = decoded(as_logo(data, 1))
    assert (logo.size, logo.getpixel((0, 0))) == (size, (222, 79, 42, 255))
    assert logo.getpixel((size[0] - 1, size[1] - 1)) == (222, 79, 42, 255)
