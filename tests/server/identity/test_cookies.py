"""The cookies of a session and of a device: who can read them, where they are sent, and for how long."""

import re
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi import Response
from tests.server.conftest import PASSWORD, Mailbox
from tests.server.responses import expect

from impasto_server.identity.sessions.cookies import delete_refresh_cookie, set_refresh_cookie
from impasto_server.identity.sessions.devices import Device, set_device_cookie
from impasto_server.settings import Settings

DEVICE = "impasto_device"


@pytest.mark.parametrize(
    ("url", "secure"),
    [
        ("https://impasto.example", "; Secure"),
        ("HTTPS://Impasto.Example", "; Secure"),
        ("http://localhost:8000", ""),
    ],
)
def test_cookies_are_read_by_the_server_alone(url: str, secure: str) -> None:
    settings = Settings(_env_file=None, public_url=url, refresh_token_days=3)
    app_state: Any = SimpleNamespace(settings=settings)
    response = Response()
    set_refresh_cookie(app_state, response, "r1")
    set_device_cookie(app_state, response, Device("d1", "", ""))
    assert response.headers.getlist("set-cookie") == [
        f"impasto_refresh=r1; HttpOnly; Max-Age=259200; Path=/api/v1/identity; SameSite=strict{secure}",
        f"impasto_device=d1; HttpOnly; Max-Age=34560000; Path=/api/v1/identity; SameSite=lax{secure}",
    ]


def test_cookie_of_a_session_is_deleted_where_it_was_set() -> None:
    response = Response()
    delete_refresh_cookie(response)
    name, *attributes = response.headers["set-cookie"].split("; ")
    assert name == 'impasto_refresh=""'
    assert [each for each in attributes if not each.startswith("expires=")] == [
        "HttpOnly",
        "Max-Age=0",
        "Path=/api/v1/identity",
        "SameSite=strict",
    ]


@pytest.mark.anyio
async def test_device_that_asks_for_a_code_is_known_when_it_enters_it(
    client: httpx.AsyncClient, person: Any, mailbox: Mailbox
) -> None:
    noor = {"username": "noor", "email": "noor@northbound.example", "password": PASSWORD}
    change = {"email": "mara@example.org", "password": PASSWORD}
    for who, path, status, body in (
        (client, "sign-up", 201, noor),
        (client, "resend-code", 202, {"username": "noor"}),
        (client, "forgot-password", 202, {"username": "mara"}),
        (person.client, "change-email", 202, change),
    ):
        who.cookies.clear()
        answer = expect(await who.post(f"/identity/{path}", json=body), status)
        assert re.match(r"impasto_device=[\w-]{43};", answer.headers["set-cookie"]), path
        if path == "forgot-password":
            reset = {"username": "mara", "confirmation_code": mailbox.code(), "new_password": "Thin-glaze-8"}
    device = client.cookies[DEVICE]
    answer = await client.post("/identity/confirm-forgot-password", json=reset)
    assert expect(answer, 204).headers["set-cookie"].startswith(f"{DEVICE}={device};")


@pytest.mark.anyio
async def test_device_with_a_malformed_cookie_gets_another_one(
    client: httpx.AsyncClient, person: Any
) -> None:
    body = {"username": "mara"}
    for token, is_kept in (("x" * 43, True), ("x" * 42, False), ("x" * 42 + ".", False)):
        headers = {"Cookie": f"{DEVICE}={token}"}
        answer = expect(await client.post("/identity/forgot-password", json=body, headers=headers), 202)
        assert answer.headers["set-cookie"].startswith(f"{DEVICE}={token};") is is_kept
        client.cookies.clear()
