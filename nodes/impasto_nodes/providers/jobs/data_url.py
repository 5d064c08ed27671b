"""Images as data URLs, for services that take files in a request."""

import asyncio
import base64

from impasto import Context, Image


async def data_url(image: Image | None, context: Context) -> str | None:
    """Return an image as a data URL of a format that every model accepts; None for None."""
    if image is None:
        return None
    from impasto_nodes.media.image.normalize_image import plain

    media_type, data = await asyncio.to_thread(plain, await context.read(image), image.media_type)
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"
