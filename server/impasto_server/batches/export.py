"""The results of a batch as CSV or zip, streamed page by page. Only the table of a zip is held in memory."""

import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from impasto_server.assets import service as assets
from impasto_server.assets.errors import AssetNotFound
from impasto_server.assets.exports import marked_file
from impasto_server.assets.models import AssetRow
from impasto_server.assets.origin.credentials import sidecar_of
from impasto_server.assets.references import references_in
from impasto_server.batches import repository
from impasto_server.container import AppState
from impasto_server.content_credentials.formats import SIDECAR_SUFFIX
from impasto_server.runs import service as runs
from impasto_server.runs.service import RunOutcome
from impasto_server.storage.csv_lines import as_text, csv_lines
from impasto_server.storage.zip_stream import ZipStream, one_piece
from impasto_server.users.models import User

_RUNS_AT_ONCE = 50
_FILES_AT_ONCE = 500
_MISSING = "missing.txt"


@dataclass(frozen=True)
class BatchExport:
    """A batch to export. `inputs` are the input columns, `planned` the results of each run."""

    app_state: AppState
    user: User
    batch_id: str
    inputs: Sequence[str]
    planned: Sequence[Mapping[str, Any]]

    async def stream_csv(self) -> AsyncIterator[bytes]:
        """Yield a CSV table with one line for each run. Files have the same names as in the zip."""
        yield ("\ufeff" + csv_lines([self._header()])).encode()
        async for page in self._pages():
            yield csv_lines(self._cells(index, run) for index, run in page).encode()

    async def stream_zip(self) -> AsyncIterator[bytes]:
        """Yield a zip with the table, every file in a result, and a list of files that were deleted."""
        archive, table, missing = ZipStream(), [self._header()], list[str]()
        async for page in self._pages():
            table += [self._cells(index, run) for index, run in page]
            async for row, name in self._files(page):
                async for data in self._add(archive, row, name, missing):
                    yield data
        texts = {"results.csv": "\ufeff" + csv_lines(table)}
        if missing:
            texts[_MISSING] = "These files have been deleted:\n" + "\n".join(missing) + "\n"
        for name, text in texts.items():
            async for data in archive.add(name, one_piece(text.encode())):
                yield data
        yield archive.finish()

    async def _pages(self) -> AsyncIterator[list[tuple[int, RunOutcome]]]:
        start = 0
        while True:
            async with self.app_state.database.reading() as session:
                rows = await repository.page_of_runs(session, self.batch_id, start, _RUNS_AT_ONCE)
                page = [await runs.read_outcome(session, row, self.planned) for row in rows]
            if not page:
                return
            yield list(enumerate(page, start + 1))
            start += len(page)

    async def _files(
        self, page: Sequence[tuple[int, RunOutcome]]
    ) -> AsyncIterator[tuple[AssetRow | None, str]]:
        """Yield each asset in a result with its name in the zip; None stands for a deleted one."""
        # Under each name that the table has: several runs may have the same file.
        named = {
            (_file_name(index, item), item["asset_id"]) for index, run in page for item in _media_of(run)
        }
        files = sorted(named)
        for start in range(0, len(files), _FILES_AT_ONCE):
            some = files[start : start + _FILES_AT_ONCE]
            asset_ids = [asset_id for _, asset_id in some]
            async with self.app_state.database.reading() as session:
                rows = {row.id: row for row in await assets.find_many(session, self.user.id, asset_ids)}
            for name, asset_id in some:
                yield rows.get(asset_id), name

    async def _add(
        self, archive: ZipStream, row: AssetRow | None, name: str, missing: list[str]
    ) -> AsyncIterator[bytes]:
        storage = self.app_state.storage
        if row is None or not await storage.exists(row.object_key):
            missing.append(name)
            return
        try:
            marked = await marked_file(self.app_state, row)
            pieces = one_piece(marked) if marked else storage.stream(row.object_key, 0, row.bytes)
            async for data in archive.add(name, pieces, modified=row.created_at):
                yield data
            if row.credentials == "sidecar":
                name += SIDECAR_SUFFIX
                sidecar = one_piece(await sidecar_of(self.app_state, row))
                async for data in archive.add(name, sidecar, modified=row.created_at):
                    yield data
        except (FileNotFoundError, AssetNotFound):
            missing.append(name)

    def _header(self) -> list[str]:
        titles = [_title(item) for item in self.planned]
        return ["row", "run", "status", *self.inputs, *titles, "seconds", "cost_usd", "error"]

    def _cells(self, index: int, outcome: RunOutcome) -> list[str]:
        run = outcome.summary
        inputs = (_cell_text(index, run.inputs.get(name)) for name in self.inputs)
        values = (_cell_text(index, item.value) for item in outcome.results)
        error = run.error.message if run.error else ""
        cells = [run.status, *inputs, *values, str(run.seconds or ""), run.cost_usd, error]
        return [str(index), run.id, *map(as_text, cells)]


def _title(item: Mapping[str, Any]) -> str:
    return f"{item['title']} ({item['node']}.{item['port']})"


def _cell_text(index: int, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    media = list(references_in(value))
    if media:
        return " ".join(_file_name(index, item) for item in media)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _media_of(outcome: RunOutcome) -> Iterator[dict[str, Any]]:
    return references_in([item.value for item in outcome.results])


def _file_name(index: int, media: Mapping[str, Any]) -> str:
    path = PurePosixPath(media.get("name") or "file")
    return f"{index:04d}/{path.stem}-{media['asset_id'][-6:]}{path.suffix}"
