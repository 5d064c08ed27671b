"""Every response: request id, security headers, problem documents, size limits, idempotency keys."""

import inspect
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from tests.server.responses import expect

from impasto import Catalog
from impasto_server.app import ROUTERS, _prepare_routes, create_app, shared_routes
from impasto_server.http.errors import Problem
from impasto_server.http.middleware import UPLOADS
from impasto_server.http.static import HashedFilesMiddleware
from impasto_server.settings import Settings

pytestmark = pytest.mark.anyio

COMPRESSED = b"compressed by the build"
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
    for ending in ("br", "gz"):
        (editor / "assets" / f"main-4f2a.js.{ending}").write_bytes(COMPRESSED)
    (editor / "first-paint.js").write_text("")
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
    _prepare_routes.cache_clear()
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


async def test_wrong_api_path_never_returns_the_editor(
    root: httpx.AsyncClient, subtests: pytest.Subtests
) -> None:
    cases = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    for method in cases:
        with subtests.test(method=method):
            answer = await root.request(method, "/api/v1/nowhere")
            expect(answer, 404, 405)
            assert answer.headers["content-type"] == "application/problem+json"
    for path in ("/api", "/api/", "/.well-known/nothing", "/assets/"):
        expect(await root.get(path), 404, code="not_found")


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


async def test_long_answer_is_compressed(client: httpx.AsyncClient) -> None:
    assert "swagger" in expect(await client.get("http://test/docs"), 200).text
    response = await client.get("http://test/openapi.json", headers={"Accept-Encoding": "gzip"})
    expect(response, 200)
    assert response.headers["content-encoding"] == "gzip"
    assert response.json()["openapi"]


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
    assert {"/api/v1/assets", "/api/v1/flows/import/file"} <= taking
    assert all(UPLOADS.fullmatch(path) for path in taking)


async def test_editor_page_is_served_at_every_route(root: httpx.AsyncClient) -> None:
    for path in ("/", "/flow/", "/flow/0191", "/login", "/onboarding/company", "/no/such/screen"):
        answer = await root.get(path)
        expect(answer, 200)
        assert "Impasto" in answer.text
        assert answer.headers["cache-control"] == "no-cache"


async def test_compressed_copy_is_sent_to_clients_that_accept_it(
    root: httpx.AsyncClient, subtests: pytest.Subtests
) -> None:
    cases: list[tuple[str, str | None]] = [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("br;q=0, GZIP;q=0.5", "gzip"),
        ("br; q=0.000, identity", None),
        ("zstd", None),
        ("", None),
    ]
    for accepted, encoding in cases:
        with subtests.test(accepted=accepted):
            headers = {"Accept-Encoding": accepted}
            async with root.stream("GET", "/assets/main-4f2a.js", headers=headers) as answer:
                assert answer.headers.get("content-encoding") == encoding
                body = b"".join([piece async for piece in answer.aiter_raw()])
            assert body == (COMPRESSED if encoding else b"export {}")
            assert answer.headers["vary"] == "Accept-Encoding"
            assert answer.headers["content-type"].startswith("text/javascript")
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


async def test_file_without_copies_does_not_vary(root: httpx.AsyncClient) -> None:
    answer = await root.get("/first-paint.js", headers={"Accept-Encoding": "br"})
    assert "content-encoding" not in answer.headers
    assert "vary" not in answer.headers


async def test_hashed_files_are_cached_for_a_year(root: httpx.AsyncClient) -> None:
    hashed = await root.get("/assets/main-4f2a.js", headers={"Accept-Encoding": "identity"})
    assert hashed.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert hashed.headers["content-type"].startswith("text/javascript")
    assert (await root.get("/first-paint.js")).headers["cache-control"] == "no-cache"
    expect(await root.get("/assets/main-old.js"), 404)


async def test_hashed_files_are_answered_from_memory(root: httpx.AsyncClient, tmp_path: Path) -> None:
    first = await root.get("/assets/main-4f2a.js", headers={"Accept-Encoding": "identity"})
    (tmp_path / "editor" / "assets" / "main-4f2a.js").unlink()
    second = await root.get("/assets/main-4f2a.js", headers={"Accept-Encoding": "identity"})
    assert (second.status_code, second.content) == (200, b"export {}")
    own = {"x-request-id", "date"}
    assert {name: value for name, value in second.headers.items() if name not in own} == {
        name: value for name, value in first.headers.items() if name not in own
    }
    # Those of another build, which has other names, are found beside them.
    (tmp_path / "editor" / "assets" / "main-77aa.js").write_text("export const next = 1")
    assert (await root.get("/assets/main-77aa.js")).text == "export const next = 1"


