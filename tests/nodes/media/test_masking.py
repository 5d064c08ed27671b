"""Edits inside a mask, put back into the original."""

import io
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw
from tests.fakes.media import saved

from impasto_nodes.media.image import masking
from impasto_nodes.media.image.masking import (
    MAX_SIDE,
    EmptyMask,
    Frame,
    MaskMismatch,
    UnreadableMask,
    filled,
    pasted_back,
    read_mask,
    see_through,
)

sides = st.integers(1, 700)
RATIOS = ["", "1:1", "3:2", "2:3", "9:16", "21:9"]


def noise(size: tuple[int, int], mode: str = "RGB", seed: int = 1) -> Image.Image:
    shape = (size[1], size[0], len(mode))
    return Image.fromarray(np.random.default_rng(seed).integers(0, 256, shape, np.uint8), mode)


def painted(size: tuple[int, int], box: tuple[int, int, int, int]) -> Image.Image:
    mask = Image.new("L", size, 0)
    ImageDraw.Draw(mask).ellipse(box, fill=255)
    return mask


@given(sides, sides, sides, sides, st.sampled_from(RATIOS), st.sampled_from(["RGB", "RGBA"]), st.data())
@settings(max_examples=60, deadline=None)
def test_pixels_outside_the_mask_never_change(
    width: int, height: int, across: int, down: int, ratio: str, mode: str, data: st.DataObject
) -> None:
    image, answer = noise((width, height), mode), noise((across, down), seed=2)
    mask = Image.new("L", (width, height), 0)
    for _ in range(3):
        place = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
        ImageDraw.Draw(mask).circle(place, data.draw(st.integers(0, 90)), fill=data.draw(st.integers(1, 255)))
    before = np.asarray(image, int)
    after = np.asarray(pasted_back(image, answer, mask, Frame.around(mask.size, ratio)), int)
    assert not (before - after)[np.asarray(mask) == 0].any()


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("size", [(640, 480), (333, 901), (2500, 300)])
def test_unchanged_pixels_keep_their_place(size: tuple[int, int], ratio: str) -> None:
    image = Image.linear_gradient("L").resize(size).convert("RGB")
    frame = Frame.around(size, ratio)
    answer = frame.shown(image).resize((1024, round(1024 * frame.padded[1] / frame.padded[0])))
    whole = Image.new("L", size, 255)
    after = pasted_back(image.copy(), answer, whole, frame)
    assert np.abs(np.asarray(after, int) - np.asarray(image, int)).max() <= 4


def test_bands_leave_no_seams(monkeypatch: pytest.MonkeyPatch) -> None:
    size = (200, 1500)
    answer = noise((50, 375), seed=3)
    frame = Frame.around(size, "")
    whole = Image.new("L", size, 255)
    banded = pasted_back(Image.new("RGB", size), answer, whole, frame)
    monkeypatch.setattr(masking, "_BAND", 10_000)
    assert pasted_back(Image.new("RGB", size), answer, whole, frame) == banded


@given(sides, sides, st.sampled_from(RATIOS))
def test_a_frame_holds_the_image_in_the_ratio(width: int, height: int, ratio: str) -> None:
    frame = Frame.around((width, height), ratio)
    assert frame.padded[0] >= width
    assert frame.padded[1] >= height
    assert width == frame.padded[0] or height == frame.padded[1]
    if ratio:
        across, down = map(int, ratio.split(":"))
        assert abs(frame.padded[0] - frame.padded[1] * across / down) <= across / down + 1


def test_a_model_gets_at_most_two_thousand_pixels_a_side_and_no_greys() -> None:
    size = (5000, 2000)
    frame = Frame.around(size, "1:1")
    mask = Image.new("L", size, 0)
    mask.paste(90, (1000, 500, 2000, 900))
    shown = frame.shown_mask(mask)
    assert frame.shown(noise(size)).size == shown.size == (MAX_SIDE, MAX_SIDE)
    assert set(shown.tobytes()) == {0, 255}


def test_a_mask_is_grey_of_the_images_size() -> None:
    mask, is_resized = read_mask(saved(painted((200, 100), (10, 10, 80, 80))), (200, 100))
    assert (mask.mode, mask.size, is_resized) == ("L", (200, 100), False)
    assert read_mask(saved(painted((100, 50), (5, 5, 40, 40))), (200, 100))[1]
    see_through_there = Image.new("RGBA", (200, 100), (255, 255, 255, 0))
    see_through_there.paste((255, 255, 255, 255), (50, 50, 60, 60))
    assert read_mask(saved(see_through_there), (200, 100))[0].getbbox() == (50, 50, 60, 60)


def test_a_mask_that_is_none_is_refused_in_words() -> None:
    with pytest.raises(EmptyMask, match="Nothing is painted"):
        read_mask(saved(Image.new("L", (20, 20), 0)), (20, 20))
    with pytest.raises(MaskMismatch, match="20 by 20 pixels, and the image is 30 by 20"):
        read_mask(saved(Image.new("L", (20, 20), 255)), (30, 20))
    with pytest.raises(UnreadableMask, match="The mask cannot be used"):
        read_mask(b"not a mask", (20, 20))


