"""What is read from the HTML of a website: names, descriptions, stylesheets, fonts and logos."""

import pytest

from impasto_server.brands.imports.page import MAX_LOGOS, MAX_STYLESHEETS, Page, name_of, read_page

URL = "https://www.north-bound.example/shop/"


def page(head: str = "", body: str = "", url: str = URL) -> Page:
    html = f"<!doctype html><html lang='de-DE'><head>{head}</head><body>{body}</body></html>"
    return read_page(html.encode(), url, "utf-8")


@pytest.mark.parametrize(
    ("title", "site_name", "names"),
    [
        ("Fresh coffee | Northbound", "", ["Northbound"]),
        ("Northbound – Fresh coffee", "", ["Northbound"]),
        ("Home of Northbound Coffee · Northbound Coffee", "", ["Northbound Coffee"]),
        ("Fresh coffee | North-Bound Café", "", ["North-Bound Café"]),
        ("Fresh coffee | Home", "", ["Fresh coffee"]),
        ("Fresh coffee", "Northbound", ["Northbound", "Fresh coffee"]),
        ("Fresh coffee | Northbound", "Northbound", ["Northbound"]),
        ("NORTHBOUND", "Northbound", ["Northbound"]),
        ("Three-in-one coffee", "", ["Three-in-one coffee"]),
        ("Northbound " + "x" * 90, "", [("Northbound " + "x" * 90)[:80]]),
        ("", "", []),
    ],
)
def test_name_is_that_of_the_site_then_the_part_of_the_title_that_resembles_the_host(
    title: str, site_name: str, names: list[str]
) -> None:
    found = name_of(Page(title=title, site_name=site_name), URL)
    assert [name for name, _ in found] == names
    places = {"name of the site"} if site_name else set()
    assert {where for name, where in found if name == site_name} == places


def test_title_language_and_descriptions_are_read() -> None:
    found = page(
        "<title> Fresh\n coffee </title><meta property='og:site_name' content='Northbound'>"
        "<meta name='application-name' content='Other'><meta name='description' content='Roasted here.'>"
        "<meta property='og:description' content='Other'><meta name='theme-color' content='#18465c'>"
        "<meta name='theme-color' content='#000'>"
    )
    assert (found.title, found.language, found.site_name) == ("Fresh coffee", "de-DE", "Northbound")
    assert (found.description, found.theme_color) == ("Roasted here.", "#18465c")
    assert page(body="<p name='description' content='Other'></p>").description == ""


def test_long_values_are_cut() -> None:
    long = "x" * 3000
    meta = {"og:site_name": 80, "description": 2000, "theme-color": 40}
    head = "".join(f"<meta name='{name}' content='{long}'>" for name in meta)
    html = f"<html lang='{long}'><head><title>{long}</title>{head}</head></html>"
    found = read_page(html.encode(), URL, "")
    assert (len(found.language), len(found.title)) == (20, 200)
    assert (len(found.site_name), len(found.description), len(found.theme_color)) == (80, 2000, 40)
    assert page(f"<meta name='description' content='{' ' * 19_999}ab'>").description == "a"


@pytest.mark.parametrize(
    ("base", "link", "expected"),
    [
        ("", "a.css", ["https://www.north-bound.example/shop/a.css"]),
        ("", "/a.css", ["https://www.north-bound.example/a.css"]),
        ("", "//cdn.example/a.css", ["https://cdn.example/a.css"]),
        ("<base href='https://cdn.example/x/'>", "a.css", ["https://cdn.example/x/a.css"]),
        ("<base href='/x/'>", "a.css", ["https://www.north-bound.example/x/a.css"]),
        ("<base href='javascript:x'>", "a.css", ["https://www.north-bound.example/shop/a.css"]),
        ("", "data:text/css,a", []),
        ("", "", []),
        ("", " ", []),
        ("", "x" * 4000, ["https://www.north-bound.example/shop/" + "x" * 4000]),
        ("", "x" * 4001, []),
        ("", "http://[a", []),
    ],
)
def test_links_are_relative_to_the_page_or_its_base(base: str, link: str, expected: list[str]) -> None:
    assert page(f"{base}<link rel='stylesheet' href='{link}'>").stylesheets == expected


