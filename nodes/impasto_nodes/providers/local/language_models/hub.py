"""What the model hub says of a file: revision, size, SHA-256 and licence.

Asked through the hub's own library, without an account. The file itself comes by `download`.
"""

import asyncio
from dataclasses import dataclass

from impasto import Configuration
from impasto_nodes.providers.local.errors import DownloadFailed
from impasto_nodes.providers.local.language_models.offers import Offer

ADDRESS = "https://huggingface.co"
_SECONDS = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HubFile:
    """A file of the hub, pinned to a revision. `size` is in bytes; `licence` is empty if none is stated."""

    url: str
    revision: str
    size: int
    sha256: str
    licence: str


async def look_up(offer: Offer, configuration: Configuration) -> HubFile:
    """Return what the hub says of an offered file today. Raises `DownloadFailed`."""
    address = configuration.text("IMPASTO_MODEL_HUB", ADDRESS).rstrip("/")
    try:
        async with asyncio.timeout(2 * _SECONDS):
            return await asyncio.to_thread(_ask, address, offer)
    except TimeoutError:
        raise DownloadFailed(offer.title, f"{address} did not answer in time") from None


def _ask(address: str, offer: Offer) -> HubFile:
    try:
        from huggingface_hub import HfApi
        from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError
    except ImportError as error:
        raise DownloadFailed(offer.title, "run pip install 'impasto[local]' first") from error
    import httpx

    api = HfApi(endpoint=address, token=False)
    try:
        found = api.model_info(offer.repository, files_metadata=True, timeout=_SECONDS)
    except RepositoryNotFoundError as error:
        raise DownloadFailed(offer.title, f"{address} has no repository {offer.repository}") from error
    except (HfHubHTTPError, httpx.HTTPError, OSError, ValueError) as error:
        raise DownloadFailed(
            offer.title, f"{address} could not be asked: {type(error).__name__}: {error}"
        ) from error
    file = next((one for one in found.siblings or () if one.rfilename == offer.file), None)
    if file is None:
        raise DownloadFailed(offer.title, f"{offer.repository} has no file {offer.file}")
    if file.lfs is None or not found.sha:
        raise DownloadFailed(offer.title, f"{address} does not state the SHA-256 of {offer.file}")
    card = found.card_data
    return HubFile(
        url=f"{address}/{offer.repository}/resolve/{found.sha}/{offer.file}",
        revision=found.sha,
        size=file.lfs.size,
        sha256=file.lfs.sha256,
        licence=str((card.get("license_name") or card.get("license") or "") if card else ""),
    )
