"""A HEIC file: one HEVC frame in the boxes of ISO/IEC 23008-12. Python packages only decode the format."""

import functools
import re
import struct
from fractions import Fraction

_PARAMETER_SETS = (32, 33, 34)
_SPS = 33
RED, BLUE = (220, 30, 30), (30, 30, 220)


def box(kind: bytes, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return struct.pack(">I4s", 8 + len(body), kind) + body


def full_box(kind: bytes, *parts: bytes, version: int = 0) -> bytes:
    return box(kind, struct.pack(">I", version << 24), *parts)


@functools.cache
def heic(
    width: int = 128,
    height: int = 96,
    *,
    turns: int = 0,
    brands: bytes = b"heicmif1heic",
    claimed_size: tuple[int, int] | None = None,
) -> bytes:
    """Red left, blue right, shown after `turns` quarter turns anticlockwise. The major brand is the first."""
    settings, frame = _hevc(width, height)
    ispe = full_box(b"ispe", struct.pack(">II", *(claimed_size or (width, height))))
    properties = [box(b"hvcC", settings), ispe, box(b"irot", bytes([turns]))]
    links = struct.pack(">IHB", 1, 1, 3) + bytes([0x81, 2, 0x83])
    meta = [
        full_box(b"hdlr", bytes(4), b"pict", bytes(13)),
        full_box(b"pitm", struct.pack(">H", 1)),
        full_box(
            b"iinf",
            struct.pack(">H", 1),
            full_box(b"infe", struct.pack(">HH4s", 1, 0, b"hvc1"), b"\0", version=2),
        ),
        box(b"iprp", box(b"ipco", *properties), full_box(b"ipma", links)),
    ]
    start = box(b"ftyp", brands[:4], bytes(4), brands[4:])
    size_of_iloc, size_of_meta_head = 30, 12
    offset = len(start) + size_of_meta_head + sum(map(len, meta)) + size_of_iloc + 8
    iloc = full_box(
        b"iloc",
        bytes([0x44, 0]),
        struct.pack(">HHHHII", 1, 1, 0, 1, offset, len(frame)),
    )
    assert len(iloc) == size_of_iloc
    return start + full_box(b"meta", *meta, iloc) + box(b"mdat", frame)


@functools.cache
def _hevc(width: int, height: int) -> tuple[bytes, bytes]:
    """The decoder's configuration and one frame, each unit of it after its length."""
    import av
    import numpy as np

    plane = np.full((height, width, 3), RED, np.uint8)
    plane[:, width // 2 :] = BLUE
    encoder = av.CodecContext.create("libx265", "w")
    encoder.width, encoder.height, encoder.pix_fmt = width, height, "yuv420p"
    encoder.time_base = Fraction(1, 1)
    encoder.options = {"x265-params": "log-level=none:info=0:repeat-headers=1"}
    frame = av.VideoFrame.from_ndarray(plane, format="rgb24").reformat(format="yuv420p")
    stream = b"".join(bytes(packet) for packet in [*encoder.encode(frame), *encoder.encode(None)])
    units = [unit for unit in re.split(rb"\0{2,3}\x01", stream) if unit]
    headers = {kind: [unit for unit in units if unit[0] >> 1 == kind] for kind in _PARAMETER_SETS}
    slices = [unit for unit in units if unit[0] >> 1 not in headers]
    arrays = [
        bytes([0x80 | kind]) + struct.pack(">H", len(found)) + b"".join(map(_with_length16, found))
        for kind, found in headers.items()
    ]
    profile = headers[_SPS][0][3:15]
    settings = b"\x01" + profile + bytes.fromhex("f000 fc fd f8 f8 0000 0f") + bytes([len(arrays)])
    return settings + b"".join(arrays), b"".join(map(_with_length32, slices))


def _with_length16(unit: bytes) -> bytes:
    return struct.pack(">H", len(unit)) + unit


def _with_length32(unit: bytes) -> bytes:
    return struct.pack(">I", len(unit)) + unit
