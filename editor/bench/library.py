"""Fill the library of a data folder's first user: `library.py FOLDER NUMBER`."""

import asyncio
import hashlib
import io
import sys
from pathlib import Path

from PIL import Image
from sqlalchemy import select

from impasto_server.assets.models import AssetRow
from impasto_server.db.engine import Database
from impasto_server.db.migrations.tables import metadata
from impasto_server.settings import Settings
from impasto_server.storage.object_storage import content_key
from impasto_server.users.models import User
from impasto_server.utils import new_id

COLORS = 50
assert metadata.tables  # every table is known: rows of one may name another's


def image(number: int) -> bytes:
    """An image of one colour."""
    data = io.BytesIO()
    color = (5 * number % 256, 90 + number, 200 - 2 * number)
    Image.new("RGB", (640, 480), color).save(data, "PNG")
    return data.getvalue()


async def fill(folder: Path, number: int) -> None:
    """Write the rows; the images are shared among them, as equal content is."""
    settings = Settings()
    kept = []
    for index in range(COLORS):
        data = image(index)
        digest = hashlib.sha256(data).hexdigest()
        path = folder / "assets" / content_key(digest)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        kept.append((digest, len(data)))
    database = Database(settings.database)
    async with database.writing() as session:
        owner = (await session.scalars(select(User.id))).first()
        for index in range(number):
            digest, size = kept[index % COLORS]
            about = {"kind": "image", "media_type": "image/png", "name": f"image-{index}.png"}
            place = {"sha256": digest, "object_key": content_key(digest), "bytes": size}
            session.add(AssetRow(id=new_id(), owner_id=owner, width=640, height=480, **about, **place))


asyncio.run(fill(Path(sys.argv[1]), int(sys.argv[2])))
