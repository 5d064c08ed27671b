"""Sign-in with a real OpenID Connect provider, which runs in its own process."""

import asyncio
import re
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from fastapi import FastAPI
from tests.server.conftest import Mailbox
from tests.server.identity.oidc_steps import (
    MARA,
    SECRET,
    at_provider,
    be,
    bearer,
    changed,
    failed,
    me,
    to_provider,
    token_for,
    walk,
)
from tests.server.responses import expect

from impasto_server.cli.admin.accounts import create_account
from impasto_server.container import AppState
from impasto_server.identity.sign_up import invitations, rules

pytestmark = pytest.mark.anyio


@pytest.fixture
def extra_settings(issuer: str) -> dict[str, Any]:
    return {
        "oidc_issuer": issuer,
        "oidc_client_id": "impasto",
        "oidc_client_secret": SECRET,
        "oidc_name": "Acme",
    }


async def test_provider_is_listed(client: httpx.AsyncClient) -> None:
    answer = await client.get("/identity/providers")
    assert answer.json() == [{"name": "Acme", "start_url": "/api/v1/identity/oidc/start"}]


async def test_redirect_has_pkce_challenge(client: httpx.AsyncClient, issuer: str) -> None:
    started = expect(await client.get("/identity/oidc/start"), 302)
    location = started.headers["location"]
    assert location.startswith(issuer + "/authorize?")
    query = dict(parse_qsl(urlsplit(location).query))
    random = [query.pop(name) for name in ("state", "nonce", "code_challenge")]
    assert all(re.fullmatch(r"[\w-]{43}", value) for value in random)
    assert len(set(random)) == 3
    assert query == {
        "response_type": "code", "client_id": "impasto", "scope": "openid profile email",
        "redirect_uri": "http://testserver/api/v1/identity/oidc/callback", "code_challenge_method": "S256",
    }  # fmt: skip
    assert SECRET not in location
    name, *attributes = started.headers["set-cookie"].split("; ")
    assert name.startswith("impasto_oidc=")
    assert attributes == ["HttpOnly", "Max-Age=600", "Path=/api/v1/identity", "SameSite=lax"]
    back = expect(await client.get("/identity/oidc/callback"), 302)
    (deleted,) = back.headers.get_list("set-cookie")
    name, _, *attributes = deleted.split("; ")
    assert name == 'impasto_oidc=""'
    assert attributes == ["HttpOnly", "Max-Age=0", "Path=/api/v1/identity", "SameSite=lax"]


async def test_first_sign_in_creates_account_and_second_finds_it(
    new_client: Callable[[], httpx.AsyncClient], issuer: str, mailbox: Mailbox
) -> None:
    be(issuer, MARA)
    first, second = new_client(), new_client()
    answer = await walk(first, "/flow/0191")
    expect(answer, 302)
    assert answer.headers["location"] == "/flow/0191"
    seen = await me(first)
    assert (seen["username"], seen["email"]) == ("mara", "mara@northbound.example")
    assert "impasto_device" in first.cookies, "the browser is recognized at the next sign-in"
    await walk(second)
    assert (await me(second))["id"] == seen["id"]
    await walk(second)
    assert [letter["Subject"] for letter in mailbox.messages()] == ["New sign-in to Impasto"] * 2


async def test_paths_named_outside_still_sign_in(client: httpx.AsyncClient, issuer: str) -> None:
    be(issuer, MARA)
    location = await to_provider(client, "/account/", path="outside")
    back = at_provider(location)
    assert urlsplit(back).path == "/api/v1/identity/outside/callback"
    answer = await client.get(back)
    assert answer.headers["location"] == "/account/"
    assert (await me(client))["username"] == "mara"


async def test_concurrent_first_requests_create_one_account(
    new_client: Callable[[], httpx.AsyncClient], issuer: str
) -> None:
    headers = {"Authorization": f"Bearer {token_for(issuer, sub='n-1', email='noor@northbound.example')}"}
    answers = await asyncio.gather(*(new_client().get("/users/me", headers=headers) for _ in range(8)))
    assert {answer.status_code for answer in answers} == {200}, [answer.text for answer in answers]
    assert len({answer.json()["id"] for answer in answers}) == 1


@pytest.mark.parametrize("letter", ["ß", "\ufdfa"])
async def test_very_long_names_are_shortened(client: httpx.AsyncClient, issuer: str, letter: str) -> None:
    token = token_for(
        issuer, sub="n-2", preferred_username=letter * 200, email=letter * 200 + "@northbound.example"
    )
    answer = await client.get("/users/me", headers={"Authorization": f"Bearer {token}"})
    expect(answer, 200)


