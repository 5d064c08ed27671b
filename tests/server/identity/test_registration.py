"""`IMPASTO_SIGN_UP` decides who may create an account."""

from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.server.conftest import PASSWORD, Mailbox
from tests.server.responses import expect

from impasto_server.cli.admin.accounts import create_account
from impasto_server.identity.sign_up import invitations

pytestmark = pytest.mark.anyio

OPEN: dict[str, Any] = {"sign_up": "open"}
INVITE: dict[str, Any] = {"sign_up": "invite"}
CLOSED: dict[str, Any] = {"sign_up": "closed"}
DOMAINS: dict[str, Any] = {"sign_up": "domains", "sign_up_domains": "northbound.example, straße.example"}


async def sign_up(client: httpx.AsyncClient, email: str) -> httpx.Response:
    return await client.post(
        "/identity/sign-up", json={"username": "noor", "email": email, "password": PASSWORD}
    )


async def refused(client: httpx.AsyncClient, email: str, mailbox: Mailbox) -> str:
    """Assert that a sign-up is refused, creates no account and sends no e-mail; return the sentence."""
    answer = expect(await sign_up(client, email), 403, code="sign_up_refused")
    signed_in = await client.post("/identity/sign-in", json={"username": "noor", "password": PASSWORD})
    expect(signed_in, 401, code="invalid_credentials")
    assert mailbox.messages() == []
    return str(answer.json()["detail"])


@pytest.mark.parametrize("extra_settings", [OPEN])
async def test_open_admits_everyone(client: httpx.AsyncClient) -> None:
    expect(await sign_up(client, "noor@elsewhere.example"), 201)


@pytest.mark.parametrize("extra_settings", [INVITE])
async def test_invite_refuses_sign_up_even_of_an_invited_address(
    app: FastAPI, client: httpx.AsyncClient, mailbox: Mailbox
) -> None:
    sentence = "Sign-up is by invitation only."
    assert await refused(client, "noor@northbound.example", mailbox) == sentence
    # Sign-up does not prove that the address is the person's own: only the link of the e-mail does.
    await invitations.create(app.state.app_state, "noor@northbound.example", None)
    expect(await sign_up(client, "noor@northbound.example"), 403, code="sign_up_refused")


@pytest.mark.parametrize("extra_settings", [CLOSED])
async def test_closed_refuses_everyone(client: httpx.AsyncClient, mailbox: Mailbox) -> None:
    assert await refused(client, "noor@northbound.example", mailbox) == "Sign-up is closed."


@pytest.mark.parametrize("extra_settings", [CLOSED])
async def test_existing_account_signs_in_when_sign_up_is_closed(
    app: FastAPI, client: httpx.AsyncClient
) -> None:
    await create_account(app.state.app_state, "noor", "noor@elsewhere.example", PASSWORD, temporary=False)
    signed_in = await client.post("/identity/sign-in", json={"username": "noor", "password": PASSWORD})
    assert expect(signed_in, 200).json()["session"]


@pytest.mark.parametrize("extra_settings", [DOMAINS])
async def test_listed_domain_is_admitted_in_every_spelling(
    client: httpx.AsyncClient, subtests: pytest.Subtests
) -> None:
    cases = ["noor@northbound.example", "noor@NORTHBOUND.example", "noor@xn--strae-oqa.example"]
    for email in cases:
        with subtests.test(email=email):
            expect(await sign_up(client, email), 201)


@pytest.mark.parametrize("extra_settings", [DOMAINS])
async def test_other_domain_is_refused(
    client: httpx.AsyncClient, mailbox: Mailbox, subtests: pytest.Subtests
) -> None:
    cases = [
        "noor@elsewhere.example",
        "noor@sub.northbound.example",
        "noor@evilnorthbound.example",
        "noor@northbound.example.evil.example",
        "noor@strasse.example",
    ]
    for email in cases:
        with subtests.test(email=email):
            sentence = await refused(client, email, mailbox)
            assert sentence.startswith("Sign-up is limited to email addresses at northbound.example or ")


@pytest.mark.parametrize(
    ("extra_settings", "mode", "sentence"),
    [
        (OPEN, "open", ""),
        (INVITE, "invite", "Sign-up is by invitation only."),
        (CLOSED, "closed", "Sign-up is closed."),
    ],
)
async def test_rule_is_published(client: httpx.AsyncClient, mode: str, sentence: str) -> None:
    rule = expect(await client.get("/identity/registration"), 200).json()
    assert rule == {"mode": mode, "domains": [], "sentence": sentence}
