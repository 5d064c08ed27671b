"""The engine's store for one run. Each file becomes an asset, and its provenance is embedded in the file."""

import asyncio
import mimetypes
import tempfile
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from impasto.errors import AssetNotFound, NodeError
from impasto.store import Data, Provenance, Stored, chunks
from impasto_server.assets import repository, service
from impasto_server.assets.exports import can_mark
from impasto_server.assets.media.probe import kind_of
from impasto_server.assets.models import AssetRow
from impasto_server.assets.origin import signing
from impasto_server.assets.origin.signing import Unsigned
from impasto_server.assets.upload import safe_file_name, size_and_digest
from impasto_server.container import AppState
from impasto_server.http.schemas import without_nul
from impasto_server.limits.errors import LimitReached
from impasto_server.marking.options import MarkingOptions, read_options
from impasto_server.outages import raise_unavailable
from impasto_server.storage.object_storage import content_key
from impasto_server.utils import new_id, shielded

_EXTENSIONS = {"image/jpeg": ".jpg", "image/webp": ".webp", "audio/mpeg": ".mp3", "audio/wav": ".wav"}


@dataclass(frozen=True)
class RunProvenance:
    """The provenance that all assets of a run share."""

    run_id: str
    owner_id: str
    flow_id: str | None
    flow_name: str
    version: int | None


