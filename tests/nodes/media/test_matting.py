import importlib.util
import sys
from importlib.machinery import ModuleSpec

import numpy as np
import pytest
from PIL import Image, ImageDraw

from impasto_nodes.media.image import matting


def thing():
    image = Image.new("RGB", (400, 300), (225, 228, 230))
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle((140, 60, 260, 260), 30, fill=(200, 60, 40))
    pen.rectangle((140, 130, 260, 190), fill=(245, 240, 225))
    return image


def agreement(mask):
    wanted = np.zeros((300, 400), bool)
    wanted[65:255, 145:255] = True
    found = mask > 0.5
    return (wanted & found).sum() / (wanted | found).sum()


def test_classical_matting_finds_an_object_on_a_plain_ground(monkeypatch):
    monkeypatch.setattr(matting, "_network", lambda: None)
    mask, method = matting.matte(thing())
    assert "no model" in method
    assert agreement(mask) > 0.85


def test_opacity_has_the_shape_of_the_image_scaled_to_1024_pixels_a_side(monkeypatch):
    monkeypatch.setattr(matting, "_network", lambda: None)
    shapes = {
        size: matting.matte(Image.new("RGB", size))[0].shape for size in [(90, 60), (2048, 512), (4096, 1)]
    }
    assert shapes == {(90, 60): (60, 90), (2048, 512): (256, 1024), (4096, 1): (1, 1024)}


def test_installed_network_finds_the_object():
    # The package that carries the weights stops at Python 3.12.
    expected = matting.NETWORK if sys.version_info < (3, 13) else matting.CLASSICAL
    mask, method = matting.matte(thing())
    assert method == expected
    assert agreement(mask) > 0.85


@pytest.mark.parametrize(
    ("package", "spec"),
    [
        ("rembg", None),
        ("rembg", ModuleSpec("rembg", None)),
        ("rembg", ModuleSpec("rembg", None, origin="/nowhere/rembg/__init__.py")),
        ("onnxruntime", None),
    ],
    ids=["no package", "a package without files", "no weights", "no runtime"],
)
def test_without_the_network_colors_along_the_border_are_used(monkeypatch, package, spec):
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: spec if name == package else find_spec(name)
    )
    matting._network.cache_clear()
    try:
        assert matting.matte(thing().resize((40, 30)))[1] == matting.CLASSICAL
    finally:
        matting._network.cache_clear()


def test_cutout_contains_only_the_object():
    image = thing()
    cut = matting.cut_out(image, np.asarray(matting.matte(image)[0]))
    assert cut.mode == "RGBA"
    assert cut.size == image.size
    assert cut.getpixel((5, 5))[3] < 10
    assert cut.getpixel((200, 100))[3] > 245
    assert np.abs(np.array(cut.getpixel((200, 100))[:3]) - (200, 60, 40)).max() < 6


def test_clusters_find_the_colors_there_are():
    points = np.array([[0, 0, 0]] * 60 + [[10, 0, 0]] * 30 + [[0, 10, 0]] * 10, np.float32)
    centres, shares = matting.clusters(points, 3, np.ones(100, np.float32))
    assert centres.round().tolist() == [[0, 0, 0], [10, 0, 0], [0, 10, 0]]
    assert shares.tolist() == pytest.approx([0.6, 0.3, 0.1])
