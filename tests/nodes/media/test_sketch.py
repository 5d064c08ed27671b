"""A sketch is small, whatever it is made of, and nothing that cannot be decoded becomes one."""

import base64
import io

import pytest
from PIL import Image
from tests.fakes.media import saved

from impasto_nodes.media.image.sketch import SIDE, sketch_of


def encoded(mode: str, size: tuple[int, int], kind: str) -> bytes:
    return saved(Image.effect_noise(size, 90).convert(mode), kind)


@pytest.mark.parametrize(("mode", "kind"), [("RGB", "JPEG"), ("RGBA", "PNG"), ("L", "PNG"), ("RGB", "WEBP")])
def test_sketch_is_a_small_jpeg(mode: str, kind: str) -> None:
    found = sketch_of(encoded(mode, (1600, 800), kind))
    assert found is not None
    head, _, data = found["sketch"].partition(",")
    assert head == "data:image/jpeg;base64"
    with Image.open(io.BytesIO(base64.b64decode(data))) as image:
        assert (image.format, image.size) == ("JPEG", (SIDE, SIDE // 2))
    assert len(found["sketch"]) < 60_000


@pytest.mark.parametrize("data", [b"", b"no image", encoded("RGB", (64, 64), "PNG")[:80]])
def test_damaged_image_has_no_sketch(data: bytes) -> None:
    assert sketch_of(data) is None


def test_huge_image_has_no_sketch() -> None:
    assert sketch_of(saved(Image.new("1", (8000, 4000)))) is None


@pytest.mark.parametrize(("size", "made"), [((4000, 4000), True), ((4001, 4000), False)])
def test_up_to_sixteen_megapixels_are_sketched(size: tuple[int, int], made: bool) -> None:
    assert (sketch_of(saved(Image.new("1", size))) is not None) is made


def test_a_small_image_keeps_its_size() -> None:
    found = sketch_of(encoded("RGB", (64, 40), "PNG"))
    assert found is not None
    data = base64.b64decode(found["sketch"].partition(",")[2])
    assert Image.open(io.BytesIO(data)).size == (64, 40)
