"""Identity tokens: their claims, and every reason to refuse one."""

import base64
import hashlib
import hmac
import re
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import orjson
import pytest
from fastapi import FastAPI
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet
from tests.server.conftest import TravellingClock
from tests.server.identity.token_claims import claims_of
from tests.server.responses import expect

from impasto_server.container import AppState
from impasto_server.identity.errors import TokenInvalid
from impasto_server.identity.sessions import tokens
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio


@pytest.fixture
def database_url() -> str:
    return ""


async def me(client: httpx.AsyncClient, token: str) -> httpx.Response:
    return await client.get("/users/me", headers={"Authorization": f"Bearer {token}"})


def _encoded(part: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(orjson.dumps(part)).decode().rstrip("=")


async def test_token_verifies_with_published_keys(client: httpx.AsyncClient, person: Any) -> None:
    document = (await client.get("/.well-known/jwks.json")).json()
    assert len(document["keys"]) == 2
    assert all("d" not in key for key in document["keys"])
    found = jwt.decode(person.token, KeySet.import_key_set(document), algorithms=["ES256"])
    assert found.header == {"alg": "ES256", "kid": document["keys"][0]["kid"], "typ": "JWT"}
    claims = found.claims
    assert claims.pop("exp") - claims["iat"] == 900
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f-]{27}", claims.pop("jti"))
    (session,) = (await person.client.get("/identity/sessions")).json()["items"]
    begun = datetime.fromisoformat(session["created_at"])
    assert int(begun.timestamp()) <= claims.pop("iat") <= time.time()
    assert claims == {
        "sub": await person.id(), "sid": session["id"], "username": "mara", "email": person.email,
        "iss": "http://testserver", "aud": "impasto", "use": "identity",
    }  # fmt: skip


async def test_jwks_is_also_at_the_root(app: FastAPI) -> None:
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
        found = await client.get("/.well-known/jwks.json")
        assert len(found.json()["keys"]) == 2
        assert found.headers["cache-control"] == "public, max-age=300"


async def test_token_is_accepted_until_five_seconds_after_its_end(
    app_state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = now = datetime(2026, 1, 31, 9, tzinfo=UTC)
    monkeypatch.setattr(TravellingClock, "__call__", lambda _: now)
    user = User(id="m", username="mara", email=None)
    token, expires_at = tokens.issue(app_state, user, "s")
    assert expires_at == start + timedelta(minutes=15)
    now = start + timedelta(minutes=15, seconds=5, microseconds=-1)
    assert tokens.read_identity(app_state, token) == tokens.Claims("m", "s")
    now = start + timedelta(minutes=15, seconds=5)
    with pytest.raises(TokenInvalid):
        tokens.read_identity(app_state, token)


async def test_expired_token_is_refused(person: Any, clock: Any) -> None:
    clock.travel(minutes=14)
    expect(await person.client.get("/users/me"), 200)
    clock.travel(minutes=2)
    answer = await person.client.get("/users/me")
    expect(answer, 401, code="not_authenticated")
    assert answer.headers["www-authenticate"] == "Bearer"


async def test_unsigned_token_is_refused(client: httpx.AsyncClient, person: Any) -> None:
    claims = _encoded(claims_of(person.token))
    for header in ({"alg": "none", "typ": "JWT"}, {"alg": "None"}, {"alg": "NONE", "kid": "x"}):
        for signature in ("", person.token.split(".")[2]):
            expect(await me(client, f"{_encoded(header)}.{claims}.{signature}"), 401)


async def test_token_signed_by_another_key_is_refused(
    app: FastAPI, client: httpx.AsyncClient, person: Any
) -> None:
    kid = app.state.app_state.signing_keys.signer.kid
    other = ECKey.generate_key("P-256")
    forged = jwt.encode({"alg": "ES256", "kid": kid}, claims_of(person.token), other)
    expect(await me(client, forged), 401)


async def test_token_signed_with_the_public_key_as_a_password_is_refused(
    app: FastAPI, client: httpx.AsyncClient, person: Any
) -> None:
    key = app.state.app_state.signing_keys.signer
    signed = f"{_encoded({'alg': 'HS256', 'kid': key.kid})}.{_encoded(claims_of(person.token))}"
    mac = hmac.digest(key.as_pem(private=False), signed.encode(), hashlib.sha256)
    forged = f"{signed}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}"
    expect(await me(client, forged), 401)


async def test_token_with_other_claims_is_refused_even_when_we_signed_it(
    app: FastAPI, client: httpx.AsyncClient, person: Any, subtests: pytest.Subtests
) -> None:
    key = app.state.app_state.signing_keys.signer
    cases: list[dict[str, Any]] = [
        {"aud": "another-client"},
        {"iss": "https://elsewhere.example"},
        {"use": "challenge"},
        {"exp": int(time.time()) - 3600},
        {"exp": None},
        {"exp": "tomorrow"},
        {"sid": "01890000-0000-7000-8000-000000000000"},
        {"sub": "01890000-0000-7000-8000-000000000000"},
        {"sub": None, "sid": None},
    ]
    for changes in cases:
        with subtests.test(changes=changes):
            claims = {
                name: value
                for name, value in {**claims_of(person.token), **changes}.items()
                if value is not None
            }
            token = jwt.encode({"alg": "ES256", "kid": key.kid}, claims, key)
            expect(await me(client, token), 401)


async def test_changed_token_is_refused(client: httpx.AsyncClient, person: Any) -> None:
    header, _, signature = person.token.split(".")
    other = _encoded({**claims_of(person.token), "sub": "another-user"})
    expect(await me(client, f"{header}.{other}.{signature}"), 401)


async def test_malformed_header_is_refused(client: httpx.AsyncClient, subtests: pytest.Subtests) -> None:
    cases = ["", "Bearer", "Bearer ", "Basic bWFyYTp4", "Bearer a.b.c", "Bearer é"]
    for value in cases:
        with subtests.test(value=value):
            answer = await client.get("/users/me", headers={"Authorization": value.encode()})
            expect(answer, 401, code="not_authenticated")


async def test_missing_token_is_refused(client: httpx.AsyncClient) -> None:
    answer = await client.get("/users/me")
    expect(answer, 401)
    assert answer.headers["content-type"] == "application/problem+json"


async def test_token_of_a_session_that_ended_is_refused(client: httpx.AsyncClient, person: Any) -> None:
    await person.client.post("/identity/sign-out")
    expect(await me(client, person.token), 401)


async def test_rotation_keeps_tokens_of_previous_key_only(
    app: FastAPI, client: httpx.AsyncClient, person: Any
) -> None:
    keys = app.state.app_state.signing_keys
    before = {key["kid"] for key in keys.public()["keys"]}
    fresh = keys.rotate()
    now = [key["kid"] for key in (await client.get("/.well-known/jwks.json")).json()["keys"]]
    assert now[0] == fresh
    assert len(now) == 2
    assert set(now) & before
    expect(await me(client, person.token), 200)

    renewed = (await person.client.post("/identity/refresh")).json()["session"]["identity_token"]
    keys.rotate()
    expect(await me(client, renewed), 200)
    expect(await me(client, person.token), 401)
