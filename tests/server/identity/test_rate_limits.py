"""Rate limits of the identity endpoints: ten requests a minute for one IP address and account."""

from typing import Any

import httpx
import pytest
from tests.server.conftest import Recorded
from tests.server.responses import expect

pytestmark = pytest.mark.anyio

PASSWORD = "Thick-paint-7"
CODE = {"username": "mara", "code": "000000"}
CALLS = [
    ("sign-in", {"username": "mara", "password": PASSWORD}),
    ("sign-up", {"username": "mara", "email": "mara@northbound.example", "password": PASSWORD}),
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
async def test_eleventh_request_is_refused(
    client: httpx.AsyncClient, call: str, body: dict[str, str]
) -> None:
    for _ in range(10):
        response = await client.post(f"/identity/{call}", json=body)
        assert response.status_code != 429, response.text
    answer = await client.post(f"/identity/{call}", json=body)
    expect(answer, 429, code="rate_limited")
    assert 1 <= int(answer.headers["retry-after"]) <= 61


async def test_other_spelling_of_name_shares_the_limit(client: httpx.AsyncClient) -> None:
    names = ["mara", "MARA", " mara "] * 4
    bodies = [{"username": name, "password": PASSWORD} for name in names]
    answers = [await client.post("/identity/sign-in", json=body) for body in bodies]
    expect(answers[-1], 429)


async def test_username_and_email_share_the_limit(client: httpx.AsyncClient, person: Any) -> None:
    names = [person.username, person.email] * 6
    bodies = [{"username": name, "password": "Not-the-one-1"} for name in names]
    answers = [await client.post("/identity/sign-in", json=body) for body in bodies]
    assert [answer.status_code for answer in answers] == [401] * 10 + [429] * 2, [
        answer.text for answer in answers
    ]


async def test_accounts_have_separate_limits(client: httpx.AsyncClient) -> None:
    for _ in range(11):
        await client.post("/identity/sign-in", json={"username": "mara", "password": PASSWORD})
    other = await client.post("/identity/sign-in", json={"username": "noor", "password": PASSWORD})
    expect(other, 401)


async def test_emails_to_an_account_are_limited(
    client: httpx.AsyncClient, mailbox: Any, recorded: Recorded
) -> None:
    body = {"username": "mara", "email": "mara@northbound.example", "password": PASSWORD}
    await client.post("/identity/sign-up", json=body)
    for _ in range(6):
        expect(await client.post("/identity/resend-code", json={"username": "mara"}), 202)
    assert len(mailbox.messages()) == 3
    requests = await recorded("account.confirm_request")
    assert [row.outcome for row in requests] == ["success"] * 2 + ["denied"] * 4
    assert {row.target_id for row in requests} == {(await recorded("account.create"))[0].target_id}
    again = expect(await client.post("/identity/sign-up", json=body), 201).json()
    assert again["delivery"]["delayed"] is False
    assert len(mailbox.messages()) == 3


async def test_strangers_cannot_use_up_the_emails_of_the_owners_device(
    client: httpx.AsyncClient, person: Any, mailbox: Any
) -> None:
    for _ in range(5):
        await client.post("/identity/forgot-password", json={"username": "mara"})
    before = len(mailbox.messages())
    for _ in range(5):
        await person.client.post("/identity/forgot-password", json={"username": "mara"})
    assert len(mailbox.messages()) == before + 3


async def test_code_over_email_limit_is_not_created(client: httpx.AsyncClient, mailbox: Any) -> None:
    """Else each request would reset the attempts and invalidate the code that the user received."""
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

    async def test_requests_of_one_address_to_many_accounts_are_limited(
        self, client: httpx.AsyncClient
    ) -> None:
        for number in range(5):
            body = {"username": f"mara{number}", "password": PASSWORD}
            expect(await client.post("/identity/sign-in", json=body), 401)
        body = {"username": "noor", "password": PASSWORD}
        expect(await client.post("/identity/sign-in", json=body), 429)


class TestOneRequestOfAnAddress:
    """With a limit of one request, the second one is refused by each call that counts."""

    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"rate_limit_address": "1/minute"}

    @pytest.mark.parametrize(
        ("call", "body", "code"),
        [
            ("invitation", {"token": "t"}, "invitation_invalid"),
            (
                "accept-invitation", {"token": "t", "username": "mara", "password": PASSWORD},
                "invitation_invalid",
            ),
            ("new-password", {"challenge_token": "t", "new_password": PASSWORD}, "challenge_invalid"),
            ("refresh", None, "session_ended"),
            ("second-factor", {"challenge_token": "t", "proof": {"code": "000000"}}, "challenge_invalid"),
            ("second-factor/passkey-options", {"challenge_token": "t"}, "challenge_invalid"),
            ("passkey-sign-in/options", None, "passkeys_unavailable"),
            ("passkey-sign-in", {"challenge_id": "c", "credential": {}}, "passkey_invalid"),
        ],
    )  # fmt: skip
    async def test_anonymous_calls_are_limited(
        self, client: httpx.AsyncClient, call: str, body: dict[str, Any] | None, code: str
    ) -> None:
        first = await client.post(f"/identity/{call}", json=body)
        assert first.json()["code"] == code
        expect(await client.post(f"/identity/{call}", json=body), 429)


class TestOneRequestOfAnAccount:
    """With a limit of one request, the second one is refused by each call that counts."""

    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"rate_limit_account": "1/minute"}

    @pytest.mark.parametrize(
        ("call", "body", "code"),
        [
            (
                "change-password", {"old_password": "Not-the-one-1", "new_password": PASSWORD},
                "invalid_credentials",
            ),
            ("change-email", {"email": "new@here.example", "password": "Not-the-one-1"}, "password_wrong"),
            ("confirm-change-email", {"email": "new@here.example", "code": "000000"}, "code_invalid"),
            ("totp", {"password": "Not-the-one-1"}, "password_wrong"),
            ("totp/confirm", {"code": "000000"}, "second_factor_invalid"),
            ("passkeys", {"challenge_id": "c", "credential": {}, "name": "Laptop"}, "passkey_invalid"),
        ],
    )  # fmt: skip
    async def test_signed_in_calls_are_limited(
        self, person: Any, call: str, body: dict[str, Any], code: str
    ) -> None:
        first = await person.client.post(f"/identity/{call}", json=body)
        assert first.json()["code"] == code
        expect(await person.client.post(f"/identity/{call}", json=body), 429)
