"""The caption models that were downloaded to this machine. Each has a record beside its folder."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from impasto import Configuration
from impasto_nodes.providers.local.caption_models.offers import Offer
from impasto_nodes.providers.local.errors import CaptionModelMissing, DownloadFailed, ModelNotOffered
from impasto_nodes.providers.local.model_store.checksum import Checksum
from impasto_nodes.providers.local.model_store.download import Report, running_in
from impasto_nodes.providers.local.model_store.folder import (
    download_folder,
    received,
    remove_folder,
    sha256_of,
)
from impasto_nodes.providers.local.model_store.hub import HubFile
from impasto_nodes.providers.local.model_store.place import are_downloads_allowed, models_folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulled:
    """A model whose download was asked for; `received` is the part of its `size` in bytes that is here.

    A folder that someone put here has no `repository` and no `files`.
    """

    name: str
    title: str
    repository: str
    licence: str
    files: tuple[HubFile, ...]
    size: int
    received: int
    is_complete: bool

    @property
    def sha256(self) -> str:
        """The SHA-256 of the list of its files."""
        return sha256_of(self.files)


def folder_of(configuration: Configuration, name: str) -> Path:
    """Return where a model's files are, once it is complete."""
    return models_folder(configuration) / "captions" / name


async def pull(
    offer: Offer, files: Sequence[HubFile], configuration: Configuration, report: Report | None = None
) -> Path:
    """Download a model, or the rest of it. Raises `DownloadFailed` and `DownloadRunning`."""
    if not are_downloads_allowed(configuration):
        raise DownloadFailed(offer.title, "downloads are turned off by IMPASTO_LOCAL_DOWNLOAD")
    target = folder_of(configuration, offer.name)
    known = await asyncio.to_thread(_read, target)
    is_same = known is not None and known.sha256 == sha256_of(files)
    if known is not None and known.is_complete and is_same:
        return target
    try:
        await asyncio.to_thread(_write, target, offer, files, is_same=is_same)
    except OSError as error:
        raise DownloadFailed(offer.title, f"{type(error).__name__}: {error}") from error
    return await download_folder(files, target, title=offer.title, report=report)


def pulled_models(configuration: Configuration) -> list[Pulled]:
    """Return the models whose download was asked for, or that someone put here, smallest first."""
    folder = models_folder(configuration) / "captions"
    names = {file.stem for file in folder.glob("*.json")}
    names |= {file.parent.name for file in folder.glob("*/model.bin") if file.parent.suffix != ".files"}
    found = [each for name in names if (each := _read(folder / name)) is not None]
    return sorted(found, key=lambda each: (each.size, each.name))


def running_models(configuration: Configuration) -> set[str]:
    """Return the names of the models that any process receives now. Ask before `pulled_models`."""
    return {target.name for target in running_in(models_folder(configuration) / "captions")}


def find_model(configuration: Configuration) -> Pulled:
    """Return the model that IMPASTO_LOCAL_CAPTIONS_MODEL names, else the largest one that is complete.

    Reads a folder. Raises `CaptionModelMissing`.
    """
    complete = [each for each in pulled_models(configuration) if each.is_complete]
    if chosen := configuration.text("IMPASTO_LOCAL_CAPTIONS_MODEL"):
        complete = [each for each in complete if each.name.casefold() == chosen.casefold()]
    if not complete:
        raise CaptionModelMissing(
            f"no model {chosen or 'at all'} is complete", can_download=are_downloads_allowed(configuration)
        )
    return complete[-1]


def remove(configuration: Configuration, name: str) -> None:
    """Delete a model and its record, and what has arrived of it. Raises `ModelNotOffered`."""
    known = pulled_models(configuration)
    if name not in {each.name for each in known}:
        raise ModelNotOffered(name, [each.name for each in known])
    target = folder_of(configuration, name)
    remove_folder(target)
    _record_of(target).unlink(missing_ok=True)


def _record_of(target: Path) -> Path:
    return target.with_name(f"{target.name}.json")


def _write(target: Path, offer: Offer, files: Sequence[HubFile], *, is_same: bool) -> None:
    if not is_same:
        remove_folder(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    record = {
        "title": offer.title,
        "repository": offer.repository,
        "licence": files[0].licence or offer.licence,
        "files": [asdict(file) for file in files],
    }
    temporary = target.with_name(f"{target.name}.json.new")
    temporary.write_bytes(orjson.dumps(record))
    temporary.replace(_record_of(target))


def _read(target: Path) -> Pulled | None:
    """Return what is known of a model, and how much of it is here; None without a usable record."""
    try:
        record = _record_of(target)
        if not record.exists():
            return _put_here(target)
        known = orjson.loads(record.read_bytes())
        files = tuple(map(_file, known["files"]))
        size = sum(file.size for file in files)
        arrived = received(target, files)  # first: a download that ends now is found at its target
        is_complete = (target / "model.bin").exists()
        return Pulled(
            name=target.name,
            title=str(known["title"]),
            repository=str(known["repository"]),
            licence=str(known["licence"]),
            files=files,
            size=size,
            received=size if is_complete else arrived,
            is_complete=is_complete,
        )
    except (OSError, KeyError, TypeError, ValueError):
        return None


def _put_here(target: Path) -> Pulled:
    size = sum(file.stat().st_size for file in target.iterdir())
    return Pulled(
        name=target.name,
        title=target.name,
        repository="",
        licence="",
        files=(),
        size=size,
        received=size,
        is_complete=True,
    )


def _file(stored: dict[str, Any]) -> HubFile:
    return HubFile(**{**stored, "checksum": Checksum(**stored["checksum"])})
