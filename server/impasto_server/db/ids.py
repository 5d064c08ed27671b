"""Opaque identifiers that sort by the time they were made."""

import os
import time
import uuid


def new_id() -> str:
    """Return a UUID of version 7 (RFC 9562): milliseconds first, then random bits."""
    milliseconds = time.time_ns() // 1_000_000
    number = milliseconds << 80 | int.from_bytes(os.urandom(10))
    number = number & ~(0xF << 76) | 0x7 << 76
    number = number & ~(0x3 << 62) | 0x2 << 62
    return str(uuid.UUID(int=number))