def test_first_stylesheets_are_listed() -> None:
    links = "".join(f"<link rel='Stylesheet' href='/{number}.css'>" for number in range(MAX_STYLESHEETS + 1))
    found = page(f"{links}<style>a {{ color: red }}</style><link rel='preload' href='/x.css'>").stylesheets
    assert [url.rpartition("/")[2] for url in found] == [f"{number}.css" for number in range(MAX_STYLESHEETS)]


def test_stylesheets_of_font_services_are_families() -> None:
    link = "https://fonts.googleapis.com/css2?family=Open+Sans:wght@400&family=Lora|Anton"
    found = page(f"<link rel='stylesheet' href='{link}'>")
    assert (found.font_families, found.stylesheets) == (["Open Sans", "Lora", "Anton"], [])
    assert page("<link rel='stylesheet' href='https://fonts.bunny.net/css'>").font_families == []


def test_first_twenty_families_of_a_font_service_are_listed_by_their_first_80_letters() -> None:
    families = [f"{number} {'x' * 90}" for number in range(21)]
    link = "https://fonts.bunny.net/css?family=" + "|".join(families).replace(" ", "+")
    found = page(f"<link rel='stylesheet' href='{link}'>").font_families
    assert found == [family[:80] for family in families[:20]]


def test_first_styles_of_a_page_are_read() -> None:
    styled = "".join(f"<style>{number}</style>" for number in range(51))
    assert page(styled).styles == [str(number) for number in range(50)]
    inline = f"<p style='{'x' * 2001}'></p>" + "<p style='y'></p>" * 2000
    assert page("", inline).inline == ["x" * 2000, *["y"] * 1999]


def test_first_fifty_classes_of_an_element_are_names() -> None:
    names = [f"n{number}" for number in range(51)]
    found = page("", f"<p class='{' '.join(names)}'></p>").names
    assert found & {f".{name}" for name in names} == {f".n{number}" for number in range(50)}


def test_first_20_000_names_of_a_page_are_read() -> None:
    found = page("", "".join(f"<p class='n{number}'></p>" for number in range(20_000))).names
    assert {"p", ".n19995"} <= found, "with html, head and body"
    assert len(found) == 20_000


def test_styles_and_the_names_that_selectors_may_use_are_read() -> None:
    found = page("<style>a { color: red }</style>", "<p id='top' class='big card' style='color: blue'>Hi</p>")
    assert (found.styles, found.inline) == (["a { color: red }"], ["color: blue"])
    assert {"p", "#top", ".big", ".card", "body"} <= found.names


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ("<header><img src='/x.png'></header>", "image in the header"),
        ("<div role='banner'><img src='/x.png'></div>", "image in the header"),
        ("<nav><img src='/first.png' alt=''><img src='/x.png' alt='Logo'></nav>", "image in the header"),
        ("<p><img src='/x.png' alt='Our Brand'></p>", "image called a logo"),
        ("<a class='wordmark'><span><i><img src='/x.png'></i></span></a>", "image called a logo"),
        ("<a class='logo'><span><i><b><img src='/x.png'></b></i></span></a>", None),
        ("<p><img src='/x.png' alt='A cup'></p>", None),
        (f"<header>{'<div>' * 12}<img src='/x.png'>{'</div>' * 12}</header>", "image in the header"),
        (f"<header>{'<div>' * 13}<img src='/x.png'>{'</div>' * 13}</header>", None),
        (f"<p><img src='/x.png' alt='{'x' * 1994}logo'></p>", "image called a logo"),
        (f"<p><img src='/x.png' alt='{'x' * 1995}logo'></p>", None),
    ],
)
def test_logos_are_the_first_image_of_the_header_and_those_called_so(body: str, place: str | None) -> None:
    found = [(url, where) for url, where in page("", body).logos if url.endswith("/x.png")]
    assert found == ([] if place is None else [("https://www.north-bound.example/x.png", place)])


