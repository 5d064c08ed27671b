"""Assertions on HTTP responses that show the body when they fail."""

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
