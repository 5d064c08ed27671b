"""What the process that reads imports answers."""

from pathlib import Path
from typing import Any

import orjson
import pytest
from PIL import Image
from tests.fakes.media import saved
from tests.server.brands.imports import font_files
from tests.server.brands.imports.pdf_files import pdf, text

from impasto_server.brands.imports.languages import language_name
from impasto_server.brands.imports.worker import Operations

SITE = {"url": "https://fjell.example/", "charset": "utf-8"}


def ask(operation: str, *parts: bytes, **header: Any) -> Any:
    return orjson.loads(getattr(Operations({"megapixels": 1}), operation)(header, [*parts])[0])


def image(color: str = "#de4f2a", *, cutout: bool = False, size: int = 40) -> bytes:
    made = Image.new("RGBA", (size, size), color)
    if cutout:
        made.paste((0, 0, 0, 0), (0, 0, size, size // 2))
    return saved(made)


SVG = b"<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><rect width='20' height='20'/></svg>"


def test_page_says_what_it_is_and_where_its_files_are() -> None:
    html = (
        b"<html lang='de'><title>Fjell</title><meta name='description' content='Outdoor'>"
        b"<link rel='stylesheet' href='a.css'><link rel='icon' href='i.png'></html>"
    )
    assert ask("page", html, **SITE) == {
        "names": [["Fjell", "title of the page"]],
        "description": "Outdoor",
        "language": "de",
        "stylesheets": ["https://fjell.example/a.css"],
        "logos": [["https://fjell.example/i.png", "icon of the site"]],
    }


def test_site_has_the_colours_and_fonts_of_its_page_and_stylesheets() -> None:
    html = (
        b"<meta name='theme-color' content='#00f'><style>h1 { color: #f00; font-family: Lora }</style>"
        b"<link rel='stylesheet' href='https://fonts.bunny.net/css?family=Anton|lora||Karla'>"
        b"<h1 style='fill: #0f0'>Hi</h1>"
    )
    found = ask("site", html, b"h1 { background: #ff0 } \xff", places=["stylesheet a.css"], **SITE)
    assert {each["hex"]: each["found"] for each in found["colors"]} == {
        "#0000ff": "theme colour of the page",
        "#ffff00": "stylesheet a.css, 1 use",
        "#ff0000": "styles in the page, 1 use",
        "#00ff00": "styles in the page, 1 use",
    }
    assert found["fonts"] == [
        ["Lora", "headline", "styles in the page"],
        ["Anton", "text", "linked web font"],
        ["Karla", "text", "linked web font"],
    ]
    assert ask("site", b"<meta name='theme-color' content='none'>", places=[], **SITE) == {
        "colors": [],
        "fonts": [],
    }


def test_logo_is_an_image_or_nothing() -> None:
    assert ask("logo", image()).startswith("data:image/png;base64,")
    assert ask("logo", SVG).startswith("data:image/png;base64,")
    assert ask("logo", b"no image") is None


def test_font_is_described_and_written_again_or_refused_in_words() -> None:
    answer = Operations({"megapixels": 1}).font({}, [font_files.font("Fjell Sans", 700, italic=True)])
    assert orjson.loads(answer[0]) == {
        "family": "Fjell Sans",
        "weight": 700,
        "italic": True,
        "variable": False,
        "characters": 6,
        "media_type": "font/ttf",
    }
    assert answer[1].startswith(b"\x00\x01\x00\x00")
    assert ask("font", b"no font")["refused"].startswith("This is no font file")


def test_guideline_is_read_and_a_damaged_one_is_not(tmp_path: Path) -> None:
    path = tmp_path / "guideline.pdf"
    names = [f"Family{chr(65 + number)}" for number in range(13)]
    lines = [f"Typeface: {name}" for name in names]
    path.write_bytes(pdf(text("Primary #1F4A38", *lines)))
    found = ask("pdf", path=str(path))
    assert (found["title"], found["pages"], found["colors"][0]["hex"]) == ("", 1, "#1f4a38")
    assert [family for family, _, _ in found["fonts"]] == names[:12]
    assert ask("pdf_logos", path=str(path)) == []
    path.write_bytes(b"damaged")
    assert ask("pdf", path=str(path)) is None


def test_images_give_a_palette_and_those_with_a_clear_ground_are_logos(tmp_path: Path) -> None:
    files = [image(), image("#18465c", cutout=True), b"<!-- logo -->" + SVG, *[image(cutout=True)] * 4]
    paths = []
    for number, data in enumerate(files):
        paths.append(tmp_path / f"{number}.png")
        paths[-1].write_bytes(data)
    names = [path.name for path in paths]
    found = ask("images", paths=[*map(str, paths)], names=names)
    assert {each["hex"] for each in found["colors"]} == {"#de4f2a", "#18465c"}
    assert [name for _, name in found["logos"]] == ["1.png", "2.png", "3.png", "4.png"]
    paths[1].write_bytes(b"damaged")
    assert ask("images", paths=[*map(str, paths)], names=names) == {"unreadable": "1.png"}


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("de", "German"),
        ("pt-BR", "Portuguese"),
        (" EN_us ", "English"),
        ("xx", None),
        ("", None),
        ("deu", None),
    ],
)
def test_language_is_named_by_the_first_part_of_its_code(code: str, name: str | None) -> None:
    assert language_name(code) == name
