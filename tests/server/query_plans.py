"""How a database would execute a query."""

from typing import Any

from sqlalchemy import Select, text

from impasto_server.db.engine import Database


async def plan_of(database: Database, query: Select[Any]) -> str:
    """Return the plan of a query, a line for each of its parts."""
    explain = "EXPLAIN QUERY PLAN" if database.engine.dialect.name == "sqlite" else "EXPLAIN"
    compiled = query.compile(database.engine.sync_engine, compile_kwargs={"literal_binds": True})
    async with database.reading() as session:
        lines = await session.execute(text(f"{explain} {compiled}".replace(":", r"\:")))
        return "\n".join(map(str, lines))


async def plans_of(database: Database, *queries: Select[Any]) -> list[str]:
    """Return the plans of queries by a database that knows its tables."""
    async with database.writing() as session:
        await session.execute(text("ANALYZE"))
    return [await plan_of(database, query) for query in queries]
