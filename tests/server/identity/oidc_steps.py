"""Steps of a sign-in with an OpenID Connect provider, as a browser takes them."""

from typing import Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

import httpx
from tests.server.responses import expect

SECRET = "a shared secret of the tests"
MARA = {
    "sub": "m-1",
    "email": "mara@northbound.example",
    "email_verified": True,
    "preferred_username": "mara",
}


def be(issuer: str, person: dict[str, Any]) -> None:
    httpx.post(issuer + "/person", json=person).raise_for_status()


def token_for(issuer: str, **claims: Any) -> str:
    answer = httpx.post(issuer + "/token-for", json={"aud": "impasto", **MARA, **claims})
    return str(answer.json()["token"])


def changed(url: str, **changes: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(query=str(httpx.QueryParams(dict(parse_qsl(parts.query)) | changes))))


async def to_provider(client: httpx.AsyncClient, return_to: str = "/", path: str = "oidc") -> str:
    started = await client.get(f"/identity/{path}/start", params={"return_to": return_to})
    expect(started, 302)
    return started.headers["location"]


def at_provider(location: str) -> str:
    answer = httpx.get(location)
    expect(answer, 302)
    return answer.headers["location"]


async def walk(client: httpx.AsyncClient, return_to: str = "/") -> httpx.Response:
    """Follow the redirects of a sign-in like a browser: to the provider and back."""
    return await client.get(at_provider(await to_provider(client, return_to)))


async def me(client: httpx.AsyncClient) -> dict[str, Any]:
    session = (await client.post("/identity/refresh")).json()["session"]
    answer = await client.get("/users/me", headers={"Authorization": f"Bearer {session['identity_token']}"})
    found: dict[str, Any] = answer.json()
    return found


async def failed(answer: httpx.Response) -> bool:
    no_session = "impasto_refresh" not in answer.headers.get("set-cookie", "")
    return answer.headers.get("location") == "/login?failed=oidc" and no_session


async def bearer(client: httpx.AsyncClient, token: str) -> httpx.Response:
    return await client.get("/users/me", headers={"Authorization": f"Bearer {token}"})
