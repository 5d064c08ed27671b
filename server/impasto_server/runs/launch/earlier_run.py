"""The outputs of the run whose results another run regenerates in part."""

import asyncio

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import service as assets
from impasto_server.assets.references import asset_ids_in
from impasto_server.runs import journal_repository, repository
from impasto_server.runs.models import RunRow


async def earlier_outputs(session: AsyncSession, row: RunRow) -> dict[str, bytes] | None:
    """Return the outputs, by step id, of the run that a run regenerates; None if it regenerates none.

    Only outputs that the run may take: there are none if the agent, the inputs or the brands have changed
    since, and none of a step whose files were deleted.
    """
    if row.again_of is None:
        return None
    earlier = await repository.find(session, row.again_of)
    if earlier is None or earlier.owner_id != row.owner_id or not _is_same_launch(earlier, row):
        return None
    outputs = await journal_repository.step_outputs(session, earlier.id)
    # Outputs may be large: they are decoded outside of the event loop.
    files = await asyncio.to_thread(_files_in, outputs)
    wanted = sorted({asset_id for ids in files.values() for asset_id in ids})
    present = {asset.id for asset in await assets.find_many(session, row.owner_id, wanted)}
    return {step: body for step, body in outputs.items() if present.issuperset(files[step])}


def _files_in(outputs: dict[str, bytes]) -> dict[str, set[str]]:
    return {step: set(asset_ids_in(orjson.loads(body))) for step, body in outputs.items()}


def _is_same_launch(one: RunRow, other: RunRow) -> bool:
    names = ("flow_id", "document", "subflows", "inputs", "brands")
    return all(getattr(one, name) == getattr(other, name) for name in names)
