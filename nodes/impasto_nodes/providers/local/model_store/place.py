"""The folder of downloaded models, the permission to download, and the memory of this machine."""

import os
import sys
from pathlib import Path

from impasto import Configuration
from impasto_nodes.providers.local.errors import BadConfiguration

OFF = frozenset({"0", "false", "no", "off"})
_CGROUP = Path("/sys/fs/cgroup/memory.max")


def are_downloads_allowed(configuration: Configuration) -> bool:
    """Return whether the operator allows downloads."""
    return configuration.text("IMPASTO_LOCAL_DOWNLOAD", "1").casefold() not in OFF


def models_folder(configuration: Configuration) -> Path:
    """Return the folder of downloaded models: IMPASTO_MODELS_DIR, else one in the user's cache folder."""
    chosen = configuration.text("IMPASTO_MODELS_DIR")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "impasto" / "models"
    cache = configuration.text("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(cache) / "impasto" / "models"


def memory_gb() -> float:
    """Return the memory that this process may use, in GB: that of the machine, or of its container."""
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        limit = int(_CGROUP.read_text())
    except (OSError, ValueError):
        limit = whole
    return min(whole, limit) / 1e9


def threads(configuration: Configuration) -> int:
    """Return IMPASTO_LOCAL_THREADS; 0 means all cores. Raises `BadConfiguration` if it is not a number."""
    text = configuration.text("IMPASTO_LOCAL_THREADS", "0")
    if not text.isdecimal():
        raise BadConfiguration("IMPASTO_LOCAL_THREADS", "a whole number from 0", text)
    return int(text)
