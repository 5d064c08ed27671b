"""A provider's file brought home: bounded, whole, and what it says it is, before the store sees it."""

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
from impasto_nodes.providers.errors import CorruptOutput, OutputTooLarge, Unavailable
from impasto_nodes.providers.transport import transport_error

T = TypeVar("T")
LIMIT = 200_000_000
_TIMEOUT = httpx.Timeout(60.0, connect=10.0)


async def land(chunks: AsyncIterator[bytes], path: Path, provider: str, limit: int = LIMIT) -> Path:
    """Write a stream to `path`; raises OutputTooLarge past the limit and CorruptOutput for nothing at all."""
    size = 0
    with await asyncio.to_thread(path.open, "wb") as file:
        async for chunk in chunks:
            size += len(chunk)
            if size > limit:
                raise OutputTooLarge(provider, limit)
            await asyncio.to_thread(file.write, chunk)
    if not size:
        raise CorruptOutput(provider, "an empty file")
    return path


async def fetch(url: str, path: Path, provider: str, context: Context, *, trusted: str = "") -> Path:
    """Download an output; only the host of `trusted`, the operator's address, may be a private one."""
    if url.startswith("data:"):
        return await land(_once(_inline(url, provider)), path, provider)
    try:
        async with _client_for(url, trusted, context) as client, client.stream("GET", url) as answer:
            if answer.status_code >= 400:
                raise Unavailable(provider, f"{answer.status_code} for the output file")
            return await land(answer.aiter_bytes(1 << 16), path, provider)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise transport_error(error, provider) from None


async def keep_image(path: Path, provider: str, context: Context, name: str) -> Image:
    """Store a picture after reading it whole; raises CorruptOutput for anything else."""
    media_type, width, height = await _checked(_look_at_picture, path, provider, "a picture")
    kept = await context.store(path, media_type, name=name, width=width, height=height)
    assert isinstance(kept, Image)
    return kept


async def keep_video(path: Path, provider: str, context: Context, name: str) -> Video:
    """Store a clip after opening it; raises CorruptOutput for anything without moving pictures."""
    facts = await _checked(_look_at_film, path, provider, "a clip")
    kept = await context.store(path, facts[0], name=name, width=facts[1], height=facts[2], seconds=facts[3])
    assert isinstance(kept, Video)
    return kept


async def keep_audio(path: Path, provider: str, context: Context, name: str) -> Audio:
    """Store a recording after opening it; raises CorruptOutput for anything without sound."""
    media_type, seconds = await _checked(_look_at_sound, path, provider, "a recording")
    kept = await context.store(path, media_type, name=name, seconds=seconds)
    assert isinstance(kept, Audio)
    return kept


async def _checked(look: Callable[[Path], T], path: Path, provider: str, what: str) -> T:
    try:
        return await asyncio.to_thread(look, path)
    except NodeError as error:
        raise CorruptOutput(provider, what, f"{error.code}: {error.detail}") from None


def _look_at_picture(path: Path) -> tuple[str, int, int]:
    from PIL import Image as Pillow

    from impasto_nodes.media.image.image_file import MEDIA_TYPES, decode

    width, height = decode(path).size
    with Pillow.open(path) as picture:
        return MEDIA_TYPES.get(picture.format or "", "image/png"), width, height


def _look_at_film(path: Path) -> tuple[str, int | None, int | None, float | None]:
    from impasto_nodes.media.errors import NoPictureInside
    from impasto_nodes.media.probe import probe

    facts = probe(path)
    if not facts.has_video:
        raise NoPictureInside
    return facts.media_type, facts.width, facts.height, facts.seconds


def _look_at_sound(path: Path) -> tuple[str, float | None]:
    from impasto_nodes.media.errors import NoSoundInside
    from impasto_nodes.media.probe import probe

    facts = probe(path)
    if not facts.has_audio:
        raise NoSoundInside
    return facts.media_type, facts.seconds


@asynccontextmanager
async def _client_for(url: str, trusted: str, context: Context) -> AsyncIterator[httpx.AsyncClient]:
    if trusted and urlsplit(url).netloc == urlsplit(trusted).netloc:
        async with httpx.AsyncClient(timeout=_TIMEOUT) as client:
            yield client
    else:
        yield context.http


def _inline(url: str, provider: str) -> bytes:
    try:
        return base64.b64decode(url.partition(",")[2], validate=True)
    except binascii.Error as error:
        raise CorruptOutput(provider, "a file", str(error)) from None


async def _once(data: bytes) -> AsyncIterator[bytes]:
    yield data
