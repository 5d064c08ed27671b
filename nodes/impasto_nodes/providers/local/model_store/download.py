"""Download one file, verified and resumable."""

import asyncio
import fcntl
import os
import shutil
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import httpx

from impasto.sdk.http_client import tls_context
from impasto_nodes.providers.local.errors import DownloadFailed, DownloadRunning, DownloadStopped
from impasto_nodes.providers.local.model_store.checksum import Checksum, Digest

Report = Callable[[float, str], None]
_TIMEOUT = httpx.Timeout(30.0, connect=5.0)
_PART = ".part"
_CHUNK = 1 << 20
_LOCK_ATTEMPTS, _LOCK_PAUSE_SECONDS = 3, 0.002
_MAX_ATTEMPTS = 5
_SPARE_BYTES = 200_000_000
_LOOK_SECONDS = 0.25
_MAX_STOP_LOOKS, _STOP_LOOK_SECONDS = 100, 0.05


class _OtherContent(Exception):
    """What arrived is not the expected file: it is of no use later."""


class Removed(Exception):
    """What has arrived was deleted while the rest was received."""


def part_of(target: Path) -> Path:
    """Return the file that holds what has arrived of a download."""
    return target.with_name(f"{target.name}{_PART}")


def is_running(target: Path) -> bool:
    """Return whether a process receives this file now."""
    try:
        with part_of(target).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def running_in(folder: Path) -> set[Path]:
    """Return what is received into a folder now, by any process.

    Ask before you look at the files: a download that ends between the two is then seen complete.
    """
    targets = (part.with_suffix("") for part in folder.glob(f"*{_PART}"))
    return {target for target in targets if is_running(target)}


def request_stop(target: Path) -> bool:
    """Ask the process that receives this file to stop; return whether there is one."""
    if not is_running(target):
        return False
    stop_of(target).touch()
    return True


async def stop(target: Path) -> bool:
    """Stop the process that receives this file, within seconds; return whether there was one."""
    if not await asyncio.to_thread(request_stop, target):
        return False
    for _ in range(_MAX_STOP_LOOKS):
        if not await asyncio.to_thread(is_running, target):
            break
        await asyncio.sleep(_STOP_LOOK_SECONDS)
    return True


async def download(
    url: str, target: Path, *, checksum: Checksum, size: int, title: str, report: Report | None = None
) -> Path:
    """Download `url` to `target`. The file appears there only when its checksum is right.

    `size` is the expected number of bytes. What has arrived is kept when a connection is lost or this is
    cancelled, and a later call goes on from there. The download ends if another process removes that part.
    Raises `DownloadFailed`, `DownloadStopped` after `request_stop`, and `DownloadRunning` while another
    process downloads the same file.
    """
    part = part_of(target)
    try:
        await asyncio.to_thread(target.parent.mkdir, parents=True, exist_ok=True)
        with locked(part, title) as file:
            stop_of(target).unlink(missing_ok=True)
            digest = await asyncio.to_thread(_digest_of, file, size, checksum)
            await asyncio.to_thread(check_space, target.parent, size - file.tell(), title)
            await unless_stopped(_receive(url, file, digest, size, title, report), target, title)
            if (found := digest.hexdigest()) != checksum.value:
                raise _OtherContent(f"its hash is {found}, expected the {checksum}")
            await asyncio.to_thread(os.fsync, file.fileno())
            require_place(file)
            part.replace(target)
    except Removed:
        raise DownloadFailed(title, "it was removed while it was received") from None
    except _OtherContent as error:
        part.unlink(missing_ok=True)
        raise DownloadFailed(title, str(error)) from error
    except OSError as error:
        raise DownloadFailed(title, f"{type(error).__name__}: {error}") from error
    return target


def stop_of(target: Path) -> Path:
    """Return the file that asks the receiving process to stop."""
    return target.with_name(f"{target.name}.stop")


