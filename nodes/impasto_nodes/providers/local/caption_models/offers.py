"""The caption models that are offered by name, and which of them suits a machine."""

import functools
import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path

import orjson

from impasto import Configuration
from impasto_nodes.providers.local.errors import DownloadFailed, ModelNotOffered
from impasto_nodes.providers.local.model_store.hub import HubFile, files_of

_REPOSITORY = re.compile(r"\w[\w.-]{0,95}/\w[\w.-]{0,95}", re.ASCII)
_FILES = re.compile(r"model\.bin|config\.json|preprocessor_config\.json|tokenizer\.json|vocabulary\.\w{1,8}")
_REQUIRED = frozenset({"model.bin", "config.json", "tokenizer.json"})
# The weights as 8-bit integers take half of the file; five minutes of sound and the search take the rest.
_MEMORY_FACTOR, _MEMORY_GB = 0.8, 0.8
# Half of the memory is for a language model, and the rest for the server and the operating system.
_SHARE_OF_MEMORY = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A repository of the model hub with a Whisper model for CTranslate2. The size is approximate."""

    name: str
    title: str
    repository: str
    gigabytes: float = 0.0
    licence: str = ""
    languages: str = ""


def memory_of(gigabytes: float) -> float:
    """Return how much memory a model of that size takes while it listens, in GB."""
    return round(gigabytes * _MEMORY_FACTOR + _MEMORY_GB, 1)


def is_installed() -> bool:
    """Return whether the package that runs caption models is installed. It is not imported."""
    return importlib.util.find_spec("faster_whisper") is not None


@functools.cache
def offers() -> tuple[Offer, ...]:
    """Return the offered models, smallest first."""
    return tuple(Offer(**each) for each in orjson.loads(Path(__file__).with_name("offers.json").read_bytes()))


def find_offer(name: str) -> Offer:
    """Return an offered model by its name, or any repository of the hub as `owner/repository`.

    Raises `ModelNotOffered`.
    """
    for offer in offers():
        if offer.name == name.casefold():
            return offer
    if _REPOSITORY.fullmatch(name):
        short = name.partition("/")[2]
        return Offer(name=short.casefold(), title=short, repository=name)
    raise ModelNotOffered(name, [offer.name for offer in offers()])


def recommended(memory_gb: float) -> Offer | None:
    """Return the largest offered model that this much memory has room for; None if there is none."""
    fitting = [one for one in offers() if memory_of(one.gigabytes) <= memory_gb * _SHARE_OF_MEMORY]
    return max(fitting, key=lambda offer: offer.gigabytes, default=None)


async def look_up(offer: Offer, configuration: Configuration) -> list[HubFile]:
    """Return the files of an offered model as the hub has them today, largest first.

    Raises `DownloadFailed` if it cannot be asked, or if they are not those of a Whisper model.
    """
    found = await files_of(
        offer.repository, lambda name: _FILES.fullmatch(name) is not None, offer.title, configuration
    )
    names = {file.name for file in found}
    missing = [*sorted(_REQUIRED - names)]
    if not any(name.startswith("vocabulary.") for name in names):
        missing.append("vocabulary.json")
    if missing:
        raise DownloadFailed(offer.title, f"{offer.repository} has no {', '.join(missing)}")
    return sorted(found, key=lambda file: file.size, reverse=True)
