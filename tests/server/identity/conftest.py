"""Accounts depend on the database: every test here runs on SQLite and on PostgreSQL."""

import pytest


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database
