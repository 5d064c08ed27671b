"""Small pictures of pictures and videos, made when first asked for and kept."""

import asyncio
import io
from pathlib import Path
from typing import Any

from impasto_server.assets import pictures, repository
from impasto_server.assets.errors import AssetNotFound, FileRefused, PictureTooLarge
from impasto_server.assets.models import AssetRow
from impasto_server.database import hold
from impasto_server.parts import Parts

LONGEST = 512


def key_of(sha256: str) -> str:
    """Return where the thumbnail of the content with this SHA-256 lies, if one was made."""
    return f"thumbnails/{sha256}"


async def thumbnail(parts: Parts, row: AssetRow) -> bytes:
    """Return a WebP of an image or of a frame of a video. Raises `AssetNotFound` for other kinds."""
    key = key_of(row.sha256)
    if await parts.storage.exists(key):
        return await parts.storage.read(key)
    if row.kind not in ("image", "video"):
        raise AssetNotFound(row.id)
    make = _of_picture if row.kind == "image" else _of_video
    async with parts.storage.path(row.object_key) as path:
        data = await asyncio.to_thread(make, path, parts.settings.image_megapixels)
    async with parts.database.writing() as session:
        await hold(session, key)
        # Never kept beyond the picture itself, which somebody may have deleted meanwhile.
        if await repository.has_content(session, row.sha256):
            await parts.storage.put_at(key, data)
    return data


def _of_picture(path: Path, megapixels: int) -> bytes:
    return pictures.shrink(path, LONGEST, megapixels)


def _of_video(path: Path, megapixels: int) -> bytes:
    import av

    try:
        with av.open(str(path)) as container:
            stream = container.streams.video[0]
            if stream.width * stream.height > megapixels * 1_000_000:
                raise PictureTooLarge(megapixels)
            frame = _frame(container)
    except (av.FFmpegError, StopIteration, IndexError) as error:
        raise FileRefused("This video cannot be read.") from error
    data = io.BytesIO()
    frame.to_image().save(data, "PNG")
    return pictures.shrink(data.getvalue(), LONGEST, megapixels)


def _frame(container: Any) -> Any:
    # The first frame is often black; a second in, something can be seen.
    stream = container.streams.video[0]
    if container.duration and container.duration > 2_000_000:
        container.seek(1_000_000)
    return next(container.decode(stream))
