"""Password reset and password change."""

import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.server.conftest import Recorded
from tests.server.responses import expect

from impasto_server.identity import service as identity
from impasto_server.users import service as users

PASSWORD = "Thick-paint-7"
NEW = "Thin-glaze-8"

pytestmark = pytest.mark.anyio


async def forgot(client: httpx.AsyncClient, username: str = "mara") -> httpx.Response:
    body = {"username": username, "client_metadata": {"website": "https://northbound.example"}}
    return await client.post("/identity/forgot-password", json=body)


async def confirm(
    client: httpx.AsyncClient, code: str, username: str = "mara", new: str = NEW, **more: str
) -> httpx.Response:
    body = {"username": username, "confirmation_code": code, "new_password": new, **more}
    return await client.post("/identity/confirm-forgot-password", json=body)


async def sign_in(client: httpx.AsyncClient, password: str) -> httpx.Response:
    return await client.post("/identity/sign-in", json={"username": "mara", "password": password})


@pytest.mark.parametrize("login", ["mara", "mara@northbound.example"])
async def test_reset_code_sets_new_password(
    client: httpx.AsyncClient, person: Any, mailbox: Any, login: str
) -> None:
    expect(await forgot(client, login), 202)
    answer = await confirm(client, mailbox.code(), login)
    expect(answer, 204)
    expect(await sign_in(client, PASSWORD), 401)
    expect(await sign_in(client, NEW), 200)


async def test_reset_ends_every_session(client: httpx.AsyncClient, person: Any, mailbox: Any) -> None:
    await forgot(client)
    await confirm(client, mailbox.code())
    expect(await person.client.get("/users/me"), 401)
    expect(await person.client.post("/identity/refresh"), 401)
    sent = len(mailbox.messages())
    expect(await sign_in(client, NEW), 200)
    assert len(mailbox.messages()) == sent, "the device of the reset is known"
    expect(await sign_in(person.client, NEW), 200)
    assert mailbox.messages()[-1]["Subject"] == "New sign-in to Impasto", "no other device is"


async def test_reset_request_does_not_reveal_accounts(
    client: httpx.AsyncClient, person: Any, mailbox: Any, app: FastAPI
) -> None:
    state, sent = app.state.app_state, len(mailbox.messages())
    async with state.database.writing() as session:
        user = await users.create(session, "noor", "noor@northbound.example", state.clock())
        user.confirmed_at = state.clock()
    expect(await forgot(client, "noor"), 202, reason="a user of another sign-in has no password")
    known, unknown = await forgot(client), await forgot(client, "unknown")
    expect(known, 202)
    expect(unknown, 202)
    assert known.content == unknown.content
    assert len(mailbox.messages()) == sent + 1


async def test_wrong_code_and_unknown_account_get_same_response(
    client: httpx.AsyncClient, person: Any, mailbox: Any
) -> None:
    await forgot(client)
    wrong = "000000" if mailbox.code() != "000000" else "000001"
    known, unknown = await confirm(client, wrong), await confirm(client, wrong, "unknown")
    expect(known, 400)
    expect(unknown, 400)
    assert known.json() == unknown.json()
    assert known.json()["code"] == "code_invalid"
    assert known.json()["detail"] == "Failed to confirm reset password."


async def test_reset_code_expires_by_time_attempts_and_use(
    client: httpx.AsyncClient, person: Any, mailbox: Any, clock: Any
) -> None:
    await forgot(client)
    clock.travel(minutes=15, seconds=1)
    expect(await confirm(client, mailbox.code()), 400)

    await forgot(client)
    for _ in range(5):
        await confirm(client, "wrong!")
    expect(await confirm(client, mailbox.code()), 400)

    await forgot(client)
    code = mailbox.code()
    expect(await confirm(client, code), 204)
    expect(await confirm(client, code), 400)


@pytest.mark.usefixtures("at_noon")
@pytest.mark.parametrize(("wrong_codes", "status"), [(4, 204), (5, 400)])
async def test_other_devices_share_the_tries_that_are_not_reserved_for_the_requester(
    new_client: Callable[[], httpx.AsyncClient], person: Any, mailbox: Any, wrong_codes: int, status: int
) -> None:
    """Of the ten tries of a day, five are reserved for the device that requested the code."""
    await forgot(new_client())
    code = mailbox.code()
    for _ in range(wrong_codes):
        expect(await confirm(new_client(), "wrong!"), 400)
    expect(await confirm(new_client(), code), status)


