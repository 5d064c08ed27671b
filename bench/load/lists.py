"""Lists at 100,000 rows of one user: runs, assets and agents, a page at a time over HTTP."""

import asyncio
import io
import statistics
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, NamedTuple

import httpx
from installation import Installation
from launches import agent_of
from PIL import Image
from sqlalchemy import Table, insert, select, text

from impasto_server.assets.models import AssetRow
from impasto_server.db.engine import Base, Database
from impasto_server.db.text_search import indexed_text
from impasto_server.flows.models import FlowRow
from impasto_server.runs.models import RunListingRow, RunRow
from impasto_server.utils import new_id

_CHUNK = 2000
_PAGE = 50
_RARE = 20_000  # different words among the rows
_RUN_SECONDS = 60
_LISTS = {"runs": "/runs/", "library": "/assets/library", "agents": "/flows/"}
_ANALYZE = text("ANALYZE")

Values = dict[str, Any]


class Row(NamedTuple):
    """A list, what is asked of it, and milliseconds from request to response."""

    name: str
    asked: str
    p50: float
    p99: float


def measure(installation: Installation, rows: int, requests: int) -> Iterator[Row]:
    """Fill the lists to this many rows each, and yield the times of their requests."""
    agent = agent_of(installation, "chain", 3)
    run_id = _finished_run(installation, agent)
    image = {"file": ("cover.png", _png(), "image/png")}
    asset_id = installation.call("POST", "/assets/", files=image)["id"]
    asyncio.run(_fill(installation, rows, {"flow": agent, "run": run_id, "asset": asset_id}))
    with httpx.Client(timeout=120, headers=installation.headers) as client:
        for name, path in _LISTS.items():
            url = installation.url + path
            for asked, params in _questions(client, url, min(_RARE, rows)).items():
                yield Row(name, asked, *_times(client, url, params, requests))


def _questions(client: httpx.Client, url: str, words: int) -> dict[str, Callable[[int], Values]]:
    """Return the parameters of each request by what it asks."""
    deep = _cursor_after(client, url, pages=20)
    return {
        "first page": lambda _: {},
        "page 21": lambda _: {"cursor": deep},
        "rare word": lambda number: {"q": f"rare{number * 61 % words}"},
        "word of all": lambda _: {"q": "common"},
    }


def _cursor_after(client: httpx.Client, url: str, pages: int) -> str:
    cursor: Values = {}
    for _ in range(pages):
        page = _get(client, url, cursor)
        if page["next_cursor"] is None:
            raise RuntimeError(f"{url} has fewer than {pages + 1} pages: use more rows")
        cursor = {"cursor": page["next_cursor"]}
    return cursor["cursor"]


def _times(
    client: httpx.Client, url: str, params_of: Callable[[int], Values], requests: int
) -> tuple[float, float]:
    taken = []
    for number in range(requests):
        params = params_of(number)
        begun = time.perf_counter()
        page = _get(client, url, params)
        taken.append((time.perf_counter() - begun) * 1e3)
        if not page["items"]:
            raise RuntimeError(f"{url}: nothing was found for {params}")
    taken.sort()
    return statistics.median(taken), taken[int(len(taken) * 0.99)]


def _get(client: httpx.Client, url: str, params: Values) -> Values:
    # Agents that are drafts are listed with `include_all`, which the other lists do not know.
    response = client.get(url, params={"limit": _PAGE, "include_all": True, **params})
    response.raise_for_status()
    return response.json()


def _finished_run(installation: Installation, agent: str) -> str:
    body = {"inputs": {"ask": uuid.uuid4().hex}, "version": "draft"}
    run_id = installation.call("POST", f"/flows/{agent}/runs", json=body)["id"]
    deadline = time.monotonic() + _RUN_SECONDS
    while installation.call("GET", f"/runs/{run_id}")["status"] != "finished":
        if time.monotonic() > deadline:
            raise RuntimeError("the run did not finish")
        time.sleep(0.05)
    return run_id


async def _fill(installation: Installation, rows: int, ids: dict[str, str]) -> None:
    """Add copies of an agent, a run and an asset that the server has made, each with words of its own."""
    database = Database(installation.database_url)
    try:
        async with database.reading() as session:
            run = await _row(session, RunRow.__table__, RunRow.__table__.c.id == ids["run"])
            listing_of_run = RunListingRow.__table__.c.run_id == ids["run"]
            listing = await _row(session, RunListingRow.__table__, listing_of_run)
            asset = await _row(session, AssetRow.__table__, AssetRow.__table__.c.id == ids["asset"])
            flow = await _row(session, FlowRow.__table__, FlowRow.__table__.c.id == ids["flow"])
        for start in range(0, rows, _CHUNK):
            numbers = range(start + 1, min(start + _CHUNK, rows) + 1)
            run_ids = [new_id() for _ in numbers]
            runs = [_copy_of_run(run, key, n) for key, n in zip(run_ids, numbers, strict=True)]
            words = [f"common rare{number % min(_RARE, rows)}" for number in numbers]
            listings = [
                {**listing, "run_id": key, "title": word, "words": indexed_text(word)}
                for key, word in zip(run_ids, words, strict=True)
            ]
            assets = [
                {**asset, "id": new_id(), "name": f"{word}.png", "words": indexed_text(word)}
                for word in words
            ]
            flows = [
                {
                    **flow,
                    "id": new_id(),
                    "name": word,
                    "updated_at": flow["updated_at"] + timedelta(seconds=n),
                }
                for word, n in zip(words, numbers, strict=True)
            ]
            async with database.writing() as session:
                for model, values in (
                    (FlowRow, flows),
                    (RunRow, runs),
                    (RunListingRow, listings),
                    (AssetRow, assets),
                ):
                    await session.execute(insert(_table(model)), values)
        async with database.writing() as session:
            await session.execute(_ANALYZE)
    finally:
        await database.close()


def _copy_of_run(run: Values, key: str, number: int) -> Values:
    return {**run, "id": key, "number": run["number"] + number, "launch_key": None}


def _table(model: type[Base]) -> Table:
    return model.__table__


async def _row(session, table, condition) -> Values:
    return dict((await session.execute(select(table).where(condition))).mappings().one())


def _png() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (8, 6)).save(file, "PNG")
    return file.getvalue()
