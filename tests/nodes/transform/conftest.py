"""The desk of the transforms: stores images, clips and audio, and runs nodes on them."""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow
from tests.fakes.media import saved
from tests.fixtures.clips import tone

from impasto import Audio, File, Image, MemoryStore, Video
from impasto.testing import NodeRun, run_node
from impasto_nodes.media.audio import audio_file
from impasto_nodes.media.video import video_writer


class Desk:
    """Stores assets, runs nodes and opens their results."""

    def __init__(self, folder: Path) -> None:
        self.store, self.folder, self.made = MemoryStore(), folder, 0

    async def image(self, image: Pillow.Image, file_format: str = "PNG", **options: Any) -> Image:
        return await self.raw_image(saved(image, file_format, **options), f"image/{file_format.lower()}")

    async def raw_image(self, data: bytes, media_type: str = "image/png") -> Image:
        stored = await self.store.put(data, media_type, None)
        return Image(
            asset_id=stored.asset_id, media_type=media_type, bytes=stored.bytes, sha256=stored.sha256
        )

    async def video(
        self,
        seconds: float = 1.0,
        size: tuple[int, int] = (160, 90),
        color: tuple[int, int, int] = (200, 60, 30),
        *,
        hertz: float | None = 440.0,
        rate: float = 24,
    ) -> Video:
        path = self._path("mp4")
        count = round(seconds * rate)
        with video_writer.open_video(path, size, rate, with_audio=hertz is not None) as writing:
            for number in range(count):
                page = np.full((size[1], size[0], 3), color, np.uint8)
                page[:, : max(1, number * size[0] // count)] = (
                    255 - page[:, : max(1, number * size[0] // count)]
                )
                writing.add_frame(page)
            if hertz is not None:
                writing.add_audio(tone(seconds, hertz))
        stored = await self.store.put(path, "video/mp4", None)
        return Video(asset_id=stored.asset_id, width=size[0], height=size[1], seconds=seconds)

    async def audio(self, samples: Any, ending: str = "wav") -> Audio:
        path = self._path(ending)
        audio_file.write(path, samples)
        media_type = {"wav": "audio/wav", "m4a": "audio/mp4"}[ending]
        stored = await self.store.put(path, media_type, None)
        return Audio(
            asset_id=stored.asset_id, media_type=media_type, seconds=samples.shape[1] / audio_file.RATE
        )

    async def run(
        self, node: Any, inputs: Mapping[str, Any] | None = None, settings: Mapping[str, Any] | None = None
    ) -> NodeRun:
        return await run_node(node, inputs, settings, store=self.store)

    async def bytes(self, asset: Image | Video | Audio | File) -> bytes:
        return b"".join([piece async for piece in self.store.open(asset.asset_id)])

    async def open(self, image: Image) -> Pillow.Image:
        bitmap = Pillow.open(io.BytesIO(await self.bytes(image)))
        bitmap.load()
        return bitmap

    async def file(self, asset: Image | Video | Audio | File, ending: str) -> Path:
        path = self._path(ending)
        path.write_bytes(await self.bytes(asset))
        return path

    def _path(self, ending: str) -> Path:
        self.made += 1
        return self.folder / f"{self.made}.{ending}"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def sine() -> Any:
    return tone