@pytest.mark.parametrize("name", ["mara@northbound.example", "MARA＠northbound.example"])
async def test_oidc_username_cannot_equal_another_email(
    client: httpx.AsyncClient, person: Any, issuer: str, name: str
) -> None:
    token = token_for(issuer, sub="n-3", preferred_username=name, email="other@northbound.example")
    seen = (await client.get("/users/me", headers={"Authorization": f"Bearer {token}"})).json()
    assert seen["id"] != await person.id()
    assert "@" not in seen["username"]
    assert "＠" not in seen["username"]


async def test_return_to_stays_on_this_server(
    client: httpx.AsyncClient, issuer: str, subtests: pytest.Subtests
) -> None:
    be(issuer, MARA)
    cases = ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:x", "/a\nb", ""]
    for return_to in cases:
        with subtests.test(return_to=return_to):
            assert (await walk(client, return_to)).headers["location"] == "/"


async def test_verified_email_joins_existing_account(
    client: httpx.AsyncClient, person: Any, issuer: str
) -> None:
    be(issuer, MARA)
    await walk(client)
    assert (await me(client))["id"] == await person.id()


async def test_unverified_email_joins_no_account(client: httpx.AsyncClient, person: Any, issuer: str) -> None:
    be(issuer, {**MARA, "email_verified": False})
    await walk(client)
    seen = await me(client)
    assert seen["id"] != await person.id()
    assert seen["email"] is None
    assert seen["username"].startswith("mara-")


async def test_unconfirmed_sign_up_loses_its_address(client: httpx.AsyncClient, issuer: str) -> None:
    body = {"username": "squatter", "email": MARA["email"], "password": "Thick-paint-7"}
    await client.post("/identity/sign-up", json=body)
    be(issuer, MARA)
    await walk(client)
    assert (await me(client))["username"] == "mara"
    answer = await client.post(
        "/identity/sign-in", json={"username": "squatter", "password": "Thick-paint-7"}
    )
    expect(answer, 401)


async def test_callback_needs_cookie_of_same_browser(
    new_client: Callable[[], httpx.AsyncClient], issuer: str
) -> None:
    be(issuer, MARA)
    back = at_provider(await to_provider(new_client()))
    other = new_client()
    assert await failed(await other.get(back)), "no cookie"
    await to_provider(other)
    assert await failed(await other.get(back)), "the cookie of another journey"


async def test_code_works_once(client: httpx.AsyncClient, issuer: str) -> None:
    be(issuer, MARA)
    back = at_provider(await to_provider(client))
    kept = dict(client.cookies)
    assert not await failed(await client.get(back))
    header = "; ".join(f"{name}={value}" for name, value in kept.items())
    assert await failed(await client.get(back, headers={"Cookie": header}))


async def test_wrong_state_code_or_verifier_is_refused(client: httpx.AsyncClient, issuer: str) -> None:
    be(issuer, MARA)
    for spoil in ({"state": "another"}, {"state": "þ"}, {"code": "another"}):
        back = at_provider(await to_provider(client))
        assert await failed(await client.get(changed(back, **spoil)))
    location = changed(
        await to_provider(client), code_challenge="E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    )
    assert await failed(await client.get(at_provider(location)))


async def test_wrong_nonce_is_refused(client: httpx.AsyncClient, issuer: str) -> None:
    be(issuer, MARA)
    location = changed(await to_provider(client), nonce="of-another-sign-in")
    assert await failed(await client.get(at_provider(location)))


async def test_sign_in_expires_after_ten_minutes(client: httpx.AsyncClient, issuer: str, clock: Any) -> None:
    be(issuer, MARA)
    back = at_provider(await to_provider(client))
    clock.travel(minutes=11)
    assert await failed(await client.get(back))


async def test_provider_error_returns_to_sign_in_page(client: httpx.AsyncClient) -> None:
    await to_provider(client)
    answer = await client.get("/identity/oidc/callback", params={"error": "access_denied", "state": "x"})
    assert await failed(answer)


async def test_provider_token_is_accepted_as_bearer(client: httpx.AsyncClient, issuer: str) -> None:
    first = await bearer(client, token_for(issuer))
    expect(first, 200)
    assert first.json()["email"] == MARA["email"]
    other = token_for(issuer, email="mara@elsewhere.example", preferred_username="other")
    assert (await bearer(client, other)).json() == first.json(), "the subject says who it is"


async def test_token_with_wrong_audience_or_time_is_refused(
    client: httpx.AsyncClient, issuer: str, subtests: pytest.Subtests
) -> None:
    cases: list[dict[str, Any]] = [
        {"aud": "another-client"},
        {"aud": ["another-client"]},
        {"exp": 1},
        {"exp": None},
        {"nbf": 9_999_999_999},
        {"sub": ""},
        {"sub": None},
    ]
    for claims in cases:
        with subtests.test(claims=claims):
            expect(await bearer(client, token_for(issuer, **claims)), 401)


async def test_forged_token_is_refused(client: httpx.AsyncClient, issuer: str) -> None:
    from joserfc import jwt
    from joserfc.jwk import RSAKey

    claims = {"iss": issuer, "aud": "impasto", "exp": int(time.time()) + 600, **MARA}
    other = RSAKey.generate_key(2048)
    for kid in ("first", "unknown"):
        expect(await bearer(client, jwt.encode({"alg": "RS256", "kid": kid}, claims, other)), 401)
    header, payload, _ = token_for(issuer).split(".")
    expect(await bearer(client, f"{header}.{payload}."), 401)
    expect(await bearer(client, f"eyJhbGciOiJub25lIn0.{payload}."), 401)


async def test_rotated_provider_key_is_fetched(app: Any, client: httpx.AsyncClient, issuer: str) -> None:
    expect(await bearer(client, token_for(issuer)), 200)
    httpx.post(issuer + "/rotate", json={"kid": f"key-{time.monotonic_ns()}"}, timeout=60)
    fetched, keys = app.state.app_state.oidc_client._keys
    app.state.app_state.oidc_client._keys = (
        fetched - 60,
        keys,
    )  # a minute passes: forged tokens cannot make us ask more
    expect(await bearer(client, token_for(issuer)), 200)


class TestUnavailable:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"oidc_issuer": "http://127.0.0.1:9", "oidc_client_id": "impasto"}

    async def test_unreachable_provider_is_503(self, client: httpx.AsyncClient) -> None:
        answer = await client.get("/identity/oidc/start")
        expect(answer, 503, code="provider_unavailable")


