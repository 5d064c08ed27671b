"""The shots of a video: where each begins, how far it goes, and how they are mixed."""

import numpy as np
import pytest

from impasto_nodes.providers.local.video_renderer.shots import frames_of


class Shot:
    """A shot of one grey, which keeps how far it was asked to be, from 0 to 1."""

    def __init__(self, level):
        self.level, self.asked = level, []

    def frame(self, at):
        self.asked.append(round(at, 3))
        return np.full((1, 1, 3), self.level, np.uint8)


@pytest.mark.parametrize(
    ("levels", "count", "fps", "shown", "asked"),
    [
        ((100,), 4, 2, [100] * 4, [[0, 0.25, 0.5, 0.75]]),
        # Shots of four frames; the fade takes 1.2 frames.
        (
            (0, 200),
            8,
            2,
            [0, 0, 0, 14, 200, 200, 200, 200],
            [[0, 0.192, 0.385, 0.577], [0.038, 0.231, 0.423, 0.615, 0.808]],
        ),
        # The fade takes 45 % of a shot at most: 1.8 frames of four.
        (
            (0, 200, 100),
            12,
            24,
            [0, 0, 0, 83, 200, 200, 200, 158, 100, 100, 100, 100],
            [[0, 0.172, 0.345, 0.517], *[[0.138, 0.31, 0.483, 0.655, 0.828]] * 2],
        ),
    ],
    ids=["one", "fade", "short"],
)
def test_shots_follow_each_other_with_a_fade(levels, count, fps, shown, asked):
    shots = [Shot(level) for level in levels]
    assert [int(frame[0, 0, 0]) for frame in frames_of(shots, count, fps)] == shown
    assert [shot.asked for shot in shots] == asked
