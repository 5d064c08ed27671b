"""Providers of models as the engine knows them: which are installed, and what an operator sets for each.

A package declares its providers with entry points of the group `impasto.providers`. Each names an object
that fulfils `Provider`, or a sequence of such objects. The engine calls no provider: nodes do.
"""

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from impasto.configuration import Configuration
from impasto.errors import DefinitionError
from impasto.plugins.allow_list import AllowList, RefusedPlugin, in_use
from impasto.plugins.entry_points import BrokenPlugin, is_outside, load

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from impasto.sdk.options_context import OptionsContext

GROUP = "impasto.providers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """A variable that an operator may set, in the environment or as a line of `.env`."""

    name: str
    help: str
    default: str = ""
    is_secret: bool = False


@runtime_checkable
class Provider(Protocol):
    """The description of a provider for the engine, the server and the editor.

    `kinds`: what it makes ("text", "image", "video", "speech", "dialogue", "music", "sound_effects",
    "captions"). `takes_key`: whether a person may store a key of their own for it. `variables`: what an
    operator may set.
    """

    @property
    def id(self) -> str: ...  # noqa: D102 - see the class

    @property
    def title(self) -> str: ...  # noqa: D102

    @property
    def kinds(self) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def takes_key(self) -> bool: ...  # noqa: D102

    @property
    def variables(self) -> Sequence[Variable]: ...  # noqa: D102

    def is_configured(self, configuration: Configuration) -> bool:
        """Return whether the operator's configuration is enough to call it, without a person's own key."""
        ...


class ProviderCheck(NamedTuple):
    """The result of checking a provider: how many models and voices it offers.

    Without `is_tested` it was asked nothing: it has no call that tests a key without cost.
    """

    models: int
    voices: int
    is_tested: bool = True


@runtime_checkable
class CheckableProvider(Provider, Protocol):
    """A provider that can say, without a paid call, whether it can be used now."""

    async def check(self, context: "OptionsContext") -> ProviderCheck:
        """Ask the provider with the person's key. Raises a NodeError that says what is wrong."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundServer:
    """A server of models on this machine, and the provider that can use it at that address."""

    provider: str
    title: str
    address: str
    models: int


@runtime_checkable
class LocalServerProvider(Provider, Protocol):
    """A provider that can use a server on this machine."""

    async def find_local_servers(self) -> Sequence[FoundServer]:
        """Ask the usual ports of this machine, without a key and within seconds; return what answers."""
        ...


@runtime_checkable
class AddressedProvider(Provider, Protocol):
    """A provider that is a server of one's own. `takes_address`: whether a person may name its address."""

    @property
    def takes_address(self) -> bool: ...  # noqa: D102 - see the class


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDownload:
    """A model that can be downloaded to this machine, or was.

    `kind` is what it is for: "text" or "captions". `size` and `received` are bytes; the size is approximate
    until the download is asked for. `memory` is what the model takes while it is used, in bytes.
    `is_running`: some process is receiving it now.
    """

    kind: str
    name: str
    title: str
    licence: str
    languages: str
    size: int
    memory: int
    received: int
    is_complete: bool
    is_running: bool
    is_recommended: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDetails:
    """Details of a download that its source states before it starts; `size` in bytes."""

    title: str
    url: str
    size: int
    sha256: str
    licence: str


class ModelDownloads(Protocol):
    """The models that a provider can download to this machine. Methods may raise a NodeError."""

    def are_allowed(self, configuration: Configuration) -> bool:
        """Return whether the operator allows downloads."""
        ...

    def list_all(self, configuration: Configuration) -> Sequence[ModelDownload]:
        """Return the offered models and those that are here. Reads a folder."""
        ...

    async def look_up(self, name: str, configuration: Configuration) -> ModelDetails:
        """Return what would be downloaded now."""
        ...

    async def download(self, name: str, sha256: str, configuration: Configuration) -> None:
        """Download a model, or the rest of it; cancelling keeps what has arrived.

        `sha256` is that of `ModelDetails`: nothing else is downloaded.
        """
        ...

    async def stop(self, name: str, configuration: Configuration) -> bool:
        """Stop a download of any process, keeping what has arrived; return whether there was one."""
        ...

    def remove(self, name: str, configuration: Configuration) -> None:
        """Delete a model, or what has arrived of it."""
        ...


@runtime_checkable
class DownloadingProvider(Provider, Protocol):
    """A provider whose models may be downloaded to this machine; None if none can."""

    @property
    def downloads(self) -> ModelDownloads | None: ...  # noqa: D102


@dataclass(slots=True, kw_only=True)
class InstalledProviders:
    """Providers by id, in the order of their declaration; what failed to load, and what was refused.

    `entries` are the entry points that may load.
    """

    providers: dict[str, Provider] = field(default_factory=dict)
    packages: dict[str, str] = field(default_factory=dict)
    broken: list[BrokenPlugin] = field(default_factory=list)
    refused: list[RefusedPlugin] = field(default_factory=list)
    entries: "list[EntryPoint]" = field(default_factory=list)

    @classmethod
    def load(cls, entries: Iterable["EntryPoint"]) -> "InstalledProviders":
        """Load entry points; one that fails is listed in `broken`, and the others still load.

        The engine's own package comes first, so that no other package can take one of its ids.
        """
        found = cls()
        for entry in sorted(entries, key=is_outside):
            failure = load(entry, found._take)
            if failure is not None:
                found.broken.append(failure)
        return found

    def configured(self, configuration: Configuration) -> frozenset[str]:
        """Return the ids of the providers that can be called with the operator's configuration alone."""
        return frozenset(
            provider.id for provider in self.providers.values() if provider.is_configured(configuration)
        )

    @property
    def variables(self) -> list[Variable]:
        """The variables of the providers, each once, in the order of the providers."""
        found = (variable for provider in self.providers.values() for variable in provider.variables)
        return list({variable.name: variable for variable in found}.values())

    def _take(self, loaded: Any, package: str) -> None:
        refused = []
        for candidate in loaded if isinstance(loaded, Sequence) else [loaded]:
            if not isinstance(candidate, Provider):
                raise DefinitionError(f"{candidate!r} is not a provider: give a ProviderSpec.")
            if candidate.id in self.providers:
                refused.append(candidate.id)
                continue
            self.providers[candidate.id] = candidate
            self.packages[candidate.id] = package
        if refused:
            owners = ", ".join(f"'{name}' of {self.packages[name]}" for name in refused)
            raise DefinitionError(
                f"Provider ids are taken: {package} declares {owners} again. Rename them in {package}."
            )


@functools.cache
def installed_providers(allow_list: AllowList | None = None) -> InstalledProviders:
    """Return the providers of the installed packages that a list admits; loaded once in a process.

    Without a list, that of the process counts. Raises InvalidAllowList.
    """
    admission = (allow_list or in_use()).admit(GROUP)
    found = InstalledProviders.load(admission.entries)
    found.refused, found.entries = admission.refused, admission.entries
    return found
