"""Embeds the provenance in a generated file and signs it: the last thing that touches its bytes."""

import asyncio
import shutil
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from impasto_server.assets import metadata
from impasto_server.assets.errors import FileInvalid, ImageTooLarge
from impasto_server.assets.media import images
from impasto_server.assets.models import AssetRow
from impasto_server.assets.schemas import CredentialsLocation
from impasto_server.container import AppState
from impasto_server.content_credentials import claims
from impasto_server.content_credentials.formats import Format, format_of, may_have_manifest
from impasto_server.content_credentials.service import Ingredient
from impasto_server.marking import watermark

MAX_INGREDIENTS = 20
_MAX_INGREDIENT_BYTES = 64 * 2**20  # reading it all takes about 50 ms


@dataclass(frozen=True)
class Marks:
    """The claims of a file that are stored in its row."""

    credentials: CredentialsLocation | None = None
    source_type: str | None = None
    ai_made: claims.AiMade | None = None


@dataclass(frozen=True)
class Unsigned:
    """A file with its provenance embedded that is about to be signed.

    `original` is the file as its provider signed it, if it did. `is_watermarked` says that its pixels were
    changed.
    """

    path: Path
    format: Format
    nature: claims.Nature
    original: Path | None
    is_watermarked: bool


def nature_of(kind: str, generation: dict[str, Any] | None, inputs: Sequence[AssetRow]) -> claims.Nature:
    """Return how a file of a kind came about, from what its step recorded and the assets that it read."""
    return claims.nature_of(generation, kind, [_input(row) for row in inputs])


async def embed(
    app_state: AppState,
    path: Path,
    kind: str,
    provenance: dict[str, Any],
    nature: claims.Nature,
    *,
    has_watermark: bool,
) -> Unsigned | None:
    """Embed the provenance in a file, and a watermark if AI made the image and `has_watermark`.

    Returns it ready to be signed, or None if it is not to be signed.
    """
    found = await asyncio.to_thread(format_of, path)
    signs = found is not None and app_state.content_credentials.is_enabled
    original = await asyncio.to_thread(_copy_if_signed, path) if signs else None
    is_watermarked = False
    if has_watermark and kind == "image" and nature.ai_made != "no":
        megapixels = app_state.settings.image_megapixels
        is_watermarked = await asyncio.to_thread(_add_watermark, path, megapixels)
    source_type = claims.DIGITAL_SOURCE_TYPES + nature.source_type if found is not None else None
    await asyncio.to_thread(metadata.embed, path, provenance, source_type)
    if not signs or found is None:
        return None
    return Unsigned(path, found, nature, original, is_watermarked)


async def sign(
    app_state: AppState,
    unsigned: Unsigned,
    owner_id: str,
    provenance: dict[str, Any],
    generation: dict[str, Any] | None,
    inputs: Sequence[AssetRow],
    creator: str | None,
) -> tuple[Marks, bytes | None]:
    """Sign a file in place. Returns what to keep about it, and its sidecar if its format needs one.

    `creator` is the name that the owner wants in the claims.
    """
    service, nature = app_state.content_credentials, unsigned.nature
    definition = claims.definition(
        version=service.version,
        agent=provenance["flow_name"],
        agent_version=provenance["version"],
        node_type=provenance.get("node_type"),
        generation=generation,
        nature=nature,
        signed_at=app_state.clock(),
        creators=[name for name in (service.organization, creator) if name],
        has_original=unsigned.original is not None,
        is_watermarked=unsigned.is_watermarked,
    )
    async with AsyncExitStack() as stack:
        ingredients = [
            await _ingredient(app_state, stack, unsigned, row, index) for index, row in enumerate(inputs)
        ]
        if unsigned.original is not None:
            media_type = unsigned.format.media_type
            first = Ingredient(claims.original_ingredient(media_type), unsigned.original, media_type)
            ingredients.insert(0, first)
        signature = await service.sign(owner_id, unsigned.path, unsigned.format, definition, ingredients)
    if signature is None:
        return Marks(None, nature.source_type, nature.ai_made), None
    location: CredentialsLocation = "embedded" if signature.sidecar is None else "sidecar"
    return Marks(location, nature.source_type, nature.ai_made), signature.sidecar


async def sign_edit(app_state: AppState, path: Path, row: AssetRow, original: Path) -> None:
    """Sign a changed copy of an asset's file in place, with the asset as its parent."""
    service = app_state.content_credentials
    found = await asyncio.to_thread(format_of, path)
    if found is None or not found.embedded or not service.is_enabled or row.source_type is None:
        return
    definition = claims.definition(
        version=service.version,
        agent=row.flow_name or "",
        agent_version=row.version or "draft",
        node_type=row.node_type,
        generation=row.made_by,
        nature=claims.Nature(row.source_type, row.ai_made or "partly", ("parentOf",)),
        signed_at=app_state.clock(),
        creators=[service.organization] if service.organization else [],
    )
    parent = Ingredient(claims.ingredient(_input(row), 0, "parentOf"), original, row.media_type)
    await service.sign(row.owner_id, path, found, definition, [parent])


async def marks_of_upload(app_state: AppState, owner_id: str, path: Path) -> Marks:
    """Return what an uploaded file's credentials say, as far as they are valid.

    A file may say that AI made it. That none did is proven by no signature, so it stays unknown.
    """
    report = await app_state.content_credentials.read(owner_id, path)
    if not report or report.get("state") not in ("trusted", "valid"):
        return Marks()
    if report["ai_made"] not in ("yes", "partly"):
        return Marks("embedded")
    source_type = report["source_type"]
    return Marks("embedded", source_type[:60] if source_type else None, report["ai_made"])


async def _ingredient(
    app_state: AppState, stack: AsyncExitStack, unsigned: Unsigned, row: AssetRow, index: int
) -> Ingredient:
    relationship = unsigned.nature.relationships[index]
    if unsigned.original is not None and relationship == "parentOf":
        relationship = "inputTo"  # a file has one parent: what the provider signed
    definition = claims.ingredient(_input(row), index, relationship)
    if row.bytes > _MAX_INGREDIENT_BYTES:
        return Ingredient(definition, None, row.media_type)
    try:
        path = await stack.enter_async_context(app_state.storage.path(row.object_key))
    except FileNotFoundError:
        return Ingredient(definition, None, row.media_type)
    return Ingredient(definition, path.resolve(), row.media_type)


def _input(row: AssetRow) -> claims.Input:
    return claims.Input(row.id, row.kind, row.media_type, _ai_made(row), row.source_type)


def _ai_made(row: AssetRow) -> claims.AiMade | None:
    """Return whether AI made an asset; for those stored before it was recorded, from their provider."""
    if row.ai_made is not None or not row.made_by:
        return row.ai_made
    return "yes" if row.made_by.get("provider") not in (None, "local") else None


def _add_watermark(path: Path, megapixels: int) -> bool:
    try:
        return images.rewrite(path, megapixels, watermark.add)
    except (FileInvalid, ImageTooLarge):
        return False


def _copy_if_signed(path: Path) -> Path | None:
    if not may_have_manifest(path):
        return None
    return Path(shutil.copyfile(path, path.with_name("original")))
