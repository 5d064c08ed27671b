"""The operator's configuration: environment variables and the lines of a `.env` file, read once.

A program loads one `Configuration` at its start and hands it down: to the catalog, to runs, and through
their contexts to nodes. Nothing else in the engine, the nodes or the server reads the environment.
"""

import os
import typing as t
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

ENV_FILE = ".env"
Source = t.Literal["environment", ".env"]
_SECRET_SUFFIXES = ("KEY", "TOKEN", "SECRET", "PASSWORD", "_URL")


class Configuration(Mapping[str, str]):
    """Variables by name, in any case. A variable of the environment wins over a line of the file.

    `on_read`, if given, is called with a name in upper case before its variable is read, and may raise.
    """

    __slots__ = ("_environment", "_file", "_on_read")

    def __init__(
        self,
        environment: Mapping[str, str],
        file: Mapping[str, str] | None = None,
        *,
        on_read: Callable[[str], None] | None = None,
    ) -> None:
        self._environment = {name.upper(): value for name, value in environment.items()}
        self._file = {name.upper(): value for name, value in (file or {}).items()}
        self._on_read = on_read

    @classmethod
    def load(cls, env_file: Path | str | None = None) -> "Configuration":
        """Read the process's environment and, if `env_file` is given and exists, that file."""
        environment = dict(os.environ)  # noqa: TID251 - the one place that reads it
        if env_file is None or not (path := Path(env_file).expanduser()).is_file():
            return cls(environment)
        from dotenv import dotenv_values

        lines = dotenv_values(path, encoding="utf-8")
        return cls(environment, {name: value for name, value in lines.items() if value is not None})

    def __getitem__(self, name: str) -> str:
        if self._on_read is not None:
            self._on_read(name.upper())
        found = self._environment.get(name.upper())
        return self._file[name.upper()] if found is None else found

    def get(self, name: str, default: t.Any = None) -> t.Any:
        """Return a variable's value, or `default` if it is not set. An error of `on_read` is raised."""
        if self._on_read is not None:
            self._on_read(name.upper())
        return super().get(name, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._file | self._environment)

    def __len__(self) -> int:
        return len(self._file | self._environment)

    def __repr__(self) -> str:
        return f"<Configuration of {len(self)} variables>"

    def text(self, name: str, default: str = "") -> str:
        """Return a variable's value without surrounding spaces; `default` if it is empty or not set."""
        return self.get(name, "").strip() or default

    def source_of(self, name: str) -> Source | None:
        """Return where a variable's value is from; None if it is not set."""
        if name.upper() in self._environment:
            return "environment"
        return ".env" if name.upper() in self._file else None


# What programs need to start, to find libraries and to write text; none of them is a secret.
_HARMLESS = ("LANG", "LANGUAGE", "LD_LIBRARY_PATH", "PATH", "SYSTEMROOT", "TZ")


def plugin_environment(declared: Iterable[str]) -> tuple[dict[str, str], frozenset[str]]:
    """Return the variables that a plugin's process gets, and the names of those that it does not get.

    `declared` are the names that the plugin declares. Names are compared in upper case.
    """
    environment = os.environ  # noqa: TID251 - handed to a child process as it is
    allowed = {*_HARMLESS, *(name.upper() for name in declared)}
    given = {
        name: value
        for name, value in environment.items()
        if name.upper() in allowed or name.upper().startswith("LC_")
    }
    return given, frozenset(name.upper() for name in environment if name not in given)


def child_environment() -> dict[str, str]:
    """Return the process's environment without keys, tokens, passwords and URLs, for a worker process."""
    environment = os.environ  # noqa: TID251 - handed to a child process as it is
    return {name: value for name, value in environment.items() if not name.upper().endswith(_SECRET_SUFFIXES)}
