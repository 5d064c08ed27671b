"""The contrast of a brand's colours, and what text it allows."""

import pytest

from impasto_server.brands.contrast import contrast_pairs, ratio
from impasto_server.brands.schemas import BrandColor


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("#ffffff", "#000000", 21.0), ("#18465c", "#18465c", 1.0), ("#767676", "#ffffff", 4.5423),
        ("#ff0000", "#ffffff", 3.9985), ("#00ff00", "#ffffff", 1.3722), ("#0000ff", "#ffffff", 8.5925),
        ("#0a0a0a", "#000000", 1.0607), ("#0b0b0b", "#000000", 1.0669),
    ],
)  # fmt: skip
def test_ratio_is_that_of_wcag_whichever_is_lighter(one: str, other: str, expected: float) -> None:
    assert ratio(one, other) == pytest.approx(expected, abs=0.0001)
    assert ratio(other, one) == ratio(one, other)


@pytest.mark.parametrize(
    ("gray", "shown", "use"),
    [
        ("#757575", 4.6, "all_text"), ("#767676", 4.5, "all_text"), ("#777777", 4.4, "headlines"),
        ("#949494", 3.0, "headlines"), ("#959595", 2.9, "shapes"), ("#ffffff", None, None),
    ],
)  # fmt: skip
def test_text_needs_4_5_headlines_3_and_the_figure_is_rounded_down(
    gray: str, shown: float | None, use: str | None
) -> None:
    pairs = contrast_pairs([BrandColor(hex="#ffffff"), BrandColor(hex=gray)])
    expected = [(gray, "#ffffff", shown, use)] if shown else []
    assert [(pair.foreground, pair.background, pair.ratio, pair.use) for pair in pairs] == expected


def test_pairs_of_the_first_six_colours_are_listed_by_contrast() -> None:
    grays = ["#000000", "#333333", "#666666", "#999999", "#cccccc", "#ffffff"]
    pairs = contrast_pairs([BrandColor(hex=gray) for gray in [*grays, *grays, "#ff0000"]])
    assert len(pairs) == 15
    assert {color for pair in pairs for color in (pair.foreground, pair.background)} == {*grays}
    assert [pair.ratio for pair in pairs] == sorted((pair.ratio for pair in pairs), reverse=True)
    assert (pairs[0].background, pairs[0].foreground) == ("#000000", "#ffffff")
