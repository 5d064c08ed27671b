"""Which codes, devices, sessions and invitations the queries of identity find, change and delete."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import inspect, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import DeclarativeBase
from tests.server.conftest import TravellingClock

from impasto_server.container import AppState
from impasto_server.identity import repository
from impasto_server.identity import service as identity
from impasto_server.identity.errors import SessionEnded
from impasto_server.identity.models import (
    Code,
    Invitation,
    KnownDevice,
    RefreshToken,
    SignInSession,
    WrongCodes,
)
from impasto_server.identity.second_factors import repository as second_factors
from impasto_server.identity.second_factors.models import Passkey, PasskeyChallenge, RecoveryCode, TotpSecret
from impasto_server.identity.second_factors.service import kinds
from impasto_server.identity.sessions import service as sessions
from impasto_server.identity.sessions.devices import Device
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio
AT = datetime(2026, 1, 31, 9, tzinfo=UTC)
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)


@pytest.fixture
async def users(app_state: AppState) -> tuple[str, str]:
    """Two users, who have not signed in."""
    names = ("mara", "ines")
    async with app_state.database.writing() as session:
        session.add_all(User(id=name, username=name, username_key=name, created_at=AT) for name in names)
    return names


def code(user_id: str, purpose: str, requester: str = "device", expires_at: datetime = AT + SECOND) -> Code:
    return Code(
        user_id=user_id,
        purpose=purpose,
        requester=requester,
        hash="0" * 64,
        expires_at=expires_at,
        tries_left=3,
    )


def device(
    device_id: str, user_id: str, block: str = "192.0.2.1", last_used_at: datetime = AT
) -> KnownDevice:
    about = {"digest": device_id * 64, "address_block": block, "created_at": AT, "last_used_at": last_used_at}
    return KnownDevice(id=device_id, user_id=user_id, **about)


def sign_in(session_id: str, user_id: str, **about: Any) -> SignInSession:
    return SignInSession(id=session_id, user_id=user_id, **{"created_at": AT, "last_used_at": AT, **about})


async def stored(session: AsyncSession, table: type[DeclarativeBase], key: Callable[[Any], Any]) -> list[Any]:
    await session.flush()
    session.expire_all()
    return sorted(key(row) for row in await session.scalars(select(table)))


async def test_what_has_expired_is_deleted(app_state: AppState, users: tuple[str, str]) -> None:
    mara, _ = users
    usual = {"purpose": "p", "binding": "b", "challenge": b"c"}
    async with app_state.database.writing() as session:
        session.add_all([sign_in("a", mara), sign_in("b", mara), sign_in("c", mara)])
        await session.flush()
        session.add_all(
            [
                code(mara, "a", expires_at=AT), code(mara, "b", expires_at=AT - SECOND),
                WrongCodes(address="a", day=AT.date() - DAY, count=1),
                WrongCodes(address="b", day=AT.date() - 2 * DAY, count=1),
                device("a", mara, last_used_at=AT - 400 * DAY),
                device("b", mara, last_used_at=AT - 400 * DAY - SECOND),
                RefreshToken(hash="a", session_id="a", expires_at=AT),
                RefreshToken(hash="b", session_id="b", expires_at=AT - SECOND),
                PasskeyChallenge(id="a", expires_at=AT, **usual),
                PasskeyChallenge(id="b", expires_at=AT - SECOND, **usual),
            ]
        )  # fmt: skip
        await session.flush()
        assert await identity.delete_expired(session, AT) == 6
        assert await stored(session, Code, lambda row: row.purpose) == ["a"]
        assert await stored(session, WrongCodes, lambda row: row.address) == ["a"]
        assert await stored(session, KnownDevice, lambda row: row.id) == ["a"]
        assert await stored(session, RefreshToken, lambda row: row.hash) == ["a"]
        assert await stored(session, SignInSession, lambda row: row.id) == ["a"]
        assert await stored(session, PasskeyChallenge, lambda row: row.id) == ["a"]


async def test_codes_and_devices_are_those_of_one_user(app_state: AppState, users: tuple[str, str]) -> None:
    mara, ines = users
    async with app_state.database.writing() as session:
        session.add_all(
            [
                code(mara, "email a"), code(mara, "email b"), code(mara, "sign_up"),
                code(mara, "sign_up", "another", AT), code(ines, "email a"), code(ines, "sign_up"),
                device("a", mara), device("b", mara, "192.0.2.2"), device("c", ines),
            ]
        )  # fmt: skip

        async def codes() -> list[tuple[str, str]]:
            return await stored(session, Code, lambda row: (row.user_id == mara, row.purpose))

        live = await repository.live_codes(session, mara, AT)
        assert sorted(each.purpose for each in live) == ["email a", "email b", "sign_up"]
        await repository.delete_codes(session, mara, "email")
        assert len(await codes()) == 6, "the purpose is a prefix of two others"
        await repository.delete_codes(session, mara, "email", is_prefix=True)
        assert await codes() == [(False, "email a"), (False, "sign_up"), (True, "sign_up"), (True, "sign_up")]
        await repository.delete_codes(session, ines, "sign_up")
        await repository.delete_all_codes(session, mara)
        assert await codes() == [(False, "email a")]

        for user_id, digest, found in ((mara, "a", "a"), (mara, "c", None), (ines, "c", "c")):
            known = await repository.known_device(session, user_id, digest * 64)
            assert (known and known.id) == found
        for user_id, block, since, is_known in (
            (mara, "192.0.2.1", AT, True), (mara, "192.0.2.1", AT + SECOND, False),
            (mara, "192.0.2.3", AT, False), (ines, "192.0.2.2", AT, False),
        ):  # fmt: skip
            assert await repository.is_known_address(session, user_id, block, since) is is_known
        await repository.delete_known_devices(session, mara)
        assert await stored(session, KnownDevice, lambda row: row.id) == ["c"]
        for _ in range(2):
            await repository.count_wrong_code(session, "a", AT.date())
        found = [await repository.wrong_codes(session, each, AT.date()) for each in ("a", "b")]
        assert (found, await repository.wrong_codes(session, "a", AT.date() - DAY)) == ([2, 0], 0)


async def test_sessions_end_once_and_all_but_one(app_state: AppState, users: tuple[str, str]) -> None:
    mara, ines = users
    async with app_state.database.writing() as session:
        session.add_all(
            [
                sign_in("a", mara), sign_in("b", mara), sign_in("c", mara, last_used_at=AT + DAY),
                sign_in("d", mara, ended_at=AT), sign_in("e", ines),
            ]
        )  # fmt: skip

        async def ends() -> list[tuple[str, datetime | None]]:
            return await stored(session, SignInSession, lambda row: (row.id, row.ended_at))

        assert await repository.count_sessions(session, mara) == (3, AT + DAY)
        assert await repository.count_sessions(session, "none") == (0, None)
        active = await session.scalars(repository.active_sessions(mara))
        assert sorted(row.id for row in active) == ["a", "b", "c"]
        for session_id in ("a", "d"):
            await repository.end_session(session, session_id, AT + SECOND)
        await repository.end_sessions(session, mara, AT + DAY, keep="c")
        assert await ends() == [("a", AT + SECOND), ("b", AT + DAY), ("c", None), ("d", AT), ("e", None)]
        assert [await repository.is_active(session, each) for each in "abcef"] == [
            False, False, True, True, False,
        ]  # fmt: skip
        found = [await repository.active_session(session, each) for each in "ac"]
        assert [each and (each[0].id, each[1].id) for each in found] == [None, (mara, "c")]
    assert await repository.authenticated(app_state.database, "a") is None
    user = await repository.authenticated(app_state.database, "c")
    assert inspect(user).detached
    assert (user and user.id, user and user.username_key, user and user.created_at) == (mara, mara, AT)


async def test_session_is_renewed_until_its_token_expires(
    app_state: AppState, users: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now, lifetime = AT, timedelta(days=app_state.settings.refresh_token_days)
    monkeypatch.setattr(TravellingClock, "__call__", lambda _: now)
    home, office = Device("h", "192.0.2.1", "Firefox on Linux"), Device("o", "192.0.2.2", "Safari on macOS")
    async with app_state.database.writing() as session:
        issued = await sessions.start(app_state, session, await session.get_one(User, "mara"), home)
        again = await sessions.start(app_state, session, await session.get_one(User, "mara"), home)
    assert (issued.is_new_device, again.is_new_device) == (True, False)
    now = AT + DAY
    async with app_state.database.writing() as session:
        moved = Device("h", "192.0.2.3", "Firefox on Linux")
        await sessions.start(app_state, session, await session.get_one(User, "mara"), moved)
        (known,) = await session.scalars(select(KnownDevice))
        assert (known.user_id, known.digest, known.address_block) == ("mara", home.digest, "192.0.2.3")
        assert (known.created_at, known.last_used_at) == (AT, now)
    now = AT + lifetime - timedelta(microseconds=1)
    renewed = await sessions.refresh(app_state, issued.refresh_token, office)
    async with app_state.database.reading() as session:
        rows = (await session.scalars(repository.active_sessions("mara").order_by(SignInSession.id))).all()
        assert [(row.device, row.address, row.created_at, row.last_used_at) for row in rows] == [
            ("Safari on macOS", "192.0.2.2", AT, now),
            ("Firefox on Linux", "192.0.2.1", AT, AT),
            ("Firefox on Linux", "192.0.2.3", AT + DAY, AT + DAY),
        ]
    now += lifetime
    for token in (renewed.refresh_token, again.refresh_token, "unknown"):
        with pytest.raises(SessionEnded):
            await sessions.refresh(app_state, token, office)


async def test_pending_invitation_is_the_newest_that_is_open(app_state: AppState) -> None:
    common = {"email": "Noor@x.example", "created_at": AT, "sent_at": AT, "expires_at": AT}
    async with app_state.database.writing() as session:
        for number, (key, about) in enumerate(
            (("n", {}), ("n", {}), ("n", {"accepted_at": AT}), ("n", {"revoked_at": AT}), ("o", {}))
        ):
            row = Invitation(id=f"i{number}", email_key=key, token_hash=f"{number}", **common, **about)
            session.add(row)
        await session.flush()
        found = [await repository.pending_invitation(session, key) for key in ("n", "o", "p")]
        assert [row and row.id for row in found] == ["i1", "i4", None]
        by_token = [await repository.invitation_by_token(session, digest) for digest in ("2", "9")]
        assert [row and row.id for row in by_token] == ["i2", None]


async def test_second_factors_are_those_of_one_user(app_state: AppState, users: tuple[str, str]) -> None:
    mara, ines = users
    async with app_state.database.writing() as session:
        for user_id, name in ((mara, "m"), (ines, "i")):
            session.add(TotpSecret(user_id=user_id, sealed=b"s", created_at=AT))
            about = {"public_key": b"k", "sign_count": 0, "name": "Key", "created_at": AT}
            for number in (2, 1):
                key = f"{name}{number}"
                session.add(Passkey(id=key, user_id=user_id, credential_id=f"c-{key}", **about))
            await second_factors.replace_recovery_codes(session, user_id, ["a", "b"])
        assert await kinds(session, mara) == ["passkey", "recovery_code"], "the app is not confirmed"
        assert await kinds(session, "none") == []
        app = await second_factors.totp_of(session, mara)
        assert app is not None
        assert app.last_step == 0
        app.confirmed_at = AT
        assert await kinds(session, mara) == ["totp", "passkey", "recovery_code"]
        assert [row.id for row in await second_factors.passkeys_of(session, mara)] == ["m1", "m2"]
        found = [await second_factors.passkey_by_credential(session, each) for each in ("c-i2", "i2")]
        assert [row and row.id for row in found] == ["i2", None]
        taken = [await second_factors.take_recovery_code(session, mara, each) for each in ("a", "a", "c")]
        assert taken == [True, False, False]
        left = [await second_factors.recovery_codes_left(session, each) for each in (mara, ines, "none")]
        assert left == [1, 2, 0]
        await second_factors.replace_recovery_codes(session, mara, ["c", "d", "e"])
        assert await second_factors.recovery_codes_left(session, mara) == 3
        await second_factors.replace_recovery_codes(session, mara, [])
        assert await kinds(session, mara) == ["totp", "passkey"]
        await second_factors.replace_recovery_codes(session, mara, ["c"])
        await second_factors.delete_all(session, mara)
        assert await kinds(session, mara) == []
        assert await stored(session, RecoveryCode, lambda row: (row.user_id, row.digest)) == [
            (ines, "a"),
            (ines, "b"),
        ]
        assert await stored(session, Passkey, lambda row: row.id) == ["i1", "i2"]
        assert [row.user_id for row in await second_factors.all_totp(session)] == [ines]
