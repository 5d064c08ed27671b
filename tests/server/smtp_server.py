"""An SMTP server for tests, and what it has received."""

import asyncio
import socket
from typing import Any

from aiosmtpd.controller import Controller


class Inbox:
    """Answers recipients with the `refusal`, if there is one, and the first `failures` messages with 451."""

    def __init__(self) -> None:
        self.refusal = ""
        self.received: list[bytes] = []
        self.encrypted: list[bool] = []
        self.authenticated: list[bool] = []
        self.goodbyes = 0
        self.failures = 0

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if self.refusal:
            return self.refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.failures:
            self.failures -= 1
            return "451 try again later"
        self.received.append(envelope.content)
        self.encrypted.append(session.ssl is not None)
        self.authenticated.append(bool(session.authenticated))
        return "250 taken"

    async def handle_QUIT(self, server: Any, session: Any, envelope: Any) -> str:
        self.goodbyes += 1
        return "221 bye"


class SmtpServer(Controller):
    """Listens on a port, or a free one, from the start; allows 60 seconds for slow machines."""

    def __init__(self, *given: Any, port: int = 0, **options: Any) -> None:
        self._socket = socket.create_server(("127.0.0.1", port))
        port = self._socket.getsockname()[1]
        super().__init__(*given, hostname="127.0.0.1", port=port, ready_timeout=60, **options)

    def _create_server(self) -> Any:
        return self.loop.create_server(self._factory_invoker, sock=self._socket, ssl=self.ssl_context)

    def stop(self, no_assert: bool = False) -> None:
        """Close the listener and wait for the open connections: stopping the loop would leave them open."""
        asyncio.run_coroutine_threadsafe(self._close_connections(), self.loop).result(60)
        super().stop(no_assert)

    async def _close_connections(self) -> None:
        closed = asyncio.ensure_future(self.server.wait_closed())
        await asyncio.sleep(0)  # Python 3.11 returns at once if the wait begins after `close`
        self.server.close()
        await closed
