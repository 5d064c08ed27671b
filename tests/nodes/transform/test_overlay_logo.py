"""Overlay logo: the shade behind a logo that hardly differs from the image."""

import pytest
from PIL import Image as Pillow

from impasto_nodes.transform.overlay_logo import signed


@pytest.mark.parametrize(("alpha", "is_shaded"), [(200, True), (201, False)])
def test_a_logo_that_covers_its_ground_is_not_shaded(alpha: int, is_shaded: bool) -> None:
    image = Pillow.new("RGB", (200, 200), (120, 120, 120))
    logo = Pillow.new("RGBA", (40, 20), (110, 110, 110, alpha))
    beside = signed(image, logo, "centre", 0.3, 0.05, 1.0).getpixel((100, 70))
    assert (beside != (120, 120, 120)) is is_shaded
