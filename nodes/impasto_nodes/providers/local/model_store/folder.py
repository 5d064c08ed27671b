"""Models of several files: downloaded one after the other, published when all are complete."""

import asyncio
import hashlib
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

from impasto_nodes.providers.local.errors import DownloadFailed
from impasto_nodes.providers.local.model_store.download import (
    Removed,
    Report,
    check_space,
    download,
    locked,
    part_of,
    require_place,
    stop_of,
    unless_stopped,
)
from impasto_nodes.providers.local.model_store.hub import HubFile


def sha256_of(files: Sequence[HubFile]) -> str:
    """Return one SHA-256 for all files: that of the list of their hashes and names, sorted by name."""
    lines = (f"{one.checksum.algorithm}:{one.checksum.value}  {one.name}\n" for one in files)
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()


def staging_of(target: Path) -> Path:
    """Return the folder that holds what has arrived of a model."""
    return target.with_name(f"{target.name}.files")


def received(target: Path, files: Sequence[HubFile]) -> int:
    """Return how many bytes of a model that is not complete are here."""
    staging = staging_of(target)
    return sum(min(_size_of(staging / one.name), one.size) for one in files)


def remove_folder(target: Path) -> None:
    """Delete a model, or what has arrived of it. A download of it in any process then fails."""
    part_of(target).unlink(missing_ok=True)
    stop_of(target).unlink(missing_ok=True)
    for folder in (staging_of(target), target):
        shutil.rmtree(folder, ignore_errors=True)


async def download_folder(
    files: Sequence[HubFile], target: Path, *, title: str, report: Report | None = None
) -> Path:
    """Download files into the folder `target`, which appears only when each has the right checksum.

    What has arrived is kept when a connection is lost, the process is killed or this is cancelled; a later
    call goes on from there. `report` gets the share of all bytes. Raises as `download` does.
    """
    part, staging = part_of(target), staging_of(target)
    try:
        await asyncio.to_thread(staging.mkdir, parents=True, exist_ok=True)
        with locked(part, title) as lock:
            stop_of(target).unlink(missing_ok=True)
            missing = sum(one.size for one in files) - received(target, files)
            await asyncio.to_thread(check_space, target.parent, missing, title)
            await unless_stopped(_receive(files, staging, lock, title, report), target, title)
            require_place(lock)
            await asyncio.to_thread(_publish, staging, target)
            part.unlink(missing_ok=True)
    except Removed:
        raise DownloadFailed(title, "it was removed while it was received") from None
    except OSError as error:
        raise DownloadFailed(title, f"{type(error).__name__}: {error}") from error
    return target


async def _receive(
    files: Sequence[HubFile], staging: Path, lock: IO[bytes], title: str, report: Report | None
) -> None:
    whole, before = sum(one.size for one in files), 0
    for one in files:
        require_place(lock)
        place = staging / one.name
        if not await asyncio.to_thread(place.exists):  # a file has its name once its checksum was right
            await download(
                one.url,
                place,
                checksum=one.checksum,
                size=one.size,
                title=title,
                report=_scaled(report, before, one.size, whole, title),
            )
        before += one.size


def _scaled(report: Report | None, before: int, size: int, whole: int, title: str) -> Report | None:
    """Return a report of one file as a share of all files."""
    if report is None:
        return None
    outer: Callable[[float, str], None] = report

    def scaled(share: float, message: str) -> None:
        done = before + round(share * size)
        outer(done / whole, f"Downloading {title}: {done // 1_000_000} of {whole // 1_000_000} MB")

    return scaled


def _publish(staging: Path, target: Path) -> None:
    """Give the folder its name, in one step, after its entries are on the disk."""
    if target.exists():
        shutil.rmtree(target)
    descriptor = os.open(staging, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    staging.rename(target)


def _size_of(place: Path) -> int:
    for file in (part_of(place), place):  # in this order: one of them is there whenever the file is complete
        try:
            return file.stat().st_size
        except OSError:
            continue
    return 0
