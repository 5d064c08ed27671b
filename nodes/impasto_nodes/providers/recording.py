"""The length of a recording, by which a transcript is priced."""

import asyncio
from pathlib import Path

from impasto import Audio, Video


async def seconds_of(recording: Audio | Video, path: Path) -> float:
    """Return the seconds of a recording, from its file if its reference does not say."""
    if recording.seconds:
        return recording.seconds
    from impasto_nodes.media.probe import probe

    return (await asyncio.to_thread(probe, path)).seconds or 0.0
