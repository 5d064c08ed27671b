"""Ten tries a minute for one address and account; the eleventh waits."""

from typing import Any

import httpx
import pytest
from tests.server.responses import expect

pytestmark = pytest.mark.anyio

PASSWORD = "Thick-paint-7"
CODE = {"username": "mara", "code": "000000"}
CALLS = [
    ("sign-in", {"username": "mara", "password": PASSWORD}),
    ("confirm-sign-up", CODE),
    ("resend-code", {"username": "mara"}),
    ("forgot-password", {"username": "mara"}),
    (
        "confirm-forgot-password",
        {"username": "mara", "confirmation_code": "000000", "new_password": PASSWORD},
    ),
]


@pytest.fixture
def database_url() -> str:
    return ""


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"rate_limit_account": "10/minute", "rate_limit_mails": "3/hour"}


@pytest.mark.parametrize(("call", "body"), CALLS)
async def test_the_eleventh_call_is_refused(
    client: httpx.AsyncClient, call: str, body: dict[str, str]
) -> None:
    for _ in range(10):
        assert (await client.post(f"/identity/{call}", json=body)).status_code != 429
    answer = await client.post(f"/identity/{call}", json=body)
    expect(answer, 429, code="rate_limited")
    assert 1 <= int(answer.headers["retry-after"]) <= 61


async def test_writing_the_name_otherwise_gives_no_more_tries(client: httpx.AsyncClient) -> None:
    names = ["mara", "MARA", " mara "] * 4
    bodies = [{"username": name, "password": PASSWORD} for name in names]
    answers = [await client.post("/identity/sign-in", json=body) for body in bodies]
    expect(answers[-1], 429)


async def test_the_name_and_the_address_of_an_account_share_its_tries(
    client: httpx.AsyncClient, person: Any
) -> None:
    names = [person.username, person.email] * 6
    bodies = [{"username": name, "password": "Not-the-one-1"} for name in names]
    answers = [await client.post("/identity/sign-in", json=body) for body in bodies]
    assert [answer.status_code for answer in answers] == [401] * 10 + [429] * 2


async def test_another_account_has_its_own_tries(client: httpx.AsyncClient) -> None:
    for _ in range(11):
        await client.post("/identity/sign-in", json={"username": "mara", "password": PASSWORD})
    other = await client.post("/identity/sign-in", json={"username": "noor", "password": PASSWORD})
    expect(other, 401)


async def test_nobodys_mailbox_is_flooded(client: httpx.AsyncClient, mailbox: Any) -> None:
    body = {"username": "mara", "email": "mara@northbound.example", "password": PASSWORD}
    await client.post("/identity/sign-up", json=body)
    for _ in range(6):
        expect(await client.post("/identity/resend-code", json={"username": "mara"}), 202)
    assert len(mailbox.letters()) == 3


async def test_a_code_that_is_not_mailed_is_not_made(client: httpx.AsyncClient, mailbox: Any) -> None:
    """Otherwise each call gives fresh tries, and takes the mailed code from its owner."""
    body = {"username": "mara", "email": "mara@northbound.example", "password": PASSWORD}
    await client.post("/identity/sign-up", json=body)
    for call in ("resend-code", "forgot-password", "forgot-password"):
        await client.post(f"/identity/{call}", json={"username": "mara"})
    reset = mailbox.code()
    for _ in range(5):
        await client.post("/identity/forgot-password", json={"username": "mara"})
    body = {"username": "mara", "confirmation_code": reset, "new_password": PASSWORD}
    expect(await client.post("/identity/confirm-forgot-password", json=body), 204)


class TestOneAddress:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"rate_limit_address": "5/minute"}

    async def test_spraying_over_accounts_is_refused(self, client: httpx.AsyncClient) -> None:
        for number in range(5):
            body = {"username": f"mara{number}", "password": PASSWORD}
            expect(await client.post("/identity/sign-in", json=body), 401)
        body = {"username": "noor", "password": PASSWORD}
        expect(await client.post("/identity/sign-in", json=body), 429)
