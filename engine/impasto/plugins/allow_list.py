"""The operator's list of the distributions that may load: the variable `IMPASTO_PLUGINS`."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from impasto.configuration import ENV_FILE, Configuration
from impasto.errors import ImpastoError
from impasto.plugins.distributions import BUILT_IN, hash_of, node_types_in, normalized

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

VARIABLE = "IMPASTO_PLUGINS"
_ENTRY = re.compile(
    r"(?P<name>[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?)"
    r"(==(?P<version>[A-Za-z0-9][A-Za-z0-9.!+_-]*))?"
    r"(#sha256=(?P<sha256>[0-9a-fA-F]{64}))?"
)


class InvalidAllowList(ImpastoError, ValueError):
    """`IMPASTO_PLUGINS` is not a list of distributions. Nothing but Impasto's own plugins may load."""


@dataclass(frozen=True, slots=True)
class AllowedPlugin:
    """An entry of the list: a distribution, optionally of one version and one SHA-256 (see `hash_of`)."""

    name: str
    version: str | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedPlugin:
    """An installed distribution that the operator's list does not admit. None of its code was imported.

    `reason` names what was expected and what was found, `hint` how to admit it. `node_types` are the ids that
    its sources declare.
    """

    package: str
    reason: str
    hint: str
    node_types: frozenset[str] = frozenset()


class Admission(NamedTuple):
    """The entry points of a group that may load, and the distributions whose entry points may not."""

    entries: "list[EntryPoint]"
    refused: list[RefusedPlugin]


@dataclass(frozen=True, slots=True)
class AllowList:
    """The distributions that may load; `entries` is None if the operator set no list, which admits all.

    Impasto's own distribution is always admitted.
    """

    entries: tuple[AllowedPlugin, ...] | None = None

    @classmethod
    def parse(cls, text: str) -> "AllowList":
        """Read a list such as `acme==1.2.0#sha256=…, other`; an empty text admits every distribution.

        Raises InvalidAllowList.
        """
        words = [word for word in re.split(r"[,\s]+", text) if word]
        if text.strip() and not words:
            raise InvalidAllowList(f"{VARIABLE} names no distribution. Name one, or leave it empty.")
        entries = tuple(_parse_entry(word) for word in words)
        names = [entry.name for entry in entries]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise InvalidAllowList(f"{VARIABLE} names '{twice}' twice: keep one of the entries.")
        return cls(entries or None)

    @classmethod
    def of(cls, configuration: Configuration) -> "AllowList":
        """Return the list of an operator's configuration. Raises InvalidAllowList."""
        return cls.parse(configuration.text(VARIABLE))

    @property
    def text(self) -> str:
        """The list as `parse` reads it."""
        return ",".join(
            entry.name
            + (f"=={entry.version}" if entry.version else "")
            + (f"#sha256={entry.sha256}" if entry.sha256 else "")
            for entry in self.entries or ()
        )

    def admit(self, group: str) -> Admission:
        """Return the entry points of a group that may load, and the distributions that may not."""
        from importlib import metadata

        if self.entries is None:
            return Admission([*metadata.entry_points(group=group)], [])
        admitted: list[EntryPoint] = []
        refusals: dict[str, RefusedPlugin | None] = {}
        for entry in metadata.entry_points(group=group):
            name = entry.dist.name if entry.dist is not None else entry.name
            if name not in refusals:  # its files are hashed once
                refusals[name] = self._refusal_of(entry)
            if refusals[name] is None:
                admitted.append(entry)
        return Admission(admitted, [refusal for refusal in refusals.values() if refusal is not None])

    def refusal(self, distribution: "Distribution") -> RefusedPlugin | None:
        """Return why a distribution may not load; None if it may."""
        name = normalized(distribution.metadata["Name"] or "")
        if self.entries is None or name == BUILT_IN:
            return None
        return _refusal(self, name, distribution)

    def _refusal_of(self, entry: "EntryPoint") -> RefusedPlugin | None:
        if entry.dist is None:
            reason = f"the entry point '{entry.name}' belongs to no installed distribution"
            return RefusedPlugin(package=entry.name, reason=reason, hint="Install it as a distribution.")
        name = normalized(entry.dist.name)
        return None if name == BUILT_IN else _refusal(self, name, entry.dist)


_in_use: list[AllowList] = []


def use(allow_list: AllowList) -> None:
    """Make a list that of this process, for code that is given no configuration."""
    _in_use[:] = [allow_list]


def in_use() -> AllowList:
    """Return the list of this process: by default that of the environment and the `.env` file.

    Raises InvalidAllowList.
    """
    if not _in_use:
        use(AllowList.of(Configuration.load(ENV_FILE)))
    return _in_use[0]


def entry_of(distribution: "Distribution") -> str:
    """Return the entry that admits exactly the installed files of a distribution. Raises OSError."""
    name = normalized(distribution.metadata["Name"])
    return f"{name}=={distribution.version}#sha256={hash_of(distribution)}"


def _parse_entry(word: str) -> AllowedPlugin:
    found = _ENTRY.fullmatch(word)
    if found is None:
        raise InvalidAllowList(
            f"{VARIABLE} has the entry '{word}': write NAME, NAME==VERSION or NAME==VERSION#sha256=HASH, "
            "separated by commas. `impasto plugins hash NAME` prints one."
        )
    sha256 = found["sha256"]
    return AllowedPlugin(normalized(found["name"]), found["version"], sha256.lower() if sha256 else None)


def _refusal(allow_list: AllowList, name: str, distribution: "Distribution") -> RefusedPlugin | None:
    expected = next((entry for entry in allow_list.entries or () if entry.name == name), None)
    fault = _fault(expected, distribution)
    if fault is None:
        return None
    reason, hint = fault
    return RefusedPlugin(package=name, reason=reason, hint=hint, node_types=node_types_in(distribution))


def _fault(expected: AllowedPlugin | None, distribution: "Distribution") -> tuple[str, str] | None:
    """Return the reason for refusing a distribution and how to fix it, or None."""
    name, version = distribution.metadata["Name"], distribution.version
    entry = f"the one that `impasto plugins hash {name}` prints"
    if expected is None:
        return (
            f"it is not in {VARIABLE}",
            f"If you trust it, add the entry that `impasto plugins hash {name}` prints.",
        )
    if expected.version is not None and expected.version != version:
        return (
            f"{VARIABLE} expects version {expected.version}, found {version}",
            f"Install {name}=={expected.version}. If you trust {version}, replace the entry with {entry}.",
        )
    if expected.sha256 is None:
        return None
    try:
        actual = hash_of(distribution)
    except OSError as error:
        return f"its files cannot be read: {error.strerror}", "Install it again, readable for this user."
    if actual == expected.sha256:
        return None
    return (
        f"{VARIABLE} expects sha256={expected.sha256}, found sha256={actual}",
        "Its files differ from those that were admitted. Install it again from a trusted source. If you "
        f"trust the files, replace the entry with {entry}.",
    )