@pytest.mark.usefixtures("at_noon")
class TestTriesOfADay:
    """Three tries for each code, and few for all codes of a day."""

    @pytest.fixture
    def per_day(self) -> int:
        return 3

    @pytest.fixture
    def extra_settings(self, per_day: int) -> dict[str, Any]:
        return {"code_tries": 3, "code_tries_per_day": per_day}

    @pytest.mark.parametrize(("per_day", "has_link"), [(3, True), (4, False), (7, False)])
    async def test_code_beyond_the_tries_of_the_day_comes_with_a_link(
        self, new_client: Callable[[], httpx.AsyncClient], person: Any, mailbox: Any, has_link: bool
    ) -> None:
        await forgot(new_client())
        assert "/forget-password#" not in newest(mailbox)
        await forgot(new_client())
        link = re.search(r"/forget-password#username=mara&code=\d{6}&token=([\w-]+)\s", newest(mailbox))
        assert (link is not None) is has_link
        assert link is None or len(link[1]) == 43

    @pytest.mark.parametrize("per_day", [2])
    async def test_code_with_a_link_needs_its_token_and_takes_no_tries_of_the_day(
        self, new_client: Callable[[], httpx.AsyncClient], person: Any, mailbox: Any, clock: Any
    ) -> None:
        await forgot(new_client())  # reserves both tries of the day
        clock.travel(minutes=10)
        client = new_client()
        await forgot(client)
        code, token = mailbox.code(), newest(mailbox).partition("&token=")[2].split()[0]
        clock.travel(minutes=5, seconds=1)  # the first code has expired: its tries are free
        for other in (client, new_client()):
            expect(await confirm(other, code), 400)
        for _ in range(2):
            expect(await confirm(client, "wrong!", token=token), 400)
        await forgot(new_client())
        assert "/forget-password#" not in newest(mailbox), "the tries of the day are left"
        expect(await confirm(client, code, token=token), 204)

    async def test_codes_of_a_sign_up_and_of_a_reset_share_the_tries_of_the_day(
        self, new_client: Callable[[], httpx.AsyncClient], client: httpx.AsyncClient, mailbox: Any
    ) -> None:
        body = {"username": "mara", "email": "mara@northbound.example", "password": PASSWORD}
        await client.post("/identity/sign-up", json=body)
        await forgot(new_client())
        assert "/forget-password#" in newest(mailbox)

    async def test_code_of_another_address_has_tries_of_its_own(
        self, new_client: Callable[[], httpx.AsyncClient], person: Any, mailbox: Any
    ) -> None:
        await forgot(new_client())
        change = {"email": "mara@studio.example", "password": PASSWORD}
        expect(await person.client.post("/identity/change-email", json=change), 202)
        (letter,) = [each for each in mailbox.messages() if each["To"] == "mara@studio.example"]
        assert "/account/#" not in letter.get_body(("plain",)).get_content()

    @pytest.mark.parametrize(("per_day", "tries"), [(4, 1), (5, 2), (6, 3), (9, 3)])
    async def test_code_has_the_tries_that_are_left_of_the_day(
        self, new_client: Callable[[], httpx.AsyncClient], new_person: Any, mailbox: Any, tries: int
    ) -> None:
        for username, wrong_codes, status in (("mara", tries - 1, 204), ("noor", tries, 400)):
            await new_person(username)
            await forgot(new_client(), username)
            client = new_client()
            await forgot(client, username)
            for _ in range(wrong_codes):
                expect(await confirm(client, "wrong!", username), 400)
            expect(await confirm(client, mailbox.code(), username), status)


def newest(mailbox: Any) -> str:
    """Return the text of the newest e-mail."""
    return str(mailbox.messages()[-1].get_body(("plain",)).get_content())


async def test_codes_end_with_the_access_of_their_user(
    app: FastAPI, client: httpx.AsyncClient, person: Any, mailbox: Any
) -> None:
    state, user_id = app.state.app_state, await person.id()
    await forgot(client)
    async with state.database.writing() as session:
        await identity.end_access(state, session, user_id)
    expect(await person.client.get("/users/me"), 401)
    expect(await confirm(client, mailbox.code()), 400)


async def test_sign_up_code_cannot_reset_password(client: httpx.AsyncClient, mailbox: Any) -> None:
    body = {"username": "mara", "email": "mara@northbound.example", "password": PASSWORD}
    await client.post("/identity/sign-up", json=body)
    expect(await confirm(client, mailbox.code()), 400)


async def test_reset_confirms_address_against_squatter(client: httpx.AsyncClient, mailbox: Any) -> None:
    body = {"username": "mara", "email": "mara@northbound.example", "password": PASSWORD}
    await client.post("/identity/sign-up", json=body)
    await forgot(client, "mara@northbound.example")
    expect(await confirm(client, mailbox.code()), 204)
    expect(await sign_in(client, NEW), 200, reason="the code proved the address")


async def test_invalid_values_are_named(client: httpx.AsyncClient, subtests: pytest.Subtests) -> None:
    cases = [
        ("12345", NEW, "Confirmation code must be 6 characters long."),
        ("1234567", NEW, "Confirmation code must be 6 characters long."),
        ("123456", "short", "Password must be at least 8 characters."),
    ]
    for code, new, message in cases:
        with subtests.test(message=message):
            answer = await confirm(client, code, new=new)
            expect(answer, 422)
            assert answer.json()["detail"] == message


async def change(client: httpx.AsyncClient, old: str = PASSWORD, new: str = NEW) -> httpx.Response:
    body = {"old_password": old, "new_password": new}
    return await client.post("/identity/change-password", json=body)


async def test_password_change_ends_other_sessions(
    new_client: Callable[[], httpx.AsyncClient], person: Any
) -> None:
    other = new_client()
    await sign_in(other, PASSWORD)
    expect(await change(person.client), 204)
    expect(await person.client.get("/users/me"), 200)
    expect(await person.client.post("/identity/refresh"), 200)
    expect(await other.post("/identity/refresh"), 401)
    expect(await sign_in(other, NEW), 200)


async def test_password_change_needs_old_password(person: Any, recorded: Recorded) -> None:
    answer = await change(person.client, old="Thick-paint-8")
    expect(answer, 400)
    assert answer.json()["detail"] == "Failed to change password."
    expect(await person.client.get("/users/me"), 200)
    expect(await change(person.client), 204)
    assert [(row.outcome, row.details) for row in await recorded("password.change")] == [
        ("failure", {}),
        ("success", {"revoked_keys": 0}),
    ]


async def test_password_change_needs_session_and_valid_password(
    client: httpx.AsyncClient, person: Any
) -> None:
    expect(await change(client), 401)
    expect(await change(person.client, new="simple"), 422)
