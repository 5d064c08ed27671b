"""A limit on the number of values in a JSON body, checked before the body is parsed.

Parsing two megabytes of empty objects, and walking them, would hold the event loop for most of a second.
"""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from impasto_server.http.errors import Problem

_SMALL_BYTES = 2**16  # so small a body cannot hold many values


class TooManyValues(Problem):
    """A JSON body holds more values than the limit."""

    status, code, title = 413, "too_many_values", "Too large"

    def __init__(self, maximum: int, actual: int) -> None:
        super().__init__(
            f"This JSON holds at least {actual:,} values; the limit is {maximum:,}. Send less at once.",
            max=maximum,
            actual=actual,
        )


class JsonLimitMiddleware:
    """Answers 413 for JSON bodies with too many values. Their size in bytes must have been limited before."""

    def __init__(self, app: ASGIApp, *, max_values: int) -> None:
        self.app = app
        self.max_values = max_values

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] != "http" or not _has_large_json(Headers(scope=scope)):
            await self.app(scope, receive, send)
            return
        messages = await _read(receive)
        body = b"".join(message.get("body", b"") for message in messages)
        values = count_values(body, self.max_values)
        if values > self.max_values:
            await TooManyValues(self.max_values, values).response()(scope, receive, send)
            return
        pending = iter(messages)

        async def replay() -> Message:
            return next(pending, None) or await receive()

        await self.app(scope, replay, send)


def count_values(body: bytes, max_values: int) -> int:
    """Return how many values a JSON text holds, in time linear in its length, without parsing it.

    The count is exact or a little too high: an empty object counts as two values. Above `max_values` it may
    stop.
    """
    upper_bound = _count(body)
    if upper_bound <= max_values:
        return upper_bound
    # Punctuation inside of texts does not count: cut the texts out.
    plain = body.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in body else body
    texts = plain.count(b'"') // 2
    if texts > 2 * max_values:  # each value has at most one key
        return (texts + 1) // 2
    return _count(b"".join(plain.split(b'"')[::2]))


def _count(text: bytes) -> int:
    return text.count(b",") + text.count(b"{") + text.count(b"[") + 1


def _has_large_json(headers: Headers) -> bool:
    length = headers.get("content-length", "")
    if length.isdigit() and int(length) <= _SMALL_BYTES:
        return False
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind.endswith(("/json", "+json"))


async def _read(receive: Receive) -> list[Message]:
    messages = [await receive()]
    while messages[-1].get("more_body", False):
        messages.append(await receive())
    return messages
