"""The capabilities that a plugin declares: `impasto-plugin.toml` in its package, read without importing it.

```toml
[capabilities]
network = ["api.example.com", "*.example.org"]  # hosts
subprocess = false
files = { read = ["/usr/share/fonts"], write = [] }
environment = ["ACME_REGION"]
```

What is left out is not needed.
"""

import ipaddress
import re
import typing as t
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from impasto.errors import DefinitionError
from impasto.plugins.distributions import package_roots

if t.TYPE_CHECKING:
    from importlib.metadata import Distribution

FILE = "impasto-plugin.toml"
_KEYS = ("network", "subprocess", "files", "environment")
_HOST = re.compile(r"(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """The resources that a plugin may use beyond computing: by default none.

    `network`: host names or addresses; `*.example.org` stands for every name below it, `*` for every host.
    `read` and `write`: files and folders, with all below them. `environment`: names of variables.
    """

    network: tuple[str, ...] = ()
    subprocess: bool = False
    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()

    def allows_host(self, host: str) -> bool:
        """Return whether connections to a host are declared."""
        name = host.lower().rstrip(".")
        return any(
            pattern in ("*", name) or (pattern.startswith("*.") and name.endswith(pattern[1:]))
            for pattern in self.network
        )

    def to_dict(self) -> dict[str, t.Any]:
        """Return the declaration as plain data, as the file has it."""
        return {
            "network": list(self.network),
            "subprocess": self.subprocess,
            "files": {"read": list(self.read), "write": list(self.write)},
            "environment": list(self.environment),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """An installed distribution whose entry points load.

    `capabilities` is what it declares, None if it declares nothing; `roots` are the folders, or single
    modules, of its packages.
    """

    package: str
    version: str
    capabilities: Capabilities | None
    roots: tuple[Path, ...] = ()

    def to_dict(self) -> dict[str, t.Any]:
        """Return the plugin as plain data."""
        declared = None if self.capabilities is None else self.capabilities.to_dict()
        return {"package": self.package, "version": self.version, "capabilities": declared}


def plugin_of(distribution: "Distribution", capabilities: Capabilities | None) -> Plugin:
    """Return what is known of a distribution, with what it declares (see `declared_by`)."""
    return Plugin(
        package=distribution.metadata["Name"],
        version=distribution.version,
        capabilities=capabilities,
        roots=tuple(package_roots(distribution)),
    )


def declared_by(distribution: "Distribution") -> Capabilities | None:
    """Return what a distribution declares, None if it has no declaration.

    Raises DefinitionError if the declaration cannot be read.
    """
    for root in package_roots(distribution):
        path = root / FILE
        if path.is_file():
            return parse(path)
    return None


def parse(path: Path) -> Capabilities:
    """Read a declaration. Raises DefinitionError."""
    import tomllib

    where = f"{path.parent.name}/{path.name}"  # users see the message: nothing of the server's folders
    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise DefinitionError(f"{where} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise DefinitionError(f"{where} cannot be read: {error}.") from error
    found = document.get("capabilities")
    if not isinstance(found, dict):
        raise DefinitionError(f"{where} has no table [capabilities].")
    _check_keys(where, "[capabilities]", found, _KEYS)
    subprocess = found.get("subprocess", False)
    if not isinstance(subprocess, bool):
        raise DefinitionError(f"{where}: 'subprocess' is true or false, not {subprocess!r}.")
    files = found.get("files", {})
    if not isinstance(files, dict):
        raise DefinitionError(f"{where}: 'files' is a table such as {{ read = [\"/usr/share/fonts\"] }}.")
    _check_keys(where, "'files'", files, ("read", "write"))
    return Capabilities(
        network=tuple(host.lower() for host in _texts(where, found, "network", _is_host, "host")),
        subprocess=subprocess,
        read=_texts(where, files, "read", _is_path, "absolute path"),
        write=_texts(where, files, "write", _is_path, "absolute path"),
        environment=_texts(where, found, "environment", _VARIABLE.fullmatch, "name of a variable"),
    )


def _check_keys(where: str, part: str, table: dict[str, t.Any], known: Iterable[str]) -> None:
    unknown = next((key for key in table if key not in known), None)
    if unknown is not None:
        raise DefinitionError(f"{where}: {part} has no key '{unknown}'. It has: {', '.join(known)}.")


def _texts(
    where: str, table: dict[str, t.Any], key: str, is_valid: t.Callable[[str], object], kind: str
) -> tuple[str, ...]:
    values = table.get(key, [])
    if not isinstance(values, list):
        raise DefinitionError(f"{where}: '{key}' is a list, not {values!r}.")
    for value in values:
        if not isinstance(value, str) or not is_valid(value):
            raise DefinitionError(f"{where}: '{key}' has {value!r}, which is no {kind}.")
    return tuple(values)


def _is_host(text: str) -> bool:
    if text == "*" or _HOST.fullmatch(text.lower()):
        return True
    try:
        return bool(ipaddress.ip_address(text))
    except ValueError:
        return False


def _is_path(text: str) -> bool:
    path = PurePosixPath(text)
    return path.is_absolute() and ".." not in path.parts and "\0" not in text
