"""The watermark: how often it is found after an image was changed, and how much it changes the image."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageEnhance, ImageFilter
from tests.fakes.media import saved
from tests.fixtures.tables import thorough_except
from tests.server.assets.test_similarity import compressed, cropped, scene

from impasto_server.assets.media.images import has_watermark, rewrite
from impasto_server.marking import watermark

_MEGAPIXELS = 40
ALTERATIONS: dict[str, Callable[[Image.Image], Image.Image]] = {
    "saved as JPEG of quality 40": lambda image: compressed(image, "JPEG", 40),
    "saved as WebP of quality 75": lambda image: compressed(image, "WEBP", 75),
    "half as large": lambda image: image.resize((image.width // 2, image.height // 2)),
    "256 pixels wide": lambda image: compressed(
        image.resize((256, 256 * image.height // image.width)), "JPEG", 70
    ),
    "twice as large": lambda image: image.resize((image.width * 2, image.height * 2)),
    "brighter": lambda image: ImageEnhance.Brightness(image).enhance(1.1),
    "blurred": lambda image: image.filter(ImageFilter.GaussianBlur(2)),
    "gray": lambda image: image.convert("L").convert("RGB"),
    "cut by 1 % at each side": lambda image: cropped(image, 0.01),
}


def _large_scene(seed: int) -> Image.Image:
    small = scene(seed)
    return small.resize((720, 720 * small.height // small.width))


def _score(image: Image.Image) -> float:
    gray = image.convert("L").resize((watermark.SIDE, watermark.SIDE), Image.Resampling.LANCZOS)
    return watermark.score(gray)


@pytest.fixture(scope="module")
def marked() -> list[tuple[Image.Image, Image.Image]]:
    """Images and their copies with the watermark."""
    pairs = [(image, watermark.add(image)) for image in map(_large_scene, range(20))]
    return [(image, copy) for image, copy in pairs if copy is not None]


@pytest.mark.parametrize(
    "alteration", thorough_except(ALTERATIONS, "saved as JPEG of quality 40", "cut by 1 % at each side")
)
def test_watermark_is_found_in_95_percent_of_altered_images(
    marked: list[tuple[Image.Image, Image.Image]], alteration: str
) -> None:
    found = [_score(ALTERATIONS[alteration](copy)) >= watermark.FOUND_SCORE for _, copy in marked]
    assert len(found) == 20
    assert sum(found) >= 19


@pytest.mark.parametrize("seeds", thorough_except([range(1000, 1020), range(1020, 1060)], range(1000, 1020)))
def test_watermark_is_found_in_no_other_image(seeds: range) -> None:
    scores = [_score(_large_scene(seed)) for seed in seeds]
    assert max(scores) < watermark.FOUND_SCORE - 1


def test_watermark_changes_an_image_hardly_visibly(marked: list[tuple[Image.Image, Image.Image]]) -> None:
    changes = [np.asarray(copy, float) - np.asarray(image, float) for image, copy in marked]
    assert max(float(np.sqrt(np.square(change).mean())) for change in changes) < 7  # of 255
    assert float(np.median([np.sqrt(np.square(change).mean()) for change in changes])) < 4


def test_image_of_one_color_gets_no_watermark() -> None:
    assert watermark.add(Image.new("RGB", (640, 640), "#c0a080")) is None


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_file_keeps_its_format_size_and_transparency(tmp_path: Path, form: str) -> None:
    image = _large_scene(4)
    if form != "JPEG":
        image.putalpha(Image.linear_gradient("L").resize(image.size))
    path = tmp_path / "file"
    image.save(path, form)
    assert rewrite(path, _MEGAPIXELS, watermark.add)
    assert has_watermark(path, _MEGAPIXELS)
    with Image.open(path) as changed:
        assert (changed.format, changed.size) == (form, image.size)
        if form != "JPEG":
            assert changed.getchannel("A").getextrema() == image.getchannel("A").getextrema()


def test_animation_and_damaged_file_stay_as_they_are(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (64, 64), color) for color in ("red", "green")]
    frames[0].save(tmp_path / "file", "WEBP", save_all=True, append_images=frames[1:])
    before = (tmp_path / "file").read_bytes()
    assert not rewrite(tmp_path / "file", _MEGAPIXELS, watermark.add)
    assert (tmp_path / "file").read_bytes() == before
    (tmp_path / "file").write_bytes(saved(_large_scene(1))[:500])
    assert not has_watermark(tmp_path / "file", _MEGAPIXELS)


def _noise(*shape: int) -> Image.Image:
    return Image.fromarray(np.random.Generator(np.random.PCG64(7)).integers(0, 256, shape, dtype=np.uint8))


def test_pattern_is_the_one_of_all_earlier_files() -> None:
    """An image that was marked years ago must still be recognized."""
    assert watermark.score(_noise(512, 512)) == pytest.approx(0.005289, abs=1e-5)
    gradient = Image.linear_gradient("L").resize((512, 512))
    assert watermark.score(gradient) == pytest.approx(-1.2649, abs=1e-3)
    marked = watermark.add(_noise(512, 512))
    assert marked is not None
    assert watermark.score(marked) == pytest.approx(16.3708, abs=1e-3)
    change = np.asarray(marked, float) - np.asarray(_noise(512, 512), float)
    assert change[100, 100:106].tolist() == [0, 0, 1, 2, 2, 3]
    assert change[300, 200:204].tolist() == [0, 0, -1, -2]
    assert float(change.std()) == pytest.approx(2.4664, abs=1e-3)


def test_colors_change_alike_and_transparency_does_not() -> None:
    image = _noise(300, 200, 4)
    marked = watermark.add(image)
    assert marked is not None
    assert (marked.mode, marked.size) == ("RGBA", (200, 300))
    change = np.asarray(marked, float) - np.asarray(image, float)
    assert not change[..., 3].any()
    assert [round(float(change[..., at].std()), 1) for at in range(3)] == [3.0, 3.0, 3.0]
