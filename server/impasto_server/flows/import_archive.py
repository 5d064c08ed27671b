"""Importing an agent from a file: a zip with its assets, or its document alone.

The assets become the importer's. A reference to anything that the importer does not have is left out of the
document, so that no draft points to what belongs to another user.
"""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from fastapi import UploadFile
from pydantic import TypeAdapter, ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from impasto import ArchiveInvalid
from impasto.document.archive import (
    MAX_DOCUMENT_BYTES,
    AgentArchive,
    ArchivedFile,
    Manifest,
    MissingPart,
    is_archive,
    open_archive,
)
from impasto_server.assets import service as assets
from impasto_server.assets.errors import FileInvalid, ImageTooLarge
from impasto_server.assets.media.probe import kind_of
from impasto_server.assets.models import AssetRow
from impasto_server.assets.references import MEDIA, reference, references_in
from impasto_server.assets.staging import StagedAssets
from impasto_server.assets.upload import ReceivedFile, receive_upload, safe_file_name
from impasto_server.brands import copies as brand_copies
from impasto_server.brands import references as brand_references
from impasto_server.brands.imports.font_file import MAX_BYTES as MAX_FONT_BYTES
from impasto_server.brands.schemas import BrandFontFile
from impasto_server.container import AppState
from impasto_server.flows import access, archived_brands, import_export, repository, service
from impasto_server.flows.archived_brands import ArchivedBrands
from impasto_server.flows.errors import DocumentInvalid
from impasto_server.flows.export_archive import described
from impasto_server.flows.schemas import MissingFromAgent
from impasto_server.flows.service import FlowResponse
from impasto_server.flows.used_parts import UsedFile, UsedParts, used_parts
from impasto_server.http.json_limits import TooManyValues, count_values
from impasto_server.http.schemas import Json, plain_text
from impasto_server.users.models import User
from impasto_server.utils import new_id

_DOCUMENT: TypeAdapter[dict[str, Any]] = TypeAdapter(Json)
_FILE_KEYS = ("asset_id", "media_type", "bytes", "sha256", "name")
_MAX_PARTS = 2000
_MAX_BRANDS = 20
_NO_MANIFEST = Manifest(kind="", format=1, files=[])


@dataclass(frozen=True)
class ImportedFlow:
    """An imported agent as JSON of `FlowImported`, and its revision."""

    body: bytes
    revision: int


async def import_file(app_state: AppState, user: User, upload: UploadFile) -> ImportedFlow:
    """Create a draft from a file. Nothing is stored if any part of the file is refused.

    Raises `DocumentInvalid`, `LimitReached`, `TooManyValues` or `UploadTooLarge`.
    """
    async with AsyncExitStack() as stack:
        received = await stack.enter_async_context(receive_upload(upload, app_state.settings.upload_bytes))
        if not await asyncio.to_thread(is_archive, received.path):
            document = await asyncio.to_thread(_plain_document, app_state, received)
            return await _import(app_state, user, document, None)
        opened = open_archive(received.path, app_state.settings.upload_bytes)
        try:
            archive = await asyncio.to_thread(stack.enter_context, opened)
            _check_values(app_state, archive.document_json)
            return await _import(app_state, user, archive.document(), archive)
        except ArchiveInvalid as error:
            raise DocumentInvalid(str(error)) from error


def _plain_document(app_state: AppState, received: ReceivedFile) -> Any:
    if received.bytes > MAX_DOCUMENT_BYTES:
        raise _too_large(MAX_DOCUMENT_BYTES)
    data = received.path.read_bytes()
    _check_values(app_state, data)
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise DocumentInvalid("This file is no agent: it is neither a zip nor JSON.") from error


def _too_large(limit: int) -> DocumentInvalid:
    return DocumentInvalid(f"This flow document is larger than {limit / 2**20:g} MiB.")


def _check_values(app_state: AppState, data: bytes) -> None:
    """Refuse what a JSON body may not hold either. Raises `TooManyValues`."""
    max_values = app_state.settings.json_values
    values = count_values(data, max_values)
    if values > max_values:
        raise TooManyValues(max_values, values)


