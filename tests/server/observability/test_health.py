"""Health checks report each service that the server depends on."""

import shutil
from typing import Any

import pytest
from sqlalchemy import text
from tests.server.responses import expect

from impasto_server.db.engine import Database
from impasto_server.email.models import QueuedEmail
from impasto_server.settings import Settings

pytestmark = pytest.mark.anyio
READY = {"database": "ok", "store": "ok", "queue": "ok", "mail": "ok"}


async def readiness(client: Any, status: int) -> Any:
    return expect(await client.get("http://testserver/readyz"), status).json()


async def test_process_is_alive_and_ready(client: Any) -> None:
    assert expect(await client.get("http://testserver/healthz"), 200).json() == {"status": "ok"}
    assert await readiness(client, 200) == READY
    assert expect(await client.get("http://testserver/readyz/server"), 200).json() == {"database": "ok"}


async def test_server_without_its_storage_is_not_ready_but_answers(client: Any, settings: Settings) -> None:
    shutil.rmtree(settings.data_dir / "assets")
    assert await readiness(client, 503) == {**READY, "store": "unavailable"}
    expect(await client.get("http://testserver/readyz/server"), 200)


async def test_server_with_delayed_emails_is_ready(client: Any, app_state: Any) -> None:
    now = app_state.clock()
    for attempts, mail in ((0, "ok"), (1, "delayed")):
        async with app_state.database.writing() as session:
            session.add(QueuedEmail(content=b"x", attempts=attempts, created_at=now, next_attempt_at=now))
        assert await readiness(client, 200) == {**READY, "mail": mail}


async def test_table_of_emails_that_cannot_be_read_counts_as_delayed(client: Any, app_state: Any) -> None:
    async with app_state.database.writing() as session:
        await session.execute(text("DROP TABLE queued_emails"))
    assert await readiness(client, 200) == {**READY, "mail": "delayed"}


async def test_server_without_its_database_can_answer_no_requests(client: Any, app_state: Any) -> None:
    unreachable = Database("postgresql+asyncpg://impasto@127.0.0.1:9/impasto")
    app_state.database, own = unreachable, app_state.database
    try:
        assert await readiness(client, 503) == {**READY, "database": "unavailable"}
        answer = await client.get("http://testserver/readyz/server")
        assert expect(answer, 503).json() == {"database": "unavailable"}
    finally:
        app_state.database = own
        await unreachable.close()
