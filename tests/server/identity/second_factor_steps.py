"""Setting up second factors and showing them, as a browser does."""

import base64
from typing import Any

import httpx
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from tests.server.conftest import PASSWORD
from tests.server.identity.authenticator import Authenticator
from tests.server.responses import expect


def shown(secret: str, clock: Any, steps: int = 0) -> str:
    key = base64.b32decode(secret)
    at = int(clock().timestamp()) + 30 * steps
    return TOTP(key, 6, SHA1(), 30, enforce_key_length=False).generate(at).decode()


async def enable_totp(person: Any, clock: Any) -> tuple[str, list[str]]:
    started = await person.client.post("/identity/totp", json={"password": PASSWORD})
    secret = expect(started, 200).json()["secret"]
    confirmed = await person.client.post("/identity/totp/confirm", json={"code": shown(secret, clock)})
    clock.travel(minutes=2)
    return secret, expect(confirmed, 200).json()["recovery_codes"]


async def add_passkey(person: Any, authenticator: Authenticator) -> dict[str, Any]:
    started = await person.client.post("/identity/passkeys/options", json={"password": PASSWORD})
    options = expect(started, 200).json()
    body = {
        "challenge_id": options["challenge_id"],
        "credential": authenticator.create(options["options"]),
        "name": "Laptop",
    }
    return dict(expect(await person.client.post("/identity/passkeys", json=body), 201).json())


async def sign_in(client: httpx.AsyncClient) -> dict[str, Any]:
    body = {"username": "mara", "password": PASSWORD}
    return dict(expect(await client.post("/identity/sign-in", json=body), 200).json())


async def challenge(client: httpx.AsyncClient) -> str:
    answer = await sign_in(client)
    assert answer["session"] is None
    assert answer["challenge"] == "second_factor_required"
    return str(answer["challenge_token"])


async def show(client: httpx.AsyncClient, token: str, **proof: Any) -> httpx.Response:
    return await client.post("/identity/second-factor", json={"challenge_token": token, "proof": proof})


async def passkey_proof(
    client: httpx.AsyncClient, token: str, authenticator: Authenticator
) -> dict[str, Any]:
    started = await client.post("/identity/second-factor/passkey-options", json={"challenge_token": token})
    options = expect(started, 200).json()
    return {"challenge_id": options["challenge_id"], "credential": authenticator.get(options["options"])}
