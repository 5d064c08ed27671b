"""Files that the fakes of several services serve."""

import asyncio
from collections.abc import AsyncIterator

from fastapi import Request, Response
from fastapi.responses import StreamingResponse
from tests.fakes.media import mp4


async def served(data: bytes, kind: str) -> AsyncIterator[bytes]:
    """The data in two parts; of a "disconnect" only the first one comes."""
    half = len(data) // 2
    yield data[:half]
    await asyncio.sleep(0)
    if kind == "disconnect":
        raise ConnectionError("dropped on demand")
    yield data[half:]


def clip_response(request: Request) -> Response:
    """A clip, or the fault that is due at this path."""
    fault = request.app.state.fakes.take(request.url.path, "corrupt", "empty", "disconnect")
    if fault and fault.kind != "disconnect":
        return Response(b"no clip" if fault.kind == "corrupt" else b"")
    return StreamingResponse(served(mp4(), fault.kind if fault else ""), media_type="video/mp4")
