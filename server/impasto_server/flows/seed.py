"""Loading the built-in agents: each file becomes a public published agent of the system."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import structlog

import impasto_server
from impasto import Flow
from impasto.errors import ImpastoError
from impasto_server.assets.media import images
from impasto_server.container import AppState
from impasto_server.db.engine import advisory_lock
from impasto_server.flows import import_export, repository
from impasto_server.flows.compilation import compile_document
from impasto_server.flows.errors import DocumentInvalid
from impasto_server.flows.models import FlowRow
from impasto_server.settings import Settings
from impasto_server.utils import new_id
from impasto_server.versions import service as versions

log = structlog.get_logger()

# That of the files beside the built-in agents: the size of uploaded covers would enlarge them.
_COVER_SIZE = (640, 320)


def agents_dir(settings: Settings) -> Path | None:
    """Return `IMPASTO_AGENTS_DIR`, or else the folder of agents beside the source, or None."""
    if settings.agents_dir is not None:
        return settings.agents_dir
    package = Path(impasto_server.__file__).parent
    places = (package / "agents", package.parent.parent / "examples" / "agents")
    return next((place for place in places if place.is_dir()), None)


async def seed(app_state: AppState) -> None:
    """Create or update the agents of the files. Files that are invalid are logged and skipped."""
    folder = agents_dir(app_state.settings)
    if folder is None:
        log.warning(
            "found no folder of built-in agents", hint="set IMPASTO_AGENTS_DIR to a folder of agent files"
        )
        return
    for path, document in _read_agent_files(folder):
        await _seed_agent(app_state, path, document)


def _read_agent_files(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    for path in sorted(folder.glob("*.json")):
        try:
            document = orjson.loads(path.read_bytes())
            import_export.require_lists(document)
            Flow.parse(document)
        except (orjson.JSONDecodeError, DocumentInvalid, ImpastoError) as error:
            log.error("invalid built-in agent", file=path.name, error=str(error))
            continue
        yield path, document


async def _seed_agent(app_state: AppState, path: Path, document: dict[str, Any]) -> None:
    metadata, flow = import_export.split_import(document)
    compiled = compile_document(flow, app_state.catalog, {})
    if compiled.plan is None:
        problems = [problem.message for problem in compiled.problems]
        log.error("built-in agent does not compile", file=path.name, problems=problems)
        return
    cover_path = path.parent / "covers" / f"{path.stem}.webp"
    avatar = await _store_cover(app_state, cover_path) if cover_path.is_file() else None
    async with app_state.database.writing() as session:
        # Servers of one installation may start at the same moment.
        await advisory_lock(session, f"built-in agent {path.stem}")
        row = await repository.find_built_in(session, path.stem)
        if row is None:
            row = FlowRow(
                id=new_id(), built_in=path.stem, draft=flow, revision=1, created_at=app_state.clock()
            )
            session.add(row)
        elif row.draft != flow:
            row.draft, row.revision = flow, row.revision + 1
        row.name, row.description, row.category = metadata.name, metadata.description, metadata.category
        row.visibility, row.beta = "public", document.get("beta") is True
        order = document.get("order")
        row.position = order if type(order) is int else None
        row.kinds, row.takes, row.avatar_key = list(compiled.kinds), list(compiled.takes), avatar
        if row.published_revision != row.revision:
            await versions.record_publish(session, row, None, "", app_state.clock(), {})


async def _store_cover(app_state: AppState, path: Path) -> str:
    data = await asyncio.to_thread(path.read_bytes)
    # With the size, so that a cover that was stored in another one is replaced.
    key = images.cover_key(data + repr(_COVER_SIZE).encode())
    if not await app_state.storage.exists(key):
        pixels = app_state.settings.image_megapixels
        cover = await asyncio.to_thread(images.crop, data, _COVER_SIZE, pixels)
        await app_state.storage.put_at(key, cover)
    return key
