"""Videos as cameras make them: turned, deep, bright, their pixels not square, their frames wandering."""

import struct
from fractions import Fraction

import av
import numpy as np
import pytest

from impasto_nodes.media.image.orientation import HLG, PQ, as_displayed
from impasto_nodes.media.probe import probe
from impasto_nodes.media.video import video_reader, video_writer

SIZE = (96, 64)
BT709, UNSAID, BT601 = 1, 2, 5
HALVES = np.zeros((64, 96, 3), np.uint8)
HALVES[:, :48], HALVES[:, 48:] = (200, 40, 30), (20, 40, 200)


def filmed(path, page=HALVES, times=None, **about):
    """A video of one page, shown at these times (in 1/600 s)."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=24, options={"crf": "10"})
        stream.width, stream.height = page.shape[1], page.shape[0]
        stream.pix_fmt = about.pop("pix_fmt", "yuv420p")
        stream.time_base = stream.codec_context.time_base = Fraction(1, 600)
        for name, value in about.items():
            setattr(stream.codec_context, name, value)
        for number, time in enumerate(times or range(0, 600, 25)):
            drawn = av.VideoFrame.from_ndarray(np.roll(page, number, 1) if times else page, format="rgb24")
            frame = drawn.reformat(format=stream.pix_fmt, dst_colorspace=about.get("colorspace", 1))
            frame.pts, frame.time_base = time, Fraction(1, 600)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def turned(path, degrees):
    """The same file as a phone held that way would have written it."""
    data = bytearray(path.read_bytes())
    at = data.index(b"tkhd") + 4 + 40
    a, b = {90: (0, 1), 180: (-1, 0), 270: (0, -1)}[degrees]
    data[at : at + 36] = struct.pack(">9i", a << 16, b << 16, 0, -b << 16, a << 16, 0, 0, 0, 1 << 30)
    path.write_bytes(bytes(data))
    return path


@pytest.mark.parametrize(
    ("degrees", "size", "red"), [(90, (64, 96), (32, 10)), (180, SIZE, (86, 32)), (270, (64, 96), (32, 86))]
)
def test_a_phones_video_stands_upright(tmp_path, degrees, size, red):
    path = turned(filmed(tmp_path / "phone.mp4"), degrees)
    assert video_reader.size_of(path) == size
    assert (probe(path).width, probe(path).height) == size
    frame = next(video_reader.frames(path, size, 24))
    assert frame[red[1], red[0]][0] > 150 > frame[red[1], red[0]][2]


@pytest.mark.parametrize(
    ("height", "written", "tagged"),
    [(480, BT601, UNSAID), (720, BT709, UNSAID), (720, BT601, BT601), (480, BT709, BT709)],
)
def test_untagged_video_has_the_colors_of_its_height(height, written, tagged):
    page = np.full((height, 64, 3), (200, 40, 30), np.uint8)
    frame = av.VideoFrame.from_ndarray(page, format="rgb24").reformat(
        format="yuv420p", dst_colorspace=written
    )
    frame.colorspace = tagged
    shown = np.array(as_displayed(frame).getpixel((30, 30)), int)
    assert np.abs(shown - page[0, 0]).max() <= 4


def test_the_brands_colors_are_those_that_were_drawn(tmp_path):
    """By eye a video in the wrong matrix looks fine, and no colour of the brand is right."""
    path = tmp_path / "brand.mp4"
    colors = [(46, 165, 138), (222, 139, 58), (43, 32, 24), (200, 40, 200)]
    for color in colors:
        with video_writer.open_video(path, (64, 64), 24, with_audio=False) as writing:
            for _ in range(3):
                writing.add_frame(np.full((64, 64, 3), color, np.uint8))
        with av.open(str(path)) as container:
            frame = next(container.decode(video=0))
            assert (frame.colorspace, frame.color_range) == (1, 1)
            planes = frame.to_ndarray(format="yuv420p").astype(float)
        y, u, v = (
            (planes[:64].mean() - 16) / 219,
            (planes[64:80].mean() - 128) / 224,
            (planes[80:].mean() - 128) / 224,
        )
        as_709 = np.array([y + 1.5748 * v, y - 0.1873 * u - 0.4681 * v, y + 1.8556 * u]) * 255
        assert np.abs(as_709 - color).max() < 4
        assert np.abs(next(video_reader.frames(path, (64, 64), 24))[30, 30] - np.array(color)).max() < 5


@pytest.mark.parametrize(("curve", "white"), [(PQ, 0.5807), (HLG, 0.75)])
def test_hdr_is_tone_mapped(tmp_path, curve, white):
    """White paper is white: taken as it stands it would be a dull grey."""
    page = np.full((64, 96, 3), round(white * 255), np.uint8)
    about = {"pix_fmt": "yuv420p10le", "colorspace": 9, "color_primaries": 9, "color_trc": curve}
    path = filmed(tmp_path / "hdr.mp4", page, **about)
    shown = next(video_reader.frames(path, SIZE, 24))
    assert 215 < shown.mean() < 253
    assert np.ptp(shown.reshape(-1, 3).mean(0)) < 4


def test_ten_bit_sdr_is_unchanged(tmp_path):
    path = filmed(tmp_path / "deep.mkv", pix_fmt="yuv420p10le", colorspace=1)
    red = next(video_reader.frames(path, SIZE, 24))[30, 20]
    assert np.abs(red.astype(int) - (200, 40, 30)).max() < 12


def test_pixels_that_are_not_square_are_stretched(tmp_path):
    path = filmed(tmp_path / "wide.mp4", sample_aspect_ratio=Fraction(4, 3))
    assert video_reader.size_of(path) == (128, 64)


def test_variable_frame_rate_becomes_constant(tmp_path):
    """Variable rates: a long pause keeps its image on screen, nothing is dropped or doubled in length."""
    times = [0, 10, 25, 300, 310, 590]
    path = filmed(tmp_path / "vfr.mp4", times=times)
    rows = list(video_reader.frames(path, SIZE, 24))
    assert len(rows) == pytest.approx(24, abs=2)
    pause = [np.abs(one.astype(int) - rows[6].astype(int)).mean() for one in rows[2:11]]
    assert max(pause) < 2


@pytest.mark.parametrize("size", [(98, 66), (2, 2), (322, 18)])
def test_odd_shapes_are_read(tmp_path, size):
    page = np.full((size[1], size[0], 3), (200, 40, 30), np.uint8)
    path = filmed(tmp_path / "odd.mp4", page)
    assert video_reader.size_of(path) == size


def deep(curve, rgb, size=(8, 6)):
    """A frame of one color in 16 bits, in an HDR curve."""
    page = np.full((size[1], size[0], 3), np.round(np.array(rgb) * 65535), np.uint16)
    frame = av.VideoFrame.from_ndarray(page, format="rgb48le")
    frame.color_trc = curve
    return frame


@pytest.mark.parametrize(
    ("curve", "code", "shown"),
    [
        (PQ, 0.0, 0),
        (PQ, 0.3, 63),
        (PQ, 0.4402, 136),
        (PQ, 0.5, 180),
        (PQ, 0.5807, 242),
        (PQ, 0.7518, 255),
        (PQ, 1.0, 255),
        (HLG, 0.0, 0),
        (HLG, 0.06, 5),
        (HLG, 0.25, 62),
        (HLG, 0.5, 137),
        (HLG, 0.6, 173),
        (HLG, 0.75, 242),
        (HLG, 1.0, 255),
    ],
)
def test_hdr_light_is_kept_below_the_knee_and_rolls_off_to_white(curve, code, shown):
    """100 nits have the code 0.508 of PQ, reference white of 203 nits 0.5807 of PQ and 0.75 of HLG."""
    image = as_displayed(deep(curve, (code, code, code)))
    assert image.size == (8, 6)
    assert image.getpixel((4, 3)) == pytest.approx((shown,) * 3, abs=1)


def test_colors_of_hdr_are_those_of_bt_709():
    red, green, blue = as_displayed(deep(HLG, (0.5, 0.4, 0.3))).getpixel((4, 3))
    assert (red, green, blue) == pytest.approx((154, 102, 71), abs=2)
    assert as_displayed(deep(HLG, (0.0, 0.5, 0.0))).getpixel((4, 3))[0] == 0
    bright = as_displayed(deep(PQ, (0.7, 0.6, 0.5))).getpixel((4, 3))
    assert bright[0] == 255
    assert bright[0] > bright[1] > bright[2]


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        ((1920, 10), (1920, 10)),
        ((2000, 100), (1920, 96)),
        ((10, 3840), (4, 1920)),
        ((2, 3840), (2, 1920)),
        ((9, 7), (8, 8)),
    ],
)
def test_hdr_frames_have_even_sides_of_at_most_1920_pixels(size, shown):
    assert as_displayed(deep(PQ, (0.5, 0.5, 0.5), size)).size == shown


@pytest.mark.parametrize(
    ("stretch", "width"), [(1.0, 96), (1.009, 96), (1.5, 144), (2.0, 192), (0.5, 48), (0.001, 1)]
)
def test_the_shape_of_pixels_stretches_a_frame(stretch, width):
    frame = av.VideoFrame.from_ndarray(HALVES, format="rgb24")
    assert as_displayed(frame, stretch).size == (width, 64)
