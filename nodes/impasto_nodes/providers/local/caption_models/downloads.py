"""The caption models that an operator may download, as the server and the editor see them."""

import asyncio
from collections.abc import Sequence

from impasto import Configuration
from impasto.sdk.providers import ModelDetails, ModelDownload
from impasto_nodes.providers.local.caption_models.offers import (
    Offer,
    find_offer,
    is_installed,
    look_up,
    memory_of,
    offers,
    recommended,
)
from impasto_nodes.providers.local.caption_models.pulled import (
    Pulled,
    folder_of,
    pull,
    pulled_models,
    remove,
    running_models,
)
from impasto_nodes.providers.local.errors import ModelChanged
from impasto_nodes.providers.local.model_store.download import Report, stop
from impasto_nodes.providers.local.model_store.folder import sha256_of
from impasto_nodes.providers.local.model_store.hub import HubFile
from impasto_nodes.providers.local.model_store.place import are_downloads_allowed, memory_gb

_GB = 1_000_000_000


class CaptionModelDownloads:
    """The `ModelDownloads` of this machine's caption models; nothing is offered that could not run."""

    def are_allowed(self, configuration: Configuration) -> bool:
        """Return whether the operator allows downloads."""
        return are_downloads_allowed(configuration)

    def list_all(self, configuration: Configuration) -> Sequence[ModelDownload]:
        """Return the offered models and those that are here, smallest first."""
        running = running_models(configuration)
        here = {each.name: each for each in pulled_models(configuration)}
        best = recommended(memory_gb())
        offered = offers() if is_installed() else ()
        listed = [
            _listed(offer, here.pop(offer.name, None), running, is_best=offer == best) for offer in offered
        ]
        others = [
            _listed(Offer(name=each.name, title=each.title, repository=""), each, running)
            for each in here.values()
        ]
        return sorted([*listed, *others], key=lambda each: (each.size, each.name))

    async def look_up(self, name: str, configuration: Configuration) -> ModelDetails:
        """Return the hub's current data of an offered model; of another one, what was shown before."""
        offer, known = await self._offer(name, configuration)
        files = known.files if known else await look_up(offer, configuration)
        first = files[0]
        return ModelDetails(
            title=offer.title,
            url=first.url.rpartition("/")[0].replace("/resolve/", "/tree/"),
            size=sum(one.size for one in files),
            sha256=sha256_of(files),
            licence=first.licence or offer.licence,
        )

    async def download(
        self, name: str, sha256: str, configuration: Configuration, report: Report | None = None
    ) -> None:
        """Download a model, or the rest of it. Raises `ModelChanged` if the hub has other files now."""
        known = await asyncio.to_thread(_pulled, name, configuration)
        offer = _offer_of(known) if known else find_offer(name)
        files: Sequence[HubFile] = known.files if known is not None and known.sha256 == sha256 else ()
        files = files or await look_up(offer, configuration)
        if sha256_of(files) != sha256:
            raise ModelChanged(offer.title)
        await pull(offer, files, configuration, report)

    async def stop(self, name: str, configuration: Configuration) -> bool:
        """Stop a download of any process, keeping what has arrived; return whether there was one."""
        return await stop(folder_of(configuration, name))

    def remove(self, name: str, configuration: Configuration) -> None:
        """Delete a model, or what has arrived of it. Raises `ModelNotOffered`."""
        remove(configuration, name)

    def memory_of(self, size: int) -> int:
        """Return how much memory a model of that many bytes takes, in bytes."""
        return round(memory_of(size / _GB) * _GB)

    async def _offer(self, name: str, configuration: Configuration) -> tuple[Offer, Pulled | None]:
        """Return an offered model, or one whose download was asked for by its repository."""
        known = await asyncio.to_thread(_pulled, name, configuration)
        if known is not None and name not in {one.name for one in offers()}:
            return _offer_of(known), known
        return find_offer(name), None


def _pulled(name: str, configuration: Configuration) -> Pulled | None:
    return next((each for each in pulled_models(configuration) if each.name == name and each.files), None)


def _offer_of(known: Pulled) -> Offer:
    return Offer(name=known.name, title=known.title, repository=known.repository, licence=known.licence)


def _listed(offer: Offer, here: Pulled | None, running: set[str], *, is_best: bool = False) -> ModelDownload:
    size = here.size if here else round(offer.gigabytes * _GB)
    return ModelDownload(
        kind="captions",
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
