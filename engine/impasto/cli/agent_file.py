"""Flows that the command line runs: a flow document, or the zip of an exported agent with its assets."""

import typing as t
from dataclasses import dataclass
from pathlib import Path

from impasto.document.archive import ArchivedFile, MissingPart, is_archive, open_archive, shown
from impasto.document.flow import Flow
from impasto.store import Store

MAX_BYTES = 16 * 2**30


@dataclass(frozen=True, kw_only=True)
class AgentFile:
    """A flow, the files that came with it by their paths, what was not exported with it, and its brands.

    `brands` are the names of saved brands, which only a server puts into a run.
    """

    flow: Flow
    files: tuple[tuple[Path, ArchivedFile], ...] = ()
    missing: tuple[MissingPart, ...] = ()
    brands: tuple[str, ...] = ()

    async def store_files(self, store: Store) -> None:
        """Put the files into a store whose ids are the SHA-256 of the content."""
        for path, file in self.files:
            await store.put(path, file.media_type, file.name)

    def warnings(self) -> list[str]:
        """Return a sentence for each part that a run does not have."""
        return [
            f"The {part.kind} '{shown(part.name or part.id)}' was not exported with this agent."
            for part in self.missing
        ] + [
            f"The saved brand '{shown(name)}' is not used here: only a server that imports this agent has it."
            for name in self.brands
        ]


def load_agent(path: Path, folder: Path) -> AgentFile:
    """Return the flow in a file; the assets of a zip are written to `folder`.

    Raises `FlowInvalid`, `ArchiveInvalid`, or OSError if the file cannot be read.
    """
    if not is_archive(path):
        return AgentFile(flow=Flow.load(path))
    with open_archive(path, MAX_BYTES) as archive:
        files = []
        for number, file in enumerate(archive.manifest.files):
            target = folder / str(number)
            archive.extract(file, target)
            files.append((target, file))
        digests = {file.asset_id: file.sha256 for file in archive.manifest.files}
        document = archive.document()
        _point_to(document, digests)
        brands = tuple(brand.name for brand in archive.manifest.brands)
        return AgentFile(
            flow=Flow.parse(document),
            files=tuple(files),
            missing=tuple(archive.manifest.missing),
            brands=brands,
        )


def _point_to(document: dict[str, t.Any], ids: dict[str, str]) -> None:
    """Replace, in place, the ids of assets at any depth."""
    pending: list[t.Any] = [document]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            asset_id = item.get("asset_id")
            if isinstance(asset_id, str) and asset_id in ids:
                item["asset_id"] = ids[asset_id]
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
