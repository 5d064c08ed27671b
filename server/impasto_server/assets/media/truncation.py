"""Files that end before their content does: FFmpeg opens them, and fails in the middle of a run."""

import struct
from pathlib import Path
from typing import BinaryIO

_FRAME_SYNC = 0xFFE0
_HEAD_BYTES = 64 * 1024
_MAX_BOXES = 100_000
_XING_HAS_FRAMES, _XING_HAS_BYTES = 1, 2


def is_truncated(path: Path) -> bool:
    """Return whether an MP4 or MP3 says that it is longer than it is. Other formats do not say."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
        if head[4:8] == b"ftyp":
            return _end_of_boxes(file, size) > size
    end = _end_of_mp3(head)
    return end is not None and end > size


def _end_of_boxes(file: BinaryIO, size: int) -> int:
    """Return where the last box of an MP4 ends, in bytes."""
    position = 0
    for _ in range(_MAX_BOXES):
        file.seek(position)
        header = file.read(16)
        if len(header) < 8:
            break
        length = struct.unpack(">I", header[:4])[0]
        if length == 1 and len(header) == 16:
            length = struct.unpack(">Q", header[8:])[0]
        if length < 8:  # 0: to the end of the file
            break
        position += length
        if position > size:
            break
    return position


def _end_of_mp3(head: bytes) -> int | None:
    """Return where an MP3 ends by its Xing or Info header; None without one."""
    start = 0
    if head.startswith(b"ID3") and len(head) >= 10:
        start = 10 + sum(
            (byte & 0x7F) << shift for byte, shift in zip(head[6:10], (21, 14, 7, 0), strict=True)
        )
    frame = head[start : start + 256]
    if int.from_bytes(frame[:2], "big") & _FRAME_SYNC != _FRAME_SYNC:
        return None
    at = max(frame.find(b"Xing"), frame.find(b"Info"))
    if at < 0 or len(frame) < at + 16:
        return None
    flags = int.from_bytes(frame[at + 4 : at + 8], "big")
    if not flags & _XING_HAS_BYTES:
        return None
    length_at = at + 8 + (4 if flags & _XING_HAS_FRAMES else 0)
    return start + int.from_bytes(frame[length_at : length_at + 4], "big")
