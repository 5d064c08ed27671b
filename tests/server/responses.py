"""Assertions on HTTP responses that show the body when they fail, and statuses of simultaneous requests."""

import asyncio
from collections.abc import Awaitable, Iterable

import httpx


def expect(
    response: httpx.Response, *statuses: int, code: str | None = None, reason: str = ""
) -> httpx.Response:
    """Assert the status of a response, and the `code` of its problem document; return the response."""
    request = response.request
    shown = f"{request.method} {request.url}: {response.status_code} {response.text}"
    assert response.status_code in statuses, f"expected {statuses} {reason}\n{shown}"
    if code is not None:
        assert response.json()["code"] == code, f"expected code {code!r} {reason}\n{shown}"
    return response


async def simultaneous_statuses(requests: Iterable[Awaitable[httpx.Response]]) -> list[int]:
    """Send requests at the same time; return the statuses of their responses, sorted."""
    return sorted(response.status_code for response in await asyncio.gather(*requests))
