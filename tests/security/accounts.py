"""Requests to the account of Mara, by its owner and by strangers at other addresses."""

import re
from typing import Any

import httpx
from tests.server.responses import expect

WRONG = "Not-the-one-1"
NEW = "Thin-glaze-8"
OWNER, STRANGER = "203.0.113.7", "198.51.100.9"


async def sign_in(client: httpx.AsyncClient, password: str = WRONG, username: str = "mara") -> httpx.Response:
    return await client.post("/identity/sign-in", json={"username": username, "password": password})


async def forgot(client: httpx.AsyncClient) -> httpx.Response:
    return await client.post("/identity/forgot-password", json={"username": "mara"})


async def reset(client: httpx.AsyncClient, code: str, **more: str) -> httpx.Response:
    body = {"username": "mara", "confirmation_code": code, "new_password": NEW, **more}
    return await client.post("/identity/confirm-forgot-password", json=body)


async def use_up_attempts(attacker: httpx.AsyncClient, mailbox: Any) -> None:
    """Enter the ten wrong reset codes that an address may get in a day."""
    for _ in range(2):
        await forgot(attacker)
        for _ in range(5):
            expect(await reset(attacker, other_than(mailbox.code())), 400)


def other_than(code: str) -> str:
    return f"{(int(code) + 1) % 10**6:06d}"


def link_token(mailbox: Any) -> str:
    """Return the token of the link in the newest e-mail, or an empty text."""
    text = mailbox.messages()[-1].get_body(("plain",)).get_content()
    found = re.search(r"#\S*token=([\w-]+)", text)
    return found[1] if found else ""
