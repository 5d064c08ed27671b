"""The roles that the colors of a brand have in an ad: ground, text, field, button and its label."""

import pytest

from impasto_nodes.media.ad.colors import colors_for
from impasto_nodes.media.ad.layout import Design
from impasto_nodes.media.image.color import contrast, from_hex, to_hex


@pytest.mark.parametrize(
    ("palette", "design", "roles"),
    [
        ("0b6e4f f4e9cd fa9f42 14213d", "split", "0b6e4f f4e9cd fa9f42 fa9f42 14213d"),
        ("0b6e4f f4e9cd fa9f42 14213d", "card", "f4e9cd 14213d 0b6e4f 0b6e4f f4e9cd"),
        ("0b6e4f f4e9cd fa9f42 14213d", "arch", "0b6e4f f4e9cd fa9f42 fa9f42 14213d"),
        ("0b6e4f f4e9cd fa9f42 14213d", "base", "14213d f4e9cd 0b6e4f 0b6e4f f4e9cd"),
        ("de4f2a", "split", "de4f2a 300600 b43d1e ffefe9 3e0900"),
        ("de4f2a", "card", "ffefe9 3e0900 de4f2a de4f2a 300600"),
        ("de4f2a", "arch", "de4f2a 300600 b43d1e ffefe9 3e0900"),
        ("de4f2a", "base", "3e0900 ffefe9 de4f2a de4f2a 300600"),
        ("fafafa 141414", "split", "fafafa 141414 141414 141414 fafafa"),
        ("fafafa 141414", "card", "141414 fafafa fafafa fafafa 141414"),
        ("fafafa 141414", "arch", "fafafa 141414 141414 141414 fafafa"),
        ("fafafa 141414", "base", "141414 fafafa fafafa fafafa 141414"),
        ("141414 fafafa", "split", "141414 fafafa fafafa fafafa 141414"),
        ("141414 fafafa", "card", "fafafa 141414 141414 141414 fafafa"),
        ("141414 fafafa", "arch", "141414 fafafa fafafa fafafa 141414"),
        ("141414 fafafa", "base", "fafafa 141414 141414 141414 fafafa"),
        ("808080 868686 3050b0", "split", "808080 171717 3050b0 f3f3f3 1f1f1f"),
        ("808080 868686 3050b0", "card", "f3f3f3 1f1f1f 808080 808080 171717"),
        ("808080 868686 3050b0", "arch", "808080 171717 3050b0 f3f3f3 1f1f1f"),
        ("808080 868686 3050b0", "base", "1f1f1f f3f3f3 808080 808080 171717"),
        ("", "split", "263e3a f3f0ea f3f0ea f3f0ea 263e3a"),
        ("", "card", "f3f0ea 263e3a 263e3a 263e3a f3f0ea"),
        ("", "arch", "263e3a f3f0ea f3f0ea f3f0ea 263e3a"),
        ("", "base", "f3f0ea 263e3a 263e3a 263e3a f3f0ea"),
    ],
)
def test_colors_have_the_roles_of_the_design(palette: str, design: Design, roles: str) -> None:
    colors = colors_for([from_hex(color) for color in palette.split()], design)
    found = (colors.ground, colors.text, colors.field, colors.button, colors.label)
    assert [to_hex(color)[1:] for color in found] == roles.split()
    assert contrast(colors.text, colors.ground) >= 4.5
    assert contrast(colors.label, colors.button) >= 4.5
