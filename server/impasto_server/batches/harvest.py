"""What a batch made, as files to keep."""

import asyncio
import csv
import io
import tempfile
import zipfile
from collections.abc import AsyncIterator, Sequence
from pathlib import PurePosixPath
from typing import IO, Any

import orjson

from impasto_server.assets import service as assets
from impasto_server.assets.models import AssetRow
from impasto_server.assets.references import asset_ids_in, references_in
from impasto_server.parts import Parts
from impasto_server.runs.schemas import Run
from impasto_server.users.models import User

_PIECE = 256 * 1024
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_table(runs: Sequence[Run]) -> bytes:
    """Return one line a run: its inputs, its results, what it cost. Files are named as in the zip."""
    inputs = list(dict.fromkeys(name for run in runs for name in run.inputs))
    titles = list(dict.fromkeys(_title(item) for run in runs for item in run.results))
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["row", "run", "status", *inputs, *titles, "seconds", "cost_usd", "error"])
    for index, run in enumerate(runs, 1):
        values = {_title(item): _shown(index, item.value) for item in run.results}
        error = run.error.message if run.error else ""
        cells = [run.status, *(_shown(index, run.inputs.get(name)) for name in inputs)]
        cells += [*(values.get(title, "") for title in titles), str(run.seconds or ""), run.cost_usd, error]
        writer.writerow([index, run.id, *map(_harmless, cells)])
    return text.getvalue().encode("utf-8-sig")


async def zip_archive(parts: Parts, user: User, runs: Sequence[Run]) -> AsyncIterator[bytes]:
    """Yield a zip with the table and every file that the runs show."""
    wanted = {name: index for index, run in enumerate(runs, 1) for name in _files_of(run)}
    async with parts.database.reading() as session:
        rows = await assets.find_many(session, user.id, list(wanted))
    with tempfile.TemporaryFile(prefix="impasto-zip-") as file:
        await _write(parts, file, runs, [(row, wanted[row.id]) for row in rows])
        file.seek(0)
        while piece := await asyncio.to_thread(file.read, _PIECE):
            yield piece


async def _write(
    parts: Parts, file: IO[bytes], runs: Sequence[Run], rows: list[tuple[AssetRow, int]]
) -> None:
    # Media is compressed already: storing it is faster and no larger.
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("results.csv", csv_table(runs))
        for row, index in rows:
            async with parts.storage.path(row.object_key) as path:
                await asyncio.to_thread(archive.write, path, _file_name(index, row.id, row.name))


def _title(item: Any) -> str:
    return f"{item.title} ({item.step}.{item.port})"


def _shown(index: int, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    media = list(references_in(value))
    if media:
        return " ".join(_file_name(index, item["asset_id"], item.get("name")) for item in media)
    return orjson.dumps(value).decode()


def _files_of(run: Run) -> list[str]:
    return asset_ids_in([item.value for item in run.results])


def _file_name(index: int, asset_id: str, name: str | None) -> str:
    path = PurePosixPath(name or "file")
    return f"{index:04d}/{path.stem}-{asset_id[-6:]}{path.suffix}"


def _harmless(cell: str) -> str:
    # A spreadsheet would run a cell that begins like a formula.
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
