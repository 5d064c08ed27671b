"""Fetching a website: few files, of limited size, in limited time, from public addresses only."""

import asyncio
import zlib
from dataclasses import dataclass

import httpx

from impasto.errors import NodeError
from impasto.sdk.http_client import client

MAX_PAGE_BYTES = 2 * 2**20
MAX_STYLESHEET_BYTES = 2**20
MAX_LOGO_BYTES = 4 * 2**20
_MAX_REDIRECTS = 5
_TIMEOUT = httpx.Timeout(10.0)
_FILE_SECONDS = 15.0
_HEADERS = {
    # Not what else a client would take: a small answer in those encodings can become gigabytes at once.
    "Accept-Encoding": "gzip, identity;q=0.5",
    "User-Agent": "Mozilla/5.0 (compatible; Impasto brand import)",
    "Accept-Language": "*",
}


class FetchFailed(Exception):
    """The file cannot be fetched; the message is a sentence."""


@dataclass(frozen=True)
class Fetched:
    """A file: its content, the URL after redirects, its media type and charset."""

    data: bytes
    url: str
    media_type: str
    charset: str


def is_web_address(url: str) -> bool:
    """Whether a URL is one of http or https with a host, without a user name or password."""
    try:
        parts = httpx.URL(url)
    except (httpx.InvalidURL, ValueError):
        return False
    return parts.scheme in ("http", "https") and bool(parts.host) and not parts.userinfo


class Fetcher:
    """Fetches the files of one website. Enter it to open its connections."""

    def __init__(self, allow_private_hosts: bool) -> None:
        self._client = client(allow_private_hosts)
        self._client.max_redirects = _MAX_REDIRECTS

    async def __aenter__(self) -> "Fetcher":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def fetch(self, url: str, max_bytes: int) -> Fetched:
        """Return the file at a URL, for which `is_web_address` holds. Raises `FetchFailed`."""
        host = httpx.URL(url).host
        try:
            async with asyncio.timeout(_FILE_SECONDS):
                return await self._fetch(url, max_bytes)
        except (TimeoutError, httpx.TimeoutException):
            raise FetchFailed(f"{host} did not answer in time.") from None
        except httpx.TooManyRedirects:
            raise FetchFailed(f"{host} redirects more than {_MAX_REDIRECTS} times.") from None
        except NodeError:
            raise FetchFailed(f"{host} is not a public address.") from None
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError, ValueError, zlib.error):
            raise FetchFailed(f"{host} cannot be reached.") from None

    async def _fetch(self, url: str, max_bytes: int) -> Fetched:
        request = self._client.build_request("GET", url, headers=_HEADERS, timeout=_TIMEOUT)
        response = await self._client.send(request, stream=True)
        try:
            if response.status_code >= 400:
                raise FetchFailed(f"{response.url.host} answered with status {response.status_code}.")
            encoding = response.headers.get("content-encoding", "identity").strip().lower()
            if encoding not in ("", "identity", "gzip"):
                raise FetchFailed(
                    f"{response.url.host} sent a compression that was not asked for: {encoding[:20]}."
                )
            unpack = zlib.decompressobj(31) if encoding == "gzip" else None
            data = bytearray()
            async for chunk in response.aiter_raw(1 << 16):
                data += unpack.decompress(chunk, max_bytes + 1) if unpack else chunk
                if len(data) > max_bytes:
                    size = f"{max_bytes / 2**20:g} MiB"
                    raise FetchFailed(f"A file of {response.url.host} is larger than {size}.")
            media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
            return Fetched(bytes(data), str(response.url), media_type, response.charset_encoding or "")
        finally:
            await response.aclose()
