"""Runs every test of this folder on SQLite and on PostgreSQL."""

import pytest


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database