def test_logos_come_before_icons_and_the_preview() -> None:
    head = (
        "<link rel='icon' href='/icon.png'><link rel='apple-touch-icon' href='/touch.png'>"
        "<meta property='og:image' content='/one.png'><meta property='og:image' content='/two.png'>"
    )
    found = page(head, "<header><img src='/logo.png'></header>").logos
    assert [(url.rpartition("/")[2], where) for url, where in found] == [
        ("logo.png", "image in the header"),
        ("touch.png", "icon for home screens"),
        ("icon.png", "icon of the site"),
        ("one.png", "preview image of the page"),
    ]
    assert page("<meta name='author' content='/author.png'><meta property='og:image' content=''>").logos == []
    many = "".join(f"<img src='/{number}.png' alt='logo'>" for number in range(MAX_LOGOS + 2))
    assert len(page(head, many).logos) == MAX_LOGOS


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("", "<div class='logo'>Northbound</div>"),
        ("", "<header><img src='data:image/png;base64,AAAA'></header>"),
        ("<link rel='canonical' href='/page'>", ""),
        ("<link href='/a.png'><link rel='icon'>", "<header><img></header>"),
        (f"<link rel='icon' href='{'x' * 4001}'>", ""),
    ],
)
def test_text_links_and_images_without_an_address_are_no_logos(head: str, body: str) -> None:
    assert page(head, body).logos == []


def test_one_preview_image_is_a_logo() -> None:
    head = "".join(f"<meta property='og:image' content='/{name}.png'>" for name in ("one", "two"))
    assert page(head).logos == [("https://www.north-bound.example/one.png", "preview image of the page")]


def test_svg_logo_may_contain_elements_that_html_does_not_know() -> None:
    [(source, _)] = page("", "<header><svg><path=<x viewBox='0 0 1 1'></svg></header>").logos
    assert source.startswith("<svg")
    assert 'viewBox="0 0 1 1"' in source


def test_svg_logo_has_at_most_200_000_letters() -> None:
    def logos(letters: int) -> list[tuple[str, str]]:
        return page("", f"<header><svg><path d='{'M' * letters}'/></svg></header>").logos

    [(short, _)] = logos(0)
    [(long, _)] = logos(200_000 - len(short))
    assert len(long) == 200_000
    assert logos(200_001 - len(short)) == []


def test_svg_logo_keeps_the_names_of_its_elements_and_leaves_out_what_follows() -> None:
    shapes = "<!-- made by hand --><linearGradient gradientUnits='x'></linearGradient>"
    svg = f"<svg viewBox='0 0 1 1'>{shapes}</svg>"
    [(source, where)] = page("", f"<header>{svg} and more</header>").logos
    assert where == "image in the header"
    assert 'xmlns="http://www.w3.org/2000/svg"' in source
    assert 'viewBox="0 0 1 1"' in source
    assert '<linearGradient gradientUnits="x"' in source
    assert "and more" not in source
    assert "by hand" not in source
    assert page("", "<header><svg><use href='#logo'/></svg></header>").logos == []
    assert page("", f"<header><svg><path d='{'M0 0' * 50_001}'/></svg></header>").logos == []


@pytest.mark.parametrize("html", [b"", b"\x00", b"<!-- -->"])
def test_page_without_content_has_nothing(html: bytes) -> None:
    found = read_page(html, URL, "")
    assert (found.title, found.logos, found.stylesheets) == ("", [], [])


@pytest.mark.parametrize(
    ("html", "charset"),
    [
        ("<title>Öhler</title>".encode(), ""),
        ("<title>Öhler</title>".encode("latin-1"), "latin-1"),
        ("<meta charset='latin-1'><title>Öhler</title>".encode("latin-1"), ""),
        ("<title>Öhler</title>".encode(), "utf-8"),
        ("<title>Öhler</title>".encode(), "unknown"),
    ],
)
def test_text_is_decoded_as_the_answer_or_the_page_declares(html: bytes, charset: str) -> None:
    assert read_page(html, URL, charset).title == "Öhler"
