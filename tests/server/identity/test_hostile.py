"""Hostile input to the identity endpoints: Unicode, lone surrogates, other users' mailboxes."""

import re
from typing import Any

import httpx
import pytest
from tests.server.responses import expect

pytestmark = pytest.mark.anyio
PASSWORD = "Thick-paint-7"


def wanted(username: str, email: str = "noor@northbound.example", **changes: Any) -> dict[str, Any]:
    return {"username": username, "email": email, "password": PASSWORD, **changes}


@pytest.mark.parametrize(
    ("first", "second"),
    [("émile", "e\u0301mile"), ("Straße", "STRASSE"), ("finn", "ﬁnn"), ("mara", "ｍａｒａ")],
)
async def test_spellings_of_one_username_are_one_account(
    client: httpx.AsyncClient, mailbox: Any, first: str, second: str
) -> None:
    expect(await client.post("/identity/sign-up", json=wanted(first)), 201)
    code = {"username": second, "code": mailbox.code()}
    expect(await client.post("/identity/confirm-sign-up", json=code), 200)
    taken = await client.post("/identity/sign-up", json=wanted(second, "other@northbound.example"))
    expect(taken, 409, code="user_exists")
    signed_in = await client.post("/identity/sign-in", json={"username": second, "password": PASSWORD})
    expect(signed_in, 200)


async def test_fullwidth_username_cannot_equal_another_email(client: httpx.AsyncClient, person: Any) -> None:
    refused = await client.post("/identity/sign-up", json=wanted(person.email.replace("@", "＠")))
    expect(refused, 422)
    assert refused.json()["detail"] == "A username with an @ must be your own email address."


async def test_username_too_long_after_normalization_is_refused(client: httpx.AsyncClient) -> None:
    refused = await client.post("/identity/sign-up", json=wanted("\ufdfa" * 100))
    expect(refused, 422)
    assert refused.json()["errors"][0]["path"] == "username"


async def test_username_cannot_carry_a_message_into_emails(
    client: httpx.AsyncClient, mailbox: Any, subtests: pytest.Subtests
) -> None:
    cases = ["Win 1000 at evil.example", "https://evil.example", "evil.example", "call +31 6 1234", "a" * 60]
    for name in cases:
        with subtests.test(name=name):
            expect(await client.post("/identity/sign-up", json=wanted(name)), 201)
            letter = mailbox.messages()[-1]
            for kind in ("plain", "html"):
                text = letter.get_body((kind,)).get_content()
                assert "Hello, this code" in text
                assert name not in text


async def test_plain_username_is_greeted(
    client: httpx.AsyncClient, mailbox: Any, subtests: pytest.Subtests
) -> None:
    cases = ["mara", "Zoë d'Arc", "mara_7", "李小龍"]
    for name in cases:
        with subtests.test(name=name):
            expect(await client.post("/identity/sign-up", json=wanted(name)), 201)
            assert f"Hello {name}," in mailbox.messages()[-1].get_body(("plain",)).get_content()


async def test_lone_surrogate_is_refused(
    client: httpx.AsyncClient, person: Any, subtests: pytest.Subtests
) -> None:
    headers = {"Content-Type": "application/json"}
    cases = [
        ("sign-in", r'{"username": "mara", "password": "Thick-\ud800-7"}'),
        ("sign-in", r'{"username": "mara\ud800", "password": "Thick-paint-7"}'),
        ("forgot-password", r'{"username": "mara\ud800"}'),
        ("resend-code", r'{"username": "mara\udfff"}'),
        ("confirm-sign-up", r'{"username": "mara", "code": "\ud80012345"}'),
        ("new-password", r'{"challenge_token": "\ud800", "new_password": "Thick-paint-7"}'),
    ]
    for call, body in cases:
        with subtests.test(call=call, body=body):
            refused = await client.post(f"/identity/{call}", content=body, headers=headers)
            expect(refused, 400, 401, 422)
            assert refused.status_code != 422 or re.search("character|unicode", refused.json()["detail"]), (
                refused.text
            )


async def test_lone_surrogate_in_stored_values_is_refused(person: Any) -> None:
    body = r'{"first_name": "\ud800", "last_name": "L", "company": "N", "role": "other", "reasons": []}'
    headers = {"Content-Type": "application/json"}
    refused = await person.client.put("/users/me/info", content=body, headers=headers)
    expect(refused, 422)
    flow = await person.client.post("/flows/", content=r'{"name": "\ud800"}', headers=headers)
    expect(flow, 422)


async def test_anonymous_metadata_is_limited(client: httpx.AsyncClient) -> None:
    stored = wanted("noor", client_metadata={"website": "https://impasto.example"})
    expect(await client.post("/identity/sign-up", json=stored), 201)
    much = wanted("nora", "nora@northbound.example", client_metadata={"website": "x" * 5000})
    refused = await client.post("/identity/sign-up", json=much)
    expect(refused, 422)
    assert refused.json()["errors"][0]["path"] == "client_metadata"
