"""Edits inside a mask, and prints the bytes of peak memory for each further pixel and the peak in MB."""

import asyncio
import resource
import sys
from pathlib import Path

from PIL import Image as Pillow
from PIL import ImageDraw

from impasto import FolderStore, Image, Mask
from impasto.testing import run_node
from impasto_nodes.ai.image_edit import image_edit

SMALL = 1200


async def stored(store: FolderStore, bitmap: Pillow.Image, path: Path) -> Image:
    bitmap.save(path, "PNG", compress_level=1)
    kept = await store.put(path.read_bytes(), "image/png", None)
    return Image(asset_id=kept.asset_id, width=bitmap.width, height=bitmap.height)


async def peak_bytes(side: int, folder: Path) -> int:
    store = FolderStore(folder)
    picture = await stored(store, Pillow.new("RGB", (side, side), (225, 228, 230)), folder / "picture.png")
    painted = Pillow.new("L", (side, side))
    ImageDraw.Draw(painted).ellipse((side // 4, side // 4, side * 3 // 4, side * 3 // 4), fill=255)
    mask = await stored(store, painted, folder / "mask.png")
    del painted
    given = {"picture": picture, "prompt": "A teapot"}
    settings = {"mask": Mask(image=mask), "provider": "local"}
    done = await run_node(image_edit, given, settings, store=store)
    assert done.result.status == "finished", done
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


async def main(side: int, folder: Path) -> None:
    await peak_bytes(SMALL, folder)  # the allocator keeps what a first run has used
    small = await peak_bytes(SMALL, folder)
    large = await peak_bytes(side, folder)
    print(f"{(large - small) / (side**2 - SMALL**2):.1f} {large / 1e6:.0f}")


asyncio.run(main(int(sys.argv[1]), Path(sys.argv[2])))
