"""The model hub's data of a repository's files: revision, size, checksum and licence.

Asked through the hub's own library, without an account. The files themselves come by `download`.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from impasto import Configuration
from impasto_nodes.providers.local.errors import DownloadFailed
from impasto_nodes.providers.local.model_store.checksum import Checksum

ADDRESS = "https://huggingface.co"
_SECONDS, _MAX_SECONDS = 15.0, 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HubFile:
    """A file of the hub, pinned to a revision. `size` is in bytes; `licence` is empty if none is stated."""

    name: str
    url: str
    size: int
    checksum: Checksum
    licence: str

    @property
    def sha256(self) -> str:
        """Its SHA-256; empty where the hub states another hash."""
        return self.checksum.value if self.checksum.algorithm == "sha256" else ""


async def files_of(
    repository: str, is_wanted: Callable[[str], bool], title: str, configuration: Configuration
) -> list[HubFile]:
    """Return the wanted files of a repository as they are today, in the hub's order; none if there are none.

    Raises `DownloadFailed`.
    """
    address = configuration.text("IMPASTO_MODEL_HUB", ADDRESS).rstrip("/")
    try:
        async with asyncio.timeout(_MAX_SECONDS):
            return await asyncio.to_thread(_ask, address, repository, is_wanted, title)
    except TimeoutError:
        raise DownloadFailed(title, f"{address} did not answer in time") from None


def _ask(address: str, repository: str, is_wanted: Callable[[str], bool], title: str) -> list[HubFile]:
    try:
        from huggingface_hub import HfApi
        from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError
    except ImportError as error:
        raise DownloadFailed(title, "run pip install 'impasto[local]' first") from error
    import httpx

    api = HfApi(endpoint=address, token=False)
    try:
        found = api.model_info(repository, files_metadata=True, timeout=_SECONDS)
    except RepositoryNotFoundError as error:
        raise DownloadFailed(title, f"{address} has no repository {repository}") from error
    except (HfHubHTTPError, httpx.HTTPError, OSError, ValueError) as error:
        raise DownloadFailed(
            title, f"{address} could not be asked: {type(error).__name__}: {error}"
        ) from error
    card = found.card_data
    licence = str((card.get("license_name") or card.get("license") or "") if card else "")
    return [
        _described(address, repository, found.sha, file, licence, title)
        for file in found.siblings or ()
        if is_wanted(file.rfilename)
    ]


def _described(
    address: str, repository: str, revision: str | None, file: Any, licence: str, title: str
) -> HubFile:
    size, checksum = file.size, Checksum("git", file.blob_id or "")
    if file.lfs is not None:
        size, checksum = file.lfs.size, Checksum("sha256", file.lfs.sha256)
    if not (revision and checksum.value and size):
        raise DownloadFailed(title, f"{address} does not state the SHA-256 or the size of {file.rfilename}")
    return HubFile(
        name=file.rfilename,
        url=f"{address}/{repository}/resolve/{revision}/{file.rfilename}",
        size=size,
        checksum=checksum,
        licence=licence,
    )
