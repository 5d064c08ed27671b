"""The title of a video beside what it looked like when a person last approved it, and when it is seen."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tests.fixtures.approved import assert_approved, sheet_of

from impasto_nodes.providers.local.video_renderer.title import title_layers, with_title

APPROVED = Path(__file__).parent / "approved"
FRAME = np.full((90, 160, 3), 120, np.uint8)


def test_a_title_looks_as_approved() -> None:
    long = "A rather long headline that needs more than one line"
    titles = [
        ("Open on Sunday", "", "Source Serif Pro", (160, 90)),
        (long, "Northbound", "Manrope", (160, 90)),
        (long, "Northbound Coffee", "Source Serif Pro", (90, 160)),
        (f"{long} {long} {long}", "Acme", "Source Serif Pro", (120, 120)),
    ]
    pages = []
    for headline, brand, family, size in titles:
        ground = np.asarray(Image.linear_gradient("L").resize(size).convert("RGB"))
        layers = title_layers(headline, brand, family, size)
        pages += [Image.fromarray(with_title(ground, layers, number, 72, 24)) for number in (12, 36)]
    assert_approved(sheet_of(pages, 400).convert("RGB"), APPROVED / "faded-titles.png")


def shown(number: int, count: int = 48, fps: float = 24) -> float:
    """How much of the title is seen in a frame."""
    white = Image.new("RGBA", (160, 90), (255, 255, 255, 255)), Image.new("RGBA", (160, 90), (0, 0, 0, 0))
    return float(with_title(FRAME, white, number, count, fps)[45, 80, 0] - 120) / 135


@pytest.mark.parametrize(
    ("number", "share"), [(0, 0), (4, 0), (12, 0.5), (19, 1), (30, 1), (36, 0.5), (42, 0), (47, 0)]
)
def test_a_title_fades_in_after_a_moment_and_out_before_the_end(number: int, share: float) -> None:
    assert shown(number) == pytest.approx(share, abs=0.01)


def test_a_frame_without_its_title_stays_as_it_is() -> None:
    layers = title_layers("Open", "", "Manrope", (160, 90))
    assert with_title(FRAME, layers, 4, 48, 24) is FRAME
    assert with_title(FRAME, layers, 5, 48, 24) is not FRAME
