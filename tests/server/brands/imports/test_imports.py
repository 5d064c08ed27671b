"""Importing brands: what a website, files and exported brands contain is proposed, and nothing is saved."""

import gzip
import io
import zipfile
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from PIL import Image
from tests.fakes.media import saved
from tests.server.brands.imports.pdf_files import GUIDELINES, pdf, text, titled
from tests.server.brands.imports.test_archive import exported
from tests.server.brands.imports.websites import Website, served
from tests.server.brands.test_brands import make
from tests.server.compiler_processes import SharedProcesses
from tests.server.responses import expect

from impasto_server.brands.imports import service

pytestmark = pytest.mark.anyio

HTML = """<!doctype html><html lang="de-DE"><head><title>Frische Zahnpflege | Praxis Öhler</title>
<meta property="og:site_name" content="Praxis Öhler">
<meta name="description" content="Zahnarzt in Bremen."><meta name="theme-color" content="#18465c">
<link rel="stylesheet" href="/css/site.css"><link rel="stylesheet" href="/missing.css">
<style>:root { --accent: #c98b5e }</style></head>
<body><header><a class="logo" href="/"><img src="/logo.png" alt="Praxis Öhler"></a></header>
<h1 class="title">Guten Tag</h1><a class="button">Termin</a></body></html>"""
CSS = """:root { --primary: #18465c }
body { background: #f6f3ec; color: #1d1a16; font-family: "Hanken Grotesk", sans-serif }
h1 { font-family: Lora, serif; color: var(--primary) }
.button { background: var(--primary); color: #fff }
.title { border-color: var(--accent); font-family: Anton }
.not-on-the-page { color: #ff00ff }"""


