"""Which rows the index of parts of words finds, and when it is of no use."""

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import select

from impasto_server.db import substring_search
from impasto_server.db.folding import contains_words, folded_on_postgresql
from impasto_server.db.substring_search import SubstringIndex
from impasto_server.flows.models import FlowRow

pytestmark = pytest.mark.anyio
AT = datetime(2026, 1, 31, 9, tzinfo=UTC)
INDEX = SubstringIndex("flows", folded_on_postgresql("name", "description"))


@pytest.fixture
def database_url(both_databases: str) -> str:
    return both_databases


async def test_index_finds_rows_by_parts_of_words(app_state: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {
        "f1": ("Posters", "For the spring"),
        "f2": ("Été à Porto", ""),
        "f3": ('A "quoted" post', ""),
        "f4": ("โรงแรมริมน้ำ नमस्ते", "مُحَمَّد שָׁלוֹם"),
    }
    async with app_state.database.writing() as session:
        session.add_all(
            FlowRow(id=each, name=name, description=text, draft={}, created_at=AT, updated_at=AT)
            for each, (name, text) in rows.items()
        )
    async with app_state.database.reading() as session:

        async def found(query: str) -> list[str] | None:
            ids = await INDEX.candidates(session, query)
            return None if ids is None else sorted(set(ids) & rows.keys())

        async def matching(query: str) -> list[str]:
            conditions = contains_words(query, FlowRow.name, FlowRow.description)
            return list(await session.scalars(select(FlowRow.id).where(FlowRow.id.in_(rows), *conditions)))

        assert await found("post") == ["f1", "f3"]
        assert await found("OSTER spr") == ["f1"]
        assert await found("ete") == ["f2"]
        assert await found('"quo') == ["f3"]
        assert await found("poster porto") == []
        for query in ("ริมน้ำ", "नमस्ते", "مُحَمَّد", "שָׁלוֹם"):
            assert await found(query) == await matching(query) == ["f4"], query
        for query in ("q_oted", 'a"%quoted', "post spring porto"):
            assert await matching(query) == [], query
        assert await matching("ÉTÉ por") == ["f2"]
        assert await found("to be") is None, "no part has three characters"
        for most, expected in ((2, ["f1", "f3"]), (1, None)):
            monkeypatch.setattr(substring_search, "_MAX_ROWS", most)
            assert await found("post") == expected