async def test_no_more_hashed_files_are_kept_than_have_room(
    root: httpx.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HashedFilesMiddleware, "max_bytes", 8)
    path = tmp_path / "editor" / "assets" / "main-4f2a.js"
    plain = {"Accept-Encoding": "identity"}
    assert (await root.get("/assets/main-4f2a.js", headers=plain)).text == "export {}"
    path.write_text("export 2")
    assert (await root.get("/assets/main-4f2a.js", headers=plain)).text == "export 2"
    monkeypatch.setattr(HashedFilesMiddleware, "max_bytes", 16)  # "export 2", which is kept now, has half
    assert (await root.get("/assets/main-4f2a.js", headers=plain)).text == "export 2"
    path.unlink()
    assert (await root.get("/assets/main-4f2a.js", headers=plain)).text == "export 2"
    other = path.with_name("main-77aa.js")
    other.write_text("nine more")
    assert (await root.get("/assets/main-77aa.js", headers=plain)).text == "nine more"
    other.write_text("8 fit in")
    assert (await root.get("/assets/main-77aa.js", headers=plain)).text == "8 fit in"
    other.write_text("another")
    assert (await root.get("/assets/main-77aa.js", headers=plain)).text == "8 fit in"


async def test_another_spelling_of_a_hashed_file_takes_no_memory(
    root: httpx.AsyncClient, tmp_path: Path
) -> None:
    plain = {"Accept-Encoding": "identity"}
    spellings = ("/assets/%2e/main-4f2a.js", "/assets/..%2fassets%2fmain-4f2a.js", "/assets//main-4f2a.js")
    for spelling in spellings:
        await root.get(spelling, headers=plain)
    (tmp_path / "editor" / "assets" / "main-4f2a.js").write_text("export 2")
    for spelling in spellings:
        assert (await root.get(spelling, headers=plain)).text != "export {}"


async def test_part_of_a_hashed_file_and_its_headers_alone_are_answered(root: httpx.AsyncClient) -> None:
    plain = {"Accept-Encoding": "identity"}
    whole = await root.get("/assets/main-4f2a.js", headers=plain)
    part = await root.get("/assets/main-4f2a.js", headers={**plain, "Range": "bytes=0-5"})
    assert (part.status_code, part.text) == (206, "export")
    alone = await root.head("/assets/main-4f2a.js", headers=plain)
    assert (alone.status_code, alone.content) == (200, b"")
    assert {part.headers["etag"], alone.headers["etag"]} == {whole.headers["etag"]}


async def test_path_traversal_is_refused(
    app: FastAPI, root: httpx.AsyncClient, subtests: pytest.Subtests
) -> None:
    cases = ["/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt", "/assets/%00", "/%00"]
    for path in cases:
        with subtests.test(path=path):
            answer = await root.get(path)
            assert "secret" not in answer.text.replace("secret.txt", "")
    expect(await root.get("/api/v1/runs/", params={"q": "a\0"}), 404)


async def test_server_is_ready_without_queue_and_storage(
    app: FastAPI, root: httpx.AsyncClient, monkeypatch: Any
) -> None:
    async def broken() -> None:
        raise OSError

    for part in (app.state.app_state.rate_limiter, app.state.app_state.storage):
        monkeypatch.setattr(part, "check", broken)
    parts = expect(await root.get("/readyz"), 503).json()
    assert (parts["queue"], parts["store"]) == ("unavailable", "unavailable")
    assert expect(await root.get("/readyz/server"), 200).json() == {"database": "ok"}


@pytest.mark.parametrize("path", ["/readyz", "/readyz/server"])
async def test_readyz_is_503_without_database(
    app: FastAPI, root: httpx.AsyncClient, monkeypatch: Any, path: str
) -> None:
    def broken() -> None:
        raise OSError

    monkeypatch.setattr(app.state.app_state.database, "reading", broken)
    answer = await root.get(path)
    expect(answer, 503)
    assert answer.json()["database"] == "unavailable"


async def test_metrics_are_labelled_by_route(root: httpx.AsyncClient) -> None:
    await root.get("/api/v1/users/me")
    await root.get("/assets/main-4f2a.js", headers={"Accept-Encoding": "identity"})
    answer = await root.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    expect(answer, 200)
    for route in ("/users/me", "/assets/{file}"):
        assert f'route="{route}"' in answer.text


class TestMetricsOff:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"metrics_token": TOKEN}

    async def test_metrics_are_off_by_default(self, root: httpx.AsyncClient) -> None:
        expect(await root.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}), 404)


def test_default_problem_is_generic() -> None:
    assert Problem().body() == {
        "type": "about:blank",
        "title": "Something went wrong",
        "status": 500,
        "detail": "An error occurred. Please try again later.",
        "code": "internal_error",
    }


def _dependencies(dependant: Dependant) -> Iterator[Any]:
    for each in dependant.dependencies:
        yield each.call
        yield from _dependencies(each)


def test_no_request_waits_for_a_thread_that_calls_a_plain_function() -> None:
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    called = {call for route in routes for call in (route.endpoint, *_dependencies(route.dependant))}
    functions = [call for call in called if inspect.isfunction(call)]
    assert len(functions) > 150
    assert [
        call.__qualname__
        for call in functions
        if not inspect.iscoroutinefunction(call) and not inspect.isasyncgenfunction(call)
    ] == []
