"""Accounts depend on the database: every test here runs on SQLite and on PostgreSQL."""

import pytest


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    if request.param == "sqlite":
        return ""
    url: str = request.getfixturevalue("migrated_postgresql")
    return url
