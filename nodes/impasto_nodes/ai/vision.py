"""What a language model is given to look at."""

import asyncio
from collections.abc import Iterable

from impasto import Context, Image
from impasto_nodes.providers.protocols import ImageData


async def load_images(images: Iterable[Image], context: Context) -> tuple[ImageData, ...]:
    """The images as every model takes them; raises a `NodeError` for one that cannot be read."""
    from impasto_nodes.media.image.normalize_image import plain

    read = [(image.media_type, await context.read(image)) for image in images]
    return tuple([ImageData(*await asyncio.to_thread(plain, data, kind)) for kind, data in read])
