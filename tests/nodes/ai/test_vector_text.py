"""Brand checks: the text and the fonts of an SVG."""

import pytest

from impasto_nodes.ai.brand_checks.vector_text import NotAnSvg, VectorText, check_fonts, read_svg


def test_text_and_fonts_of_an_svg_are_read_from_every_place() -> None:
    data = b"""<svg xmlns:x="y"><style>.a{font-family: "Fjell Sans", serif} .b{FONT-FAMILY:Inter}</style>
    <g font-family="inherit"><text style="fill:red;font-family:'Arial'">One<tspan> two</tspan></text></g>
    <x:text>three</x:text><title>not this</title><textPath font-family=" ">four</textPath></svg>"""
    assert read_svg(data) == VectorText("One two three four", ["Fjell Sans", "Inter", "Arial"])
    long = read_svg(b"<svg><text font-family='" + b"a" * 100 + b"'>x</text></svg>")
    assert long.families == ["a" * 80]
    assert read_svg(b"<svg>loose <text>in</text> after</svg>").text == "in"
    assert read_svg(b"<svg><text>a</text><text>b</text></svg>").text == "a b"


@pytest.mark.parametrize(
    ("shorthand", "family"),
    [
        ("italic bold 12px/1.5 'Fjell Sans', serif", ["Fjell Sans"]),
        ("12px Inter", ["Inter"]),
        (".8em/normal Inter,Arial", ["Inter"]),
        ("700 120% Inter", ["Inter"]),
        ("small-caps x-large Open Sans", ["Open Sans"]),
        ("MEDIUM\n&quot;Fjell\nSans&quot;", ["Fjell Sans"]),
        ("inherit", []),
        ("caption", []),
        ("bold Inter", []),
        ("12px", []),
        ("small-caps " * 45 + "1px A", ["A"]),
        ("small-caps " * 45 + "10px A", []),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else str(value),
)
def test_families_of_the_font_shorthand_follow_its_size(shorthand: str, family: list[str]) -> None:
    for text in (f'<text font="{shorthand}">', f'<text style="font:{shorthand};x:y">'):
        assert read_svg(f"<svg>{text}a</text></svg>".encode()).families == family
    rule = f"<svg><style>a{{font :\n{shorthand}}} b{{--font:1px B}}</style></svg>"
    assert read_svg(rule.encode()).families == family


def test_rules_of_a_long_stylesheet_are_read_whole() -> None:
    """Also those at the end of a parser's buffer: each shift moves it to another place in a rule."""
    names = [f"Fjell {number:04}" for number in range(3500)]
    rules = [f"a{{\nfont-family:\n{name}}}" for name in names]
    for shift in range(len(rules[0])):
        style = " " * shift + "".join(rules)
        assert read_svg(f"<svg><style>{style}</style></svg>".encode()).families == names


def test_an_svg_may_have_100_000_letters_and_8_mebibytes() -> None:
    assert len(read_svg(b"<svg><text>" + b"a" * 100_000 + b"</text></svg>").text) == 100_000
    with pytest.raises(NotAnSvg, match="too much text"):
        read_svg(b"<svg><text>" + b"a" * 100_001 + b"</text></svg>")
    frame = b"<svg></svg>"
    assert read_svg(b"<svg>" + b" " * 10 + b"</svg>").text == ""
    padding = b"<!--" + b"x" * (8 * 2**20 - len(frame) - 7) + b"-->"
    assert read_svg(b"<svg>" + padding + b"</svg>").text == ""
    with pytest.raises(NotAnSvg, match="more than 8 MiB"):
        read_svg(b"<svg>" + padding + b" </svg>")


def test_fonts_are_compared_by_letters_and_digits() -> None:
    report = check_fonts(VectorText("Hi", ["FJELL-sans", "Inter 4", "Arial"]), ("Fjell Sans", "inter4"))
    assert report == {
        "checked": True,
        "passed": False,
        "found": ["FJELL-sans", "Inter 4", "Arial"],
        "foreign": ["Arial"],
    }
