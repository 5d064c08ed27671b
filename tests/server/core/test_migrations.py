"""The revisions and the declared tables say the same, on both databases."""

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine

from impasto_server.migrations.runner import migrate
from impasto_server.migrations.tables import metadata

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'new' / 'impasto.db'}"
    empty: str = request.getfixturevalue("empty_postgresql")
    return empty


async def test_the_newest_shape_is_the_declared_one(url: str) -> None:
    await migrate(url)
    await migrate(url)  # a second start changes nothing

    engine = create_async_engine(url)
    async with engine.connect() as connection:
        differences = await connection.run_sync(_differences)
    await engine.dispose()
    assert differences == []


async def test_every_declared_table_is_there(url: str) -> None:
    await migrate(url)
    engine = create_async_engine(url)
    async with engine.connect() as connection:
        names = await connection.run_sync(lambda it: set(it.dialect.get_table_names(it)))
        revision = await connection.scalar(text("SELECT version_num FROM alembic_version"))
    await engine.dispose()
    assert names - {"alembic_version"} == set(metadata.tables)
    assert revision == "0004"


def _differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    return list(compare_metadata(context, metadata))
