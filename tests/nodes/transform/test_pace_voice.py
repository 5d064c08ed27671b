"""Pace voice: how long a voice stays as it is, and how loud a spread one is."""

import pytest

from impasto_nodes.media.audio import audio_file
from impasto_nodes.media.audio.loudness import loudness
from impasto_nodes.transform import pace_voice

pytestmark = pytest.mark.anyio


async def test_a_voice_up_to_two_seconds_too_long_is_not_reported(desk, sine):
    voice = await desk.audio(sine(3.5))
    done = await desk.run(pace_voice, {"voice": voice}, {"seconds": 1.5})
    assert done.output == voice
    assert [event for event in done.events if event.type == "step.progress"] == []


async def test_a_spread_voice_has_the_loudness_of_speech(desk, sine):
    done = await desk.run(pace_voice, {"voice": await desk.audio(sine(2.0, 300, 0.02))}, {"seconds": 2.5})
    assert loudness(audio_file.load(await desk.file(done.output, "wav"))) == pytest.approx(-16, abs=0.3)
