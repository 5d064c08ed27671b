"""The number of values in a JSON body is limited before the body is parsed."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.http.asgi import Exchange, echo

from impasto_server.http.json_limits import JsonLimitMiddleware, count_values

pytestmark = pytest.mark.anyio
LARGE = 2**16 + 1


@pytest.mark.parametrize(
    ("body", "limit", "count"),
    [
        (b"1", 9, 1), (b"[]", 9, 2), (b"{}", 9, 2), (b"[1,2,3]", 9, 4), (b'{"a":1,"b":[2]}', 9, 4),
        (b'["a,b,c,d"]', 9, 5), (b'["a,b,c,d"]', 4, 2), (b'["a,b,c,d"]', 5, 5),
        (b'["\\",,,,,,"]', 4, 2), (b'["\\\\",1]', 1, 3), (b'["\\\\\\",,,"]', 1, 2),
        (b'{"a":"b","c":"d"}', 1, 2), (b'["a","b","c"]', 1, 2), (b'["a","b","c"]', 2, 4),
        (b'["a","b","c","d","e","f"]', 1, 3), (b'{"a":"b","c":"d"}', 2, 3),
    ],
)  # fmt: skip
def test_values_are_counted_without_the_punctuation_in_texts(body: bytes, limit: int, count: int) -> None:
    assert count_values(body, limit) == count


def inside(value: object) -> list[object]:
    return [*value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []


def values_in(value: object) -> int:
    return 1 + sum(map(values_in, inside(value)))


def empty_in(value: object) -> int:
    return (isinstance(value, dict | list) and not value) + sum(map(empty_in, inside(value)))


@given(st.recursive(st.none() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
@pytest.mark.thorough
def test_value_is_refused_if_it_holds_more_than_the_limit(value: object) -> None:
    body, number = json.dumps(value, ensure_ascii=False).encode(), values_in(value)
    assert count_values(body, number - 1) >= number
    counted = number + empty_in(value)
    assert count_values(body, counted) <= counted


async def sent(kind: str | None, *pieces: bytes, length: int | None = None, max_values: int = 3) -> Exchange:
    headers = {} if kind is None else {"Content-Type": kind}
    if length is not None:
        headers["Content-Length"] = str(length)
    app = JsonLimitMiddleware(echo, max_values=max_values)
    return await Exchange("POST", headers=headers, pieces=pieces).run(app)


@pytest.mark.parametrize(
    ("kind", "length", "status"),
    [
        ("application/json", LARGE, 413), ("application/json", None, 413),
        ("Application/JSON ; charset=utf-8", LARGE, 413), ("application/problem+json", LARGE, 413),
        ("application/json", LARGE - 1, 200), ("text/plain", LARGE, 200), (None, LARGE, 200),
    ],
)  # fmt: skip
async def test_large_json_with_too_many_values_is_refused(
    kind: str | None, length: int | None, status: int
) -> None:
    found = await sent(kind, b"[1,2,3]", length=length)
    assert found.status == status


async def test_refusal_says_how_many_values_there_are() -> None:
    found = json.loads((await sent("application/json", b"[1,2", b",3]")).body)
    assert (found["code"], found["max"], found["actual"]) == ("too_many_values", 3, 4)
    assert found["detail"] == "This JSON holds at least 4 values; the limit is 3. Send less at once."


async def test_json_with_as_many_values_as_allowed_reaches_the_endpoint_as_it_was_sent() -> None:
    found = await sent("application/json", b"[1", b"", b",2]")
    assert (found.status, found.body, found.answer_headers["pieces"]) == (200, b"[1,2]", "3")


async def test_endpoint_receives_the_disconnect_after_the_body() -> None:
    received = []

    async def endpoint(_scope: object, receive: object, _send: object) -> None:
        received.extend([(await receive())["type"] for _ in range(3)])  # type: ignore[operator]

    app = JsonLimitMiddleware(endpoint, max_values=3)
    await Exchange("POST", headers={"Content-Type": "application/json"}, pieces=[b"[", b"]"]).run(app)
    assert received == ["http.request", "http.request", "http.disconnect"]


async def test_endpoint_receives_the_disconnect_in_the_middle_of_a_body() -> None:
    received: list[dict[str, Any]] = []

    class Leaving(Exchange):
        async def receive(self) -> dict[str, Any]:
            return {**await super().receive(), "more_body": True} if not self.taken else {"type": "gone"}

    async def endpoint(_scope: object, receive: Any, _send: object) -> None:
        received.extend([await receive() for _ in range(2)])

    app = JsonLimitMiddleware(endpoint, max_values=3)
    await Leaving("POST", headers={"Content-Type": "application/json"}, pieces=[b"["]).run(app)
    assert received == [{"type": "http.request", "body": b"[", "more_body": True}, {"type": "gone"}]


async def test_other_connections_are_passed_on() -> None:
    found = await Exchange().run(JsonLimitMiddleware(echo, max_values=1), type="lifespan")
    assert found.sent == [{"type": "lifespan.passed"}]
