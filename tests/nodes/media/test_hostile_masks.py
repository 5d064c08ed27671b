"""Masks that no user painted: files of any kind, given as a mask."""

import struct
import zlib

import numpy as np
import pytest
from PIL import Image
from tests.fakes.media import saved

from impasto import NodeError
from impasto_nodes.media.image.masking import EmptyMask, Frame, MaskMismatch, pasted_back, read_mask

SIZE, BOX = (90, 60), (20, 10, 60, 40)


def painted(size: tuple[int, int] = SIZE, box: tuple[int, int, int, int] = BOX) -> Image.Image:
    mask = Image.new("L", size, 0)
    mask.paste(255, box)
    return mask


def png_of_size(width: int, height: int) -> bytes:
    """The head of a PNG that says it is this large, and holds one row."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(bytes(width + 1))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def animated(file_format: str) -> bytes:
    frames = [painted(), painted(box=(0, 0, 90, 60))]
    return saved(frames[0], file_format, save_all=True, append_images=frames[1:], duration=100, lossless=True)


DEEP = Image.fromarray(np.asarray(painted(), np.uint16) * 257)
"""16 bits a pixel."""
READABLE = {
    "16 bits": saved(DEEP),
    "16-bit TIFF": saved(DEEP, "TIFF"),
    "one bit": saved(painted().convert("1")),
    "animated GIF": animated("GIF"),
    "animated PNG": animated("PNG"),
    "animated WebP": animated("WEBP"),
    "CMYK": saved(painted().convert("CMYK"), "TIFF"),
    "white where it is opaque": saved(Image.merge("RGBA", [Image.new("L", SIZE, 255)] * 3 + [painted()])),
}


@pytest.mark.parametrize("kind", READABLE)
def test_a_mask_in_any_kind_of_file_covers_what_was_painted(kind: str) -> None:
    mask, is_resized = read_mask(READABLE[kind], SIZE)
    assert (mask.mode, mask.size, is_resized) == ("L", SIZE, False)
    covered = np.asarray(mask, int)
    assert covered[10:40, 20:60].min() > 250
    covered[10:40, 20:60] = 0
    assert covered.max() == 0


REFUSED: dict[str, tuple[bytes, str]] = {
    "of another shape": (saved(painted((60, 90))), "mask_mismatch"),
    "1 px, for a wide image": (saved(Image.new("L", (1, 1), 255)), "mask_mismatch"),
    "a line of 1 px": (saved(Image.new("L", (5000, 1), 255)), "mask_mismatch"),
    "all black": (saved(Image.new("L", SIZE, 0)), "empty_mask"),
    "all see-through": (saved(Image.new("RGBA", SIZE, (255, 255, 255, 0))), "empty_mask"),
    "black in the first frame": (
        saved(Image.new("L", SIZE), "GIF", save_all=True, append_images=[painted()]),
        "empty_mask",
    ),
    "100,000 px a side": (png_of_size(100_000, 66_667), "picture_too_large"),
    "20,000 px a side": (png_of_size(20_000, 13_333), "picture_too_large"),
    "cut off": (saved(painted())[:-40], "damaged_picture"),
    "a text": (b"White is changed.", "not_a_picture"),
    "a vector image": (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "not_a_picture"),
    "nothing": (b"", "empty_file"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_mask_that_cannot_be_used_is_refused_as_a_mask(kind: str) -> None:
    data, code = REFUSED[kind]
    with pytest.raises(NodeError) as refused:
        read_mask(data, SIZE)
    assert refused.value.code == code
    assert "mask" in refused.value.message
    assert refused.value.message.endswith(".")


def test_a_mask_of_one_pixel_fits_a_square_image_and_covers_all_of_it() -> None:
    mask, is_resized = read_mask(saved(Image.new("L", (1, 1), 255)), (64, 64))
    assert is_resized
    assert mask.getextrema() == (255, 255)
    with pytest.raises(EmptyMask):
        read_mask(saved(Image.new("L", (1, 1), 0)), (64, 64))


def test_a_mask_with_a_single_painted_pixel_changes_that_pixel_only() -> None:
    mask, _ = read_mask(saved(painted(box=(7, 5, 8, 6))), SIZE)
    frame = Frame.around(SIZE, "1:1")
    assert frame.shown_mask(mask).getextrema() == (0, 255)
    image = pasted_back(Image.new("RGB", SIZE), Image.new("RGB", (1024, 1024), "white"), mask, frame)
    assert image.getbbox() == (7, 5, 8, 6)


def test_a_mask_for_an_image_of_one_pixel_is_used() -> None:
    one = (1, 1)
    mask, _ = read_mask(saved(Image.new("L", one, 255)), one)
    image = pasted_back(Image.new("RGB", one), Image.new("RGB", (8, 8), "white"), mask, Frame.around(one, ""))
    assert image.getpixel((0, 0)) == (255, 255, 255)


def test_a_larger_mask_of_the_images_shape_is_scaled() -> None:
    mask, is_resized = read_mask(saved(painted((900, 600), (200, 100, 600, 400))), SIZE)
    assert (mask.size, is_resized) == (SIZE, True)
    covered = mask.point([0] * 128 + [255] * 128)
    assert covered.getbbox() == BOX


def test_a_mask_that_is_only_as_small_as_a_thumbnail_is_refused_if_its_shape_is_off() -> None:
    with pytest.raises(MaskMismatch, match="3 by 3 pixels, and the image is 90 by 60"):
        read_mask(saved(Image.new("L", (3, 3), 255)), SIZE)
