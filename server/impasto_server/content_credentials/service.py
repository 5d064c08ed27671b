"""Signing files and reading credentials, in processes of their own."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import structlog

from impasto_server.compiler.pool import OutOfMemory, ProcessPool, TooManyWaiting, TooSlow
from impasto_server.compiler.process import CompilerProcess
from impasto_server.content_credentials.authority import own_authority_file
from impasto_server.content_credentials.formats import Format, format_of, may_have_manifest
from impasto_server.http.errors import RateLimited
from impasto_server.settings import Settings
from impasto_server.utils import own_version

log = structlog.get_logger()
_WORKER = "impasto_server.content_credentials.worker"
# The library holds whole files in memory. With huge pages (glibc 2.35) it takes these from the system in
# pieces of 2 MiB instead of 4 KiB, which saves up to a third of the time. Other C libraries ignore it.
_ENVIRONMENT = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
# Files of one user that wait to be read; the number of running steps bounds those that wait to be signed.
_MAX_READS_WAITING = 32


@dataclass(frozen=True)
class Ingredient:
    """An input of a signed file: its definition, and the file; without a file it is only named."""

    definition: dict[str, Any]
    path: Path | None
    media_type: str


@dataclass(frozen=True)
class Signature:
    """The result of signing a file: `sidecar` is the manifest if the format cannot contain it."""

    sidecar: bytes | None = None


class ContentCredentials:
    """Signs files and reads credentials. Its processes start on demand; `close` ends them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._pool: ProcessPool | None = None
        self.version = own_version()

    @property
    def is_enabled(self) -> bool:
        """Whether generated files are signed."""
        return self._settings.content_credentials

    @property
    def organization(self) -> str:
        """The organization that claims name; empty for none."""
        return self._settings.content_organization

    async def close(self) -> None:
        """End the processes; requests under way fail."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await pool.close()

    async def sign(
        self,
        owner: str,
        path: Path,
        found: Format,
        definition: dict[str, Any],
        ingredients: Sequence[Ingredient],
    ) -> Signature | None:
        """Sign a file in place. Returns None, and leaves the file as it is, if it cannot be signed.

        `owner` is the id of the user, whose files are signed one after the other.
        """
        target = path.with_name(f"{path.name}.signed")
        header = {
            "operation": "sign",
            "path": str(path),
            "target": str(target),
            "media_type": found.media_type,
            "embedded": found.embedded,
            "definition": definition,
            "ingredients": [
                {
                    "definition": each.definition,
                    "path": each.path and str(each.path),
                    "media_type": each.media_type,
                }
                for each in ingredients
            ],
        }
        try:
            sidecar, missing_stamp = await self._call(owner, [orjson.dumps(header)])
        except (TooSlow, OutOfMemory, RuntimeError, OSError) as error:
            log.error(
                "file not signed", media_type=found.media_type, reason=str(error) or type(error).__name__
            )
            return None
        if missing_stamp:
            log.warning("file signed without a time stamp", reason=missing_stamp.decode())
        if not found.embedded:
            return Signature(sidecar)
        await asyncio.to_thread(target.replace, path)
        return Signature()

    async def read(self, owner: str, path: Path, sidecar: bytes | None = None) -> dict[str, Any] | None:
        """Return the report on a file's credentials, or None if it has none. The file is untrusted.

        A report with the only key `unreadable` says why the credentials cannot be read. The files of an
        owner are read one after the other, independently of those that are signed. Raises `RateLimited` if
        too many wait.
        """
        found = await asyncio.to_thread(format_of, path)
        if found is None:
            return None
        if sidecar is None and not await asyncio.to_thread(may_have_manifest, path):
            return None
        header = {"operation": "read", "path": str(path), "media_type": found.media_type}
        try:
            parts = [orjson.dumps(header), sidecar or b""]
            (report,) = await self._call(f"read {owner}", parts, _MAX_READS_WAITING)
        except TooManyWaiting as error:
            raise RateLimited(1) from error
        except (TooSlow, OutOfMemory):
            return {"unreadable": "reading the credentials takes too much time or memory"}
        except RuntimeError as error:
            log.error("credentials not read", reason=str(error))
            return {"unreadable": "the credentials cannot be read"}
        result: dict[str, Any] | None = orjson.loads(report)
        return result

    async def _call(self, owner: str, parts: Sequence[bytes], max_waiting: int | None = None) -> list[bytes]:
        if self._pool is None:
            settings = self._settings
            start = partial(CompilerProcess, worker=_WORKER, environment=_ENVIRONMENT)
            self._pool = ProcessPool(
                settings.content_credentials_processes,
                settings.content_credentials_seconds,
                lambda: orjson.dumps(worker_setup(settings)),
                start,
            )
        answer, _ = await self._pool.call(owner, parts, max_waiting)
        return answer


def worker_setup(settings: Settings) -> dict[str, Any]:
    """Return the first message to a worker process: where key and certificates are, and its limits."""
    own = settings.content_certificate_file is None
    authority = own_authority_file(settings)
    certificates = authority if own else settings.content_certificate_file
    key = authority if own else settings.content_key_file
    enabled = settings.content_credentials or authority.exists()
    return {
        "own": own,
        "certificates": str(certificates) if enabled else "",
        "key": str(key) if enabled and key and not settings.content_signer else "",
        "signer": settings.content_signer,
        "plugins": settings.plugins,
        "timestamp_url": settings.content_timestamp_url,
        "trusted": str(settings.content_trust_file or ""),
        "seconds": settings.content_credentials_seconds,
        "memory_bytes": settings.content_credentials_memory_mib * 2**20,
    }
