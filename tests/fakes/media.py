"""Small real files: what a provider would answer with, and images in any format."""

from __future__ import annotations

import functools
import io
import math
import struct
import wave
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image as Bitmap

    from impasto import Image, MemoryStore


def saved(image: Bitmap, file_format: str = "PNG", **options: Any) -> bytes:
    """Return an image as a file."""
    out = io.BytesIO()
    image.save(out, file_format, **options)
    return out.getvalue()


@functools.cache
def png(width: int = 64, height: int = 64) -> bytes:
    from PIL import Image as Bitmap

    return saved(Bitmap.linear_gradient("L").resize((width, height)).convert("RGB"))


async def stored_image(store: MemoryStore, side: int = 64) -> Image:
    """The square image of `png`, put into a store."""
    from impasto import Image

    kept = await store.put(png(side, side), "image/png")
    return Image(asset_id=kept.asset_id, media_type="image/png", width=side, height=side)


@functools.cache
def mp4(seconds: float = 1.0) -> bytes:
    import av
    import numpy as np

    out = io.BytesIO()
    with av.open(out, "w", format="mp4") as container:
        stream = container.add_stream("mpeg4", rate=8)
        stream.width, stream.height, stream.pix_fmt = 64, 36, "yuv420p"
        for index in range(int(8 * seconds)):
            plane = np.full((36, 64, 3), index * 20 % 255, np.uint8)
            for packet in stream.encode(av.VideoFrame.from_ndarray(plane, format="rgb24")):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)
    return out.getvalue()


@functools.cache
def wav(seconds: float = 1.0) -> bytes:
    rate, out = 8000, io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", ""))
        tone = (int(9000 * math.sin(index / 5)) for index in range(int(rate * seconds)))
        file.writeframes(b"".join(struct.pack("<h", sample) for sample in tone))
    return out.getvalue()


@functools.cache
def mp3(seconds: float = 1.0) -> bytes:
    import av
    import numpy as np

    rate, out = 44100, io.BytesIO()
    with av.open(out, "w", format="mp3") as container:
        stream = container.add_stream("libmp3lame", rate=rate)
        tone = np.sin(np.arange(int(rate * seconds)) * 2 * math.pi * 440 / rate)
        frame = av.AudioFrame.from_ndarray((tone * 9000).astype("<i2")[None, :], format="s16", layout="mono")
        frame.sample_rate = rate
        resampler = av.AudioResampler("s16p", "mono", rate)
        for piece in resampler.resample(frame):
            for packet in stream.encode(piece):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)
    return out.getvalue()
