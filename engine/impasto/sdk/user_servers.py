"""The servers of models that an operator lets users choose by their address: `IMPASTO_USER_SERVERS`.

An entry is a name, an address or a network, with a port or for every port: `gpu.lan:11434, 10.0.0.0/24`.
A name is compared as it is written, and never looked up.
"""

import re
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from impasto.configuration import Configuration
from impasto.errors import ImpastoError

VARIABLE = "IMPASTO_USER_SERVERS"
MAX_ADDRESS = 200
_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?")
_ENTRY = re.compile(r"(?P<host>\[[^\]]+\](?:/\d+)?|[^:\[\]]+)(?::(?P<port>\d{1,5}))?")
_PATH = re.compile(r"[\w./~-]*", re.ASCII)


class InvalidUserServers(ImpastoError, ValueError):
    """`IMPASTO_USER_SERVERS` is not a list of servers: no user may choose one."""


@dataclass(frozen=True, slots=True)
class _Allowed:
    text: str
    host: str | IPv4Network | IPv6Network
    port: int | None

    def covers(self, host: str, port: int) -> bool:
        if self.port not in {None, port}:
            return False
        if isinstance(self.host, str):
            return host == self.host
        try:
            return ip_address(host) in self.host
        except ValueError:
            return False


@dataclass(frozen=True, slots=True)
class UserServers:
    """The list. It is empty by default, and then allows nothing."""

    entries: tuple[_Allowed, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "UserServers":
        """Read a list. Raises InvalidUserServers."""
        return cls(tuple(map(_entry, filter(None, re.split(r"[,\s]+", text)))))

    @classmethod
    def of(cls, configuration: Configuration) -> "UserServers":
        """Return the list of an operator's configuration. Raises InvalidUserServers."""
        return cls.parse(configuration.text(VARIABLE))

    def __bool__(self) -> bool:
        return bool(self.entries)

    def __str__(self) -> str:
        return ", ".join(entry.text for entry in self.entries)

    def allows(self, address: str) -> bool:
        """Return whether a user may choose an address of http or https, without a user, query or fragment."""
        if not self.entries or len(address) > MAX_ADDRESS:
            return False
        try:
            parts = urlsplit(address)
            port = parts.port or {"http": 80, "https": 443}[parts.scheme]
        except (ValueError, KeyError):
            return False
        host = (parts.hostname or "").rstrip(".")
        return _is_plain(address, parts) and any(entry.covers(host, port) for entry in self.entries)


def _is_plain(address: str, parts: SplitResult) -> bool:
    """Return whether nothing is in an address besides scheme, host, port and path."""
    plain = f"{parts.scheme}://{parts.netloc}{parts.path}"
    is_whole = address.isascii() and address == plain and "@" not in parts.netloc
    return is_whole and bool(_PATH.fullmatch(parts.path))


def _entry(text: str) -> _Allowed:
    found = _ENTRY.fullmatch(text.casefold())
    port = int(found["port"]) if found and found["port"] else None
    hint = f"{VARIABLE} has '{text}'. Write a name, an address or a network such as 10.0.0.0/24, and a port."
    if found is None or (port is not None and not 0 < port < 65_536):
        raise InvalidUserServers(hint)
    host = found["host"].replace("[", "").replace("]", "")
    try:
        return _Allowed(text, ip_network(host), port)
    except ValueError:
        if host != found["host"] or not _NAME.fullmatch(host):
            raise InvalidUserServers(hint) from None
        return _Allowed(text, host.rstrip("."), port)
