"""Sign-up, confirmation and resent codes, with the specified sentences."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.server.responses import expect

from impasto_server.users import service as users

PASSWORD = "Thick-paint-7"
WRONG = "The confirmation code is invalid or has expired. Please try again."
EXISTS = "User already exists. Please sign in."

pytestmark = pytest.mark.anyio


def wanted(**changes: Any) -> dict[str, Any]:
    body = {
        "username": "mara",
        "email": "mara@northbound.example",
        "password": PASSWORD,
        "client_metadata": {"website": "https://northbound.example"},
    }
    return {**body, **changes}


async def sign_up(client: httpx.AsyncClient, **changes: Any) -> httpx.Response:
    return await client.post("/identity/sign-up", json=wanted(**changes))


async def confirm(client: httpx.AsyncClient, code: str, username: str = "mara") -> httpx.Response:
    return await client.post("/identity/confirm-sign-up", json={"username": username, "code": code})


async def test_sign_up_returns_masked_destination(client: httpx.AsyncClient) -> None:
    answer = await sign_up(client)
    expect(answer, 201)
    assert answer.json() == {
        "confirmed": False,
        "delivery": {"medium": "email", "destination": "m•••@n•••.example", "delayed": False},
    }
    assert "impasto_refresh" not in answer.headers.get("set-cookie", "")


async def test_confirmation_email_has_code_as_text_and_html(client: httpx.AsyncClient, mailbox: Any) -> None:
    await sign_up(client)
    (letter,) = mailbox.messages()
    assert letter["To"] == "mara@northbound.example"
    html = letter.get_body(("html",)).get_content()
    assert mailbox.code() in html
    assert "Instrument Serif" in html
    assert "http" not in html, "a mail loads nothing from anywhere"


async def test_confirming_signs_in(client: httpx.AsyncClient, mailbox: Any) -> None:
    await sign_up(client)
    answer = await confirm(client, mailbox.code())
    expect(answer, 200)
    session = answer.json()["session"]
    headers = {"Authorization": f"Bearer {session['identity_token']}"}
    me = (await client.get("/users/me", headers=headers)).json()
    assert (me["username"], me["email"]) == ("mara", "mara@northbound.example")


async def test_values_of_the_sign_up_are_kept_with_the_account(
    client: httpx.AsyncClient, app: FastAPI
) -> None:
    values = {"website": "https://here.example", "seats": 3}
    for username, given, kept in (("mara", {"client_metadata": values}, values), ("noor", {}, None)):
        body = {"username": username, "email": f"{username}@here.example", "password": PASSWORD, **given}
        expect(await client.post("/identity/sign-up", json=body), 201)
        async with app.state.app_state.database.reading() as session:
            user = await users.find_by_username(session, username)
        assert user is not None
        assert (user.client_metadata, user.confirmed_at) == (kept, None)


async def test_auto_sign_in_can_be_turned_off(client: httpx.AsyncClient, mailbox: Any) -> None:
    await sign_up(client, auto_sign_in=False)
    await client.post("/identity/resend-code", json={"username": "mara"})
    answer = await confirm(client, mailbox.code())
    assert answer.json() == {"session": None}
    assert "impasto_refresh" not in answer.headers.get("set-cookie", "")


async def test_refresh_cookie_is_httponly_and_strict(client: httpx.AsyncClient, mailbox: Any) -> None:
    await sign_up(client)
    cookie = (await confirm(client, mailbox.code())).headers["set-cookie"]
    assert cookie.startswith("impasto_refresh=")
    for part in ("HttpOnly", "SameSite=strict", "Path=/api/v1/identity"):
        assert part in cookie
    assert {"impasto_refresh", "impasto_device"} <= {*client.cookies}


async def test_wrong_code_gets_specified_sentence(client: httpx.AsyncClient, mailbox: Any) -> None:
    await sign_up(client)
    answer = await confirm(client, "000000" if mailbox.code() != "000000" else "000001")
    expect(answer, 400)
    problem = answer.json()
    assert (problem["code"], problem["title"], problem["detail"]) == (
        "code_invalid",
        "Verification failed",
        WRONG,
    )


async def test_unknown_account_gets_response_of_wrong_code(client: httpx.AsyncClient, mailbox: Any) -> None:
    await sign_up(client)
    known = (await confirm(client, "abcdef")).json()
    unknown = (await confirm(client, "abcdef", username="unknown")).json()
    assert known == unknown


async def test_code_is_invalid_after_five_wrong_attempts(client: httpx.AsyncClient, mailbox: Any) -> None:
    await sign_up(client)
    code = mailbox.code()
    for _ in range(5):
        expect(await confirm(client, "wrong!"), 400)
    expect(await confirm(client, code), 400)
    await client.post("/identity/resend-code", json={"username": "mara"})
    expect(await confirm(client, mailbox.code()), 200)


async def test_code_expires_after_fifteen_minutes(
    client: httpx.AsyncClient, mailbox: Any, clock: Any
) -> None:
    await sign_up(client)
    code = mailbox.code()
    clock.travel(minutes=15, seconds=1)
    assert (await confirm(client, code)).json()["detail"] == WRONG


async def test_code_is_used_once(client: httpx.AsyncClient, mailbox: Any) -> None:
    await sign_up(client)
    code = mailbox.code()
    expect(await confirm(client, code), 200)
    expect(await confirm(client, code), 400)
    assert len(mailbox.messages()) == 1, "the device of the sign-up is known"
    signed_in = await client.post("/identity/sign-in", json={"username": "mara", "password": PASSWORD})
    assert expect(signed_in, 200).json()["challenge"] is None


async def test_new_code_replaces_old_one(client: httpx.AsyncClient, mailbox: Any) -> None:
    await sign_up(client)
    old = mailbox.code()
    answer = await client.post("/identity/resend-code", json={"username": "mara"})
    expect(answer, 202)
    assert len(mailbox.messages()) == 2
    if old != mailbox.code():
        expect(await confirm(client, old), 400)
    expect(await confirm(client, mailbox.code()), 200)


async def test_resend_does_not_reveal_accounts(client: httpx.AsyncClient, person: Any, mailbox: Any) -> None:
    sent = len(mailbox.messages())
    for username in ("unknown", person.username):
        answer = await client.post("/identity/resend-code", json={"username": username})
        expect(answer, 202)
    assert len(mailbox.messages()) == sent, "neither an unknown nor a confirmed account gets a code"


async def test_taken_username_or_email_is_refused(
    client: httpx.AsyncClient, person: Any, subtests: pytest.Subtests
) -> None:
    cases: list[dict[str, str]] = [
        {},
        {"username": "MARA", "email": "other@northbound.example"},
        {"username": "other", "email": "Mara@Northbound.example"},
    ]
    for changes in cases:
        with subtests.test(changes=changes):
            answer = await sign_up(client, **changes)
            expect(answer, 409)
            assert (answer.json()["code"], answer.json()["detail"]) == ("user_exists", EXISTS)


async def test_mistyped_address_can_be_corrected(client: httpx.AsyncClient, mailbox: Any) -> None:
    await sign_up(client, email="mara@nrothbound.example")
    answer = await sign_up(client)
    expect(answer, 201)
    expect(await confirm(client, mailbox.code()), 200)


async def test_username_can_be_corrected_on_the_same_device(client: httpx.AsyncClient, mailbox: Any) -> None:
    await sign_up(client, username="mraa")
    expect(await sign_up(client), 201)
    expect(await confirm(client, mailbox.code()), 200)


async def test_unconfirmed_sign_up_reserves_address_until_code_expires(
    client: httpx.AsyncClient, new_client: Callable[[], httpx.AsyncClient], clock: Any, mailbox: Any
) -> None:
    await sign_up(new_client(), username="squatter")
    expect(await sign_up(client), 409)
    clock.travel(minutes=16)
    expect(await sign_up(client), 201)
    expect(await confirm(client, mailbox.code()), 200)


async def test_invalid_value_gets_specified_sentence(
    client: httpx.AsyncClient, subtests: pytest.Subtests
) -> None:
    cases: list[tuple[dict[str, str], str, str]] = [
        ({"username": "m"}, "username", "Username must be at least 2 characters."),
        ({"email": "mara"}, "email", "Email is invalid."),
        ({"email": "mara@nowhere"}, "email", "Email is invalid."),
        ({"password": "Ab1!"}, "password", "Password must be at least 8 characters."),
        (
            {"password": "abcdefgh"},
            "password",
            "Password must contain at least one uppercase letter, one lowercase letter, "
            "one number and one special character.",
        ),
    ]
    for changes, path, message in cases:
        with subtests.test(changes=changes):
            answer = await sign_up(client, **changes)
            expect(answer, 422)
            assert [(item["path"], item["message"]) for item in answer.json()["errors"]] == [(path, message)]
            assert answer.json()["detail"] == message


async def test_each_character_class_is_required(client: httpx.AsyncClient, subtests: pytest.Subtests) -> None:
    cases = ["Upper", "lower", "number", "special"]
    for left_out in cases:
        with subtests.test(left_out=left_out):
            password = {
                "Upper": "thick-paint-7",
                "lower": "THICK-PAINT-7",
                "number": "Thick-paint-x",
                "special": "Thickpaint77",
            }[left_out]
            expect(await sign_up(client, password=password), 422)


async def test_username_cannot_equal_another_email(client: httpx.AsyncClient) -> None:
    answer = await sign_up(client, username="boss@northbound.example")
    expect(answer, 422)
    answer = await sign_up(client, username="mara@northbound.example")
    expect(answer, 201)


async def test_concurrent_sign_ups_create_one_account(new_client: Callable[[], httpx.AsyncClient]) -> None:
    import asyncio

    answers = await asyncio.gather(*(sign_up(new_client()) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409], [
        answer.text for answer in answers
    ]
