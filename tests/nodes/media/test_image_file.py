import io

import numpy as np
import pytest
from PIL import Image, ImageCms
from tests.fakes.heif import heic

from impasto_nodes.media.errors import (
    DamagedImage,
    EmptyFile,
    ImageTooLarge,
    NotAnImage,
    TooLongForFormat,
)
from impasto_nodes.media.image.image_file import decode, encode, flattened


def saved(image, file_format="PNG", **options):
    out = io.BytesIO()
    image.save(out, file_format, **options)
    return out.getvalue()


def split(width=40, height=20, mode="RGB"):
    """Red left, blue right."""
    image = Image.new("RGB", (width, height), (220, 30, 30))
    image.paste((30, 30, 220), (width // 2, 0, width, height))
    return image.convert(mode)


def test_an_image_is_decoded_unchanged():
    image = decode(saved(split()))
    assert image.mode == "RGB"
    assert image.size == (40, 20)
    assert image.getpixel((3, 3)) == (220, 30, 30)


def test_an_image_that_lies_on_its_side_is_put_upright():
    exif = Image.Exif()
    exif[0x0112] = 6
    image = decode(saved(split(), "JPEG", exif=exif, quality=95))
    assert image.size == (20, 40)
    red, _, blue = image.getpixel((10, 4))
    assert red > 150 > blue


def test_cmyk_is_converted_to_rgb():
    image = decode(saved(split(mode="CMYK"), "JPEG", quality=95))
    assert image.mode == "RGB"
    red, _, blue = image.getpixel((3, 3))
    assert red > 180
    assert blue < 80


def test_sixteen_bits_keep_their_shades():
    ramp = np.linspace(0, 65535, 64, dtype=np.uint16)[None].repeat(8, 0)
    image = decode(saved(Image.fromarray(ramp)))
    assert image.mode == "RGB"
    assert [image.getpixel((x, 4))[0] for x in (0, 32, 63)] == pytest.approx([0, 129, 255], abs=3)


def test_first_frame_of_an_animation_is_used():
    frames = [Image.new("P", (16, 16), index) for index in range(3)]
    data = saved(frames[0], "GIF", save_all=True, append_images=frames[1:], duration=100)
    assert decode(data).size == (16, 16)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16"])
def test_every_mode_becomes_rgb_or_rgba(mode):
    source = Image.new(mode, (8, 8)) if mode == "I;16" else split(8, 8).convert(mode)
    assert decode(saved(source)).mode in {"RGB", "RGBA"}


def test_transparency_is_kept():
    image = Image.new("RGBA", (8, 8), (255, 0, 0, 0))
    assert decode(saved(image)).getchannel("A").getextrema() == (0, 0)
    assert flattened(decode(saved(image))).getpixel((1, 1)) == (255, 255, 255)


def test_a_color_profile_is_honoured():
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    broken = decode(saved(split(), icc_profile=profile))
    assert broken.size == (40, 20)
    assert decode(saved(split(), icc_profile=b"no profile at all")).getpixel((3, 3)) == (220, 30, 30)


def test_empty_file_is_an_error():
    with pytest.raises(EmptyFile, match="empty"):
        decode(b"")


@pytest.mark.parametrize(
    "data", [b"hello", b"%PDF-1.7 ...", b"\x00\x00\x00\x18ftypmp42", b"<svg xmlns='x'/>"]
)
def test_a_file_that_is_no_image_is_refused(data):
    with pytest.raises(NotAnImage, match="not an image"):
        decode(data)


@pytest.mark.parametrize("file_format", ["PNG", "JPEG", "WEBP", "GIF", "TIFF"])
def test_a_truncated_image_is_refused(file_format):
    noise = Image.fromarray(np.random.default_rng(1).integers(0, 255, (200, 200, 3), np.uint8))
    data = saved(noise, file_format)
    with pytest.raises((DamagedImage, NotAnImage)) as caught:
        decode(data[: len(data) // 2])
    assert caught.value.code in {"damaged_picture", "not_a_picture"}


def test_too_many_pixels_are_refused_before_they_are_unpacked():
    data = saved(Image.new("1", (12_000, 9_000)))
    assert len(data) < 100_000
    with pytest.raises(ImageTooLarge, match="12000 by 9000 pixels; the limit is 100 megapixels"):
        decode(data)


def test_jpeg_is_laid_on_white():
    image = Image.new("RGBA", (8, 8), (0, 0, 0, 0))
    assert decode(encode(image, "JPEG")).getpixel((4, 4)) == (255, 255, 255)


@pytest.mark.parametrize("file_format", ["PNG", "JPEG", "WEBP", "AVIF"])
def test_every_format_is_written_and_read(file_format):
    again = decode(encode(split(), file_format))
    assert again.size == (40, 20)
    assert np.abs(np.asarray(again, int)[5, 5] - (220, 30, 30)).max() < 30


@pytest.mark.parametrize("quality", [60, 88, 94])
def test_noise_is_kept_as_jpeg_too(quality):
    noise = Image.fromarray(np.random.default_rng(1).integers(0, 255, (200, 300, 3), np.uint8))
    assert decode(encode(noise, "JPEG", quality=quality)).size == (300, 200)


def test_side_above_the_maximum_of_a_format_is_an_error():
    with pytest.raises(TooLongForFormat, match="16383 a side"):
        encode(Image.new("RGB", (20_000, 1)), "WEBP")
    assert decode(encode(Image.new("RGB", (20_000, 1)), "JPEG")).size == (20_000, 1)


def test_heic_is_read_upright():
    image = decode(heic())
    assert (image.mode, image.size) == ("RGB", (128, 96))
    assert image.getpixel((5, 50)) == pytest.approx((220, 30, 30), abs=8)
    turned = decode(heic(turns=1))
    assert turned.size == (96, 128)
    assert turned.getpixel((50, 120)) == pytest.approx((220, 30, 30), abs=8)


def test_heic_above_the_limit_is_refused():
    with pytest.raises(ImageTooLarge, match="10000 by 12000 pixels; the limit is 100 megapixels"):
        decode(heic(claimed_size=(10_000, 12_000)))
    with pytest.raises(ImageTooLarge):
        decode(heic(claimed_size=(40_000, 40_000)))


def test_truncated_heic_is_refused():
    with pytest.raises(DamagedImage):
        decode(heic()[:-200])


def test_dark_sixteen_bits_stay_dark():
    image = decode(saved(Image.fromarray(np.full((8, 8), 200, np.uint16))))
    assert image.getpixel((4, 4)) == (0, 0, 0)


def test_int32_tiff_keeps_its_shades():
    ramp = np.linspace(0, 2**31 - 1, 64, dtype=np.int32)[None].repeat(8, 0)
    image = decode(saved(Image.fromarray(ramp), "TIFF"))
    assert [image.getpixel((x, 4))[0] for x in (0, 32, 63)] == pytest.approx([0, 129, 255], abs=3)
