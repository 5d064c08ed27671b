"""Sizes are scaled to whole pixels."""

import pytest

from impasto_nodes.media.image.scaling import scaled_size


@pytest.mark.parametrize(
    ("size", "scale", "scaled"),
    [
        ((300, 200), 0.5, (150, 100)),
        ((300, 200), 1.5, (450, 300)),
        ((7, 5), 0.25, (2, 1)),
        ((900, 1), 0.1, (90, 1)),
        ((1, 900), 0.001, (1, 1)),
        ((10.4, 4.4), 2.0, (21, 9)),
    ],
)
def test_scaled_size_is_rounded_and_at_least_one_pixel_a_side(
    size: tuple[float, float], scale: float, scaled: tuple[int, int]
) -> None:
    assert scaled_size(size, scale) == scaled
