"""What a server or a command opens while it runs, and that all of it ends with it."""

import asyncio
import gc
import os
import stat
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog
from pydantic import SecretStr
from sqlalchemy import func, select
from tests.server.compiler_processes import ForkedCompilerProcess
from tests.server.observability.otlp_receiver import *  # noqa: F403
from tests.server.observability.otlp_receiver import Receiver
from tests.server.resources import redis_connections, task_names, thread_names
from tests.server.sample_nodes import chain, sample_catalog

from impasto_server.app import create_app, open_app_state
from impasto_server.brands.imports import service as brand_imports
from impasto_server.brands.imports.errors import ImportFailed
from impasto_server.compiler import pool
from impasto_server.compiler.documents import Source
from impasto_server.container import AppState
from impasto_server.content_credentials.authority import own_authority_file
from impasto_server.security.crypto import create_missing_keys
from impasto_server.settings import Settings
from impasto_server.users import service as users
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio


@pytest.fixture
def extra_settings(redis_url: str) -> dict[str, Any]:
    return {"redis_url": redis_url}


@pytest.fixture
def share_compiler_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each server has processes of its own here."""
    monkeypatch.setattr(pool, "CompilerProcess", ForkedCompilerProcess)
    monkeypatch.setattr(brand_imports, "CompilerProcess", ForkedCompilerProcess)


@asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[AppState]:
    app = create_app(settings, sample_catalog())
    async with app.router.lifespan_context(app):
        yield app.state.app_state


@pytest.mark.parametrize("opened", [serving, open_app_state], ids=["server", "command"])
async def test_everything_that_was_opened_ends(
    opened: Any, settings: Settings, data_folder: Path, receiver: Receiver, redis: Any
) -> None:
    structlog.reset_defaults()
    tasks, connected = asyncio.all_tasks(), await redis_connections(redis)
    async with opened(settings.model_copy(update={"otel_endpoint": receiver.url})) as app_state:
        async with app_state.database.writing() as session:
            user = await users.create(session, "mara", "mara@northbound.example", app_state.clock())
        await app_state.slots.take(user, "exports")
        await app_state.rate_limiter.hit("1/minute", user.id)
        await app_state.compiler.check(user.id, Source(chain("shout"), {}))
        with pytest.raises(ImportFailed):
            await app_state.brand_importer.read_font(user.id, b"no font", "file")
        importing = app_state.brand_importer._pool
        assert importing is not None
        assert len(importing.process_ids) == 1
        app_state.pubsub.publish("x")
        with app_state.tracing.span("the last", {}):
            pass
        assert len(app_state.compiler.process_ids) == 1
        assert structlog.is_configured()
        assert await redis_connections(redis) - connected
    assert asyncio.all_tasks() <= tasks
    assert app_state.compiler.process_ids == importing.process_ids == []
    assert app_state.database.engine.pool.checkedin() == 0
    assert receiver.one("the last").parent == ""
    async with asyncio.timeout(10):
        while await redis_connections(redis) - connected:
            await asyncio.sleep(0.01)


async def test_last_notification_of_a_command_is_sent(settings: Settings, redis: Any) -> None:
    async with redis.pubsub() as channel:
        await channel.subscribe("impasto:signals:x")
        await channel.get_message(timeout=10)
        async with open_app_state(settings) as app_state:
            async with app_state.database.reading() as session:
                assert await session.scalar(select(func.count()).select_from(User)) == 0
            app_state.pubsub.publish("x", b"the last")
        assert (await channel.get_message(timeout=10))["data"] == b"the last"


@pytest.fixture
def usual_collections() -> Iterator[None]:
    former = gc.get_threshold()
    gc.set_threshold(700, *former[1:])
    yield
    gc.set_threshold(*former)


class TestWhileServing:
    """A server has tasks and limits of its own as long as it serves."""

    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"smtp_url": SecretStr("smtp://127.0.0.1:9")}

    async def test_tasks_run_and_limits_of_python_are_changed_while_it_serves(
        self, settings: Settings, data_folder: Path, usual_collections: None
    ) -> None:
        def limits() -> tuple[int, float]:
            return gc.get_threshold()[0], sys.getswitchinterval()

        before = limits()
        async with serving(settings):
            assert limits() == (20_000, pytest.approx(0.0005))
            assert {"housekeeping", "e-mail"} <= task_names()
            assert "loop watchdog" in thread_names()
        assert limits() == before


async def test_server_in_production_has_private_files_and_no_documentation(
    settings: Settings, tmp_path: Path
) -> None:
    keys = tmp_path / "keys"
    changes = {"environment": "production", "content_credentials": True, "secrets_dir": keys}
    settings = settings.model_copy(update={**changes, "editor_dir": tmp_path})
    create_missing_keys(settings)
    keys.chmod(0o755)
    former = os.umask(0o022)
    try:
        app = create_app(settings, sample_catalog())
    finally:
        os.umask(former)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        found = {path: (await client.get(path)).status_code for path in ("/docs", "/openapi.json", "/redoc")}
    assert found == {"/docs": 404, "/openapi.json": 404, "/redoc": 404}
    private = (settings.data_dir, keys, own_authority_file(settings))
    assert [stat.S_IMODE(path.stat().st_mode) for path in private] == [0o700, 0o700, 0o600]
