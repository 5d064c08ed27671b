"""Every response: request id, security headers, problem documents, size limits, idempotency keys."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.server.responses import expect

from impasto import Catalog
from impasto_server.app import create_app, shared_routes
from impasto_server.http import idempotency
from impasto_server.http.errors import Problem
from impasto_server.http.middleware import UPLOADS
from impasto_server.settings import Settings

pytestmark = pytest.mark.anyio

TOKEN = "a-token-of-the-tests"
INFO = {
    "first_name": "Mara",
    "last_name": "Linde",
    "company": "Northbound",
    "role": "founder_c_level",
    "reasons": [],
}


@pytest.fixture
def extra_settings(tmp_path: Path) -> dict[str, Any]:
    editor = tmp_path / "editor"
    (editor / "assets").mkdir(parents=True)
    (editor / "index.html").write_text("<!doctype html><title>Impasto</title>")
    (editor / "assets" / "main-4f2a.js").write_text("export {}")
    (editor / "theme.js").write_text("")
    (tmp_path / "secret.txt").write_text("secret")
    return {"editor_dir": editor, "metrics": True, "metrics_token": TOKEN}


@pytest.fixture
async def root(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
        yield client


async def test_the_first_request_prepares_no_routes(
    settings: Settings, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared_routes.cache_clear()
    app = create_app(settings, catalog)
    async with app.router.lifespan_context(app):
        monkeypatch.setattr("fastapi.routing.get_dependant", pytest.fail)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
            expect(await client.get("/healthz"), 200)
            expect(await client.get("/api/v1/runs/"), 401)


async def test_every_response_has_request_id_and_security_headers(root: httpx.AsyncClient) -> None:
    for path in ("/", "/api/v1/users/me", "/api/v1/nowhere", "/healthz"):
        headers = (await root.get(path)).headers
        assert re.fullmatch(r"[0-9a-f]{16}", headers["x-request-id"])
        assert headers["x-content-type-options"] == "nosniff"
        policy = headers["content-security-policy"]
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert "http:" not in policy
        assert "https:" not in policy


async def test_valid_request_id_is_kept_and_invalid_one_replaced(root: httpx.AsyncClient) -> None:
    kept = await root.get("/healthz", headers={"X-Request-ID": "trace-0123456789"})
    assert kept.headers["x-request-id"] == "trace-0123456789"
    replaced = await root.get("/healthz", headers={"X-Request-ID": "<script>alert(1)</script>"})
    assert "script" not in replaced.headers["x-request-id"]


async def test_errors_are_problem_documents(root: httpx.AsyncClient) -> None:
    answers = {
        404: await root.get("/api/v1/nowhere"),
        401: await root.get("/api/v1/users/me"),
        405: await root.patch("/api/v1/identity/sign-in"),
        400: await root.post(
            "/api/v1/identity/sign-in", content="{", headers={"content-type": "application/json"}
        ),
        422: await root.post("/api/v1/identity/sign-in", json={"username": "m"}),
    }
    for status, answer in answers.items():
        expect(answer, status)
        assert answer.headers["content-type"] == "application/problem+json"
        problem = answer.json()
        assert {"type", "title", "status", "detail", "code"} <= set(problem)
        assert problem["status"] == status
    assert answers[422].json()["errors"] == [
        {
            "path": "username",
            "code": "username_too_short",
            "message": "Username must be at least 2 characters.",
        },
        {"path": "password", "code": "missing", "message": "Password is required."},
    ]


async def test_invalid_fields_are_described_in_sentences_for_people(person: Any) -> None:
    long = await person.client.post("/flows/", json={"name": "n" * 121})
    assert long.json()["title"] == "Some values are not valid"
    assert long.json()["detail"] == "Name must be at most 120 characters."
    wrong = {"first_name": "", "company": 7, "role": "king", "reasons": "save_time", "age": 3}
    answer = await person.client.put("/users/me/info", json=wrong)
    expect(answer, 422)
    by_path = {error["path"]: error["message"] for error in answer.json()["errors"]}
    assert by_path.pop("role").startswith("Role must be 'growth_performance_marketer', ")
    assert by_path == {
        "first_name": "First name must not be empty.",
        "last_name": "Last name is required.",
        "company": "Company must be text.",
        "reasons": "Reasons must be a list.",
        "age": "Age is not a known field.",
    }
    limit = await person.client.get("/runs", params={"limit": 0})
    assert limit.json()["detail"] == "Limit must be at least 1."


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
async def test_wrong_api_path_never_returns_the_editor(root: httpx.AsyncClient, method: str) -> None:
    answer = await root.request(method, "/api/v1/nowhere")
    expect(answer, 404, 405)
    assert answer.headers["content-type"] == "application/problem+json"


async def test_unknown_keys_and_wrong_types_are_refused(person: Any) -> None:
    for wrong in ({**INFO, "first_name": 7}, {**INFO, "surprise": 1}, {**INFO, "reasons": "save_time"}):
        expect(await person.client.put("/users/me/info", json=wrong), 422)


async def test_unhandled_exception_reveals_nothing(
    client: httpx.AsyncClient, monkeypatch: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    async def crash(*_given: object) -> None:
        raise RuntimeError("SELECT secret FROM /srv/impasto/data")

    monkeypatch.setattr("impasto_server.identity.service.sign_in", crash)
    answer = await client.post("/identity/sign-in", json={"username": "mara", "password": "Thick-paint-7"})
    expect(answer, 500, code="internal_error")
    assert answer.json()["detail"] == "An error occurred. Please try again later."
    assert "secret" not in answer.text
    assert answer.headers["x-request-id"]
    assert answer.headers["content-security-policy"]
    logged = capsys.readouterr().err
    assert "RuntimeError" in logged
    assert answer.headers["x-request-id"] in logged
    assert "Thick-paint-7" not in logged, "the traceback shows local variables"


async def test_json_body_limit_holds_without_content_length(client: httpx.AsyncClient) -> None:
    big = b'{"username": "' + b"m" * 2 * 2**20 + b'"}'
    json_type = {"content-type": "application/json"}

    async def pieces() -> AsyncIterator[bytes]:
        for start in range(0, len(big), 2**16):
            yield big[start : start + 2**16]

    for content in (big, pieces()):
        answer = await client.post("/identity/sign-in", content=content, headers=json_type)
        expect(answer, 413, code="too_large")
        assert answer.json()["detail"] == "This is too large: the limit is 2 MiB."


async def test_large_upload_needs_authentication(client: httpx.AsyncClient, person: Any) -> None:
    files = {"file": ("big.png", b"x" * (3 * 2**20), "image/png")}
    expect(await client.post("/users/me/avatar", files=files), 401)
    expect(await person.client.post("/users/me/avatar", files=files), 422)


async def test_upload_limit_applies_to_upload_endpoints_only(app: FastAPI, root: httpx.AsyncClient) -> None:
    headers = {"Authorization": "Bearer x", "Content-Type": "multipart/form-data; boundary=x"}
    for path in ("/identity/sign-in", "/flows/check", "/flows/some/batch"):
        answer = await root.post(f"/api/v1{path}", content=b"x" * (2 * 2**20 + 1), headers=headers)
        expect(answer, 413)
    taking = {
        path.replace("{flow_id}", "some")
        for path, calls in app.openapi()["paths"].items()
        if "multipart/form-data" in calls.get("post", {}).get("requestBody", {}).get("content", {})
    }
    assert len(taking) == 6
    assert all(UPLOADS.fullmatch(path) for path in taking)


async def test_editor_page_is_served_at_every_route(root: httpx.AsyncClient) -> None:
    for path in ("/", "/flow/", "/flow/0191", "/login", "/onboarding/company", "/no/such/screen"):
        answer = await root.get(path)
        expect(answer, 200)
        assert "Impasto" in answer.text
        assert answer.headers["cache-control"] == "no-cache"


async def test_hashed_files_are_cached_for_a_year(root: httpx.AsyncClient) -> None:
    hashed = await root.get("/assets/main-4f2a.js")
    assert hashed.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert hashed.headers["content-type"].startswith("text/javascript")
    assert (await root.get("/theme.js")).headers["cache-control"] == "no-cache"
    expect(await root.get("/assets/main-old.js"), 404)


@pytest.mark.parametrize(
    "path", ["/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt", "/%00"]
)
async def test_path_traversal_is_refused(app: FastAPI, root: httpx.AsyncClient, path: str) -> None:
    answer = await root.get(path)
    assert "secret" not in answer.text.replace("secret.txt", "")


async def test_healthz_and_readyz_return_200(root: httpx.AsyncClient) -> None:
    assert (await root.get("/healthz")).json() == {"status": "ok"}
    ready = await root.get("/readyz")
    expect(ready, 200)
    assert ready.json()["database"] == "ok"


async def test_readyz_is_503_without_database(
    app: FastAPI, root: httpx.AsyncClient, monkeypatch: Any
) -> None:
    def broken() -> None:
        raise OSError

    monkeypatch.setattr(app.state.app_state.database, "reading", broken)
    answer = await root.get("/readyz")
    expect(answer, 503)
    assert answer.json()["database"] == "unavailable"


async def test_metrics_are_labelled_by_route(root: httpx.AsyncClient) -> None:
    await root.get("/api/v1/users/me")
    answer = await root.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    expect(answer, 200)
    assert 'route="/users/me"' in answer.text


class TestMetricsOff:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {}

    async def test_metrics_are_off_by_default(self, root: httpx.AsyncClient) -> None:
        expect(await root.get("/metrics"), 404)


class TestOnce:
    """Idempotency-Key."""

    async def post(self, client: httpx.AsyncClient, key: str, name: str = "Poster") -> httpx.Response:
        return await client.post("/flows/", json={"name": name}, headers={"Idempotency-Key": key})

    async def count(self, client: httpx.AsyncClient) -> int:
        return len((await client.get("/flows/", params={"include_all": True})).json())

    async def test_repeated_request_gets_first_response(self, person: Any) -> None:
        first = await self.post(person.client, "one")
        second = await self.post(person.client, "one")
        expect(first, 201)
        expect(second, 201)
        assert first.json() == second.json()
        assert second.headers["idempotency-replayed"] == "true"
        assert second.headers["content-type"] == "application/json"
        assert second.headers["x-request-id"] != first.headers["x-request-id"]
        assert await self.count(person.client) == 1

    async def test_response_is_stored_before_it_is_sent(
        self, app: FastAPI, person: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        happened: list[str] = []
        complete = idempotency._Entry.complete

        async def complete_slowly(entry: Any, response: bytes | None) -> None:
            for _ in range(20):
                await asyncio.sleep(0)
            await complete(entry, response)
            happened.append("stored")

        async def app_seen(scope: Any, receive: Any, send: Any) -> None:
            async def seen(message: Any) -> None:
                if message["type"] == "http.response.start":
                    happened.append("sent")
                await send(message)

            await app(scope, receive, seen)

        monkeypatch.setattr(idempotency._Entry, "complete", complete_slowly)
        transport = httpx.ASGITransport(app_seen)  # type: ignore[arg-type]
        async with httpx.AsyncClient(
            transport=transport, base_url="http://testserver/api/v1", headers=person.client.headers
        ) as client:
            await client.post("/flows/", json={"name": "Poster"}, headers={"Idempotency-Key": "one"})
        assert happened == ["stored", "sent"]

    async def test_another_key_executes_again(self, person: Any) -> None:
        first, second = await self.post(person.client, "one"), await self.post(person.client, "two")
        assert first.json()["id"] != second.json()["id"]

    async def test_key_of_another_request_is_refused(self, person: Any) -> None:
        await self.post(person.client, "one")
        answer = await self.post(person.client, "one", name="Another")
        expect(answer, 422, code="idempotency_key_reused")

    async def test_key_is_scoped_to_path(self, person: Any) -> None:
        headers = {"Idempotency-Key": "one"}
        flow = await person.client.post("/flows/", json={"name": "Poster"}, headers=headers)
        body = {"name": "ci", "scopes": ["run"]}
        key = await person.client.post("/api-keys", json=body, headers=headers)
        expect(flow, 201)
        expect(key, 201)

    async def test_failed_request_can_be_repeated_with_its_key(self, person: Any) -> None:
        expect(await self.post(person.client, "one", name=""), 422)
        expect(await self.post(person.client, "one"), 201)

    async def test_key_expires_after_a_day(self, person: Any, clock: Any) -> None:
        await self.post(person.client, "one")
        for hours, is_replayed in ((23, True), (25, False)):
            clock.ahead = timedelta(hours=hours)
            person.use((await person.client.post("/identity/refresh")).json()["session"])
            answer = await self.post(person.client, "one")
            assert ("idempotency-replayed" in answer.headers) is is_replayed

    async def test_key_of_a_dead_process_is_free_after_its_lease(
        self, person: Any, clock: Any, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def die(*_: Any) -> None:
            """Store nothing, as a process that was killed."""

        with monkeypatch.context() as patch:
            patch.setattr(idempotency._Entry, "complete", die)
            await self.post(person.client, "one")
        expect(await self.post(person.client, "one"), 409, code="idempotency_in_progress")
        clock.travel(seconds=settings.lease_seconds + 1)
        expect(await self.post(person.client, "one"), 201)

    async def test_key_of_a_long_request_stays_reserved(
        self, app_state: Any, clock: Any, settings: Settings
    ) -> None:
        first, second = (idempotency._Entry(app_state, "key", "mara") for _ in range(2))
        assert await first.reserve("request") is None
        for _ in range(3):
            clock.travel(seconds=settings.lease_seconds * 0.6)
            assert await first._renew()
        with pytest.raises(idempotency.RequestInProgress):
            await second.reserve("request")
        clock.travel(seconds=settings.lease_seconds + 1)
        assert await second.reserve("request") is None
        assert not await first._renew()
        await first.complete(None)  # does not release what the second has taken over
        with pytest.raises(idempotency.RequestInProgress):
            await first.reserve("request")

    async def test_key_whose_renewal_was_committed_without_an_answer_is_still_the_requests(
        self, app_state: Any, clock: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first, second = (idempotency._Entry(app_state, "key", "mara") for _ in range(2))
        await first.reserve("request")
        writing = app_state.database.writing

        @asynccontextmanager
        async def writing_without_answer() -> AsyncIterator[Any]:
            async with writing() as session:
                yield session
            raise ConnectionError

        clock.travel(seconds=1)
        with monkeypatch.context() as patch:
            patch.setattr(app_state.database, "writing", writing_without_answer)
            with pytest.raises(ConnectionError):
                await first._renew()
        await first.complete(None)
        assert await second.reserve("request") is None

    async def test_response_is_sent_if_the_database_cannot_store_it(
        self, person: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def unreachable(*_: Any) -> None:
            raise ConnectionRefusedError(111, "Connect call failed")

        monkeypatch.setattr(idempotency._Entry, "complete", unreachable)
        expect(await self.post(person.client, "one"), 201)
        expect(await self.post(person.client, "two", name=""), 422)

    async def test_concurrent_requests_execute_once(self, person: Any) -> None:
        answers = await asyncio.gather(*(self.post(person.client, "one") for _ in range(3)))
        statuses = sorted(answer.status_code for answer in answers)
        assert statuses[0] == 201
        assert set(statuses) <= {201, 409}
        assert await self.count(person.client) == 1

    async def test_response_with_cookie_is_not_stored(self, client: httpx.AsyncClient, person: Any) -> None:
        body = {"username": person.username, "password": "Thick-paint-7"}
        headers = {"Idempotency-Key": "one"}
        first = await client.post("/identity/sign-in", json=body, headers=headers)
        second = await client.post("/identity/sign-in", json=body, headers=headers)
        assert first.json()["session"]["identity_token"] != second.json()["session"]["identity_token"]

    async def test_keys_are_scoped_to_user(self, new_person: Any) -> None:
        mara, noor = await new_person("mara"), await new_person("noor")
        body, headers = {"name": "ci", "scopes": ["run"]}, {"Idempotency-Key": "one"}
        first = await mara.client.post("/api-keys", json=body, headers=headers)
        other = await noor.client.post("/api-keys", json=body, headers=headers)
        expect(first, 201)
        expect(other, 201)
        assert first.json()["key"] != other.json()["key"]

    async def test_ended_session_gets_no_stored_response(self, person: Any) -> None:
        body, headers = {"name": "ci", "scopes": ["run"]}, {"Idempotency-Key": "one"}
        expect(await person.client.post("/api-keys", json=body, headers=headers), 201)
        expect(await person.client.post("/api-keys", json=body, headers=headers), 201)
        await person.client.post("/identity/sign-out")
        again = await person.client.post("/api-keys", json=body, headers=headers)
        expect(again, 401, code="not_authenticated")

    async def test_stored_response_is_encrypted(self, person: Any, settings: Any) -> None:
        headers = {"Idempotency-Key": "one"}
        answer = await person.client.post(
            "/api-keys", json={"name": "ci", "scopes": ["run"]}, headers=headers
        )
        key = answer.json()["key"].encode()
        files = list(settings.data_dir.glob("impasto.db*"))
        assert files
        assert all(key not in file.read_bytes() for file in files)

    @pytest.mark.parametrize("key", ["", "x" * 256])
    async def test_malformed_key_is_refused(self, client: httpx.AsyncClient, key: str) -> None:
        expect(await self.post(client, key), 400)


def test_default_problem_is_generic() -> None:
    assert Problem().body() == {
        "type": "about:blank",
        "title": "Something went wrong",
        "status": 500,
        "detail": "An error occurred. Please try again later.",
        "code": "internal_error",
    }
