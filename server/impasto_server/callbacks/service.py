"""Addresses that wake a step, and their calls.

An address seals the topic and the secret of its calls, so that any process of the server can check one and
nothing has to be kept. The call rings a bell and carries nothing: the step asks its provider what is true.
"""

import base64
import binascii
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import orjson

from impasto_server.callbacks.errors import CallbackNotFound, CallRefused
from impasto_server.callbacks.signatures import is_signed
from impasto_server.container import Parts
from impasto_server.runs.pubsub import Wake

PATH = "/api/v1/callbacks/"
_PURPOSE = "callback"


class StepCallback:
    """One waiting step's ear: a `Callback` of the engine."""

    def __init__(self, parts: Parts, topic: str, wake: Wake) -> None:
        self._parts = parts
        self._topic = topic
        self._wake = wake

    def address(self, secret: str) -> str:
        """Where to call; empty unless people reach this server by https, which providers insist on."""
        origin = self._parts.settings.public_url.rstrip("/")
        if not origin.startswith("https://"):
            return ""
        sealed = self._parts.vault.encrypt(orjson.dumps([self._topic, secret]), _PURPOSE)
        return f"{origin}{PATH}{base64.urlsafe_b64encode(sealed).decode().rstrip('=')}"

    async def wait(self, seconds: float) -> bool:
        """Wait for a call, at most so long."""
        return await self._wake.wait(seconds)


@asynccontextmanager
async def open_callback(parts: Parts, topic: str) -> AsyncIterator[StepCallback]:
    """Hear the calls of a topic for the length of the block, whichever process they come to."""
    async with parts.signals.listen(_bell(topic)) as wake:
        yield StepCallback(parts, topic, wake)


def take_call(parts: Parts, token: str, headers: Mapping[str, str], body: bytes) -> None:
    """Wake the step that an address belongs to. Raises `CallbackNotFound` or `CallRefused`."""
    topic, secret = _opened(parts, token)
    if not is_signed(headers, body, secret, parts.clock()):
        raise CallRefused
    parts.signals.ring(_bell(topic))


def _opened(parts: Parts, token: str) -> tuple[str, str]:
    try:
        sealed = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
        topic, secret = orjson.loads(parts.vault.decrypt(sealed, _PURPOSE))
    except (binascii.Error, ValueError):
        raise CallbackNotFound from None
    return topic, secret


def _bell(topic: str) -> str:
    return f"callback {topic}"
