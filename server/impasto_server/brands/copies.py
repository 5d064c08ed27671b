"""Brands that come with an agent: what an export takes of them, and copies that an import creates."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.brands import references, repository, service
from impasto_server.brands.schemas import BrandContent
from impasto_server.container import AppState
from impasto_server.users.models import User

_MAX_KNOWN = 200


async def contents_of(session: AsyncSession, user: User, wanted: Sequence[str]) -> dict[str, BrandContent]:
    """Return the published contents that a user's references to own brands stand for, by reference."""
    found = {}
    for reference in wanted:
        content = await references.own_content(session, user.id, reference)
        if content is not None:
            found[reference] = content
    return found


async def published_of(session: AsyncSession, user: User) -> dict[str, BrandContent]:
    """Return the newest published contents of the user's newest brands, by id."""
    drafts = await repository.drafts(session, user.id, _MAX_KNOWN)
    return await contents_of(session, user, [brand_id for brand_id, _ in drafts])


async def create_published(
    session: AsyncSession, app_state: AppState, user: User, brand_id: str, content: BrandContent
) -> None:
    """Create a brand with this id and publish it as version 1, in the caller's transaction.

    Raises `LogoInvalid`, `FontInvalid` or `LimitReached`.
    """
    row = await service.add(session, app_state, user, content, brand_id)
    await service.add_version(session, app_state, user, row, "", [])
