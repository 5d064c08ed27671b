"""The saved brands in the zip of an agent: written by an export, created again by an import.

An importer who has no access to a brand gets a copy of it, published as version 1, unless a brand of theirs
has the same content.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from impasto.document.archive import ArchivedBrand
from impasto_server.assets import service as assets
from impasto_server.assets.models import AssetRow
from impasto_server.assets.staging import StagedAssets
from impasto_server.brands import copies, fonts
from impasto_server.brands import references as brand_references
from impasto_server.brands.imports.errors import ImportFailed
from impasto_server.brands.schemas import BrandContent, BrandFontFile
from impasto_server.container import AppState
from impasto_server.flows.errors import DocumentInvalid
from impasto_server.users.models import User
from impasto_server.utils import new_id

Take = Callable[[str], Awaitable[AssetRow | None]]
"""Returns the importer's asset with the file that the zip has under an id, or None."""


@dataclass
class ArchivedBrands:
    """The brands of a zip that an import creates. `references` are the new ones by those of the document."""

    references: dict[str, str] = field(default_factory=dict)
    _created: list[tuple[str, BrandContent]] = field(default_factory=list)

    def add(self, reference: str, content: BrandContent, known: Mapping[str, BrandContent]) -> None:
        """Have a reference stand for one of the importer's brands, or for a new one. `known` are by id."""
        own = {**known, **dict(self._created)}
        brand_id = next((brand_id for brand_id, each in own.items() if each == content), None)
        if brand_id is None:
            brand_id = new_id()
            self._created.append((brand_id, content))
        _, _, pinned = reference.partition("@")
        self.references[reference] = f"{brand_id}@1" if pinned and brand_id not in known else brand_id

    async def write(self, session: AsyncSession, app_state: AppState, user: User) -> None:
        """Create the new brands. Raises `LogoInvalid`, `FontInvalid` or `LimitReached`."""
        for brand_id, content in self._created:
            await copies.create_published(session, app_state, user, brand_id, content)


def content_of(brand: ArchivedBrand) -> BrandContent:
    """Return the content of a brand in a zip. Raises `DocumentInvalid`."""
    try:
        return BrandContent.model_validate(brand.content)
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"])) or "content"
        raise DocumentInvalid(f"A brand in this zip is not valid: {place[:100]}.") from error


async def with_own_logos(content: BrandContent, take: Take) -> BrandContent:
    """Return a brand with the importer's logos; one that the zip does not have is left out."""
    logos = {}
    for ground in ("light", "dark"):
        row = await take(asset_id) if (asset_id := getattr(content.logo, ground)) else None
        logos[ground] = row.id if row is not None and row.kind == "image" else None
    return content.model_copy(update={"logo": content.logo.model_copy(update=logos)})


async def own_font(
    app_state: AppState, user: User, file: BrandFontFile, path: Path, staged: StagedAssets
) -> BrandFontFile:
    """Return the importer's copy of a font file, which is sanitized. Raises `DocumentInvalid`."""
    try:
        font = await app_state.brand_importer.read_font(
            user.id, await asyncio.to_thread(path.read_bytes), "file"
        )
    except ImportFailed as error:
        raise DocumentInvalid(f"A font in this zip is refused: {error.detail}") from error
    digest = hashlib.sha256(font.data).hexdigest()
    async with app_state.database.reading() as session:
        row = await assets.font_with_content(session, user.id, digest)
    row = row or staged.find(digest, font=True)
    if row is None:
        await asyncio.to_thread(path.write_bytes, font.data)
        row = await staged.add_row(fonts.row_of(app_state, user, font, digest), path)
    return file.model_copy(update={"asset_id": row.id})


def apply(value: Any, references: Mapping[str, str]) -> None:
    """Replace references to brands in a value, in place."""
    for item in brand_references.find(value):
        item["saved"] = references.get(item["saved"], item["saved"])