class RunStore:
    """Stores assets for the run's owner and reads the owner's assets only."""

    def __init__(
        self,
        app_state: AppState,
        provenance: RunProvenance,
        result_steps: Collection[str] | None = None,
    ) -> None:
        """Make the store of a run. `result_steps` are those whose outputs are its results, if known."""
        self._app_state = app_state
        self._database = app_state.database
        self._storage = app_state.storage
        self._provenance = provenance
        self._result_steps = result_steps
        self._marking: MarkingOptions | None = None

    async def put(
        self, data: Data, media_type: str, name: str | None = None, *, origin: Provenance | None = None
    ) -> Stored:
        """Store the bytes as an asset with its provenance embedded, signed if its format can be.

        Raises `ServiceUnavailable`, or `NodeError` with the limit's sentence and code if the owner may not
        store it.
        """
        with tempfile.TemporaryDirectory(prefix="impasto-store-") as folder:
            path = Path(folder) / "file"
            with path.open("wb") as file:
                async for piece in chunks(data):
                    await asyncio.to_thread(file.write, piece)
            row = self._row(media_type, name, origin)
            with raise_unavailable("database"):
                inputs = await self._inputs(origin)
                marking = await self._marking_options()
            provenance = self._provenance_of(origin)
            nature = signing.nature_of(row.kind, row.made_by, inputs)
            may_be_marked = can_mark(row.kind, row.media_type) and nature.ai_made != "no"
            row.mark_exports = marking.marks_exports and may_be_marked
            unsigned = await signing.embed(
                *(self._app_state, path, row.kind, provenance, nature), has_watermark=marking.has_watermark
            )
            row.bytes, row.sha256 = await asyncio.to_thread(size_and_digest, path)
            try:
                with raise_unavailable("storage"):
                    if unsigned is None:
                        await self._store(path, row)
                    elif not await self._store_signed_before(row):
                        await self._sign_and_store(unsigned, row, provenance, inputs)
            except LimitReached as error:
                raise NodeError(error.detail, code=error.code) from error
        return Stored(row.id, row.sha256, row.bytes)

    async def _store(self, path: Path, row: AssetRow, sidecar: bytes | None = None) -> None:
        row.object_key = content_key(row.sha256)
        await service.store_file(self._app_state, path, row, sidecar)

    async def _store_signed_before(self, row: AssetRow) -> bool:
        """Store the row with the file that this run signed from the same bytes; return whether there is one.

        A step that runs again after a crash thus stores no second file that differs in its signature only.
        """
        row.unsigned_sha256 = row.sha256
        with raise_unavailable("database"):
            earlier = await self._signed_before(row)
        if earlier is None:
            return False
        for name in service.SAME_FOR_SAME_BYTES:
            setattr(row, name, getattr(earlier, name))
        return await service.store_again(self._app_state, row)

    async def _sign_and_store(
        self,
        unsigned: Unsigned,
        row: AssetRow,
        provenance: dict[str, Any],
        inputs: Sequence[AssetRow],
    ) -> None:
        owner_id = self._provenance.owner_id
        marking = await self._marking_options()
        marks, sidecar = await signing.sign(
            self._app_state, unsigned, owner_id, provenance, row.made_by, inputs, marking.creator
        )
        row.credentials, row.source_type, row.ai_made = marks.credentials, marks.source_type, marks.ai_made
        row.bytes, row.sha256 = await asyncio.to_thread(size_and_digest, unsigned.path)
        await self._store(unsigned.path, row, sidecar)

    @shielded
    async def _marking_options(self) -> MarkingOptions:
        """Return how the run's files are marked, as chosen when it stored its first one."""
        if self._marking is None:
            owner_id, flow_id = self._provenance.owner_id, self._provenance.flow_id
            self._marking = await read_options(self._database, owner_id, flow_id)
        return self._marking

    @shielded
    async def _signed_before(self, row: AssetRow) -> AssetRow | None:
        async with self._database.reading() as session:
            return await repository.signed_before(session, row)

    @shielded
    async def _inputs(self, origin: Provenance | None) -> list[AssetRow]:
        """Return the assets that the step read, in order, at most as many as a file can name."""
        ids = origin.inputs[: signing.MAX_INGREDIENTS] if origin else ()
        if not ids:
            return []
        async with self._database.reading() as session:
            rows = await repository.find_many(session, self._provenance.owner_id, ids)
        by_id = {row.id: row for row in rows}
        return [by_id[each] for each in ids if each in by_id]

    async def open(self, asset_id: str) -> AsyncIterator[bytes]:
        """Yield the asset's bytes in chunks. Raises `AssetNotFound` or `ServiceUnavailable`."""
        row = await self._find(asset_id)
        text = await self._text_of(row)
        if text is not None:
            yield text
            return
        pieces = self._storage.stream(row.object_key, 0, row.bytes)
        while True:
            with raise_unavailable("storage"):
                piece = await anext(pieces, None)
            if piece is None:
                return
            yield piece

    @asynccontextmanager
    async def path(self, asset_id: str) -> AsyncIterator[Path]:
        """Open a local file with the asset's bytes for the length of the block.

        Raises `AssetNotFound` or `ServiceUnavailable`.
        """
        row = await self._find(asset_id)
        text = await self._text_of(row)
        async with AsyncExitStack() as stack:
            if text is not None:
                folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="impasto-text-"))
                file = Path(folder) / f"text{_extension(row.media_type)}"
                await asyncio.to_thread(file.write_bytes, text)
                yield file
                return
            with raise_unavailable("storage"):
                local = self._storage.path(row.object_key, _extension(row.media_type))
                path = await stack.enter_async_context(local)
            yield path

    def has(self, asset_id: str) -> bool:
        """Return True: the run's cache has checked its assets already."""
        return True

    @shielded
    async def _find(self, asset_id: str) -> AssetRow:
        with raise_unavailable("database"):
            async with self._database.reading() as session:
                row = await repository.find(session, self._provenance.owner_id, asset_id)
        if row is None:
            raise AssetNotFound(asset_id)
        return row

    @shielded
    async def _text_of(self, row: AssetRow) -> bytes | None:
        with raise_unavailable("database"):
            return await service.text_of(self._app_state, row)

    def _provenance_of(self, origin: Provenance | None) -> dict[str, Any]:
        provenance = asdict(self._provenance)
        del provenance["owner_id"]
        provenance["version"] = self._provenance.version or "draft"
        if origin is None:
            return provenance
        return {**provenance, "step": origin.step, "node_type": origin.node_type, **(origin.generation or {})}

    def _row(self, media_type: str, name: str | None, origin: Provenance | None) -> AssetRow:
        made_by = origin.generation if origin else None
        return AssetRow(
            id=new_id(),
            **asdict(self._provenance),
            kind=kind_of(media_type),
            media_type=media_type,
            name=safe_file_name(name or _name(origin, media_type)),
            width=origin.width if origin else None,
            height=origin.height if origin else None,
            seconds=origin.seconds if origin else None,
            step=origin.step if origin else None,
            node_type=origin.node_type if origin else None,
            made_by=made_by,
            prompt=without_nul(str(made_by.get("prompt") or "")) if made_by else None,
            input_asset_ids=list(origin.inputs) if origin else [],
            source="run",
            intermediate=bool(
                self._result_steps and origin is not None and origin.step not in self._result_steps
            ),
        )


def _extension(media_type: str) -> str:
    return _EXTENSIONS.get(media_type) or mimetypes.guess_extension(media_type) or ""


def _name(origin: Provenance | None, media_type: str) -> str:
    step = origin.step.replace("/", "-") if origin else "file"
    return f"{step}{_extension(media_type)}"
