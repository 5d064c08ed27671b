"""Download one file to a folder, complete and verified."""

import asyncio
import hashlib
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import IO

import httpx

from impasto_nodes.providers.local.errors import DownloadFailed

Report = Callable[[float, str], None]
_TIMEOUT = httpx.Timeout(30.0, connect=5.0)


async def download(
    url: str, target: Path, *, sha256: str, size: int, title: str, report: Report | None = None
) -> Path:
    """Download `url` to `target`. The file appears there only when its SHA-256 is right.

    `size` is the expected number of bytes. Raises `DownloadFailed`.
    """
    await asyncio.to_thread(target.parent.mkdir, parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.{uuid.uuid4().hex}.part")
    try:
        with await asyncio.to_thread(part.open, "wb") as file:
            found = await _receive(url, file, size, title, report)
        if found != sha256:
            raise DownloadFailed(title, f"its SHA-256 is {found}, expected {sha256}")
        await asyncio.to_thread(part.replace, target)
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        raise DownloadFailed(title, f"{type(error).__name__}: {error}") from error
    finally:
        await asyncio.to_thread(part.unlink, missing_ok=True)
    return target


async def _receive(url: str, file: IO[bytes], size: int, title: str, report: Report | None) -> str:
    digest, received = hashlib.sha256(), 0
    async with (
        httpx.AsyncClient(follow_redirects=True, timeout=_TIMEOUT) as client,
        client.stream("GET", url) as answer,
    ):
        answer.raise_for_status()
        async for chunk in answer.aiter_bytes(1 << 20):
            received += len(chunk)
            if received > size:
                raise DownloadFailed(title, f"it has more than the expected {size} bytes")
            digest.update(chunk)
            await asyncio.to_thread(file.write, chunk)
            if report:
                report(
                    received / size,
                    f"Downloading {title}: {received // 1_000_000} of {size // 1_000_000} MB, once",
                )
    return digest.hexdigest()
