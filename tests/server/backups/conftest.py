"""Fixtures of tests of backups."""

import pytest
from sqlalchemy import Connection, Table, text

from impasto_server.backups import rows


@pytest.fixture(scope="session")
def known_tables() -> dict[tuple[str, str], list[Table]]:
    """The tables of each kind of database and revision."""
    return {}


@pytest.fixture
def describe_tables_once(
    known_tables: dict[tuple[str, str], list[Table]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Describe the tables of a kind of database and a revision once, and use the description again.

    It takes a fourth of a second of processor time, and each test does it often.
    """
    describe = rows._reflect

    def described(connection: Connection) -> list[Table]:
        revision = connection.scalar(text("SELECT version_num FROM alembic_version"))
        key = (connection.dialect.name, str(revision))
        if key not in known_tables:
            known_tables[key] = describe(connection)
        return known_tables[key]

    monkeypatch.setattr(rows, "_reflect", described)
