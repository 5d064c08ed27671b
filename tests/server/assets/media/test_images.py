"""Decoding, scaling, cropping and rewriting of untrusted images."""

import io
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import UploadFile
from PIL import Image, ImageChops, ImageCms, ImageStat
from tests.fakes.media import saved

from impasto_server.assets.errors import FileInvalid, ImageTooLarge
from impasto_server.assets.media import images

PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
ORIENTATION = 0x0112


def decoded(data: bytes | Path) -> Image.Image:
    with Image.open(io.BytesIO(data) if isinstance(data, bytes) else data) as image:
        image.load()
        return image


def turned(orientation: int, image: Image.Image) -> bytes:
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    return saved(image, "JPEG", exif=exif, quality=95)


def gradient(width: int, height: int) -> Image.Image:
    return Image.linear_gradient("L").resize((width, height)).convert("RGB")


def animation(form: str = "WEBP") -> bytes:
    frames = [Image.new("RGB", (8, 8), color) for color in ("red", "green")]
    return saved(frames[0], form, save_all=True, append_images=frames[1:])


def half_transparent(size: tuple[int, int] = (40, 20)) -> Image.Image:
    """Return a black image whose right half is transparent."""
    image = Image.new("RGBA", size, (0, 0, 0, 255))
    image.paste((0, 0, 0, 0), (size[0] // 2, 0, *size))
    return image


@pytest.mark.parametrize("orientation", range(1, 9))
def test_size_is_that_of_the_upright_image(tmp_path: Path, orientation: int) -> None:
    path = tmp_path / "file"
    path.write_bytes(turned(orientation, gradient(30, 20)))
    assert images.measure(path, 1) == ((30, 20) if orientation < 5 else (20, 30))


def test_image_is_decoded_completely_before_its_size_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(saved(gradient(60, 60))[:-30])
    with pytest.raises(FileInvalid, match="cannot be read"):
        images.measure(path, 1)


def test_pixel_limit_is_a_million_each_megapixel(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for size, megapixels in (((1000, 1000), 1), ((1000, 2000), 2)):
        Image.new("1", size).save(path, "PNG")
        assert images.measure(path, megapixels) == size
    Image.new("1", (101, 9901)).save(path, "PNG")  # 1,000,001 pixels
    with pytest.raises(ImageTooLarge):
        images.measure(path, 1)


def test_shrunk_image_is_upright_and_keeps_its_shape() -> None:
    data = turned(6, gradient(400, 100))
    shrunk = decoded(images.shrink(data, 80, 1))
    assert (shrunk.format, shrunk.size, shrunk.mode) == ("WEBP", (20, 80), "RGB")
    assert decoded(images.shrink(data, 1000, 1)).size == (100, 400)


@pytest.mark.parametrize(
    "image",
    [half_transparent(), half_transparent().convert("LA"), half_transparent().quantize(2)],
    ids=["RGBA", "LA", "palette"],
)
def test_transparency_is_kept(image: Image.Image) -> None:
    data = saved(image, transparency=image.getpixel((35, 10))) if image.mode == "P" else saved(image)
    kept = decoded(images.shrink(data, 40, 1))
    assert kept.mode == "RGBA"
    assert kept.getpixel((5, 10)) == (0, 0, 0, 255)
    assert kept.getchannel("A").getpixel((35, 10)) == 0


def test_gray_image_is_upright_and_stretched_on_white_ground() -> None:
    gray = images.grayscale(saved(half_transparent((40, 20))), 10, 1)
    assert (gray.mode, gray.size) == ("L", (10, 10))
    assert (gray.getpixel((1, 5)), gray.getpixel((8, 5))) == (0, 255)
    upright = images.grayscale(turned(8, gradient(64, 32)), 16, 1)
    assert upright.getpixel((0, 8)) < 40  # type: ignore[operator]
    assert upright.getpixel((15, 8)) > 215  # type: ignore[operator]


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_cover_is_cut_from_the_center(form: str) -> None:
    image = Image.new("RGB", (300, 100), "black")
    image.paste("white", (100, 0, 200, 100))
    cover = decoded(images.crop(saved(image, form), (50, 50), 1))
    assert (cover.format, cover.size) == ("WEBP", (50, 50))
    assert ImageStat.Stat(cover.convert("L")).mean[0] > 245


def test_cover_of_another_format_is_refused() -> None:
    with pytest.raises(FileInvalid):
        images.crop(saved(gradient(30, 20), "GIF"), (10, 10), 1)


@pytest.mark.anyio
async def test_cover_has_one_size_and_at_most_20_mib() -> None:
    app_state: Any = SimpleNamespace(settings=SimpleNamespace(image_megapixels=1))
    largest = saved(gradient(30, 20)).ljust(20 * 2**20, b"\0")
    cover = await images.read_cover(app_state, UploadFile(io.BytesIO(largest)))
    assert (decoded(cover).format, decoded(cover).size) == ("WEBP", (960, 640))
    with pytest.raises(FileInvalid, match="the limit is 20 MiB"):
        await images.read_cover(app_state, UploadFile(io.BytesIO(largest + b"\0")))
    large = saved(Image.new("1", (1001, 1000)))
    with pytest.raises(ImageTooLarge, match="the limit is 1 megapixels"):
        await images.encode_cover(app_state, large)
    digest = "3fa405a8301ace34d11cf44a816080b8f0e49a48fbd048b8aef1543a8c58bdb6"
    assert images.cover_key(b"cover") == f"covers/{digest}"


def test_cover_is_upright() -> None:
    cover = decoded(images.crop(turned(3, gradient(40, 40)), (20, 20), 1)).convert("L")
    assert cover.getpixel((10, 1)) > cover.getpixel((10, 18))  # type: ignore[operator]


def inverted(image: Image.Image) -> Image.Image:
    return ImageChops.invert(image)


@pytest.mark.parametrize(
    ("data", "mode"),
    [
        (saved(gradient(9, 7), icc_profile=PROFILE), "RGB"),
        (saved(gradient(9, 7).convert("L"), icc_profile=PROFILE), "L"),
        (saved(gradient(9, 7), "JPEG", icc_profile=PROFILE), "RGB"),
        (saved(gradient(9, 7), "WEBP", icc_profile=PROFILE, lossless=True), "RGB"),
        (saved(gradient(9, 7).quantize(8), icc_profile=PROFILE), "RGB"),
        (saved(half_transparent((9, 7)).convert("LA"), icc_profile=PROFILE), "RGBA"),
        (saved(half_transparent((9, 7)).quantize(2), icc_profile=PROFILE, transparency=1), "RGBA"),
    ],
    ids=["PNG", "gray PNG", "JPEG", "WebP", "palette", "transparent gray", "transparent palette"],
)
def test_rewritten_image_keeps_format_and_profile(tmp_path: Path, data: bytes, mode: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    given: list[str] = []

    def change(image: Image.Image) -> Image.Image:
        given.append(image.mode)
        return image

    assert images.rewrite(path, 1, change) is True
    assert given == [mode]
    result, before = decoded(path), decoded(data)
    assert (result.format, result.size, result.mode) == (before.format, before.size, mode)
    assert result.info["icc_profile"] == PROFILE


def test_rewritten_image_is_upright_and_changed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(turned(6, gradient(40, 20)))
    assert images.rewrite(path, 1, lambda _: Image.new("RGB", (20, 40), "navy")) is True
    result = decoded(path)
    assert (result.size, result.getexif().get(ORIENTATION)) == ((20, 40), None)
    assert result.getpixel((9, 9))[2] > 120  # type: ignore[index]


def test_jpeg_is_rewritten_almost_without_loss(tmp_path: Path) -> None:
    path = tmp_path / "file"
    image = Image.effect_noise((64, 64), 60).convert("RGB")
    path.write_bytes(saved(image, "JPEG", quality=100, subsampling=0))
    images.rewrite(path, 1, lambda given: given)
    change = ImageChops.difference(decoded(path).convert("L"), image.convert("L"))
    assert ImageStat.Stat(change).mean[0] < 3


@pytest.mark.parametrize(
    "data",
    [animation(), saved(Image.new("I;16", (9, 7))), saved(gradient(9, 7).convert("1"))],
    ids=["animation", "16 bits", "1 bit"],
)
def test_other_kinds_of_image_are_not_rewritten(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    assert images.rewrite(path, 1, inverted) is False
    assert path.read_bytes() == data


def test_image_stays_if_the_change_returns_none(tmp_path: Path) -> None:
    path = tmp_path / "file"
    data = saved(gradient(9, 7))
    path.write_bytes(data)
    assert images.rewrite(path, 1, lambda _: None) is False
    assert path.read_bytes() == data


def test_damaged_image_is_not_rewritten(tmp_path: Path) -> None:
    path = tmp_path / "file"
    data = saved(gradient(60, 60))[:-30]
    path.write_bytes(data)
    with pytest.raises(FileInvalid):
        images.rewrite(path, 1, inverted)
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("form", "kept", "media_type"),
    [
        ("PNG", "PNG", "image/png"),
        ("JPEG", "JPEG", "image/jpeg"),
        ("WEBP", "WEBP", "image/webp"),
        ("TIFF", "PNG", "image/png"),
    ],
)
def test_part_keeps_format_and_profile(tmp_path: Path, form: str, kept: str, media_type: str) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    image = gradient(40, 30)
    image.paste("white", (10, 5, 22, 14))
    source.write_bytes(saved(image, form, icc_profile=PROFILE))
    assert images.cut(source, target, (10, 5, 22, 14), 1) == media_type
    part = decoded(target)
    assert (part.format, part.size, part.info["icc_profile"]) == (kept, (12, 9), PROFILE)
    assert ImageStat.Stat(part.convert("L")).mean[0] > 245


def test_box_is_measured_in_the_upright_image(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(turned(6, gradient(40, 20)))
    images.cut(source, target, (0, 0, 20, 40), 1)
    assert decoded(target).size == (20, 40)


@pytest.mark.parametrize(
    ("box", "is_inside"),
    [
        ((0, 0, 40, 30), True),
        ((39, 29, 40, 30), True),
        ((-1, 0, 40, 30), False),
        ((0, -1, 40, 30), False),
        ((0, 0, 41, 30), False),
        ((0, 0, 40, 31), False),
        ((5, 0, 5, 30), False),
        ((0, 5, 40, 5), False),
    ],
)
def test_box_lies_within_the_image(tmp_path: Path, box: tuple[int, int, int, int], is_inside: bool) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(saved(gradient(40, 30)))
    if is_inside:
        images.cut(source, target, box, 1)
        assert decoded(target).size == (box[2] - box[0], box[3] - box[1])
    else:
        with pytest.raises(FileInvalid, match="40 by 30 pixels"):
            images.cut(source, target, box, 1)


@pytest.mark.parametrize("form", ["WEBP", "GIF"])
def test_animation_is_not_cut(tmp_path: Path, form: str) -> None:
    source = tmp_path / "source"
    source.write_bytes(animation(form))
    with pytest.raises(FileInvalid, match="still"):
        images.cut(source, tmp_path / "target", (0, 0, 4, 4), 1)


@pytest.mark.parametrize("form", ["PPM", "TGA", "ICO"])
def test_formats_that_are_not_needed_are_not_decoded(tmp_path: Path, form: str) -> None:
    path, data = tmp_path / "file", saved(gradient(40, 30), form)
    path.write_bytes(data)
    readers: list[Callable[[], Any]] = [
        lambda: images.measure(path, 1),
        lambda: images.shrink(data, 10, 1),
        lambda: images.grayscale(data, 10, 1),
        lambda: images.crop(data, (10, 10), 1),
        lambda: images.rewrite(path, 1, inverted),
        lambda: images.cut(path, tmp_path / "target", (0, 0, 4, 4), 1),
    ]
    for read in readers:
        with pytest.raises(FileInvalid, match="damaged or not an image"):
            read()


@pytest.mark.parametrize(
    "data", [b"", b"words", saved(gradient(60, 60))[:-30]], ids=["empty", "text", "damaged"]
)
def test_file_that_is_no_image_has_no_watermark(data: bytes) -> None:
    assert images.has_watermark(data, 1) is False


def test_image_above_the_pixel_limit_has_no_watermark() -> None:
    assert images.has_watermark(saved(Image.new("1", (1001, 1000))), 1) is False
