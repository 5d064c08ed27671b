"""Removes backgrounds, and prints the bytes of peak memory for each further pixel and the peak in MB."""

import asyncio
import io
import resource
import sys
from pathlib import Path

from PIL import Image as Pillow
from PIL import ImageDraw

from impasto import FolderStore, Image
from impasto.testing import run_node
from impasto_nodes.transform.remove_background import remove_background

SMALL = 1200


async def peak_bytes(side: int, folder: Path) -> int:
    bitmap = Pillow.new("RGB", (side, side), (225, 228, 230))
    ImageDraw.Draw(bitmap).ellipse((side // 4, side // 4, side * 3 // 4, side * 3 // 4), fill=(200, 60, 40))
    out = io.BytesIO()
    bitmap.save(out, "PNG", compress_level=1)
    del bitmap
    store = FolderStore(folder)
    stored = await store.put(out.getvalue(), "image/png", None)
    del out
    image = Image(asset_id=stored.asset_id, media_type="image/png", bytes=stored.bytes, sha256=stored.sha256)
    done = await run_node(remove_background, {"image": image}, {}, store=store)
    assert done.result.status == "finished", done
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


async def main(side: int, folder: Path) -> None:
    await peak_bytes(SMALL, folder)  # the allocator keeps what a first run has used
    small = await peak_bytes(SMALL, folder)
    large = await peak_bytes(side, folder)
    print(f"{(large - small) / (side**2 - SMALL**2):.1f} {large / 1e6:.0f}")


asyncio.run(main(int(sys.argv[1]), Path(sys.argv[2])))