async def _import(
    app_state: AppState, user: User, untrusted: Any, archive: AgentArchive | None
) -> ImportedFlow:
    try:
        document = import_export.require_lists(_DOCUMENT.validate_python(untrusted))
    except ValidationError as error:
        raise DocumentInvalid("This file is not a flow document.") from error
    # A larger one could not be saved again.
    if len(orjson.dumps(document)) > app_state.settings.json_body_bytes:
        raise _too_large(app_state.settings.json_body_bytes)
    used = used_parts(app_state.catalog, document)
    if len(used) > _MAX_PARTS:
        raise DocumentInvalid(
            f"This agent refers to {len(used):,} files, brands and agents; the limit is {_MAX_PARTS:,}."
        )
    manifest = archive.manifest if archive else _NO_MANIFEST
    staged, known = StagedAssets(app_state, user), dict[str, AssetRow]()
    with tempfile.TemporaryDirectory(prefix="impasto-import-") as folder:
        for number, file in enumerate(manifest.files if archive else ()):
            if archive and (use := used.files.get(file.asset_id)):
                path = Path(folder) / str(number)
                known[file.asset_id] = await _take(app_state, user, archive, file, path, staged, use)
        carried = len(known)
        brands = ArchivedBrands()
        if archive and manifest.brands:
            files = _Files(app_state, user, archive, Path(folder), staged, known)
            await _take_brands(app_state, user, used, manifest, files, brands)
        async with app_state.database.reading() as session:
            own = [asset_id for asset_id in used.files if asset_id not in known]
            known |= {row.id: row for row in await assets.find_many(session, user.id, own)}
            missing = await _leave_out(session, user, document, used, known, manifest, brands.references)
        for item in references_in(list(document.values())):
            _point_to(item, known[str(item["asset_id"])])
        archived_brands.apply(document, brands.references)

        async def commit(write: Callable[[AsyncSession], Awaitable[FlowResponse]]) -> FlowResponse:
            async def write_all(session: AsyncSession) -> FlowResponse:
                await brands.write(session, app_state, user)
                return await write(session)

            return await staged.commit(write_all)

        flow = await service.import_document(app_state, user, document, commit)
    listed = orjson.dumps([each.model_dump() for each in missing])
    body = b'{"flow":%b,"files":%d,"brands":%d,"missing":%b}' % (
        flow.body,
        carried,
        len(brands.references),
        listed,
    )
    return ImportedFlow(body, flow.revision)


@dataclass(frozen=True)
class _Files:
    """The files of a zip that its brands use. `known` are the importer's assets by their ids in the zip."""

    app_state: AppState
    user: User
    archive: AgentArchive
    folder: Path
    staged: StagedAssets
    known: dict[str, AssetRow]

    async def take(self, asset_id: str) -> AssetRow | None:
        """Return the importer's asset with a file of the zip, or None if the zip does not have it."""
        file = self._find(asset_id)
        if asset_id not in self.known and file is not None:
            use = UsedFile(file.name, is_mask=False)
            path = self.folder / f"brand-{len(self.known)}"
            self.known[asset_id] = await _take(
                self.app_state, self.user, self.archive, file, path, self.staged, use
            )
        return self.known.get(asset_id)

    async def take_font(self, font: BrandFontFile) -> BrandFontFile | None:
        """Return the importer's copy of a font file, or None if the zip does not have it."""
        file = self._find(font.asset_id)
        if file is None or file.bytes > MAX_FONT_BYTES:
            return None
        path = self.folder / f"font-{new_id()}"
        await asyncio.to_thread(self.archive.extract, file, path)
        return await archived_brands.own_font(self.app_state, self.user, font, path, self.staged)

    def _find(self, asset_id: str) -> ArchivedFile | None:
        return next((file for file in self.archive.manifest.files if file.asset_id == asset_id), None)


async def _take_brands(
    app_state: AppState,
    user: User,
    used: UsedParts,
    manifest: Manifest,
    files: _Files,
    brands: ArchivedBrands,
) -> None:
    """Add the brands of a zip that the importer has no access to. Raises `DocumentInvalid`."""
    if len(manifest.brands) > _MAX_BRANDS:
        raise DocumentInvalid(f"This zip has {len(manifest.brands):,} brands; the limit is {_MAX_BRANDS}.")
    async with app_state.database.reading() as session:
        unknown = set((await brand_references.resolve(session, user.id, list(used.brands))).unknown)
        known = await brand_copies.published_of(session, user)
    for brand in manifest.brands:
        if brand.id not in unknown:
            continue
        content = await archived_brands.with_own_logos(archived_brands.content_of(brand), files.take)
        fonts = [await files.take_font(font) for font in content.font_files]
        own = content.model_copy(update={"font_files": [font for font in fonts if font is not None]})
        brands.add(brand.id, own, known)