class TestNone:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {}

    async def test_without_provider_oidc_is_404(self, client: httpx.AsyncClient, issuer: str) -> None:
        assert (await client.get("/identity/providers")).json() == []
        expect(await client.get("/identity/oidc/start"), 404)
        expect(await client.get("/identity/oidc/callback"), 404)
        expect(await bearer(client, token_for(issuer)), 401)


@pytest.fixture
def database_url() -> str:
    return ""


class TestRegistration:
    """New accounts of the provider's users obey `IMPASTO_SIGN_UP`, in the browser and with a bearer token."""

    @pytest.fixture(params=["invite", "domains", "closed"])
    def mode(self, request: pytest.FixtureRequest) -> str:
        return str(request.param)

    @pytest.fixture
    def extra_settings(self, extra_settings: dict[str, Any], mode: str) -> dict[str, Any]:
        domains = {"sign_up_domains": "listed.example"} if mode == "domains" else {}
        return {**extra_settings, "sign_up": mode, **domains}

    async def admitted(self, client: httpx.AsyncClient, issuer: str, **claims: Any) -> bool:
        """Sign in with a bearer token, then in the browser; return whether both are admitted."""
        token = token_for(issuer, **claims)
        answer = await client.get("/users/me", headers={"Authorization": f"Bearer {token}"})
        be(issuer, {**MARA, **claims})
        walked = await walk(client)
        is_signed_in = "impasto_refresh" in walked.headers.get("set-cookie", "")
        assert is_signed_in == answer.is_success, (walked.headers, answer.text)
        if not is_signed_in:
            expect(answer, 403, code="sign_up_refused")
            assert walked.headers["location"].startswith("/login?failed=")
        return is_signed_in

    async def test_stranger_is_refused(self, client: httpx.AsyncClient, issuer: str) -> None:
        assert not await self.admitted(client, issuer)

    async def test_verified_address_of_a_listed_domain_is_admitted(
        self, client: httpx.AsyncClient, issuer: str, mode: str
    ) -> None:
        email = "mara@listed.example"
        assert not await self.admitted(client, issuer, email=email, email_verified=False)
        assert await self.admitted(client, issuer, sub="m-2", email=email) == (mode == "domains")

    async def test_invited_address_is_admitted_if_it_is_verified(
        self, app: FastAPI, client: httpx.AsyncClient, issuer: str, mode: str
    ) -> None:
        state: AppState = app.state.app_state
        if mode == "closed":
            with pytest.raises(rules.SignUpRefused):
                await invitations.create(state, str(MARA["email"]), None)
            return
        made = await invitations.create(state, str(MARA["email"]), None)
        assert not await self.admitted(client, issuer, email_verified=False)
        assert not await self.admitted(client, issuer, sub="o-1", email="other@northbound.example")
        assert await self.admitted(client, issuer)
        async with state.database.reading() as session:
            accepted = await session.get_one(invitations.Invitation, made.id)
        assert invitations.state_of(state, accepted) == "accepted"

    async def test_existing_account_signs_in(
        self, app: FastAPI, client: httpx.AsyncClient, issuer: str
    ) -> None:
        await create_account(
            app.state.app_state, "mara", str(MARA["email"]), "Thick-paint-7", temporary=False
        )
        assert await self.admitted(client, issuer)
