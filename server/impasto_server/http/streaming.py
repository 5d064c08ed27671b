"""Streaming responses that hold something until they end."""

from collections.abc import AsyncIterable, Awaitable, Callable, Mapping

from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send


class HoldingResponse(StreamingResponse):
    """A streaming response that calls `on_end` once it has ended, also if the client has left before."""

    def __init__(
        self,
        content: AsyncIterable[bytes],
        on_end: Callable[[], Awaitable[None]],
        *,
        media_type: str,
        headers: Mapping[str, str],
    ) -> None:
        super().__init__(content, media_type=media_type, headers=headers)
        self._on_end = on_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._on_end()
