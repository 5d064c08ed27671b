"""Importing brands: what a website, files and exported brands contain is proposed, and nothing is saved."""

import gzip
import io
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import orjson
import pytest
from PIL import Image
from tests.server.brands.imports.pdf_files import GUIDELINES, pdf, text
from tests.server.brands.test_brands import make
from tests.server.responses import expect

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
.title { border-color: var(--accent) }
.not-on-the-page { color: #ff00ff }"""


def png(size: tuple[int, int] = (200, 80), color: str = "#18465c", alpha: bool = True) -> bytes:
    image = Image.new("RGBA", size, (0, 0, 0, 0) if alpha else color)
    image.paste(Image.new("RGBA", (size[0] // 2, size[1] // 2), color), (10, 10))
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


class Website:
    """A website on loopback: a path's answer is a status, headers and a body."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.asked: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                status, headers, body = site.answers.get(self.path, (404, {}, b""))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Print nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def put(self, path: str, body: bytes | str, media_type: str = "text/html", **headers: str) -> None:
        data = body.encode() if isinstance(body, str) else body
        self.answers[path] = (200, {"Content-Type": media_type, **headers}, data)

    def redirect(self, path: str, target: str) -> None:
        self.answers[path] = (302, {"Location": target}, b"")


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"allow_private_hosts": True, "brand_import_seconds": 5}


@pytest.fixture
def website() -> Iterator[Website]:
    site = Website()
    site.put("/", HTML)
    site.put("/css/site.css", CSS, "text/css")
    site.put("/logo.png", png(), "image/png")
    thread = threading.Thread(target=site.server.serve_forever, args=(0.02,))
    thread.start()
    yield site
    site.server.shutdown()
    thread.join()
    site.server.server_close()


async def read(person: Any, url: str, status: int = 200) -> dict[str, Any]:
    response = await person.client.post("/brands/import/website", json={"url": url})
    expect(response, status)
    return dict(response.json())


async def send(person: Any, *files: tuple[str, bytes], status: int = 200) -> dict[str, Any]:
    parts = [("files", (name, data)) for name, data in files]
    response = await person.client.post("/brands/import/files", files=parts)
    expect(response, status)
    return dict(response.json())


def values(found: dict[str, Any], field: str, *, suggested: bool = True) -> dict[str, str | None]:
    return {
        each["value"]: each["role"]
        for each in found["findings"]
        if each["field"] == field and (each["suggested"] or not suggested)
    }


async def test_website_is_read_with_the_place_of_each_value(person: Any, website: Website) -> None:
    found = await read(person, website.url)
    assert list(values(found, "name")) == ["Praxis Öhler"]
    assert values(found, "description") == {"Zahnarzt in Bremen.": None}
    colors = values(found, "color")
    assert (colors["#18465c"], colors["#f6f3ec"], colors["#1d1a16"]) == ("primary", "background", "text")
    assert colors["#c98b5e"] == "accent"
    assert "#ff00ff" not in values(found, "color", suggested=False), "its rule matches nothing on the page"
    assert values(found, "font") == {"Lora": "headline", "Hanken Grotesk": "text"}
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
    website.redirect("/old", "/new")
    website.put("/new", gzip.compress(HTML.encode()), **{"Content-Encoding": "gzip"})
    found = await read(person, f"{website.url}old")
    assert found["source"] == f"{website.url}new"
    assert "#18465c" in values(found, "color")


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
    assert [note.partition(".")[0] for note in found["notes"]] == ["No logo was found in this PDF"]
    assert set(values(found, "color")) >= {"#1f4a38", "#e9e4d8", "#c98b5e"}
    assert values(found, "color")["#1f4a38"] == "primary"
    assert values(found, "font")["Hanken Grotesk"] == "headline"


async def test_logos_of_a_pdf_are_offered(person: Any) -> None:
    shapes = "0 0.3 0.5 rg 100 500 m 100 560 180 560 180 500 c h f\n"
    found = await send(person, ("fjell.pdf", pdf(text("Our logo") + shapes, shapes.replace("0.3", "0.9"))))
    logos = [each for each in found["findings"] if each["field"] == "logo"]
    assert [(each["found"], each["suggested"]) for each in logos] == [
        ("shapes on page 1", True),
        ("shapes on page 2", False),
    ]
    assert all(each["value"].startswith("data:image/png;base64,") for each in logos)


async def test_palette_and_logo_of_images_are_read(person: Any) -> None:
    found = await send(person, ("a.png", png((100, 100), "#de4f2a", alpha=False)), ("logo.png", png()))
    assert {"#de4f2a", "#18465c"} <= set(values(found, "color", suggested=False))
    assert list(values(found, "logo", suggested=False).values()) == ["light"]


async def test_unreadable_files_are_refused_in_words(person: Any) -> None:
    for files, words in (
        ([("a.pdf", b"%PDF-1.7 damaged")], "This PDF cannot be read"),
        ([("a.png", b"no image")], "a.png cannot be read"),
        ([("a.pdf", b"%PDF-1.7"), ("b.png", png())], "Choose one PDF"),
        ([("a.zip", b"PK\x03\x04 damaged")], "no brand that was exported"),
        ([(f"{number}.png", png()) for number in range(13)], "Choose 1 to 12 files."),
    ):
        problem = await send(person, *files, status=422)
        assert words in problem["detail"]
        assert problem["errors"][0]["path"] == "files"


async def test_exported_brand_is_imported_with_its_logo(person: Any, new_person: Any) -> None:
    upload = await person.client.post("/assets/", files={"file": ("logo.png", png(), "image/png")})
    brand = await make(person, logo={"light": upload.json()["id"], "dark": None})
    exported = await person.client.get(f"/brands/{brand['id']}/export")
    expect(exported, 200)
    other = await new_person("ines")
    found = await send(other, ("brand.impasto.zip", exported.content))
    assert values(found, "name") == {"Fjell Skincare": None}
    assert values(found, "color") == {"#18465c": "primary", "#e9e4d8": "background"}
    assert values(found, "tone") == {"Calm": None, "Exact": None}
    assert values(found, "banned_words") == {"miracle": None}
    assert values(found, "legal_line") == {"Fjell Skincare AS, Bergen.": None}
    assert list(values(found, "logo").values()) == ["light"]
    expect(await other.client.get(f"/brands/{brand['id']}/export"), 404)
    example = await other.client.get("/brands/northbound-coffee/export")
    assert "Northbound Coffee" in values(await send(other, ("example.zip", example.content)), "name")


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
        self, person: Any, website: Website
    ) -> None:
        for url in (website.url, "http://169.254.169.254/latest", "localhost"):
            problem = await read(person, url, 422)
            assert "is not a public address" in problem["detail"]
        assert website.asked == []
        assert (await read(person, website.url, 429))["code"] == "rate_limited"
