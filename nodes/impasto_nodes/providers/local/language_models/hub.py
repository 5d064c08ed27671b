"""The model hub's data of an offered GGUF file."""

from impasto import Configuration
from impasto_nodes.providers.local.errors import DownloadFailed
from impasto_nodes.providers.local.language_models.offers import Offer
from impasto_nodes.providers.local.model_store.hub import HubFile, files_of


async def look_up(offer: Offer, configuration: Configuration) -> HubFile:
    """Return the hub's current data of an offered file. Raises `DownloadFailed`."""
    found = await files_of(offer.repository, lambda name: name == offer.file, offer.title, configuration)
    if not found:
        raise DownloadFailed(offer.title, f"{offer.repository} has no file {offer.file}")
    if not found[0].sha256:
        raise DownloadFailed(offer.title, f"the hub does not state the SHA-256 of {offer.file}")
    return found[0]
