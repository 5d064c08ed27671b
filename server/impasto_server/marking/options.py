"""How the images and videos of an agent are marked, and whom the credentials of a run's files name."""

from dataclasses import dataclass

from sqlalchemy import select

from impasto_server.db.engine import Database
from impasto_server.flows.models import FlowRow
from impasto_server.users.models import User


@dataclass(frozen=True)
class MarkingOptions:
    """The choices of the agent's builder, and the name that the run's owner wants in credentials."""

    has_watermark: bool = False
    marks_exports: bool = False
    creator: str | None = None


async def read_options(database: Database, owner_id: str, flow_id: str | None) -> MarkingOptions:
    """Return the options for the files of a run: none for an agent that is deleted."""
    async with database.reading() as session:
        creator = await session.scalar(select(User.credentials_name).where(User.id == owner_id))
        choices = select(FlowRow.watermark, FlowRow.mark_exports).where(FlowRow.id == flow_id)
        found = (await session.execute(choices)).one_or_none()
    watermark, mark_exports = found or (False, False)
    return MarkingOptions(watermark, mark_exports, creator)
