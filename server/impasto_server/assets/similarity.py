"""Recognizing an image that was saved again, resized or stripped of its metadata, by a perceptual hash.

The hash has one bit for each of the 256 lowest frequencies of the image in shades of gray: whether it is
stronger than the median. Images that show the same differ in few of them, others in about half.
"""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from impasto_server.assets.errors import FileInvalid, ImageTooLarge
from impasto_server.assets.media import images
from impasto_server.assets.models import AssetRow
from impasto_server.db.engine import Database

if TYPE_CHECKING:
    import numpy as np

HASH_BYTES = 32
MAX_SEARCHED = 100_000
_MAX_FOUND = 10
_SIDE = 16
_SAMPLES = 64
_ID_LENGTH = 36
# Of unrelated images, 128 bits differ on average and seldom fewer than 88; of altered ones, up to about 50.
_MAX_DISTANCE = 64
_UNRELATED_DISTANCE = 128
_MIN_CONTRAST = 3.0  # an image of one color has no features to recognize it by


def image_hash(source: Path | bytes, megapixels: int) -> bytes | None:
    """Return the hash of an image, or None if it cannot be read or has no features."""
    import numpy as np

    try:
        pixels = np.asarray(images.grayscale(source, _SAMPLES, megapixels), np.float64)
    except (FileInvalid, ImageTooLarge):
        return None
    if pixels.std() < _MIN_CONTRAST:
        return None
    waves = _waves()
    strengths = (waves @ pixels @ waves.T).ravel()
    return np.packbits(strengths > np.median(strengths)).tobytes()


def certainty_of(distance: int) -> float:
    """Return how certain it is that two images show the same, from 0.5 to 1."""
    return round(1 - distance / _UNRELATED_DISTANCE, 3)


async def find_similar(database: Database, owner_id: str, wanted: bytes) -> list[tuple[str, float]]:
    """Return the ids of the owner's most similar images with their certainty, the most similar first.

    It looks at the owner's newest `MAX_SEARCHED` images.
    """
    newest = (
        select(AssetRow.id, AssetRow.image_hash)
        .where(AssetRow.owner_id == owner_id, AssetRow.image_hash.is_not(None))
        .order_by(AssetRow.id.desc())
        .limit(MAX_SEARCHED)
        .subquery()
    )
    async with database.reading() as session:
        is_postgresql = session.get_bind().dialect.name == "postgresql"
        digits = func.encode(newest.c.image_hash, "hex") if is_postgresql else func.hex(newest.c.image_hash)
        # One string for all rows: fetching 100,000 rows takes the event loop most of a second.
        records = await session.scalar(select(func.aggregate_strings(newest.c.id + digits, "")))
    found = await asyncio.to_thread(_closest, records, wanted) if records else []
    return [(asset_id, certainty_of(distance)) for distance, asset_id in found]


def _closest(records: str, wanted: bytes) -> list[tuple[int, str]]:
    """Return distance and id of the closest images, from the id and the hexadecimal hash of each."""
    import numpy as np

    layout = np.dtype([("id", f"S{_ID_LENGTH}"), ("hash", f"S{2 * HASH_BYTES}")])
    images_known = np.frombuffer(records.encode("ascii"), layout)
    hashes = bytes.fromhex(images_known["hash"].tobytes().decode("ascii"))
    known = np.frombuffer(hashes, np.uint64).reshape(len(images_known), -1)
    distances = np.bitwise_count(known ^ np.frombuffer(wanted, np.uint64)).sum(axis=1)
    places = np.flatnonzero(distances <= _MAX_DISTANCE)
    found = [(int(distances[place]), images_known["id"][place].decode("ascii")) for place in places]
    return sorted(found)[:_MAX_FOUND]


def _waves() -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    """Return the lowest cosine waves of a discrete cosine transform, one a row."""
    import numpy as np

    frequency, place = np.ogrid[:_SIDE, :_SAMPLES]
    return np.cos(np.pi * (2 * place + 1) * frequency / (2 * _SAMPLES))
