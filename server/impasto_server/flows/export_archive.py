"""The file of an exported agent: a zip with its assets, or its document alone if it has none."""

import hashlib
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from impasto.document.archive import (
    DOCUMENT,
    FOLDER,
    MANIFEST,
    MAX_FILES,
    ArchivedBrand,
    ArchivedFile,
    MissingPart,
    dump_manifest,
)
from impasto_server.assets import service as assets
from impasto_server.assets.exports import marked_file
from impasto_server.assets.models import AssetRow
from impasto_server.assets.upload import safe_file_name
from impasto_server.brands import copies as brand_copies
from impasto_server.brands import references as brand_references
from impasto_server.brands.presenter import file_ids
from impasto_server.brands.schemas import BrandContent
from impasto_server.container import AppState
from impasto_server.flows import access, repository, service
from impasto_server.flows.schemas import ExportContents, ExportedFile, MissingFromAgent
from impasto_server.flows.used_parts import UsedFile, UsedParts, used_parts
from impasto_server.storage.zip_stream import ZipStream, one_piece
from impasto_server.users.models import User

_MAX_STEM = 80
_MAX_INDENTED_BYTES = 2**20


@dataclass(frozen=True)
class ExportPlan:
    """The contents of an export: the document, assets by their names in the zip, and what is missing."""

    document: dict[str, Any]
    files: Mapping[str, AssetRow]
    missing: tuple[MissingPart, ...]
    brands: tuple[ArchivedBrand, ...] = ()

    @property
    def is_zip(self) -> bool:
        """Whether the file is a zip, and not the document alone."""
        return bool(self.files or self.brands)

    def contents(self) -> ExportContents:
        """Return the plan in the form of the API."""
        files = [
            ExportedFile(name=row.name, media_type=row.media_type, bytes=row.bytes)
            for row in self.files.values()
        ]
        size = sum(file.bytes for file in files)
        names = [brand.name for brand in self.brands]
        return ExportContents(files=files, brands=names, bytes=size, missing=described(self.missing))

    async def stream_document(self) -> AsyncIterator[bytes]:
        """Yield the document as JSON."""
        yield _as_json(self.document)

    async def stream_zip(self, app_state: AppState) -> AsyncIterator[bytes]:
        """Yield a zip. The manifest is its last file: it states what was written.

        An asset that was deleted since the plan is listed in the manifest as missing.
        """
        archive, written, missing = ZipStream(), list[ArchivedFile](), list(self.missing)
        async for piece in archive.add(DOCUMENT, one_piece(_as_json(self.document)), compress=True):
            yield piece
        for path, row in self.files.items():
            counted = _Counted()
            try:
                marked = await marked_file(app_state, row)
                if marked is None and not await app_state.storage.exists(row.object_key):
                    raise FileNotFoundError(row.object_key)
                data = one_piece(marked) if marked else app_state.storage.stream(row.object_key, 0, row.bytes)
                async for piece in archive.add(path, counted.pieces(data), modified=row.created_at):
                    yield piece
            except FileNotFoundError:
                missing.append(MissingPart("file", row.id, row.name))
                continue
            written.append(
                ArchivedFile(
                    path, row.id, row.name, row.media_type, counted.bytes, counted.digest.hexdigest()
                )
            )
        manifest = dump_manifest(written, missing, self.brands)
        async for piece in archive.add(MANIFEST, one_piece(manifest), compress=True):
            yield piece
        yield archive.finish()


class _Counted:
    """Counts and hashes bytes on their way."""

    def __init__(self) -> None:
        self.bytes = 0
        self.digest = hashlib.sha256()

    async def pieces(self, data: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """Yield the data unchanged."""
        async for piece in data:
            self.bytes += len(piece)
            self.digest.update(piece)
            yield piece


async def plan(session: AsyncSession, app_state: AppState, user: User, flow_id: str) -> ExportPlan:
    """Return what an export of an agent carries for this user: only assets of their own.

    Raises `FlowNotFound`.
    """
    document = await service.export(session, user, flow_id)
    used = used_parts(app_state.catalog, document)
    contents = await brand_copies.contents_of(session, user, list(used.brands))
    for reference, content in contents.items():
        for asset_id in file_ids(content):
            use = used.files.setdefault(asset_id, UsedFile(""))
            use.nodes.update(used.brands[reference])
    found = {row.id: row for row in await assets.find_many(session, user.id, list(used.files))}
    carried: dict[str, AssetRow] = {}
    missing: list[MissingPart] = []
    for asset_id, use in used.files.items():
        row = found.get(asset_id)
        if row is None or len(carried) == MAX_FILES or not await app_state.storage.exists(row.object_key):
            missing.append(MissingPart("file", asset_id, row.name if row else use.name, list(use.nodes)))
        else:
            carried[_path(row, carried)] = row
    missing += await _brands(session, user, used, contents)
    missing += await _agents(session, user, used)
    brands = [
        ArchivedBrand(reference, content.name, content.model_dump(mode="json"))
        for reference, content in contents.items()
    ]
    return ExportPlan(document, carried, tuple(missing), tuple(brands))


def described(missing: Iterable[MissingPart]) -> list[MissingFromAgent]:
    """Return missing parts in the form of the API."""
    return [MissingFromAgent(kind=part.kind, name=part.name, nodes=part.nodes) for part in missing]


def _as_json(document: dict[str, Any]) -> bytes:
    """Return a document as JSON: indented, unless that could make it too large for an import."""
    data = orjson.dumps(document, option=orjson.OPT_INDENT_2)
    return data if len(data) <= _MAX_INDENTED_BYTES else orjson.dumps(document)


def _path(row: AssetRow, taken: Iterable[str]) -> str:
    """Return a name in the zip that no other file has, also where case does not count."""
    name = PurePosixPath(safe_file_name(row.name))
    known = {path.casefold() for path in taken}
    stem, suffix = name.stem[:_MAX_STEM], name.suffix[:12]
    path, number = f"{FOLDER}{stem}{suffix}", 1
    while path.casefold() in known:
        number += 1
        path = f"{FOLDER}{stem} ({number}){suffix}"
    return path


async def _brands(
    session: AsyncSession, user: User, used: UsedParts, carried: Mapping[str, BrandContent]
) -> list[MissingPart]:
    """Return the saved brands that a document refers to and that the export does not carry."""
    names = await brand_references.names_of(session, user.id, list(used.brands))
    return [
        MissingPart("brand", reference, name, list(used.brands[reference]))
        for reference, name in names.items()
        if reference not in carried
    ]


async def _agents(session: AsyncSession, user: User, used: UsedParts) -> list[MissingPart]:
    """Return the agents that a document runs as nodes by their ids."""
    missing = []
    for flow_id, titles in used.agents.items():
        row = await repository.without_draft(session, flow_id)
        name = row.name if row is not None and access.is_visible(row, user) else ""
        missing.append(MissingPart("agent", flow_id, name, list(titles)))
    return missing
