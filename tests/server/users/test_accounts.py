"""Finding users by their names and addresses, and what is kept of them."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError
from tests.server.conftest import Recorded

from impasto_server.http.pagination import PageQuery
from impasto_server.users import service as users
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio


@pytest.fixture
async def add(app_state: Any) -> Callable[..., Any]:
    """Return a function that adds a confirmed user, each a minute before the last one; it returns the id."""
    at = app_state.clock()

    async def make(username: str, email: str | None = None, **values: Any) -> str:
        nonlocal at
        at -= timedelta(minutes=1)
        async with app_state.database.writing() as session:
            user = await users.create(session, username, email, at)
            for name, value in {"confirmed_at": at, **values}.items():
                setattr(user, name, value)
            return str(user.id)

    return make


def name_of(user: User | None) -> str | None:
    return user.username if user else None


async def test_names_and_addresses_are_found_in_any_case(app_state: Any, add: Callable[..., Any]) -> None:
    await add("  Mara ", "Mara@Here.example")
    await add("noor")
    async with app_state.database.reading() as session:
        for login in ("mara", "MARA", " mara@here.EXAMPLE "):
            assert name_of(await users.find_by_login(session, login)) == "Mara"
        assert name_of(await users.find_by_username(session, "mARA")) == "Mara"
        assert await users.find_by_username(session, "mara@here.example") is None
        assert name_of(await users.find_by_email(session, "MARA@here.example")) == "Mara"
        assert await users.find_by_email(session, "mara") is None
        noor = await users.find_by_login(session, "noor")
        assert noor is not None
        assert (noor.email, noor.email_key, noor.betas) == (None, None, [])


async def test_username_comes_before_the_address_of_another(app_state: Any, add: Callable[..., Any]) -> None:
    await add("first", "shared@here.example")
    await add("shared@here.example")
    async with app_state.database.reading() as session:
        found = await users.find_by_login(session, "shared@here.example")
        assert name_of(found) == "shared@here.example"
        both = await users.find_conflicting(session, "shared@here.example", "shared@here.example")
        assert {user.username for user in both} == {"first", "shared@here.example"}
        one = await users.find_conflicting(session, "first", "free@here.example")
        assert [user.username for user in one] == ["first"]
        assert not await users.find_conflicting(session, "free", "free@here.example")


async def test_name_or_address_of_another_is_refused_at_once(app_state: Any, add: Callable[..., Any]) -> None:
    await add("mara", "mara@here.example")
    noor, now = await add("noor", "noor@here.example"), app_state.clock()
    for username, email in (("MARA", None), ("ines", "Mara@here.example")):
        async with app_state.database.writing() as session:
            with pytest.raises(IntegrityError):
                await users.create(session, username, email, now)
            await session.rollback()
    async with app_state.database.writing() as session:
        user = await users.find(session, noor)
        assert user is not None
        with pytest.raises(IntegrityError):
            await users.change_email(session, user, "Mara@here.example")
        await session.rollback()


async def test_username_that_is_the_address_changes_with_it(app_state: Any, add: Callable[..., Any]) -> None:
    for username, expected in (("mara@old.example", "Mara@new.example"), ("noor", "noor")):
        address = "Mara@new.example" if username != "noor" else "Noor@new.example"
        user_id = await add(username, address.replace("new", "old"))
        async with app_state.database.writing() as session:
            user = await users.find(session, user_id)
            assert user is not None
            await users.change_email(session, user, address)
        async with app_state.database.reading() as session:
            user = await users.find_by_login(session, address.upper())
            assert user is not None
            assert (user.id, user.username, user.email) == (user_id, expected, address)
            assert await users.find_by_login(session, address.replace("new", "old")) is None


async def test_users_are_searched_by_what_they_can_do(app_state: Any, add: Callable[..., Any]) -> None:
    now = app_state.clock()
    everyone = {
        "active": {},
        "admin": {"is_admin": True},
        "unconfirmed": {"confirmed_at": None},
        "suspended": {"suspended_at": now},
        "both": {"suspended_at": now, "confirmed_at": None},
    }
    ids = {name: await add(name, **values) for name, values in everyone.items()}
    async with app_state.database.reading() as session:
        for wanted, expected in (
            (None, set(everyone)),
            ("active", {"active", "admin"}),
            ("unconfirmed", {"unconfirmed"}),
            ("suspended", {"suspended", "both"}),
            ("admin", {"admin"}),
        ):
            rows, _, total = await users.search(session, " ", wanted, PageQuery(limit=9))
            assert {user.username for user in rows} == expected
            assert total == len(expected)
        for text, found in (
            (f" {ids['both']} ", ["both"]), (" DMI ", ["admin"]), ("%", []), ("_", []), ("none", []),
        ):  # fmt: skip
            rows, cursor, total = await users.search(session, text, None, PageQuery(limit=9))
            assert ([user.username for user in rows], cursor, total) == (found, None, len(found))
        rows, cursor, total = await users.search(session, "", "active", PageQuery(limit=1))
        assert (len(rows), total) == (1, 2), "the number is that of all pages"
        assert cursor is not None
        states = {user.username: users.status_of(user) for user in await users.list_all(session)}
        assert list(states) == list(everyone)[::-1], "oldest first"
        assert states == {
            "active": "active", "admin": "active", "unconfirmed": "unconfirmed", "suspended": "suspended",
            "both": "suspended",
        }  # fmt: skip
        assert await users.usernames(session, [ids["admin"], "none"]) == {ids["admin"]: "admin"}


async def test_only_a_user_who_never_confirmed_is_deleted_for_it(
    app_state: Any, add: Callable[..., Any], recorded: Recorded
) -> None:
    kept, left = await add("kept"), await add("left", confirmed_at=None)
    for user_id, expected in ((kept, False), (left, True), (left, False)):
        async with app_state.database.writing() as session:
            assert await users.delete_unconfirmed(app_state, session, user_id) is expected
    async with app_state.database.reading() as session:
        assert [user.username for user in await users.list_all(session)] == ["kept"]
    (entry,) = await recorded("account.delete")
    assert (entry.target_kind, entry.target_id) == ("user", left)
    assert entry.details == {"reason": "never confirmed"}


async def test_name_in_content_credentials_is_trimmed_or_none(
    app_state: Any, add: Callable[..., Any]
) -> None:
    user_id = await add("mara")
    for given, kept in ((" Mara K. ", "Mara K."), ("  ", None), (None, None)):
        async with app_state.database.writing() as session:
            assert (await users.set_credentials_name(session, user_id, given)).credentials_name == kept
