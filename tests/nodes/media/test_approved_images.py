"""Cut-outs, crops, shading and edits of photos, compared with the images that were approved last."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter
from tests.fixtures.approved import assert_approved, plane_image, sheet_of

from impasto_nodes.media.image import matting
from impasto_nodes.media.image.framing import best_window, cropped, salience, whole
from impasto_nodes.media.image.legibility import DARK, LIGHT, ensured, steadied
from impasto_nodes.media.image.masking import Frame, filled, pasted_back
from impasto_nodes.media.video.video_reader import placed

APPROVED = Path(__file__).parent / "approved"


def scene(width: int = 150, height: int = 110) -> Image.Image:
    """A cup before a wall that grows darker, on a table of another color."""
    wall = np.linspace(215, 150, width)[None, :] + np.linspace(0, -30, height)[:, None]
    image = Image.fromarray(np.dstack([wall, wall - 12, wall - 30]).astype(np.uint8))
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, height * 0.8, width, height), fill=(120, 92, 70))
    pen.rounded_rectangle((50, 35, 95, 92), 8, fill=(40, 90, 160))
    pen.rectangle((50, 55, 95, 68), fill=(235, 230, 215))
    pen.ellipse((90, 45, 112, 80), outline=(40, 90, 160), width=5)
    return image.filter(ImageFilter.GaussianBlur(0.8))


def test_what_stands_out_from_the_border_is_cut_out() -> None:
    image = scene()
    mask, _ = matting.matte(image, with_network=False)
    assert_approved(plane_image(mask), APPROVED / "matte.png")
    assert_approved(matting.cut_out(image, mask), APPROVED / "cut-out.png")


def test_a_cut_out_may_be_larger_than_its_mask(monkeypatch: pytest.MonkeyPatch) -> None:
    image = scene()
    mask, _ = matting.matte(image, with_network=False)
    large = image.resize((600, 440))
    cut = matting.cut_out(large, mask)
    assert_approved(cut.reduce(3), APPROVED / "large-cut-out.png")
    monkeypatch.setattr(matting, "_STRIP_PIXELS", 600 * 37)
    strips = matting.cut_out(large, mask)
    assert np.abs(np.asarray(strips, int) - np.asarray(cut, int)).max() <= 3


def test_salience_is_as_approved() -> None:
    plane = salience(scene())
    assert plane.shape == (94, 128)
    assert_approved(plane_image(plane / plane.max()), APPROVED / "salience.png")
    cut = scene().convert("RGBA")
    cut.putalpha(Image.linear_gradient("L").resize(cut.size))
    plane = salience(cut)
    assert_approved(plane_image(plane / plane.max()), APPROVED / "salience-of-a-cut-out.png")


INSETS = (0.1, 0.05, 0.0, 0.3)


@pytest.mark.parametrize(
    ("size", "insets", "box", "kept"),
    [
        ((60, 60), (0, 0, 0, 0), (22.5, 0.0, 132.5, 110.0), 0.9277),
        ((60, 60), INSETS, (17.5, 0.0, 127.5, 110.0), 0.9329),
        ((200, 60), (0, 0, 0, 0), (0.0, 35.21, 150.0, 80.21), 0.7199),
        ((200, 60), INSETS, (0.0, 41.98, 150.0, 86.98), 0.6787),
        ((150, 110), (0, 0, 0, 0), (0.0, 0.0, 150.0, 110.0), 1.0),
        ((60, 60), (0, 0, 0.4, 0.1), (40.0, 0.0, 150.0, 110.0), 0.9041),
        ((60, 60), (0.5, 0.3, 0.1, 0), (0.83, 0.0, 110.83, 110.0), 0.9345),
        ((60, 60), (0.3, 0.5, 0.1, 0.3), (13.33, 0.0, 123.33, 110.0), 0.9374),
        ((60, 200), (0, 0, 0.3, 0), (65.81, 0.0, 98.81, 110.0), 0.4834),
        ((200, 60), (0.5, 0.5, 0.2, 0), (0.0, 25.73, 150.0, 70.73), 0.6167),
        ((200, 60), (0, 0.35, 0.2, 0), (0.0, 28.44, 150.0, 73.44), 0.6618),
    ],
)
def test_a_crop_is_placed_where_its_safe_part_keeps_most(
    size: tuple[int, int],
    insets: tuple[float, float, float, float],
    box: tuple[float, float, float, float],
    kept: float,
) -> None:
    found = best_window(scene(), size, insets)
    assert found.box == pytest.approx(box, abs=0.01)
    assert found.kept == pytest.approx(kept, abs=0.0005)


def test_images_are_framed_as_approved() -> None:
    image = scene()
    see_through = image.convert("RGBA")
    see_through.putalpha(Image.radial_gradient("L").resize(image.size))
    sheet = sheet_of(
        [
            cropped(image, (120, 120), best_window(image, (120, 120))),
            whole(image, (120, 200)),
            whole(image, (200, 120), INSETS),
            whole(see_through, (120, 120), INSETS),
            whole(image, (64, 64), INSETS),
            placed(image, (120, 200), "fit"),
            placed(image, (120, 200), "fill"),
        ],
        400,
    )
    assert_approved(sheet, APPROVED / "framed.png")


BOXES = {"top": (20, 8, 140, 30), "middle": (30, 45, 120, 70), "bottom": (20, 92, 140, 112)}


def test_shading_behind_text_is_as_approved() -> None:
    ground = scene(160, 120)
    shaded = [
        steadied(ground, box, color, stripes=stripes)
        for box in BOXES.values()
        for color in (LIGHT, DARK)
        for stripes in (False, True)
    ]
    shaded += [ensured(ground, box, wanted)[0] for box in BOXES.values() for wanted in (None, (90, 90, 90))]
    assert_approved(sheet_of(shaded, 480).convert("RGB"), APPROVED / "shaded.png")


FRAME = Frame.around((150, 110), "1:1")


def test_an_image_in_a_frame_continues_mirrored() -> None:
    assert (FRAME.padded, FRAME.offset, FRAME.scale) == ((150, 150), (0, 20), 1.0)
    shown = FRAME.shown(scene())
    pixels, original = np.asarray(shown, int), np.asarray(scene(), int)
    assert (pixels[20:130] == original).all()
    assert (pixels[:20] == original[19::-1]).all()
    assert (pixels[130:] == original[:-21:-1]).all()
    turned = scene().transpose(Image.Transpose.TRANSPOSE)
    beside = Frame.around((110, 150), "1:1").shown(turned)
    assert (np.asarray(beside.transpose(Image.Transpose.TRANSPOSE)) == pixels).all()


def test_an_edit_is_pasted_back_where_the_mask_is_light() -> None:
    mask = Image.new("L", (150, 110), 0)
    ImageDraw.Draw(mask).ellipse((30, 20, 120, 90), fill=255)
    mask = mask.filter(ImageFilter.GaussianBlur(4))
    answer = FRAME.shown(scene()).resize((90, 90)).transpose(Image.Transpose.ROTATE_180)
    assert_approved(pasted_back(scene(), answer, mask, FRAME), APPROVED / "pasted-back.png")


def test_what_a_mask_covers_is_filled_smoothly() -> None:
    mask = Image.new("L", (150, 110), 0)
    ImageDraw.Draw(mask).ellipse((40, 20, 120, 97), fill=255)
    assert_approved(filled(scene(), mask.filter(ImageFilter.BoxBlur(3))), APPROVED / "filled.png")
