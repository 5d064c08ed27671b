"""Images in and out: every mode, profile and format becomes plain RGB or RGBA, and is written as asked."""

import io
import struct

import numpy as np
import pytest
from pi_heif import options
from PIL import Image, ImageCms
from tests.fakes.heif import heic
from tests.fakes.media import saved

from impasto_nodes.media.errors import (
    DamagedImage,
    EmptyFile,
    ImageTooLarge,
    NotAnImage,
    TooLongForFormat,
)
from impasto_nodes.media.image.image_file import decode, encode, flattened, in_profile


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


def test_heic_is_read_without_thumbnails_and_depth_maps():
    decode(heic())
    assert (options.THUMBNAILS, options.DEPTH_IMAGES, options.AUX_IMAGES) == (False, False, False)


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


@pytest.mark.parametrize(
    ("highest", "shades"),
    [
        (1.0, [0, 127, 255]),
        (2.0, [0, 1, 2]),
        (0.5, [0, 63, 127]),
        (255.0, [0, 127, 255]),
        (256.0, [0, 0, 0]),
        (65535.0, [0, 127, 255]),
        (65536.0, [0, 0, 0]),
        (2.0**24 - 1, [0, 127, 255]),
        (2.0**40, [0, 127, 255]),
    ],
)
def test_floats_are_scaled_from_the_smallest_range_that_holds_them(highest, shades):
    ramp = (np.linspace(0, 1, 65, dtype=np.float32) * highest)[None].repeat(8, 0)
    image = decode(saved(Image.fromarray(ramp), "TIFF"))
    assert image.mode == "RGB"
    assert [image.getpixel((x, 4))[0] for x in (0, 32, 64)] == shades


def test_floats_below_black_are_black():
    plane = np.array([[-3, -0.5, 0, 0.5, 1]], np.float32)
    image = decode(saved(Image.fromarray(plane), "TIFF"))
    assert [image.getpixel((x, 0))[0] for x in range(5)] == [0, 0, 0, 127, 255]


def test_a_black_image_of_floats_stays_black():
    assert decode(saved(Image.new("F", (4, 4)), "TIFF")).getextrema() == ((0, 0),) * 3


