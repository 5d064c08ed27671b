"""Colours and fonts in the CSS of a website: what counts, how much, and where it was found."""

import pytest

from impasto_server.brands.imports.page import Page
from impasto_server.brands.imports.stylesheet import MAX_FONTS, Styles, color_in

NAMES = {"html", "body", "div", "h1", "p", "a", ".card", "#top"}


def read(*sheets: str, inline: tuple[str, ...] = ()) -> Styles:
    styles = Styles(Page(names=set(NAMES)))
    for number, css in enumerate(sheets, 1):
        styles.read(css, f"stylesheet {number}")
    for declarations in inline:
        styles.read_inline(declarations)
    styles.finish()
    return styles


def weights(*sheets: str) -> dict[str, float]:
    return {color.hex: color.weight for color in read(*sheets).colors()}


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("a { color: #f00 }", {"#ff0000": 2.0}),
        ("a { background: #f00 } .card { background-color: #00f }", {"#ff0000": 3.0, "#0000ff": 3.0}),
        ("a { fill: #f00; border-color: #0f0; box-shadow: 0 0 1px #00f }",
         {"#ff0000": 1.0, "#00ff00": 0.5, "#0000ff": 0.5}),
        ("a { color: #f00 } p { color: red }", {"#ff0000": 4.0}),
        ("a { width: #f00 }", {}),
        ("a { background: color(); color: #f00 }", {"#ff0000": 2.0}),
        ("a { background: linear-gradient(#f00, #00f) }", {"#ff0000": 3.0, "#0000ff": 3.0}),
        ("a { color: rgba(255, 0, 0, 0.5) } p { color: rgba(0, 0, 255, 0.49) }", {"#ff0000": 2.0}),
    ],
)  # fmt: skip
def test_weight_of_a_color_follows_what_it_fills(css: str, expected: dict[str, float]) -> None:
    assert weights(css) == expected


@pytest.mark.parametrize("selector", [".missing", "#missing", "div .missing", "nav", ".missing:hover"])
def test_rules_that_match_nothing_count_only_if_there_are_no_others(selector: str) -> None:
    css = f"{selector} {{ color: #f00 }}"
    assert weights(css) == {"#ff0000": pytest.approx(0.1)}
    assert weights(css, "a { color: #00f }") == {"#0000ff": 2.0}


@pytest.mark.parametrize(
    "selector",
    [".card", "#top", "DIV", "a:hover", "a::before", "a[href='.x']", ".missing, p", "div > .card", "*"],
)
def test_rules_whose_selector_can_match_the_page_count_fully(selector: str) -> None:
    assert weights(f"{selector} {{ color: #f00 }}") == {"#ff0000": 2.0}


def test_selectors_are_read_up_to_400_tokens() -> None:
    assert weights("nav," * 198 + "p nav { color: #f00 }") == {"#ff0000": pytest.approx(0.1)}
    assert weights("nav," * 199 + "p nav { color: #f00 }") == {"#ff0000": 2.0}, "p is the last that is read"


def test_values_of_custom_properties_are_followed_up_to_100_tokens_and_500_in_all() -> None:
    for commas, expected in ((99, {"#ff0000": 2.0}), (100, {})):
        assert weights(f":root{{--a:{',' * commas}#f00}} a{{color:var(--a)}}") == expected
    for commas, expected in ((498, {"#ff0000": 2.0}), (499, {})):
        assert weights(f":root{{--a:x}} a{{color:var(--a){',' * commas}#f00}}") == expected


@pytest.mark.parametrize("rule", ["@media (min-width: 1px)", "@supports (a: b)", "@layer base", "@container"])
def test_rules_inside_of_conditions_count(rule: str) -> None:
    (color,) = read(f"{rule} {{ a {{ color: #f00 }} }}").colors()
    assert (color.hex, color.weight, color.found) == ("#ff0000", 2.0, "stylesheet 1, 1 use")


@pytest.mark.parametrize("rule", ["@page", "@keyframes glow", "@property --x"])
def test_other_at_rules_do_not_count(rule: str) -> None:
    assert weights(f"{rule} {{ a {{ color: #f00 }} }}", "p { color: #00f }") == {"#0000ff": 2.0}


def test_conditions_are_read_eight_levels_deep() -> None:
    def nested(levels: int) -> str:
        return "@media all {" * levels + "a { color: #f00 }" + "}" * levels

    assert weights(nested(8)) == {"#ff0000": 2.0}
    assert weights(nested(9)) == {}


def test_colors_are_found_eight_functions_deep() -> None:
    def nested(levels: int) -> str:
        return "a { background: " + "f(" * levels + "#f00" + ")" * levels + "}"

    assert weights(nested(8)) == {"#ff0000": 3.0}
    assert weights(nested(9)) == {}


def test_ground_and_its_text_get_their_roles_from_the_first_rule() -> None:
    css = "a,html { color: #111; background: #fff } body { color: #222 } a { background: #f00 }"
    found = {color.hex: (color.role, color.weight) for color in read(css).colors()}
    assert found == {
        "#111111": ("text", 10.0),
        "#ffffff": ("background", 15.0),
        "#222222": ("", 10.0),
        "#ff0000": ("", 3.0),
    }


