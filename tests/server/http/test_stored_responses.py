"""Which responses a repeated request gets again, and how they look."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import orjson
import pytest
from sqlalchemy import select
from tests.server.http.asgi import Exchange

from impasto_server.http import idempotency
from impasto_server.http.idempotency import IdempotencyMiddleware, StoredResponse, scoped_key

pytestmark = pytest.mark.anyio
MIB = 2**20
Post = Callable[..., Awaitable[Exchange]]


class Endpoint:
    """Answers with what the test sets, and counts its calls."""

    def __init__(self) -> None:
        self.calls = 0
        self.status = 201
        self.headers: list[tuple[bytes, bytes]] = []
        self.pieces = [b"done"]
        self.received: list[bytes] = []
        self.is_called, self.may_answer = asyncio.Event(), asyncio.Event()
        self.may_answer.set()

    async def __call__(self, _scope: object, receive: Any, send: Any) -> None:
        self.calls += 1
        self.is_called.set()
        await self.may_answer.wait()
        message = await receive()
        self.received.append(message["body"])
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        for place, piece in enumerate(self.pieces, 1):
            more = place < len(self.pieces)
            await send({"type": "http.response.body", "body": piece, "more_body": more})


@pytest.fixture
def endpoint() -> Endpoint:
    return Endpoint()


@pytest.fixture
def post(app: Any, person: Any, endpoint: Endpoint) -> Post:
    """Return a function that sends a request with a key to the endpoint."""

    async def run(
        *pieces: bytes, key: str | None = "one", method: str = "POST", query: bytes = b"", **headers: str
    ) -> Exchange:
        given = {"Authorization": f"Bearer {person.token}"} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        if key is not None:
            given["Idempotency-Key"] = key
        exchange = Exchange(method, "/api/v1/x", query, given, pieces or (b"{}",))
        return await exchange.run(IdempotencyMiddleware(endpoint), app=app)

    return run


RESPONSES: list[tuple[int, list[tuple[bytes, bytes]], list[bytes], bool]] = [
    (200, [], [b"done"], True), (299, [], [b"done"], True), (204, [], [b""], True),
    (199, [], [b"done"], False), (300, [], [b"done"], False), (409, [], [b"done"], False),
    (200, [(b"Set-Cookie", b"a=1")], [b"done"], False),
    (200, [], [bytes(MIB)], True), (200, [], [bytes(MIB), b""], True),
    (200, [], [bytes(MIB - 1), b"12"], False),
    (200, [], [bytes(MIB + 1)], False), (200, [], [bytes(MIB + 1), b"more", b""], False),
]  # fmt: skip


async def test_successful_response_of_at_most_1_mib_without_a_cookie_is_stored(
    post: Post, endpoint: Endpoint
) -> None:
    for number, (status, headers, pieces, is_stored) in enumerate(RESPONSES):
        endpoint.calls, endpoint.status, endpoint.headers, endpoint.pieces = 0, status, headers, pieces
        first, second = [await post(key=f"{number}") for _ in range(2)]
        assert (endpoint.calls, first.status, second.status) == (1 if is_stored else 2, status, status), (
            number
        )
        assert first.body == second.body == b"".join(pieces)
        assert ("idempotency-replayed" in second.answer_headers) is is_stored
        assert "idempotency-replayed" not in first.answer_headers


async def test_replayed_response_has_the_headers_of_its_content(post: Post, endpoint: Endpoint) -> None:
    kept = {"content-type": "application/json", "location": "/a", "etag": '"1"'}
    endpoint.headers = [(b"X-Own", b"1"), *((name.title().encode(), kept[name].encode()) for name in kept)]
    endpoint.pieces = [b"a", b"b", b"c"]
    await post()
    again = await post()
    assert again.answer_headers == {**kept, "idempotency-replayed": "true"}
    assert (again.status, again.body, len(again.sent)) == (201, b"abc", 2)


async def test_request_with_the_same_content_is_the_same(post: Post, endpoint: Endpoint) -> None:
    await post(b"[1,", b"2]")
    assert endpoint.received == [b"[1,2]"]
    assert "idempotency-replayed" in (await post(b"[1,2]")).answer_headers
    for other in (await post(b"[1,3]"), await post(b"[1,2]", query=b"a=1")):
        assert (other.status, orjson.loads(other.body)["code"]) == (422, "idempotency_key_reused")
    form = {"Content_Type": "multipart/form-data; boundary=x", "Content_Length": "9"}
    await post(b"a", key="form", **form)
    assert "idempotency-replayed" in (await post(b"another boundary", key="form", **form)).answer_headers
    assert (await post(b"a", key="form", **form | {"Content_Length": "8"})).status == 422
    assert endpoint.calls == 2


async def test_only_posts_of_known_callers_with_a_key_are_stored(post: Post, endpoint: Endpoint) -> None:
    unstored: list[dict[str, Any]] = [{"method": "PUT"}, {"key": None}, {"Authorization": "Bearer made.up"}]
    for about in unstored:
        for _ in range(2):
            assert (await post(**about)).status == 201
    assert endpoint.calls == 6
    for _ in range(2):
        assert (await post(key="x" * 255)).status == 201
    assert endpoint.calls == 7


async def test_key_has_1_to_255_characters(post: Post, endpoint: Endpoint) -> None:
    for key in ("", "x" * 256):
        refused = await post(key=key)
        assert (refused.status, orjson.loads(refused.body)["code"]) == (400, "idempotency_key_malformed")
    assert endpoint.calls == 0


async def test_request_that_fails_releases_its_key(post: Post, endpoint: Endpoint) -> None:
    pieces, endpoint.pieces = endpoint.pieces, [None]  # type: ignore[list-item]
    with pytest.raises(TypeError):
        await post()
    endpoint.pieces = pieces
    assert (await post()).status == 201


async def test_oldest_responses_of_a_user_are_deleted_beyond_the_limit(
    post: Post, person: Any, endpoint: Endpoint, app_state: Any, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stored() -> list[int]:
        async with app_state.database.reading() as session:
            found = await session.scalars(select(StoredResponse.bytes).order_by(StoredResponse.created_at))
            return list(found)

    about = {"request": "x", "created_at": clock(), "owner_id": await person.id()}
    async with app_state.database.writing() as session:
        session.add(StoredResponse(id="in progress", bytes=512, **about))
    endpoint.pieces = [b"x" * 3000]
    for key in ("one", "two", "three"):
        clock.travel(seconds=1)
        await post(key=key)
    reserved, *sizes = await stored()
    assert (reserved, len(sizes)) == (512, 3)
    assert all(4512 < size < 5000 for size in sizes)
    for key, limit, kept in (
        ("four", 512 + 4 * sizes[0], 4),
        ("five", 512 + 3 * sizes[0], 3),
        ("six", 511 + 3 * sizes[0], 2),
    ):
        monkeypatch.setattr(idempotency, "MAX_BYTES", limit)
        clock.travel(seconds=1)
        await post(key=key)
        assert await stored() == [512, *[sizes[0]] * kept], key
    assert "idempotency-replayed" in (await post(key="five")).answer_headers
    assert "idempotency-replayed" not in (await post(key="four")).answer_headers


async def test_request_in_progress_is_not_executed_again(post: Post, endpoint: Endpoint) -> None:
    endpoint.may_answer.clear()
    first = asyncio.create_task(post())
    await asyncio.wait_for(endpoint.is_called.wait(), 20)
    second = await post()
    assert (second.status, second.answer_headers["retry-after"]) == (409, "1")
    endpoint.may_answer.set()
    assert (await first).status == 201


def test_key_belongs_to_its_path() -> None:
    found = {scoped_key("/a", "b"), scoped_key("/a", "c"), scoped_key("/b", "b"), scoped_key("/ab", "")}
    assert len(found) == 4
    assert all(len(each) == 64 for each in found)
