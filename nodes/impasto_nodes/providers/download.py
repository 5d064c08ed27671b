"""Bring a provider's output into the store: size-limited, complete, and verified to be what it should be."""

import asyncio
import base64
import binascii
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import httpx

from impasto import Audio, Context, Image, NodeError, Video
from impasto.sdk.http_client import tls_context
from impasto_nodes.providers.errors import (
    CorruptOutput,
    OutputTooLarge,
    StreamDropped,
    TimedOut,
    Unavailable,
)
from impasto_nodes.providers.http_errors import transport_error

T = TypeVar("T")
MAX_BYTES = 200_000_000
CHUNK_BYTES = 1 << 16
_RETRY_DELAYS_SECONDS = (0.25, 1.0)
_TIMEOUT = httpx.Timeout(60.0, connect=10.0)


async def write_stream(
    chunks: AsyncIterator[bytes], path: Path, provider: str, max_bytes: int = MAX_BYTES
) -> Path:
    """Write a stream to `path`. Raises `OutputTooLarge` above the limit, `CorruptOutput` if it is empty."""
    size = 0
    with await asyncio.to_thread(path.open, "wb") as file:
        async for chunk in chunks:
            size += len(chunk)
            if size > max_bytes:
                raise OutputTooLarge(provider, max_bytes)
            await asyncio.to_thread(file.write, chunk)
    if not size:
        raise CorruptOutput(provider, "an empty file")
    return path


async def download(url: str, path: Path, provider: str, context: Context, *, trusted: str = "") -> Path:
    """Download an output file. Only the host of `trusted`, the operator's address, may be private.

    A failed download is repeated: the file is paid for, and may be stored a moment after the answer.
    """
    if url.startswith("data:"):
        return await write_stream(_once(_inline_data(url, provider)), path, provider)
    for delay in _RETRY_DELAYS_SECONDS:
        try:
            return await _download_once(url, path, provider, context, trusted)
        except (Unavailable, TimedOut, StreamDropped):
            await asyncio.sleep(delay)
    return await _download_once(url, path, provider, context, trusted)


async def _download_once(url: str, path: Path, provider: str, context: Context, trusted: str) -> Path:
    try:
        async with client_for(url, trusted, context) as client, client.stream("GET", url) as response:
            if response.status_code >= 400:
                raise Unavailable(provider, f"status {response.status_code} for the output file")
            return await write_stream(response.aiter_bytes(CHUNK_BYTES), path, provider)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise transport_error(error, provider) from None


async def store_image(path: Path, provider: str, context: Context, name: str) -> Image:
    """Decode an image and store it. Raises `CorruptOutput` if it cannot be decoded."""
    media_type, width, height = await _verified(_probe_image, path, provider, "an image")
    stored = await context.store(path, media_type, name=name, width=width, height=height)
    assert isinstance(stored, Image)
    return stored


async def store_video(path: Path, provider: str, context: Context, name: str) -> Video:
    """Open a video and store it. Raises `CorruptOutput` if it has no video stream."""
    media_type, width, height, seconds = await _verified(_probe_video, path, provider, "a video")
    stored = await context.store(path, media_type, name=name, width=width, height=height, seconds=seconds)
    assert isinstance(stored, Video)
    return stored


async def store_audio(path: Path, provider: str, context: Context, name: str) -> Audio:
    """Open an audio file and store it. Raises `CorruptOutput` if it has no audio stream."""
    media_type, seconds = await _verified(_probe_audio, path, provider, "an audio file")
    stored = await context.store(path, media_type, name=name, seconds=seconds)
    assert isinstance(stored, Audio)
    return stored


async def _verified(probe: Callable[[Path], T], path: Path, provider: str, what: str) -> T:
    try:
        return await asyncio.to_thread(probe, path)
    except NodeError as error:
        raise CorruptOutput(provider, what, f"{error.code}: {error.detail}") from None


def _probe_image(path: Path) -> tuple[str, int, int]:
    from PIL import Image as Pillow

    from impasto_nodes.media.image.image_file import MEDIA_TYPES, decode

    width, height = decode(path).size
    with Pillow.open(path) as image:
        return MEDIA_TYPES.get(image.format or "", "image/png"), width, height


def _probe_video(path: Path) -> tuple[str, int | None, int | None, float | None]:
    from impasto_nodes.media.errors import NoVideoStream
    from impasto_nodes.media.probe import probe

    facts = probe(path)
    if not facts.has_video:
        raise NoVideoStream
    return facts.media_type, facts.width, facts.height, facts.seconds


def _probe_audio(path: Path) -> tuple[str, float | None]:
    from impasto_nodes.media.errors import NoAudioStream
    from impasto_nodes.media.probe import probe

    facts = probe(path)
    if not facts.has_audio:
        raise NoAudioStream
    return facts.media_type, facts.seconds


@asynccontextmanager
async def client_for(url: str, trusted: str, context: Context) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client for an address. Only the host of `trusted`, the operator's address, may be private."""
    if trusted and urlsplit(url).netloc == urlsplit(trusted).netloc:
        async with httpx.AsyncClient(verify=tls_context(), timeout=_TIMEOUT) as client:
            yield client
    else:
        yield context.http


def _inline_data(url: str, provider: str) -> bytes:
    try:
        return base64.b64decode(url.partition(",")[2], validate=True)
    except binascii.Error as error:
        raise CorruptOutput(provider, "a file", str(error)) from None


async def _once(data: bytes) -> AsyncIterator[bytes]:
    yield data