async def _take(
    app_state: AppState,
    user: User,
    archive: AgentArchive,
    file: ArchivedFile,
    path: Path,
    staged: StagedAssets,
    use: UsedFile,
) -> AssetRow:
    """Return the importer's asset with a file of the zip: one that they have already, or a new one.

    The library leaves out what is nothing but a mask, as it does where masks are painted.
    """
    await asyncio.to_thread(archive.extract, file, path)
    async with app_state.database.reading() as session:
        row = await assets.by_digest(session, user.id, file.sha256)
    if row is not None and row.source != "font":
        return row
    row = staged.find(file.sha256)
    if row is not None:
        row.intermediate = row.intermediate and use.is_mask
        return row
    received = ReceivedFile(path, file.bytes, file.sha256, safe_file_name(file.name))
    try:
        row = await staged.add(received, file.media_type, intermediate=use.is_mask)
    except (FileInvalid, ImageTooLarge) as error:
        raise DocumentInvalid(f"{received.name} in this zip is refused: {error.detail}") from error
    if row.kind != kind_of(file.media_type):
        raise DocumentInvalid(f"{received.name} in this zip is {row.media_type}, not {file.media_type[:60]}.")
    return row


async def _leave_out(
    session: AsyncSession,
    user: User,
    document: dict[str, Any],
    used: UsedParts,
    known: Mapping[str, AssetRow],
    manifest: Manifest,
    brands: Mapping[str, str],
) -> list[MissingFromAgent]:
    """Remove from a document what the importer does not have; return it by name."""
    names = {part.id: plain_text(part.name)[:200] for part in manifest.missing}
    missing = [
        MissingPart("file", asset_id, names.get(asset_id, use.name), list(use.nodes))
        for asset_id, use in used.files.items()
        if asset_id not in known
    ]
    resolution = await brand_references.resolve(session, user.id, list(used.brands))
    unknown = set(resolution.unknown) - brands.keys()
    missing += [
        MissingPart("brand", item, names.get(item, ""), list(nodes))
        for item, nodes in used.brands.items()
        if item in unknown
    ]
    for flow_id, nodes in used.agents.items():
        row = await repository.without_draft(session, flow_id)
        if row is None or not access.is_visible(row, user):
            missing.append(MissingPart("agent", flow_id, names.get(flow_id, ""), list(nodes)))

    def is_gone(value: Any) -> bool:
        if not isinstance(value, dict):
            return False
        if value.get("$type") in MEDIA and "asset_id" in value:
            return str(value["asset_id"]) not in known
        if value.get("$type") == "Mask":
            return is_gone(value.get("image"))
        return brand_references.is_reference(value) and value["saved"] in unknown

    for node in document["nodes"]:
        if isinstance(node, dict) and _has(node.get("pin"), is_gone):
            del node["pin"]
    _remove(document, is_gone)
    return described(missing)


def _has(value: Any, is_gone: Callable[[Any], bool]) -> bool:
    pending = [value]
    while pending:
        item = pending.pop()
        if is_gone(item):
            return True
        pending.extend(item.values() if isinstance(item, dict) else item if isinstance(item, list) else ())
    return False


def _remove(value: Any, is_gone: Callable[[Any], bool]) -> None:
    """Remove, in place, every value at any depth for which `is_gone` holds."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            for key in [key for key, inner in item.items() if is_gone(inner)]:
                del item[key]
            pending.extend(item.values())
        elif isinstance(item, list):
            item[:] = [inner for inner in item if not is_gone(inner)]
            pending.extend(item)


def _point_to(item: dict[str, Any], row: AssetRow) -> None:
    """Make a media reference one to the importer's asset. It keeps its type."""
    fresh = reference(row)
    if item["$type"] != fresh["$type"]:
        fresh = {"$type": item["$type"], **{key: fresh[key] for key in _FILE_KEYS}}
    item.clear()
    item.update(fresh)
