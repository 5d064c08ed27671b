"""Settings of a test's server, of which those of earlier tests are copied: checking them takes 10 ms."""

import functools
import os
from pathlib import Path
from typing import Any

from impasto import Configuration
from impasto_server.settings import Settings

_FOLDERS = ("data_dir", "agents_dir")  # differ in each test, and any path is valid


def made_settings(chosen: dict[str, Any]) -> Settings:
    """Return the settings with these values, and all others from the environment. No file is read."""
    folders = {name: Path(chosen[name]) for name in _FOLDERS}
    others = frozenset((name, value) for name, value in chosen.items() if name not in _FOLDERS)
    variables = frozenset(item for item in os.environ.items() if item[0].upper().startswith("IMPASTO_"))
    made = _checked(others, variables).model_copy(update=folders)
    made._configuration = Configuration.load()
    return made


@functools.lru_cache(maxsize=500)
def _checked(chosen: frozenset[tuple[str, Any]], variables: frozenset[tuple[str, str]]) -> Settings:
    return Settings(_env_file=None, **dict(chosen))