def test_openais_mask_is_see_through_where_it_is_painted() -> None:
    with Image.open(io.BytesIO(see_through(saved(painted((40, 30), (10, 10, 20, 20)))))) as sent:
        alpha = sent.getchannel("A")
    assert (alpha.getpixel((15, 15)), alpha.getpixel((1, 1))) == (0, 255)


def test_a_hole_is_filled_from_around_it() -> None:
    image = Image.new("RGB", (101, 77), (200, 120, 40))
    image.paste((0, 0, 255), (30, 20, 60, 50))
    mask = Image.new("L", image.size, 0)
    mask.paste(255, (28, 18, 62, 52))
    assert np.abs(np.asarray(filled(image, mask), int) - (200, 120, 40)).max() <= 1
    everything = filled(image, Image.new("L", image.size, 255))
    assert everything.size == image.size
    mask.paste(255, (0, 0, 101, 77))
    mask.paste(0, (97, 0, 101, 4))  # all but a corner is a hole
    assert np.abs(np.asarray(filled(image, mask), int) - (200, 120, 40)).max() <= 1


def test_a_hole_between_two_colors_is_a_gradient() -> None:
    image = Image.new("L", (8, 5), 200)
    image.paste(0, (0, 0, 4, 5))
    mask = Image.new("L", image.size, 0)
    mask.paste(255, (1, 0, 7, 5))
    assert np.asarray(filled(image, mask)).tolist() == [[0, 13, 38, 75, 125, 163, 188, 200]] * 5


def test_filling_takes_linear_time() -> None:
    def seconds(side: int) -> float:
        image, mask = noise((side, side)), painted((side, side), (9, 9, side - 9, side - 9))
        start = time.process_time()
        filled(image, mask)
        return time.process_time() - start

    seconds(256)
    assert seconds(1024) < 16 * 4 * max(0.01, seconds(256))


@pytest.mark.parametrize(
    ("size", "ratio", "padded", "offset"),
    [
        ((300, 200), "", (300, 200), (0, 0)),
        ((300, 200), "3:2", (300, 200), (0, 0)),
        ((300, 200), "1:1", (300, 300), (0, 50)),
        ((301, 200), "1:2", (301, 602), (0, 201)),
        ((200, 301), "2:1", (602, 301), (201, 0)),
    ],
)
def test_an_image_stands_in_the_middle_of_its_frame(
    size: tuple[int, int], ratio: str, padded: tuple[int, int], offset: tuple[int, int]
) -> None:
    frame = Frame.around(size, ratio)
    assert (frame.size, frame.padded, frame.offset) == (size, padded, offset)


def test_a_large_frame_is_scaled_to_the_longest_side() -> None:
    assert Frame.around((MAX_SIDE, 100), "").scale == 1
    assert Frame.around((4096, 1024), "").scale == 0.5
    frame = Frame.around((4096, 2048), "1:1")
    shown = np.asarray(frame.shown_mask(Image.new("L", frame.size, 1)))
    assert shown.shape == (2048, 2048)
    assert np.flatnonzero(shown[:, 9]).tolist() == list(range(512, 1536))
    assert Frame.around((9000, 1), "").shown(Image.new("RGB", (9000, 1))).size == (2048, 1)
    assert Frame.around((1, 9000), "").shown(Image.new("RGB", (1, 9000))).size == (1, 2048)


def test_the_part_of_an_answer_is_measured_in_its_own_pixels() -> None:
    frame = Frame.around((300, 200), "1:1")
    assert frame.part_of((600, 900)) == pytest.approx((0, 150, 600, 750))
    assert Frame.around((200, 300), "1:1").part_of((900, 600)) == pytest.approx((150, 0, 750, 600))


@pytest.mark.parametrize(("size", "accepted"), [((99, 100), True), ((97, 100), False), ((103, 100), False)])
def test_a_mask_may_differ_in_shape_by_a_fiftieth(size: tuple[int, int], accepted: bool) -> None:
    data = saved(Image.new("L", size, 255))
    if accepted:
        mask, is_resized = read_mask(data, (100, 100))
        assert (mask.size, is_resized) == ((100, 100), True)
    else:
        with pytest.raises(MaskMismatch):
            read_mask(data, (100, 100))


def test_an_answer_larger_than_the_frame_is_scaled_down_first() -> None:
    image, whole = Image.new("RGB", (40, 30)), Image.new("L", (40, 30), 255)
    frame = Frame.around(image.size, "")
    large = noise((400, 300), seed=4)
    small = large.resize((40, 30), Image.Resampling.LANCZOS)
    expected = np.asarray(pasted_back(image.copy(), small, whole, frame), int)
    for answer in (large, large.resize((400, 30)), large.resize((40, 300))):
        shown = np.asarray(pasted_back(image.copy(), answer, whole, frame), int)
        assert np.abs(shown - expected).mean() < 2


def test_an_answer_smaller_than_the_frame_is_enlarged_once() -> None:
    whole, frame = Image.new("L", (40, 30), 255), Frame.around((40, 30), "")
    for size in ((35, 20), (25, 30), (40, 30)):
        answer = noise(size, seed=4)
        place = (size[0] / 40, 0, 0, 0, size[1] / 30, 0)
        expected = answer.transform((40, 30), Image.Transform.AFFINE, place, Image.Resampling.BICUBIC)
        assert pasted_back(Image.new("RGB", (40, 30)), answer, whole, frame) == expected