async def unless_stopped(receiving: Coroutine[Any, Any, None], target: Path, title: str) -> None:
    """Await a coroutine, and cancel it when another process asks for that. Raises `DownloadStopped`."""
    stop, task = stop_of(target), asyncio.ensure_future(receiving)
    try:
        while not task.done():
            await asyncio.wait((task,), timeout=_LOOK_SECONDS)
            if not task.done() and stop.exists():
                raise DownloadStopped(title)
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait((task,))
        stop.unlink(missing_ok=True)
    await task


@contextmanager
def locked(part: Path, title: str) -> Iterator[IO[bytes]]:
    """Hold what has arrived of a download, open for more. Raises `DownloadRunning`."""
    with part.open("a+b") as file:
        for attempt in range(_LOCK_ATTEMPTS):  # `is_running` holds the lock for microseconds
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if attempt == _LOCK_ATTEMPTS - 1:
                    raise DownloadRunning(title) from None
                time.sleep(_LOCK_PAUSE_SECONDS)
        yield file


def require_place(file: IO[bytes]) -> None:
    """Raise `Removed` if the open file has been deleted: another download may have its place."""
    if not os.fstat(file.fileno()).st_nlink:
        raise Removed


def _digest_of(file: IO[bytes], size: int, checksum: Checksum) -> Digest:
    """Return the digest of what has arrived earlier, and leave the file at its end."""
    if file.seek(0, 2) > size:
        file.truncate(0)
    file.seek(0)
    digest = checksum.start(size)
    while chunk := file.read(_CHUNK):
        digest.update(chunk)
    return digest


def check_space(folder: Path, needed: int, title: str) -> None:
    """Raise `DownloadFailed` if a folder has no room for `needed` bytes."""
    free = shutil.disk_usage(folder).free
    if free < needed + _SPARE_BYTES:
        short = (needed + _SPARE_BYTES - free) // 1_000_000 + 1
        raise DownloadFailed(title, f"{folder} needs {short} MB more of free space")


async def _receive(
    url: str, file: IO[bytes], digest: Digest, size: int, title: str, report: Report | None
) -> None:
    """Append the rest of the file. A lost connection is tried again as long as each attempt gets further."""
    failures = 0
    async with httpx.AsyncClient(verify=tls_context(), follow_redirects=True, timeout=_TIMEOUT) as client:
        while file.tell() < size:
            before = file.tell()
            try:
                await _receive_once(client, url, file, digest, size, title, report)
            except httpx.InvalidURL as error:
                raise DownloadFailed(title, str(error)) from error
            except httpx.HTTPError as error:
                failures = 0 if file.tell() > before else failures + 1
                is_refused = isinstance(error, httpx.HTTPStatusError) and error.response.status_code < 500
                if is_refused or failures >= _MAX_ATTEMPTS or isinstance(error, httpx.ConnectError):
                    raise DownloadFailed(title, f"{type(error).__name__}: {error}") from error
            else:
                if file.tell() == before:
                    raise DownloadFailed(title, f"it has only {before} of {size} bytes")


async def _receive_once(
    client: httpx.AsyncClient,
    url: str,
    file: IO[bytes],
    digest: Digest,
    size: int,
    title: str,
    report: Report | None,
) -> None:
    start = file.tell()
    headers = {"Accept-Encoding": "identity", **({"Range": f"bytes={start}-"} if start else {})}
    async with client.stream("GET", url, headers=headers) as answer:
        answer.raise_for_status()
        skipped = 0 if answer.status_code == httpx.codes.PARTIAL_CONTENT else start
        async for chunk in answer.aiter_bytes(_CHUNK):
            new = chunk[skipped:]
            skipped -= len(chunk) - len(new)
            if file.tell() + len(new) > size:
                raise _OtherContent(f"it has more than the expected {size} bytes")
            await asyncio.to_thread(_append, file, digest, new)
            if report:
                done = file.tell()
                report(done / size, f"Downloading {title}: {done // 1_000_000} of {size // 1_000_000} MB")


def _append(file: IO[bytes], digest: Digest, chunk: bytes) -> None:
    require_place(file)
    file.write(chunk)
    digest.update(chunk)
