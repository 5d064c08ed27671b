"""Fetching the files of a website."""

import gzip
from collections.abc import Iterator

import pytest
from tests.server.brands.imports.websites import Website, served

from impasto_server.brands.imports import fetch
from impasto_server.brands.imports.fetch import Fetched, Fetcher, FetchFailed, is_web_address

pytestmark = pytest.mark.anyio


@pytest.fixture
def website() -> Iterator[Website]:
    with served() as site:
        yield site


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://example.com", True), ("https://example.com/a?b", True), ("HTTPS://example.com", True),
        ("ftp://example.com", False), ("https:///a", False), ("https://a@example.com", False),
        ("https://a:b@example.com", False), ("example.com", False), ("https://[::1", False), ("", False),
    ],
)  # fmt: skip
def test_web_address_is_one_of_http_with_a_host_and_no_user(url: str, expected: bool) -> None:
    assert is_web_address(url) is expected


async def test_file_is_fetched_with_its_address_media_type_and_charset(website: Website) -> None:
    website.redirect("/old", "/new")
    website.put("/new", "Öhler".encode("latin-1"), "TEXT/HTML ; charset=ISO-8859-1")
    website.answers["/plain"] = (399, {}, b"plain")
    website.put("/packed", gzip.compress(b"packed"), "text/css", **{"Content-Encoding": " GZIP "})
    website.put("/same", b"same", "text/css", **{"Content-Encoding": "identity"})
    async with Fetcher(allow_private_hosts=True) as fetcher:
        found = [await fetcher.fetch(website.url + path, 10) for path in ("old", "plain", "packed", "same")]
    assert found == [
        Fetched("Öhler".encode("latin-1"), f"{website.url}new", "text/html", "iso-8859-1"),
        Fetched(b"plain", f"{website.url}plain", "", ""),
        Fetched(b"packed", f"{website.url}packed", "text/css", ""),
        Fetched(b"same", f"{website.url}same", "text/css", ""),
    ]
    assert website.asked == ["/old", "/new", "/plain", "/packed", "/same"]
    sent = {name: website.headers[0][name] for name in ("Accept-Encoding", "User-Agent", "Accept-Language")}
    assert sent == {
        "Accept-Encoding": "gzip, identity;q=0.5",
        "User-Agent": "Mozilla/5.0 (compatible; Impasto brand import)",
        "Accept-Language": "*",
    }
    with pytest.raises(RuntimeError, match="closed"):
        await fetcher.fetch(website.url, 10)


async def test_file_that_cannot_be_fetched_is_refused_in_a_sentence(website: Website) -> None:
    for number in range(1, 7):
        website.redirect(f"/{number}", f"/{number - 1}")
    website.put("/0", b"x" * 2048)
    website.put("/longer", b"x" * 2049)
    website.put("/packed", gzip.compress(bytes(2048)), **{"Content-Encoding": "gzip"})
    website.put("/bomb", gzip.compress(bytes(2049)), **{"Content-Encoding": "gzip"})
    website.put("/damaged", b"no gzip", **{"Content-Encoding": "gzip"})
    website.put("/brotli", b"x", **{"Content-Encoding": "br"})
    website.answers["/refused"] = (400, {}, b"")
    size = "A file of 127.0.0.1 is larger than 0.00195312 MiB."
    async with Fetcher(allow_private_hosts=True) as fetcher:
        for path, sentence in {
            "5": "",
            "6": "127.0.0.1 redirects more than 5 times.",
            "longer": size,
            "packed": "",
            "bomb": size,
            "damaged": "127.0.0.1 cannot be reached.",
            "brotli": "127.0.0.1 sent a compression that was not asked for: br.",
            "refused": "127.0.0.1 answered with status 400.",
        }.items():
            said = ""
            try:
                assert len((await fetcher.fetch(website.url + path, 2048)).data) == 2048
            except FetchFailed as error:
                said = str(error)
            assert said == sentence, path


async def test_file_that_takes_too_long_is_given_up(
    website: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch, "_FILE_SECONDS", 0.05)
    async with Fetcher(allow_private_hosts=True) as fetcher:
        with pytest.raises(FetchFailed, match=r"^127\.0\.0\.1 did not answer in time\.$"):
            await fetcher.fetch(f"{website.url}never", 10)
