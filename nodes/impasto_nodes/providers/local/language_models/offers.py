"""The language models that are offered by name, and which of them suits a machine."""

import functools
import re
from dataclasses import dataclass
from pathlib import Path

import orjson

from impasto import Configuration
from impasto_nodes.providers.local.errors import DownloadFailed, ModelNotOffered
from impasto_nodes.providers.local.model_store.hub import HubFile, files_of

_REPOSITORY = re.compile(r"\w[\w.-]{0,95}/\w[\w.-]{0,95}", re.ASCII)
_FILE = re.compile(r"\w[\w.-]{0,119}\.gguf", re.ASCII | re.IGNORECASE)
# The weights, and the context of 8,192 tokens of two answers at once.
_MEMORY_FACTOR, _MEMORY_GB = 1.2, 1.0
# The rest is for the server, its workers and the operating system.
_SHARE_OF_MEMORY = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A GGUF file in a repository of the model hub. Sizes are approximate until the hub is asked."""

    name: str
    title: str
    repository: str
    file: str
    gigabytes: float = 0.0
    licence: str = ""
    languages: str = ""

    @property
    def memory_gb(self) -> float:
        """How much memory the model takes while it writes, in GB."""
        return memory_of(self.gigabytes)


def memory_of(gigabytes: float) -> float:
    """Return how much memory a model of a file's size takes while it writes, in GB."""
    return round(gigabytes * _MEMORY_FACTOR + _MEMORY_GB, 1)


@functools.cache
def offers() -> tuple[Offer, ...]:
    """Return the offered models, smallest first."""
    return tuple(Offer(**each) for each in orjson.loads(Path(__file__).with_name("offers.json").read_bytes()))


def find_offer(name: str) -> Offer:
    """Return an offered model by its name, or any file of the hub as `owner/repository/file.gguf`.

    Raises `ModelNotOffered`.
    """
    for offer in offers():
        if offer.name == name.casefold():
            return offer
    repository, _, file = name.rpartition("/")
    if _REPOSITORY.fullmatch(repository) and _FILE.fullmatch(file):
        short = file[: -len(".gguf")]
        return Offer(name=short.casefold(), title=short, repository=repository, file=file)
    raise ModelNotOffered(name, [offer.name for offer in offers()])


def recommended(memory_gb: float) -> Offer | None:
    """Return the largest offered model that this much memory has room for; None if there is none."""
    fitting = [offer for offer in offers() if offer.memory_gb <= memory_gb * _SHARE_OF_MEMORY]
    return max(fitting, key=lambda offer: offer.gigabytes, default=None)


async def look_up(offer: Offer, configuration: Configuration) -> HubFile:
    """Return the hub's current data of an offered file. Raises `DownloadFailed`."""
    found = await files_of(offer.repository, lambda name: name == offer.file, offer.title, configuration)
    if not found:
        raise DownloadFailed(offer.title, f"{offer.repository} has no file {offer.file}")
    if not found[0].sha256:
        raise DownloadFailed(offer.title, f"the hub does not state the SHA-256 of {offer.file}")
    return found[0]