def swapped_primaries():
    """A profile with the primaries of sRGB in which red and blue are swapped."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    red, blue = profile.index(b"rXYZ", 128), profile.index(b"bXYZ", 128)
    profile[red : red + 4], profile[blue : blue + 4] = b"bXYZ", b"rXYZ"
    return bytes(profile)


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_colors_of_a_profile_become_srgb(mode):
    image = decode(saved(split(mode=mode), icc_profile=swapped_primaries()))
    assert image.mode == mode
    assert image.getpixel((3, 3))[:3] == pytest.approx((30, 30, 220), abs=3)
    assert image.info == {}


def grey_profile():
    """A profile of greys whose values are light itself: half of it is 188 in sRGB."""

    def fixed(*values):
        return struct.pack(f">{len(values)}i", *(round(value * 65_536) for value in values))

    white = fixed(0.9642, 1.0, 0.8249)
    tags = {b"wtpt": b"XYZ \0\0\0\0" + white, b"kTRC": b"curv\0\0\0\0" + struct.pack(">IHH", 1, 256, 0)}
    begin = 128 + 4 + 12 * len(tags)
    table, body = struct.pack(">I", len(tags)), b""
    for name, data in tags.items():
        table += name + struct.pack(">II", begin + len(body), len(data))
        body += data
    size = begin + len(body)
    head = struct.pack(">I4sI4s4s4s", size, b"lcms", 0x0210_0000, b"mntr", b"GRAY", b"XYZ ")
    return head + bytes(12) + b"acsp" + bytes(28) + white + bytes(48) + table + body


def test_greys_of_a_profile_become_srgb():
    image = decode(saved(Image.new("L", (4, 4), 128), icc_profile=grey_profile()))
    assert (image.mode, image.getpixel((1, 1)), image.info) == ("RGB", (188, 188, 188), {})
    palette = decode(saved(split(mode="P"), icc_profile=grey_profile()))
    assert palette.tobytes() == decode(saved(split(mode="P"))).tobytes(), "its numbers are no greys"


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_a_profile_may_be_kept_with_the_values(mode):
    data = saved(split(mode=mode), icc_profile=swapped_primaries(), dpi=(72, 72))
    image = decode(data, keeps_profile=True)
    assert (image.mode, list(image.info)) == (mode, ["icc_profile"])
    assert image.getpixel((3, 3))[:3] == (220, 30, 30)
    plain = decode(saved(split(mode=mode), dpi=(72, 72)), keeps_profile=True)
    assert plain.info == {}
    palette = saved(split(mode="P"), icc_profile=swapped_primaries())
    assert decode(palette, keeps_profile=True).info == {}
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    for other in (lab, b"no profile at all"):
        assert decode(saved(split(mode=mode), icc_profile=other), keeps_profile=True).info == {}


def test_an_image_is_converted_into_a_profile():
    assert in_profile(split(), swapped_primaries()).getpixel((3, 3)) == pytest.approx((30, 30, 220), abs=3)
    image = split()
    assert in_profile(image, b"no profile at all") is image


def test_a_transparent_palette_color_stays_transparent():
    two = split().quantize(2)
    image = decode(saved(two, transparency=two.getpixel((3, 3))))
    assert image.mode == "RGBA"
    assert (image.getpixel((3, 3))[3], image.getpixel((30, 3))) == (0, (30, 30, 220, 255))


@pytest.mark.parametrize(
    ("file_format", "longest"), [("JPEG", 65_500), ("WEBP", 16_383), ("PNG", None), ("AVIF", None)]
)
def test_the_longest_side_of_a_format_is_written(file_format, longest):
    image = Image.new("RGB", (1, longest or 17_000))
    assert Image.open(io.BytesIO(encode(image, file_format))).size == image.size
    if longest is not None:
        with pytest.raises(TooLongForFormat, match=f"{longest} a side"):
            encode(Image.new("RGB", (1, longest + 1)), file_format)


@pytest.mark.parametrize("file_format", ["JPEG", "WEBP", "AVIF"])
def test_quality_makes_files_larger(file_format):
    noise = Image.fromarray(np.random.default_rng(1).integers(0, 255, (60, 80, 3), np.uint8))
    low, high = (len(encode(noise, file_format, quality=quality)) for quality in (20, 90))
    assert high > 1.3 * low
    assert len(encode(noise, file_format)) == high


def test_jpeg_is_progressive_and_keeps_its_colors_in_full():
    with Image.open(io.BytesIO(encode(split(), "JPEG"))) as image:
        assert image.info["progressive"] == 1
        assert [layer[1:3] for layer in image.layer] == [(1, 1)] * 3


def test_a_transparent_image_is_flattened_onto_its_ground():
    image = Image.new("LA", (4, 4), (200, 0))
    assert flattened(image, (10, 20, 30)).getpixel((1, 1)) == (10, 20, 30)
    half = Image.new("RGBA", (4, 4), (200, 100, 0, 128))
    assert flattened(half).getpixel((1, 1)) == pytest.approx((227, 177, 127), abs=1)
    assert flattened(Image.new("L", (4, 4), 9)).getpixel((1, 1)) == (9, 9, 9)
    solid = split()
    assert flattened(solid) is solid


def test_pixels_up_to_the_limit_are_decoded(tmp_path):
    data = saved(split())
    path = tmp_path / "image"
    path.write_bytes(data)
    for source in (data, path):
        assert decode(source, max_pixels=800).size == (40, 20)
        with pytest.raises(ImageTooLarge):
            decode(source, max_pixels=799)


def test_a_file_on_disk_is_refused_like_its_bytes(tmp_path):
    path = tmp_path / "image"
    path.write_bytes(b"")
    with pytest.raises(EmptyFile):
        decode(path)
    path.write_bytes(heic()[:-200])
    with pytest.raises(DamagedImage):
        decode(path)
    path.write_bytes(b"hello")
    with pytest.raises(NotAnImage):
        decode(path)
