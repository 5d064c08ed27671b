"""Images as input of language models."""

import asyncio
from collections.abc import Iterable

from impasto import Context, Image
from impasto_nodes.providers.protocols import ImageData


async def load_images(images: Iterable[Image], context: Context) -> tuple[ImageData, ...]:
    """Return the images in a format that every model takes. Raises a `NodeError` for an unreadable one."""
    from impasto_nodes.media.image.normalize_image import plain

    read = [(image.media_type, await context.read(image)) for image in images]
    return tuple([ImageData(*await asyncio.to_thread(plain, data, kind)) for kind, data in read])