def png(size: tuple[int, int] = (200, 80), color: str = "#18465c", alpha: bool = True) -> bytes:
    image = Image.new("RGBA", size, (0, 0, 0, 0) if alpha else color)
    image.paste(Image.new("RGBA", (size[0] // 2, size[1] // 2), color), (10, 10))
    return saved(image)


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"allow_private_hosts": True, "brand_import_seconds": 5}


@pytest.fixture
def website() -> Iterator[Website]:
    with served() as site:
        site.put("/", HTML)
        site.put("/css/site.css", CSS, "text/css")
        site.put("/logo.png", png(), "image/png")
        yield site


async def read(person: Any, url: str, status: int = 200) -> dict[str, Any]:
    response = await person.client.post("/brands/import/website", json={"url": url})
    expect(response, status)
    return dict(response.json())


async def send(person: Any, *files: tuple[str, bytes], status: int = 200) -> dict[str, Any]:
    parts = [("files", (name, data)) for name, data in files]
    response = await person.client.post("/brands/import/files", files=parts)
    expect(response, status)
    return dict(response.json())


def findings(found: dict[str, Any], field: str) -> list[dict[str, Any]]:
    return [each for each in found["findings"] if each["field"] == field]


def values(found: dict[str, Any], field: str, *, suggested: bool = True) -> dict[str, str | None]:
    return {
        each["value"]: each["role"] for each in findings(found, field) if each["suggested"] or not suggested
    }


async def test_website_is_read_with_the_place_of_each_value(person: Any, website: Website) -> None:
    found = await read(person, website.url)
    assert list(values(found, "name")) == ["Praxis Öhler"]
    assert values(found, "description") == {"Zahnarzt in Bremen.": None}
    colors = values(found, "color")
    assert (colors["#18465c"], colors["#f6f3ec"], colors["#1d1a16"]) == ("primary", "background", "text")
    assert colors["#c98b5e"] == "accent"
    assert "#ff00ff" not in values(found, "color", suggested=False), "its rule matches nothing on the page"
    assert [(each["value"], each["role"], each["suggested"]) for each in findings(found, "font")] == [
        ("Hanken Grotesk", "text", True), ("Lora", "headline", True), ("Anton", "headline", False),
    ]  # fmt: skip
    assert values(found, "languages") == {"German": None}
    [logo] = values(found, "logo")
    assert logo.startswith("data:image/png;base64,")
    places = {each["value"]: each["found"] for each in found["findings"]}
    assert places["#18465c"].startswith("stylesheet site.css, 3 uses, called --primary")
    assert places[logo] == "image in the header, logo.png"
    assert found["notes"] == ["The stylesheet missing.css was not read: 127.0.0.1 answered with status 404."]
    listed = (await person.client.get("/brands/")).json()["items"]
    assert [brand["example"] for brand in listed] == [True], "nothing is saved"
    assert (await person.client.get("/assets/")).json() == []


async def test_redirects_and_compressed_pages_are_followed(person: Any, website: Website) -> None:
    long = "x" * 300
    website.redirect("/old", f"/new/{long}")
    packed = gzip.compress(HTML.encode())
    website.put(f"/new/{long}", packed, "application/xhtml+xml", **{"Content-Encoding": "gzip"})
    found = await read(person, f"{website.url}old")
    assert found["source"] == f"{website.url}new/{long}"[:300]
    assert "#18465c" in values(found, "color")


async def test_images_of_a_website_are_offered_once_and_the_first_logo_is_proposed(
    person: Any, website: Website
) -> None:
    svg = "<svg class='logo' width='20' height='20'><rect width='20' height='20'/></svg>"
    icons = "".join(f"<link rel='icon' href='/{name}.png'>" for name in ("broken", "again"))
    website.put("/broken.png", "no image", "image/png")
    website.put("/again.png", png(), "image/png")
    website.put("/logos", f"<title>{'x' * 90}</title>{icons}<body><img src='/logo.png' class='logo'>{svg}")
    website.answers["/logos"] = (200, {}, website.answers["/logos"][2])
    found = await read(person, f"{website.url}logos")
    assert [(each["value"][:22], each["found"], each["suggested"]) for each in findings(found, "logo")] == [
        ("data:image/png;base64,", "image called a logo, logo.png", True),
        ("data:image/png;base64,", "image called a logo", False),
    ]
    website.put("/icons", icons)
    assert [
        (each["found"], each["suggested"])
        for each in findings(await read(person, f"{website.url}icons"), "logo")
    ] == [("icon of the site, again.png", False)]


async def test_stylesheets_are_read_up_to_3_mib(person: Any, website: Website) -> None:
    paths = ["/a.css", "/b.css", "/c.css", f"/{'x' * 60}y.css", "/"]
    website.put(
        "/styled", "".join(f"<link rel='stylesheet' href='{path}'>" for path in paths) + "<h1>Hi</h1>"
    )
    for path in paths[:3]:
        website.put(path, "h1{color:#f00}/*".ljust(2**20 - 2) + "*/", "text/css")
    website.put("/", "x" * (2**20 + 1), "text/css")
    website.put(paths[3], "h1{color:#00f}", "text/css")
    found = await read(person, f"{website.url}styled")
    assert [(each["value"], each["found"]) for each in findings(found, "color")] == [
        ("#ff0000", "stylesheet a.css, 3 uses")
    ]
    assert found["notes"] == [
        "The stylesheet 127.0.0.1 was not read: A file of 127.0.0.1 is larger than 1 MiB.",
        "Only the first 3 stylesheets were read: all have more than 3 MiB.",
    ]
    website.put("/one", f"<link rel='stylesheet' href='{paths[3]}'><h1>Hi</h1>")
    (color,) = findings(await read(person, f"{website.url}one"), "color")
    assert color["found"] == f"stylesheet {'x' * 60}, 1 use"


async def test_hostile_websites_are_refused_in_words(person: Any, website: Website) -> None:
    website.redirect("/loop", "/loop")
    website.put("/bomb", gzip.compress(bytes(40 * 2**20)), **{"Content-Encoding": "gzip"})
    website.put("/large", "x" * (3 * 2**20))
    website.put("/brotli", b"x", **{"Content-Encoding": "br"})
    website.put("/pdf", b"%PDF-", "application/pdf")
    for path, words in {
        "loop": "redirects more than 5 times",
        "bomb": "larger than 2 MiB",
        "large": "larger than 2 MiB",
        "brotli": "a compression that was not asked for",
        "pdf": "is no web page",
        "nothing": "status 404",
    }.items():
        problem = await read(person, website.url + path, 422)
        assert words in problem["detail"], path
        assert problem["errors"][0]["path"] == "url"


async def test_website_that_takes_too_long_is_given_up(
    person: Any, website: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_SITE_SECONDS", 0.05)
    problem = await read(person, f"{website.url}never", 422)
    assert problem["detail"] == "The website was not read: it took longer than 0.05 s."


async def test_addresses_that_are_no_website_are_refused(person: Any) -> None:
    invalid = ("http://", "http://[::1", "ä\u0096®L", "https://\u0096.example", "http://a.example:port")
    for url in ("file:///etc/passwd", "http://user:word@example.com", "ftp://a.b", *invalid):
        problem = await read(person, url, 422)
        assert problem["detail"] == "Enter the address of a website, such as https://example.com."


async def test_number_of_fetched_files_is_limited(person: Any, website: Website) -> None:
    links = "".join(
        f'<link rel="stylesheet" href="/{number}.css"><img class="logo" src="/{number}.png">'
        for number in range(50)
    )
    website.put("/many", f"<html><head>{links}</head></html>")
    await read(person, f"{website.url}many")
    assert len(website.asked) <= 1 + 8 + 4


async def test_hostile_pages_are_read_or_refused_in_time(person: Any, website: Website) -> None:
    doubled = "".join(f":root{{--a{n}:var(--a{n + 1}) var(--a{n + 1})}}" for n in range(60))
    for html in (
        "<div>" * 400_000,
        "<style>" + "{" * 200_000,
        "<style>:root{--a:var(--b);--b:var(--a)} body{color:var(--a)}",
        f"<style>{doubled}h1{{color:var(--a0)}}",
        '<link rel="stylesheet" href="http://\u0096\u00ae/a.css"><img class="logo" src="http://[a/b">',
        '<base href="http://["><link rel="stylesheet" href="a.css">',
        "\x00" * 1000,
        "",
    ):
        website.put("/hostile", html)
        response = await person.client.post("/brands/import/website", json={"url": f"{website.url}hostile"})
        assert response.status_code in (200, 422), html[:40]
        assert response.json().get("findings", []) == [], html[:40]


async def test_pdf_is_read(person: Any) -> None:
    found = await send(person, ("fjell.pdf", GUIDELINES[0].data))
    assert found["source"] == "fjell.pdf"
    no_logo = (
        "No logo was found in this PDF. A logo inside a photo is not recognized, nor is a name in plain type "
        "that is not in the PDF's title. Add the logo's own file, such as an SVG or a "
        "PNG with a transparent background."
    )
    assert found["notes"] == [no_logo]
    assert set(values(found, "color")) >= {"#1f4a38", "#e9e4d8", "#c98b5e"}
    assert values(found, "color")["#1f4a38"] == "primary"
    assert values(found, "font")["Hanken Grotesk"] == "headline"
    assert await send(person, ("empty.pdf", pdf(""))) == {
        "source": "empty.pdf",
        "findings": [],
        "notes": ["This PDF contains no colours, fonts, logos or title that could be read.", no_logo],
    }


async def test_title_and_logos_of_a_pdf_are_offered(person: Any) -> None:
    shapes = "0 0.3 0.5 rg 100 500 m 100 560 180 560 180 500 c h f\n"
    smaller = "0 0.3 0.5 rg 300 500 m 300 550 370 550 370 500 c h f\n"
    name = text("Acme", size=40, top=300)
    pages = (text("Our logo") + name + shapes + smaller, shapes.replace("0.3", "0.9"))
    found = await send(person, ("acme.pdf", titled(pdf(*pages), "Acme brand guide")))
    first, *_ = found["findings"]
    assert (first["field"], first["value"], first["found"]) == (
        "name",
        "Acme brand guide",
        "title of the PDF",
    )
    assert not first["suggested"]
    logos = findings(found, "logo")
    assert [(each["found"], each["role"], each["suggested"]) for each in logos] == [
        ("shapes on page 1", "light", True),
        ("shapes on page 1", "light", False),
        ("text on page 1", "light", False),
        ("shapes on page 2", "dark", False),
    ]
    assert all(each["value"].startswith("data:image/png;base64,") for each in logos)
    (only,) = findings(await send(person, ("acme.pdf", titled(pdf(text("Logo") + name), "Acme"))), "logo")
    assert (only["found"], only["suggested"]) == ("text on page 1", False)


async def test_palette_and_logo_of_images_are_read(
    person: Any, app_state: Any, compiler_processes: SharedProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[bytes, dict[str, Any], int]] = []

    def start(setup: bytes, **options: Any) -> Any:
        process = compiler_processes.start(setup, **options)
        started.append((setup, options, process.pid))
        return process

    monkeypatch.setattr(service, "CompilerProcess", start)
    plain = png((100, 100), "#de4f2a", alpha=False)
    names = [f"{number}{'x' * 40}.png" for number in range(11)]
    found = await send(person, *((name, plain) for name in names), ("logo.png", png()))
    assert {"#de4f2a", "#18465c"} <= set(values(found, "color", suggested=False))
    assert [(each["role"], each["found"], each["suggested"]) for each in findings(found, "logo")] == [
        ("light", "image with a transparent background, logo.png", False)
    ]
    assert (found["source"], found["notes"]) == (", ".join([*names, "logo.png"])[:300], [])
    [(setup, options, pid)] = started
    assert orjson.loads(setup) == {"megapixels": 100, "seconds": 5.0, "memory_bytes": 1_073_741_824}
    await app_state.brand_importer.close()
    free = compiler_processes.start(setup, **options)
    assert free.pid == pid, "the importer has given its process back"
    free.close()


async def test_unreadable_files_are_refused_in_words(person: Any) -> None:
    for files, words in (
        ([("a.pdf", b"%PDF-1.7 damaged")], "This PDF cannot be read"),
        ([("a.png", b"no image")], "a.png cannot be read"),
        ([("a.pdf", b"%PDF-1.7"), ("b.png", png())], "Choose one PDF"),
        ([("a.zip", b"PK\x03\x04 damaged")], "no brand that was exported"),
        ([("a.png", b" " * 1018 + b"\n%PDF-")], "This PDF cannot be read"),
        ([("a.png", b" " * 1019 + b"\n%PDF-")], "a.png cannot be read"),
        ([(f"{number}.png", png()) for number in range(13)], "Choose 1 to 12 files."),
    ):
        problem = await send(person, *files, status=422)
        assert words in problem["detail"]
        assert problem["errors"][0]["path"] == "files"


async def test_exported_brand_is_imported_with_its_logo(person: Any, new_person: Any) -> None:
    upload = await person.client.post("/assets/", files={"file": ("logo.png", png(), "image/png")})
    brand = await make(person, logo={"light": upload.json()["id"], "dark": None})
    export = await person.client.get(f"/brands/{brand['id']}/export")
    expect(export, 200)
    assert export.headers["content-type"] == "application/zip"
    assert export.headers["content-disposition"] == 'attachment; filename="brand.impasto.zip"'
    with zipfile.ZipFile(io.BytesIO(export.content)) as archive:
        assert [(file.filename, file.compress_type) for file in archive.infolist()] == [
            ("brand.json", zipfile.ZIP_DEFLATED), ("logo-light.png", zipfile.ZIP_STORED),
        ]  # fmt: skip
        assert archive.read("logo-light.png") == png()
        content = {name: value for name, value in brand["content"].items() if name != "font_files"}
        content["logo"] = {**content["logo"], "light": "logo-light.png"}
        document = {"kind": "impasto-brand", "format": 1, "brand": content}
        assert archive.read("brand.json") == orjson.dumps(document, option=orjson.OPT_INDENT_2)
    other = await new_person("ines")
    found = await send(other, ("brand.impasto.zip", export.content))
    assert values(found, "name") == {"Fjell Skincare": None}
    assert values(found, "color") == {"#18465c": "primary", "#e9e4d8": "background"}
    assert values(found, "tone") == {"Calm": None, "Exact": None}
    assert values(found, "banned_words") == {"miracle": None}
    assert values(found, "legal_line") == {"Fjell Skincare AS, Bergen.": None}
    assert list(values(found, "logo").values()) == ["light"]
    expect(await other.client.get(f"/brands/{brand['id']}/export"), 404)
    example = await other.client.get("/brands/northbound-coffee/export")
    assert "Northbound Coffee" in values(await send(other, ("example.zip", example.content)), "name")


async def test_parts_of_an_exported_brand_that_cannot_be_read_are_named(person: Any) -> None:
    logos = {"light": "l", "dark": "d"}
    brand = {"name": "Fjell", "description": "Skin care.", "logo": logos, "font_files": [{"file": "f"}] * 2}
    color = {"hex": "#18465c", "role": "primary", "name": "Fjord"}
    voice = {
        "tone": ["Calm"], "dos": ["Show hands"], "donts": ["Shout"], "banned_words": ["miracle"],
        "sample_lines": ["Sleep."], "languages": ["German"],
    }  # fmt: skip
    brand |= {"colors": [color], "fonts": [{"family": "Lora", "role": "text"}], "voice": voice}
    data = exported({**brand, "legal_line": "Fjell AS"}, l=b"no image", d=png(), f=b"no font")
    found = await send(person, ("fjell.zip", data))
    assert found["source"] == "fjell.zip"
    about = {"found": "in fjell.zip", "suggested": True, "font_file": None}
    logo = found["findings"].pop()
    assert found["findings"] == [
        {"field": "name", "value": "Fjell", "role": None, "name": "", **about},
        {"field": "description", "value": "Skin care.", "role": None, "name": "", **about},
        {"field": "color", "value": "#18465c", "role": "primary", "name": "Fjord", **about},
        {"field": "font", "value": "Lora", "role": "text", "name": "", **about},
        *(
            {"field": field, "value": value, "role": None, "name": "", **about}
            for field, [value] in voice.items()
        ),
        {"field": "legal_line", "value": "Fjell AS", "role": None, "name": "", **about},
    ]
    assert (logo["field"], logo["role"], logo["found"]) == ("logo", "dark", "in fjell.zip")
    refused = "This is no font file: choose a TTF, OTF or WOFF2 file."
    assert found["notes"] == [
        "The logo for light backgrounds in this file cannot be read.",
        f"Font file 1 was not imported: {refused}",
        f"Font file 2 was not imported: {refused}",
    ]


async def test_zip_bomb_is_refused(person: Any) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("brand.json", orjson.dumps({"kind": "impasto-brand", "pad": " " * (30 * 2**20)}))
    problem = await send(person, ("bomb.zip", file.getvalue()), status=422)
    assert problem["detail"] == "brand.json in this file is larger than 1 MiB."


class TestPrivateHosts:
    """Without `IMPASTO_ALLOW_PRIVATE_HOSTS`, only public addresses are fetched."""

    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"rate_limit_imports": "3/hour"}

    async def test_private_addresses_are_refused_and_imports_are_limited(
        self, person: Any, new_person: Any, website: Website
    ) -> None:
        for url in (website.url, "http://169.254.169.254/latest", "localhost"):
            problem = await read(person, url, 422)
            assert "is not a public address" in problem["detail"]
        assert website.asked == []
        assert (await read(person, website.url, 429))["code"] == "rate_limited"
        assert (await send(person, ("a.png", png()), status=429))["code"] == "rate_limited"
        await send(await new_person("ines"), ("a.png", png()))
