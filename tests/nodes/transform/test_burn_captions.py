"""Burn captions: how large a caption may be, and where it stands in the frames."""

import numpy as np
import pytest
from PIL import Image as Pillow

from impasto import NodeError
from impasto_nodes.media.video import video_reader
from impasto_nodes.transform import burn_captions
from impasto_nodes.transform.burn_captions import layer


def box_of(drawn):
    return Pillow.fromarray((np.asarray(drawn)[..., 3] > 127).astype(np.uint8)).getbbox()


@pytest.mark.parametrize(("words", "height"), [(1, 31), (12, 91), (90, 87)])
def test_a_caption_takes_a_third_of_the_height_at_most(words, height):
    drawn = layer("wonderful " * words, (320, 270), "Manrope", "bottom", "panel", 0.06)
    left, top, right, bottom = box_of(drawn)
    assert bottom - top == height
    assert left + right == pytest.approx(320, abs=1)


@pytest.mark.parametrize("look", ["panel", "shadow"])
def test_caption_without_anything_to_draw_has_no_ground(look):
    assert layer("🎉", (320, 180), "Manrope", "bottom", look, 0.06).getbbox() is None


@pytest.mark.anyio
async def test_a_caption_stands_in_the_frames_where_it_is_drawn(desk):
    clip = await desk.video(0.5, (320, 180), (0, 0, 0), hertz=None)  # which turns white from the left
    cues = {"cues": [{"start": 0.0, "end": 0.5, "text": "Out now"}]}
    done = await desk.run(burn_captions, {"video": clip, "cues": cues}, {"place": "centre", "size": 0.1})
    frames = video_reader.frames(await desk.file(done.output, "mp4"), (320, 180), 24)
    white = list(frames)[-1][:, :280].max(2)
    found = Pillow.fromarray((white < 110).astype(np.uint8)).getbbox()
    assert found == box_of(layer("Out now", (320, 180), "Hanken Grotesk", "centre", "panel", 0.1))


@pytest.mark.anyio
async def test_cues_are_taken_before_the_text_of_a_file(desk):
    inputs = {"video": await desk.video(0.1, hertz=None), "srt": "1\n00:00 no time\nHello"}
    with pytest.raises(NodeError) as refused:
        await desk.run(burn_captions, inputs)
    assert refused.value.code == "bad_captions"
    assert (await desk.run(burn_captions, inputs | {"cues": {"cues": []}})).output.name == "captioned.mp4"


@pytest.mark.anyio
async def test_captions_may_be_set_in_capitals(desk):
    clip = await desk.video(0.1, hertz=None)

    async def drawn(text, **settings):
        cues = {"cues": [{"start": 0.0, "end": 0.1, "text": text}]}
        done = await desk.run(burn_captions, {"video": clip, "cues": cues}, {"size": 0.1, **settings})
        return np.array(list(video_reader.frames(await desk.file(done.output, "mp4"), (160, 90), 24)))

    capitals = await drawn("GO NOW")
    assert (await drawn("Go now", upper_case=True) == capitals).all()
    assert (await drawn("Go now") != capitals).any()
