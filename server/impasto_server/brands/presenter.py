"""Brands in the form of the API."""

from dataclasses import dataclass
from typing import Literal

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import service as assets
from impasto_server.assets.models import AssetRow
from impasto_server.assets.schemas import Asset
from impasto_server.brands import repository
from impasto_server.brands.contrast import contrast_pairs
from impasto_server.brands.diff import changes_between
from impasto_server.brands.example import EXAMPLE, EXAMPLE_CREATED, EXAMPLE_ID, EXAMPLE_VERSION
from impasto_server.brands.models import BrandRow, BrandVersionRow
from impasto_server.brands.schemas import (
    BrandContent,
    BrandDetail,
    BrandSummary,
    BrandVersion,
    BrandVersionDetail,
)
from impasto_server.container import AppState
from impasto_server.users.models import User


@dataclass(frozen=True)
class _Context:
    """The objects that a user's brands refer to."""

    published: dict[str, BrandVersionRow]
    agents: dict[str, int]
    files: dict[str, AssetRow]


async def summaries(
    session: AsyncSession, app_state: AppState, user: User, rows: list[BrandRow]
) -> list[BrandSummary]:
    """Return brands as items of a list."""
    context = await _context(session, user, rows)
    return [_summary(app_state, row, context) for row in rows]


async def detail(session: AsyncSession, app_state: AppState, user: User, row: BrandRow) -> BrandDetail:
    """Return a brand with its newest version and the changes of its draft."""
    context = await _context(session, user, [row])
    summary, content = _summary(app_state, row, context), content_of(row)
    published = _published(row, context)
    return BrandDetail(
        **{name: getattr(summary, name) for name in BrandSummary.model_fields},
        published=published,
        draft_changes=changes_between(published, content) if published else [],
        contrast=contrast_pairs(content.colors),
        logo_dark=_logo(app_state, context, content.logo.dark),
        font_urls={
            file.asset_id: assets.describe(app_state, context.files[file.asset_id]).url
            for file in content.font_files
            if file.asset_id in context.files
        },
        logo_missing=_missing(content, context),
    )


def example_detail(agents: int) -> BrandDetail:
    """Return the example brand."""
    return BrandDetail(
        id=EXAMPLE_ID,
        content=EXAMPLE,
        example=True,
        is_default=False,
        version=EXAMPLE_VERSION,
        revision=1,
        changes=0,
        logo=None,
        agents=agents,
        created_at=EXAMPLE_CREATED,
        updated_at=EXAMPLE_CREATED,
        published=EXAMPLE,
        draft_changes=[],
        contrast=contrast_pairs(EXAMPLE.colors),
        logo_dark=None,
        font_urls={},
        logo_missing=[],
    )


def example_summary(agents: int) -> BrandSummary:
    """Return the example brand as an item of a list."""
    detail = example_detail(agents)
    return BrandSummary(**{name: getattr(detail, name) for name in BrandSummary.model_fields})


def version(row: BrandVersionRow) -> BrandVersion:
    """Return a published version without its content."""
    return BrandVersion(number=row.number, note=row.note, summary=row.summary, created_at=row.created_at)


def version_detail(row: BrandVersionRow) -> BrandVersionDetail:
    """Return a published version with its content."""
    return BrandVersionDetail(**version(row).model_dump(), content=BrandContent.model_validate(row.content))


def content_of(row: BrandRow) -> BrandContent:
    """Return the draft of a brand."""
    return BrandContent.model_validate(row.draft)


async def _context(session: AsyncSession, user: User, rows: list[BrandRow]) -> _Context:
    ids = [asset_id for row in rows for asset_id in file_ids(content_of(row))]
    found = await assets.find_many(session, user.id, ids) if ids else []
    return _Context(
        await repository.newest_versions(session, rows) if rows else {},
        await repository.agents_with(session, user.id, [row.id for row in rows]),
        {asset.id: asset for asset in found},
    )


def logo_ids(content: BrandContent) -> list[str]:
    """Return the ids of the assets that a brand has as logos."""
    return [asset_id for asset_id in (content.logo.light, content.logo.dark) if asset_id]


def file_ids(content: BrandContent) -> list[str]:
    """Return the ids of the assets that a brand has as logos or as font files."""
    return [*logo_ids(content), *(file.asset_id for file in content.font_files)]


def _summary(app_state: AppState, row: BrandRow, context: _Context) -> BrandSummary:
    content, published = content_of(row), _published(row, context)
    return BrandSummary(
        id=row.id,
        content=content,
        example=False,
        is_default=row.is_default,
        version=row.version,
        revision=row.revision,
        changes=len(changes_between(published, content)) if published else 0,
        logo=_logo(app_state, context, content.logo.light or content.logo.dark),
        agents=context.agents[row.id],
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def _published(row: BrandRow, context: _Context) -> BrandContent | None:
    found = context.published.get(row.id)
    return BrandContent.model_validate(found.content) if found else None


def _logo(app_state: AppState, context: _Context, asset_id: str | None) -> Asset | None:
    row = context.files.get(asset_id) if asset_id else None
    return assets.describe(app_state, row) if row else None


def _missing(content: BrandContent, context: _Context) -> list[Literal["light", "dark"]]:
    missing: list[Literal["light", "dark"]] = []
    if content.logo.light and content.logo.light not in context.files:
        missing.append("light")
    if content.logo.dark and content.logo.dark not in context.files:
        missing.append("dark")
    return missing
