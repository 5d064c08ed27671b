"""The language models that an operator may download, as the server and the editor see them."""

import asyncio
from collections.abc import Sequence

from impasto import Configuration
from impasto.sdk.providers import ModelDetails, ModelDownload
from impasto_nodes.providers.local.errors import ModelChanged, ModelNotOffered
from impasto_nodes.providers.local.language_models.offers import (
    Offer,
    find_offer,
    look_up,
    memory_of,
    offers,
    recommended,
)
from impasto_nodes.providers.local.language_models.pulled import (
    Pulled,
    file_of,
    pull,
    pulled_models,
    remove,
    running_models,
)
from impasto_nodes.providers.local.model_store.checksum import Checksum
from impasto_nodes.providers.local.model_store.download import Report, stop
from impasto_nodes.providers.local.model_store.hub import HubFile
from impasto_nodes.providers.local.model_store.place import are_downloads_allowed, memory_gb

_GB = 1_000_000_000


class LanguageModelDownloads:
    """The `ModelDownloads` of this machine's language models."""

    def are_allowed(self, configuration: Configuration) -> bool:
        """Return whether the operator allows downloads."""
        return are_downloads_allowed(configuration)

    def list_all(self, configuration: Configuration) -> Sequence[ModelDownload]:
        """Return the offered models and those that are here, smallest first."""
        running = running_models(configuration)
        here = {each.name: each for each in pulled_models(configuration)}
        best = recommended(memory_gb())
        listed = [
            _listed(offer, here.pop(offer.name, None), running, is_best=offer == best) for offer in offers()
        ]
        others = [
            _listed(Offer(name=each.name, title=each.title, repository="", file=""), each, running)
            for each in here.values()
        ]
        return sorted([*listed, *others], key=lambda each: (each.size, each.name))

    async def look_up(self, name: str, configuration: Configuration) -> ModelDetails:
        """Return the hub's current data of an offered model; of another one, what was shown before."""
        known = await asyncio.to_thread(_pulled, name, configuration)
        if known is not None and not _is_offered(name):
            return _details(known.title, known, known.licence)
        offer = find_offer(name)
        found = await look_up(offer, configuration)
        return _details(offer.title, found, found.licence or offer.licence)

    async def download(
        self, name: str, sha256: str, configuration: Configuration, report: Report | None = None
    ) -> None:
        """Download a model, or the rest of it. Raises `ModelChanged` if the hub has another file now."""
        known = await asyncio.to_thread(_pulled, name, configuration)
        offer = _offer_of(name, known)
        if known is not None and known.sha256 == sha256:
            found = HubFile(
                name=known.name,
                url=known.url,
                size=known.size,
                checksum=Checksum("sha256", known.sha256),
                licence=known.licence,
            )
        elif not offer.repository:
            raise ModelChanged(offer.title)
        else:
            found = await look_up(offer, configuration)
        if found.sha256 != sha256:
            raise ModelChanged(offer.title)
        await pull(offer, found, configuration, report)

    async def stop(self, name: str, configuration: Configuration) -> bool:
        """Stop a download of any process, keeping what has arrived; return whether there was one."""
        return await stop(file_of(configuration, name))

    def remove(self, name: str, configuration: Configuration) -> None:
        """Delete a model, or what has arrived of it. Raises `ModelNotOffered`."""
        remove(configuration, name)

    def memory_of(self, size: int) -> int:
        """Return how much memory a model of that many bytes takes, in bytes."""
        return round(memory_of(size / _GB) * _GB)


def _pulled(name: str, configuration: Configuration) -> Pulled | None:
    return next((each for each in pulled_models(configuration) if each.name == name and each.url), None)


def _is_offered(name: str) -> bool:
    return any(offer.name == name.casefold() for offer in offers())


def _offer_of(name: str, known: Pulled | None) -> Offer:
    """Return the offer of a name, or of a file of the hub whose download was asked for by its address."""
    try:
        return find_offer(name)
    except ModelNotOffered:
        if known is None:
            raise
        return Offer(name=known.name, title=known.title, repository="", file="", licence=known.licence)


def _details(title: str, found: Pulled | HubFile, licence: str) -> ModelDetails:
    return ModelDetails(title=title, url=found.url, size=found.size, sha256=found.sha256, licence=licence)


def _listed(offer: Offer, here: Pulled | None, running: set[str], *, is_best: bool = False) -> ModelDownload:
    size = here.size if here else round(offer.gigabytes * _GB)
    return ModelDownload(
        kind="text",
        name=offer.name,
        title=offer.title,
        licence=here.licence if here else offer.licence,
        languages=offer.languages,
        size=size,
        memory=round(memory_of(size / _GB) * _GB),
        received=here.received if here else 0,
        is_complete=here is not None and here.is_complete,
        is_running=here is not None and not here.is_complete and offer.name in running,
        is_recommended=is_best,
    )