def test_custom_properties_are_followed_whichever_stylesheet_they_are_in() -> None:
    found = read(
        "a { color: var(--link) } p { color: var(--none, #00f) } h1 { color: var(--none) }",
        ":root { --link: var(--brand-red); --brand-red: #d92d20; --unused: #0f0 }",
    ).colors()
    red, blue = sorted(found, key=lambda color: -color.weight)
    assert (red.hex, red.weight, red.name) == ("#d92d20", 4.0, "--brand-red")
    assert red.found == "stylesheet 1, 2 uses, called --brand-red"
    assert (blue.hex, blue.weight, blue.name) == ("#0000ff", 2.0, "")
    assert blue.found == "stylesheet 1, 1 use"


def test_color_has_the_name_of_the_first_property_that_uses_it_not_of_a_fallback() -> None:
    found = read(
        ":root { --sky: #00f; --sea: #00f; --red: #f00 } a { color: var( --sky ) } p { fill: var(--sea) }"
        "p { border-color: var(--red, var(--sky), #0f0) } h1 { color: var(--none, --red) }"
    ).colors()
    assert {(color.hex, color.name) for color in found} == {("#0000ff", "--sky"), ("#ff0000", "--red")}
    found = read(":root { --a: #f00; --b: #00f } a { color: var(--a, --b) } p { color: #00f }").colors()
    assert {color.hex: color.name for color in found} == {"#ff0000": "--a", "#0000ff": ""}


def test_custom_property_that_names_itself_ends() -> None:
    assert read(":root { --a: var(--b); --b: var(--a) } a { color: var(--a) }").colors() == []


def test_color_of_a_telling_property_is_named_by_its_own_place() -> None:
    (color,) = read(":root { --Accent: #d92d20 }").colors()
    assert (color.name, color.found) == ("--Accent", "--Accent in stylesheet 1, 1 use")


def test_inline_styles_count_as_styles_in_the_page() -> None:
    (color,) = read(inline=("color: #f00", "COLOR: #f00")).colors()
    assert (color.weight, color.found) == (4.0, "styles in the page, 2 uses")


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("h1 { font-family: 'Playfair Display', serif } p { font-family: Noto Sans, sans-serif }",
         [("Playfair Display", "headline"), ("Noto Sans", "text")]),
        ("p { font: italic bold 16px/1.5 'Noto Sans', sans-serif }", [("Noto Sans", "text")]),
        ("p { font: bold 16px Noto Sans }", [("Noto Sans", "text")]),
        ("p { font: bold 16px avenir } h1 { font-family: avenir next }", [("avenir next", "headline")]),
        ("p { font: inherit } h1 { font-family: system-ui, Inter }", []),
        ("a { font-family: FontAwesome } p { font-family: 'Material Icons' }", []),
        (".page-title, a { font-family: Anton }", [("Anton", "headline")]),
        ("body { font-family: var(--sans) } :root { --sans: 'Inter', serif }", [("Inter", "text")]),
        ("@font-face { font-family: 'Inter'; src: url(a.woff2) }", [("Inter", "headline")]),
        ("p { font-family: Inter } a { font-family: Anton }", [("Inter", "text"), ("Anton", "headline")]),
        ("@font-face { font-family: Inter } a { font-family: Anton }",
         [("Anton", "headline"), ("Inter", "text")]),
        ("h1 { font-family: Anton } a,p { font-family: Inter }", [("Anton", "headline"), ("Inter", "text")]),
        ("a { font-family: Anton } .card { font-family: Anton } p { font-family: Inter }",
         [("Inter", "text"), ("Anton", "headline")]),
        ("p { font-family: Inter } h1 { font-family: INTER }", [("Inter", "text")]),
        ("h1 { font-family: Lora } a { font-family: Anton }", [("Lora", "headline"), ("Anton", "text")]),
        ("p { font-family: Inter } h1 { font-family: Lora } a { font-family: Anton }",
         [("Inter", "text"), ("Lora", "headline"), ("Anton", "text")]),
        ("p { font-family: var(--none,Inter) }", [("Inter", "text")]),
        (f"p {{ font-family: '{'x' * 81}' }}", [("x" * 80, "text")]),
        ("/* a */ p { /* b */ font-family: /* c */ Inter }", [("Inter", "text")]),
    ],
)  # fmt: skip
def test_fonts_have_the_role_of_what_is_written_in_them(css: str, expected: list[tuple[str, str]]) -> None:
    assert [(family, role) for family, role, _ in read(css).fonts()] == expected


def test_most_used_fonts_are_listed_with_their_first_place() -> None:
    assert read("@font-face { font-family: Inter }").fonts() == [("Inter", "headline", "stylesheet 1")]
    css = "".join(f"p {{ font-family: Face{number} }}" * number for number in range(1, MAX_FONTS + 2))
    found = read(css, "p { font-family: Face7 }").fonts()
    assert found == [(f"Face{number}", "text", "stylesheet 1") for number in range(MAX_FONTS + 1, 1, -1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("red", "#ff0000"),
        ("#12345680", "#123456"),
        ("#1234567f", None),
        ("oklab(0.62796 0.22486 0.12585)", "#ff0000"),
        ("oklch(0.62796 0.25768 29.234)", "#ff0000"),
        ("oklch(none 0 0)", "#000000"),
        ("oklab(1 1e300 none)", None),
        ("oklch(1 1e300 90)", None),
        ("lab(1e300 1e300 1e300)", None),
        ("color()", None),
        ("color(prophoto-rgb 1 0 0)", None),
        ("currentcolor", None),
        ("transparent", None),
        ("nothing", None),
        ("", None),
    ],
)
def test_colors_are_read_in_every_notation(text: str, expected: str | None) -> None:
    assert color_in(text) == expected
