"""Callback URLs of waiting steps, and the calls to them.

A URL contains the encrypted topic and signing secret, so that every process can check a call without stored
state. The body of a call is ignored: the step that wakes asks its provider for the result.
"""

import base64
import binascii
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import orjson

from impasto_server.callbacks.errors import CallbackNotFound, CallUnsigned
from impasto_server.callbacks.signatures import is_signed
from impasto_server.container import AppState
from impasto_server.observability import metrics
from impasto_server.runs.events.pubsub import Subscription

PATH = "/api/v1/callbacks/"
_PURPOSE = "callback"


class StepCallback:
    """The engine's `Callback` protocol for one waiting step."""

    def __init__(self, app_state: AppState, topic: str, subscription: Subscription) -> None:
        self._app_state = app_state
        self._topic = topic
        self._subscription = subscription

    def address(self, secret: str) -> str:
        """Return the URL to call, or "" if this server's public URL is not https: providers require it."""
        origin = self._app_state.settings.origin
        if not origin.startswith("https://"):
            return ""
        sealed = self._app_state.encryptor.encrypt(orjson.dumps([self._topic, secret]), _PURPOSE)
        return f"{origin}{PATH}{base64.urlsafe_b64encode(sealed).decode().rstrip('=')}"

    async def wait(self, seconds: float) -> bool:
        """Wait for a call for at most `seconds`. Returns False on timeout."""
        return await self._subscription.wait(seconds)


@asynccontextmanager
async def open_callback(app_state: AppState, topic: str) -> AsyncIterator[StepCallback]:
    """Receive the calls to a topic, from any process, for the length of the block."""
    async with app_state.pubsub.subscribe(_topic_of(topic)) as subscription:
        yield StepCallback(app_state, topic, subscription)


def handle_call(app_state: AppState, token: str, headers: Mapping[str, str], body: bytes) -> None:
    """Check a call and wake the step. Raises `CallbackNotFound` or `CallUnsigned`."""
    try:
        topic, secret = _open_token(app_state, token)
    except CallbackNotFound:
        metrics.WEBHOOKS.labels("unknown").inc()
        raise
    if not is_signed(headers, body, secret, app_state.clock()):
        metrics.WEBHOOKS.labels("unsigned").inc()
        raise CallUnsigned
    metrics.WEBHOOKS.labels("accepted").inc()
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
