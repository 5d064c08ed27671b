"""The language models that were downloaded to this machine. Each has a record beside its file."""

import asyncio
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import orjson

from impasto import Configuration
from impasto_nodes.providers.local.errors import DownloadFailed, ModelNotOffered
from impasto_nodes.providers.local.language_models.offers import Offer
from impasto_nodes.providers.local.model_store.download import Report, download, part_of, running_in
from impasto_nodes.providers.local.model_store.hub import HubFile
from impasto_nodes.providers.local.model_store.place import are_downloads_allowed, models_folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulled:
    """A model whose download was asked for; `received` is the part of its `size` in bytes that is here."""

    name: str
    title: str
    url: str
    size: int
    sha256: str
    licence: str
    received: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether the file is here, with the right SHA-256."""
        return self.received == self.size


def file_of(configuration: Configuration, name: str) -> Path:
    """Return where a model's file is, once it is complete."""
    return models_folder(configuration) / f"{name}.gguf"


async def pull(
    offer: Offer, found: HubFile, configuration: Configuration, report: Report | None = None
) -> Path:
    """Download a model, or the rest of it. Raises `DownloadFailed` and `DownloadRunning`."""
    if not are_downloads_allowed(configuration):
        raise DownloadFailed(offer.title, "downloads are turned off by IMPASTO_LOCAL_DOWNLOAD")
    target = file_of(configuration, offer.name)
    record = Pulled(
        name=offer.name,
        title=offer.title,
        url=found.url,
        size=found.size,
        sha256=found.sha256,
        licence=found.licence or offer.licence,
    )
    if await asyncio.to_thread(_is_here, target, record):
        return target
    try:
        await asyncio.to_thread(_write, target, record)
    except OSError as error:
        raise DownloadFailed(offer.title, f"{type(error).__name__}: {error}") from error
    return await download(
        found.url, target, checksum=found.checksum, size=found.size, title=offer.title, report=report
    )


def pulled_models(configuration: Configuration) -> list[Pulled]:
    """Return the models whose download was asked for, complete or not, smallest first.

    A file that someone put into the folder counts, too; its licence and SHA-256 are not known.
    """
    folder = models_folder(configuration)
    names = {file.stem for pattern in ("*.json", "*.gguf") for file in folder.glob(pattern)}
    found = [each for name in names if (each := _read(folder / f"{name}.gguf")) is not None]
    return sorted(found, key=lambda each: (each.size, each.name))


def running_models(configuration: Configuration) -> set[str]:
    """Return the names of the models that any process receives now. Ask before `pulled_models`."""
    return {target.stem for target in running_in(models_folder(configuration))}


def remove(configuration: Configuration, name: str) -> None:
    """Delete a model's file and record, and what has arrived of it. Raises `ModelNotOffered`."""
    known = pulled_models(configuration)
    if name not in {each.name for each in known}:
        raise ModelNotOffered(name, [each.name for each in known])
    target = file_of(configuration, name)
    for file in (_record_of(target), target, part_of(target)):
        file.unlink(missing_ok=True)


def _is_here(target: Path, record: Pulled) -> bool:
    known = _read(target)
    return known is not None and known.is_complete and known.sha256 == record.sha256


def _record_of(target: Path) -> Path:
    return target.with_suffix(".json")


def _write(target: Path, record: Pulled) -> None:
    known = _read(target)
    if known is None or known.sha256 != record.sha256:
        for earlier in (target, part_of(target)):  # of another revision, which the record would not describe
            earlier.unlink(missing_ok=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_suffix(".json.new")
    temporary.write_bytes(orjson.dumps(asdict(record)))
    temporary.replace(_record_of(target))


def _read(target: Path) -> Pulled | None:
    """Return what is known of a model's file, and how much of it is here.

    None if its record is not usable, or if neither a record nor the file is here.
    """
    try:
        arrived = _size_of(part_of(target)) or 0  # first: a download that ends now is found at its target
        size = _size_of(target)
        record = _record_of(target)
        if not record.exists():
            return None if size is None else _put_here(target.stem, size)
        known = Pulled(**orjson.loads(record.read_bytes()))
        if size is not None:
            return replace(known, received=size)
        return replace(known, received=min(arrived, known.size - 1))
    except (OSError, TypeError, ValueError):
        return None


def _put_here(name: str, size: int) -> Pulled:
    """Return what is known of a file that someone put into the folder."""
    return Pulled(name=name, title=name, url="", size=size, sha256="", licence="", received=size)


def _size_of(file: Path) -> int | None:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return None
