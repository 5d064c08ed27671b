"""Guessed passwords, lock-outs by strangers, and questions about which accounts exist."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest
from tests.security.accounts import NEW, OWNER, STRANGER, forgot, reset, sign_in
from tests.server.conftest import PASSWORD
from tests.server.responses import expect

from impasto_server.http.rate_limit import address_block

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def wait(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Stop the clock of the rate limits, and return a function that moves it."""
    now = time.time()

    def move(seconds: float) -> None:
        nonlocal now
        now += seconds

    monkeypatch.setattr("time.time", lambda: now)
    return move


async def fail_from_many(client_at: Any, number: int) -> None:
    """Enter wrong passwords at `number` addresses. The first ten are answered 401."""
    answers = [await sign_in(client_at(f"198.51.100.{each}")) for each in range(number)]
    assert [answer.status_code for answer in answers[:10]] == [401] * min(number, 10)


class TestGuessedPasswords:
    async def test_failures_from_many_addresses_meet_growing_delays(
        self, client_at: Any, person: Any, wait: Any
    ) -> None:
        await fail_from_many(client_at, 10)
        delays = []
        for number in range(4):
            refused = await sign_in(client_at(f"192.0.2.{number}"))
            expect(refused, 429, code="rate_limited")
            delays.append(int(refused.headers["retry-after"]))
            wait(delays[-1])
            expect(await sign_in(client_at(f"192.0.2.{number}")), 401)
        assert delays == [1, 2, 4, 8]

    async def test_delays_grow_for_unknown_accounts_too(self, client_at: Any) -> None:
        for number in range(10):
            expect(await sign_in(client_at(f"198.51.100.{number}"), username="unknown"), 401)
        expect(await sign_in(client_at("192.0.2.1"), username="unknown"), 429)

    async def test_concurrent_guesses_share_one_attempt(self, client_at: Any, person: Any, wait: Any) -> None:
        await fail_from_many(client_at, 10)
        wait(1)
        answers = await asyncio.gather(*(sign_in(client_at(f"192.0.2.{number}")) for number in range(20)))
        assert sorted(answer.status_code for answer in answers) == [401] + [429] * 19

    async def test_stranger_cannot_lock_out_a_known_device(self, client_at: Any, person: Any) -> None:
        await fail_from_many(client_at, 12)
        expect(await sign_in(client_at(STRANGER), PASSWORD), 429)
        expect(await sign_in(person.client, PASSWORD), 200)

    async def test_stranger_cannot_lock_out_the_address_of_the_owner(
        self, client_at: Any, person: Any
    ) -> None:
        expect(await sign_in(client_at(OWNER), PASSWORD), 200)
        await fail_from_many(client_at, 12)
        without_cookie = client_at(OWNER)
        expect(await sign_in(without_cookie, PASSWORD), 200)

    async def test_reset_opens_the_account_on_a_new_device_during_an_attack(
        self, client_at: Any, person: Any, mailbox: Any
    ) -> None:
        await fail_from_many(client_at, 12)
        new_device = client_at(OWNER)
        await forgot(new_device)
        expect(await reset(new_device, mailbox.code()), 204)
        expect(await sign_in(new_device, NEW), 200)

    async def test_cookie_of_another_user_is_not_a_known_device(
        self, client_at: Any, person: Any, new_person: Any
    ) -> None:
        other = await new_person("ines")
        device = other.client.cookies["impasto_device"]
        attacker = client_at(STRANGER)
        attacker.cookies.set("impasto_device", device, domain="testserver", path="/api/v1/identity")
        await fail_from_many(client_at, 10)
        expect(await sign_in(attacker), 429)

    async def test_known_device_meets_growing_delays_too(self, person: Any) -> None:
        for _ in range(10):
            expect(await sign_in(person.client), 401)
        expect(await sign_in(person.client), 429)

    async def test_success_resets_the_delay(self, person: Any) -> None:
        for _ in range(3):
            for _ in range(9):
                expect(await sign_in(person.client), 401)
            expect(await sign_in(person.client, PASSWORD), 200)

    async def test_one_address_cannot_try_one_password_on_many_accounts(self, client_at: Any) -> None:
        attacker = client_at(STRANGER)
        answers = [await sign_in(attacker, username=f"name{number}") for number in range(101)]
        assert [answer.status_code for answer in answers] == [401] * 100 + [429]

    class TestFewTries:
        @pytest.fixture
        def extra_settings(self) -> dict[str, Any]:
            return {"sign_in_tries": 2}

        async def test_thief_of_a_session_meets_growing_delays_too(self, client_at: Any, person: Any) -> None:
            thief = client_at(STRANGER)
            thief.headers["Authorization"] = person.client.headers["Authorization"]
            wrong = {"password": "Not-the-one-1"}
            change = {"old_password": "Not-the-one-1", "new_password": NEW}
            expect(await thief.request("DELETE", "/users/me", json=wrong), 403, code="password_wrong")
            expect(await thief.post("/identity/change-password", json=change), 400)
            right = {"password": PASSWORD}
            expect(await thief.request("DELETE", "/users/me", json=right), 429, code="rate_limited")
            change["old_password"] = PASSWORD
            expect(await thief.post("/identity/change-password", json=change), 429, code="rate_limited")
            changed = await person.client.post("/identity/change-password", json=change)
            expect(changed, 204, reason="the owner's device has a count of its own")

        async def test_stranger_does_not_delay_the_device_of_a_sign_up(self, client_at: Any) -> None:
            owner, stranger = client_at(OWNER), client_at(STRANGER)
            wanted = {"username": "mara", "email": "mara@northbound.example", "password": PASSWORD}
            expect(await owner.post("/identity/sign-up", json=wanted), 201)
            assert [(await sign_in(stranger)).status_code for _ in range(3)] == [401, 401, 429]
            expect(await sign_in(owner, PASSWORD), 403, code="not_confirmed")

    class TestOneNetwork:
        @pytest.fixture
        def extra_settings(self) -> dict[str, Any]:
            return {"rate_limit_address": "5/minute"}

        async def test_addresses_of_one_ipv6_network_share_a_limit(self, client_at: Any) -> None:
            for number in range(5):
                expect(await sign_in(client_at(f"2001:db8::{number + 1}"), username=f"name{number}"), 401)
            expect(await sign_in(client_at("2001:db8::ffff:1"), username="another"), 429)
            expect(await sign_in(client_at("2001:db8:0:1::1"), username="another"), 401)


class TestEnumeration:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"rate_limit_sign_up": "3/hour"}

    async def test_sign_up_answers_few_questions_about_accounts(self, client_at: Any) -> None:
        def wanted(number: int) -> dict[str, str]:
            return {"username": f"name{number}", "email": f"n{number}@n.example", "password": PASSWORD}

        first = wanted(0)
        expect(await client_at(OWNER).post("/identity/sign-up", json=first), 201)
        stranger = client_at(STRANGER)
        for _ in range(3):
            known = await stranger.post("/identity/sign-up", json=first)
            expect(known, 409)
            assert known.json()["detail"] == "User already exists. Please sign in."
        expect(await stranger.post("/identity/sign-up", json=first), 429, code="rate_limited")
        expect(await stranger.post("/identity/sign-up", json=wanted(1)), 429)
        expect(await client_at(OWNER).post("/identity/sign-up", json=wanted(2)), 201)


@pytest.mark.parametrize(
    ("address", "block"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", "unknown"),
    ],
)
def test_address_block(address: str, block: str) -> None:
    assert address_block(address) == block
