"""Addresses that subscription a step, and their calls.

An address seals the topic and the secret of its calls, so that any process of the server can check one and
nothing has to be kept. The call rings a bell and carries nothing: the step asks its provider what is true.
"""

import base64
import binascii
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import orjson

from impasto_server.callbacks.errors import CallbackNotFound, CallUnsigned
from impasto_server.callbacks.signatures import is_signed
from impasto_server.container import AppState
from impasto_server.runs.pubsub import Subscription

PATH = "/api/v1/callbacks/"
_PURPOSE = "callback"


class StepCallback:
    """One waiting step's ear: a `Callback` of the engine."""

    def __init__(self, app_state: AppState, topic: str, subscription: Subscription) -> None:
        self._app_state = app_state
        self._topic = topic
        self._subscription = subscription

    def address(self, secret: str) -> str:
        """Where to call; empty unless people reach this server by https, which providers insist on."""
        origin = self._app_state.settings.public_url.rstrip("/")
        if not origin.startswith("https://"):
            return ""
        sealed = self._app_state.encryptor.encrypt(orjson.dumps([self._topic, secret]), _PURPOSE)
        return f"{origin}{PATH}{base64.urlsafe_b64encode(sealed).decode().rstrip('=')}"

    async def wait(self, seconds: float) -> bool:
        """Wait for a call, at most so long."""
        return await self._subscription.wait(seconds)


@asynccontextmanager
async def open_callback(app_state: AppState, topic: str) -> AsyncIterator[StepCallback]:
    """Hear the calls of a topic for the length of the block, whichever process they come to."""
    async with app_state.pubsub.subscribe(_topic_of(topic)) as subscription:
        yield StepCallback(app_state, topic, subscription)


def handle_call(app_state: AppState, token: str, headers: Mapping[str, str], body: bytes) -> None:
    """Subscription the step that an address belongs to. Raises `CallbackNotFound` or `CallUnsigned`."""
    topic, secret = _open_token(app_state, token)
    if not is_signed(headers, body, secret, app_state.clock()):
        raise CallUnsigned
    app_state.pubsub.publish(_topic_of(topic))


def _open_token(app_state: AppState, token: str) -> tuple[str, str]:
    try:
        sealed = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
        topic, secret = orjson.loads(app_state.encryptor.decrypt(sealed, _PURPOSE))
    except (binascii.Error, ValueError):
        raise CallbackNotFound from None
    return topic, secret


def _topic_of(topic: str) -> str:
    return f"callback {topic}"
