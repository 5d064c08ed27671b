"""Audio of ElevenLabs: written to a file, stored, and charged as the response states."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from impasto import Audio, Context
from impasto_nodes.providers.download import store_audio, write_stream
from impasto_nodes.providers.elevenlabs.connection import NO_RETRY, PROVIDER

FORMAT = "mp3_44100_128"
MUSIC_FORMAT = "mp3_48000_192"
OPTIONS: dict[str, Any] = {"output_format": FORMAT, "request_options": NO_RETRY | {"chunk_size": 1 << 14}}
"""Arguments of every function of the SDK that answers with audio."""


async def received(answer: AbstractAsyncContextManager[Any], path: Path) -> int | None:
    """Write an answer to `path`; return the characters that ElevenLabs bills, None if it does not say."""
    async with answer as response:
        await write_stream(response.data, path, PROVIDER)
        headers = {name.lower(): value for name, value in response.headers.items()}
    charged = headers.get("character-cost", "")
    return int(charged) if charged.isdigit() else None


async def stored(path: Path, context: Context) -> Audio:
    """Store an MP3 file under its own name. Raises `CorruptOutput` if it is no audio."""
    return await store_audio(path, PROVIDER, context, path.name)


def even_or_lively(stability: float) -> float:
    """Return the stability that Eleven v3 takes for one from 0 to 1: it knows 0, 0.5 and 1 only."""
    return round(min(max(stability, 0.0), 1.0) * 2) / 2
