"""Every model that can be downloaded to this machine."""

from collections.abc import Sequence

from impasto import Configuration
from impasto.sdk.providers import ModelDetails, ModelDownload
from impasto_nodes.providers.local.caption_models.downloads import CaptionModelDownloads
from impasto_nodes.providers.local.caption_models.offers import find_offer as find_caption_offer
from impasto_nodes.providers.local.errors import ModelNotOffered
from impasto_nodes.providers.local.language_models.downloads import LanguageModelDownloads
from impasto_nodes.providers.local.model_store.place import are_downloads_allowed

_LANGUAGE, _CAPTIONS = LanguageModelDownloads(), CaptionModelDownloads()
Downloads = LanguageModelDownloads | CaptionModelDownloads


class LocalDownloads:
    """The `ModelDownloads` of this machine: language models, then caption models. No name is of both."""

    def are_allowed(self, configuration: Configuration) -> bool:
        """Return whether the operator allows downloads."""
        return are_downloads_allowed(configuration)

    def list_all(self, configuration: Configuration) -> Sequence[ModelDownload]:
        """Return the offered models and those that are here, by kind, smallest first."""
        return [*_LANGUAGE.list_all(configuration), *_CAPTIONS.list_all(configuration)]

    async def look_up(self, name: str, configuration: Configuration) -> ModelDetails:
        """Return the hub's current data of an offered model."""
        return await downloads_of(name, configuration).look_up(name, configuration)

    async def download(self, name: str, sha256: str, configuration: Configuration) -> None:
        """Download a model, or the rest of it."""
        await downloads_of(name, configuration).download(name, sha256, configuration)

    async def stop(self, name: str, configuration: Configuration) -> bool:
        """Stop a download of any process, keeping what has arrived; return whether there was one."""
        return await downloads_of(name, configuration).stop(name, configuration)

    def remove(self, name: str, configuration: Configuration) -> None:
        """Delete a model, or what has arrived of it. Raises `ModelNotOffered`."""
        downloads_of(name, configuration).remove(name, configuration)


def downloads_of(name: str, configuration: Configuration) -> Downloads:
    """Return the downloads that a name belongs to: those that list it, else those that understand it."""
    for downloads in (_LANGUAGE, _CAPTIONS):
        if name.casefold() in {one.name.casefold() for one in downloads.list_all(configuration)}:
            return downloads
    try:
        find_caption_offer(name)
    except ModelNotOffered:
        return _LANGUAGE
    return _CAPTIONS
