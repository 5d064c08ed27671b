"""Rows that a transaction reads to change them are locked until it ends."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select, text, update
from sqlalchemy.ext.asyncio import AsyncSession
from tests.server.assets.asset_rows import asset_row
from tests.server.postgresql import waits_for_a_lock
from tests.server.sample_nodes import chain

from impasto_server.api_keys import service as api_keys
from impasto_server.api_keys.schemas import ApiKeyCreate
from impasto_server.assets import repository as assets
from impasto_server.assets.garbage import PendingDeletion, mark_for_deletion, put_object, sweep
from impasto_server.assets.media.thumbnails import store_beside
from impasto_server.assets.models import AssetRow
from impasto_server.collections import service as collections
from impasto_server.collections.models import CollectionRow
from impasto_server.collections.schemas import CollectionCreate, CollectionUpdate
from impasto_server.container import AppState
from impasto_server.credentials import repository as credentials
from impasto_server.credentials import service as provider_keys
from impasto_server.credentials.models import CredentialRow
from impasto_server.customizations import service as customizations
from impasto_server.customizations.schemas import CustomizationUpdate
from impasto_server.db.engine import Database
from impasto_server.flows import repository as flows
from impasto_server.flows.models import FlowRow
from impasto_server.flows.service import duplicate
from impasto_server.identity import codes
from impasto_server.identity import repository as identity
from impasto_server.identity.models import Code, Invitation, RefreshToken, SignInSession, WrongCodes
from impasto_server.identity.second_factors import repository as second_factors
from impasto_server.identity.second_factors.models import Passkey, TotpSecret
from impasto_server.identity.sessions.devices import Device
from impasto_server.limits.schemas import LimitOverrides
from impasto_server.limits.service import LaunchCost, LimitsService
from impasto_server.runs import repository as runs
from impasto_server.runs.backends import fair_queue
from impasto_server.runs.backends.fair_queue import Places
from impasto_server.runs.models import RunRow
from impasto_server.settings import Settings
from impasto_server.users import repository as users
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio
AT = datetime(2026, 1, 31, 9, tzinfo=UTC)
_OF_THIS_DATABASE = "database = (SELECT oid FROM pg_database WHERE datname = current_database())"
ADVISORY_LOCKS = text(
    f"SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND {_OF_THIS_DATABASE}"
)
READS: dict[str, tuple[type[Any], Callable[[AsyncSession], Awaitable[Any]]]] = {
    "asset": (AssetRow, lambda session: assets.find_for_update(session, "mara", ["a1"])),
    "provider keys": (CredentialRow, credentials.lock_all),
    "agent": (FlowRow, lambda session: flows.find_for_update(session, "f1")),
    "codes": (Code, lambda session: identity.live_codes(session, "mara", AT)),
    "wrong codes": (WrongCodes, lambda session: identity.wrong_codes(session, "x", AT.date())),
    "another wrong code": (WrongCodes, lambda session: identity.count_wrong_code(session, "x", AT.date())),
    "refresh token": (RefreshToken, lambda session: identity.refresh_token(session, "h")),
    "invitation": (Invitation, lambda session: identity.invitation_by_id(session, "i1")),
    "token of an invitation": (Invitation, lambda session: identity.invitation_by_token(session, "h")),
    "invitation of an address": (Invitation, lambda session: identity.pending_invitation(session, "a@b.c")),
    "authenticator app": (TotpSecret, lambda session: second_factors.totp_of(session, "mara")),
    "authenticator apps": (TotpSecret, second_factors.all_totp),
    "passkey": (Passkey, lambda session: second_factors.passkey_by_credential(session, "c")),
    "run": (RunRow, lambda session: runs.find_for_update(session, "r1")),
    "lease": (RunRow, lambda session: runs.find_lease_for_update(session, "r1")),
    "live runs of a user": (RunRow, lambda session: runs.live_for_update(session, "mara")),
    "live runs of a process": (RunRow, lambda session: runs.live_runs_of(session, "one")),
    "user": (User, lambda session: users.find_for_update(session, "mara")),
}


@pytest.fixture
async def database(migrated_postgresql: str) -> AsyncIterator[Database]:
    """A database with one row of each table that is read so."""
    database = Database(migrated_postgresql)
    later = AT + timedelta(seconds=1)
    async with database.writing() as session:
        session.add(User(id="mara", username="mara", username_key="mara", created_at=AT))
        await session.flush()
        session.add(SignInSession(id="s1", user_id="mara", created_at=AT, last_used_at=AT))
        await session.flush()
        about = {"owner_id": "mara", "number": 1, "flow_name": "Poster", "document": {"nodes": []}}
        session.add_all(
            [
                asset_row("a1", "mara"),
                CredentialRow(owner_id="mara", provider="fal", sealed=b"x", last_four="1234", updated_at=AT),
                FlowRow(id="f1", name="Poster", draft={}, created_at=AT, updated_at=AT),
                Code(user_id="mara", purpose="p", requester="d", hash="h", expires_at=later, tries_left=3),
                WrongCodes(address="x", day=AT.date(), count=1),
                RefreshToken(hash="h", session_id="s1", expires_at=AT),
                Invitation(id="i1", email="a@b.c", email_key="a@b.c", token_hash="h", created_at=AT,
                    sent_at=AT, expires_at=AT),
                TotpSecret(user_id="mara", sealed=b"x", created_at=AT),
                Passkey(user_id="mara", credential_id="c", public_key=b"x", sign_count=0, name="Phone",
                    created_at=AT),
                RunRow(id="r1", status="running", lease_owner="one", lease_until=AT, **about),
            ]
        )  # fmt: skip
    yield database
    await database.close()


async def test_rows_that_are_read_to_be_changed_are_locked(database: Database) -> None:
    for name, (row, read) in READS.items():
        others = select(row).with_for_update(skip_locked=True)
        async with database.writing() as session, database.reading() as other:
            await read(session)
            assert (await other.scalars(others)).all() == [], name
        async with database.reading() as session:
            assert len((await session.scalars(others)).all()) == 1, name


async def test_locked_user_has_the_values_of_this_moment(database: Database) -> None:
    async with database.writing() as session:
        before = await users.by_id(session, "mara")
        async with database.writing() as other:
            await other.execute(update(User).values(username="maria"))
        assert await users.find_for_update(session, "mara") is before
        assert before is not None
        assert before.username == "maria"


async def test_limits_that_are_changed_at_once_are_all_kept(database: Database) -> None:
    limits = LimitsService(Settings(_env_file=None), database, lambda: AT)

    async def allow_brands() -> None:
        async with database.writing() as session:
            await limits.set(session, "mara", LimitOverrides(brands=7))

    async with database.writing() as session:
        await limits.set(session, "mara", LimitOverrides(agents=3))
        second = asyncio.create_task(allow_brands())
        async with asyncio.timeout(20):
            while not await waits_for_a_lock(database):
                await asyncio.sleep(0.01)
    await second
    found = await limits.get("mara")
    assert (found.limits.agents, found.limits.brands) == (3, 7)


async def test_record_of_an_object_is_locked_while_its_rows_are_written(database: Database) -> None:
    async def put() -> None:
        """The object is stored already."""

    async def write(session: AsyncSession) -> tuple[int, int]:
        async with database.reading() as other:
            records = await other.scalars(select(PendingDeletion).with_for_update(skip_locked=True))
            return len(records.all()), await other.scalar(ADVISORY_LOCKS) or 0

    assert await put_object(database, "a/b", put, write) == (0, 1)


class TestServices:
    """What services count or look for is locked until their transaction ends."""

    @pytest.fixture
    def database_url(self, migrated_postgresql: str) -> str:
        return migrated_postgresql

    @pytest.fixture
    async def mara(self, app_state: AppState) -> User:
        """A user with an e-mail address."""
        user = User(id="mara", username="mara", username_key="mara", email="a@b.example", created_at=AT)
        async with app_state.database.writing() as session:
            session.add(user)
        return user

    async def test_user_is_locked_while_something_that_counts_is_added(
        self, app_state: AppState, mara: User
    ) -> None:
        limits = app_state.limits
        agent = FlowRow(id="f1", owner_id="mara", name="Poster", draft={}, created_at=AT, updated_at=AT)
        collection = CollectionRow(id="c1", owner_id="mara", name="Blue", created_at=AT, updated_at=AT)
        async with app_state.database.writing() as session:
            session.add_all([agent, collection])
        key, values = ApiKeyCreate(name="CI", scopes=["read"]), CustomizationUpdate(values={"ask": "Hi"})
        wanted, changed = CollectionCreate(name="Red"), CollectionUpdate(name="Green")
        adds: list[Callable[[AsyncSession], Awaitable[object]]] = [
            lambda session: limits.lock(session, "mara"),
            lambda session: limits.check_agent(session, "mara"),
            lambda session: limits.check_brand(session, "mara"),
            lambda session: limits.check_asset(session, "mara", 1),
            lambda session: limits.count_documents(session, agent, 1),
            lambda session: limits.reserve_launches(session, "mara", [LaunchCost()]),
            lambda session: api_keys.create(session, app_state, mara, key),
            lambda session: collections.create(session, app_state, mara, wanted),
            lambda session: collections.update(session, app_state, mara, "c1", changed),
            lambda session: provider_keys.put(session, app_state, mara, "fal", "secret-1234"),
            lambda session: customizations.update(session, app_state, mara, "f1", values),
        ]
        others = select(User.id).with_for_update(key_share=True, skip_locked=True)
        for number, add in enumerate(adds):
            async with app_state.database.writing() as session, app_state.database.reading() as other:
                await add(session)
                assert (await other.scalars(others)).all() == [], number

    async def test_codes_of_a_user_and_the_queue_are_locked(self, app_state: AppState, mara: User) -> None:
        device, places = Device("t", "192.0.2.1", "Firefox"), Places(1, 0, suspects=True)
        locks: list[Callable[[AsyncSession], Awaitable[object]]] = [
            lambda session: codes.create(app_state, session, mara, codes.RESET, device),
            lambda session: codes.check(app_state, session, mara, codes.RESET, "000000", device),
            lambda session: fair_queue.claim(session, "one", AT, 30, places),
        ]
        for number, lock in enumerate(locks):
            async with app_state.database.writing() as session, app_state.database.reading() as other:
                await lock(session)
                assert await other.scalar(ADVISORY_LOCKS), number

    async def test_object_is_locked_while_its_row_is_looked_for(
        self, app_state: AppState, mara: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        about = {"name": "Poster", "draft": chain("shout"), "created_at": AT, "updated_at": AT}
        async with app_state.database.writing() as session:
            session.add_all(
                [asset_row("a1", "mara"), FlowRow(id="f1", owner_id="mara", avatar_key="covers/a", **about)]
            )
        held: list[int | None] = []

        async def count_locks(*_: object) -> bool:
            async with app_state.database.reading() as other:
                held.append(await other.scalar(ADVISORY_LOCKS))
            return True

        for name in ("put_at", "exists", "delete"):
            monkeypatch.setattr(app_state.storage, name, count_locks)
        await store_beside(app_state.database, app_state.storage, f"thumbnails/{'0' * 64}", b"x")
        await duplicate(app_state, mara, "f1")
        async with app_state.database.writing() as session:
            await mark_for_deletion(session, ["covers/gone"])
        await sweep(app_state)
        assert held == [1, 1, 1]
