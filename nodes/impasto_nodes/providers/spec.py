"""What a provider plugin declares: one `ProviderSpec` for each provider.

A package declares its providers with an entry point of the group `impasto.providers` that names a
`ProviderSpec` or a sequence of them:

    [project.entry-points."impasto.providers"]
    acme = "acme_impasto:SPEC"

From the spec alone Impasto lists the provider and its models in the editor, offers it under Account >
Provider keys, lists its variables in `impasto settings` and in the reference, checks keys, shapes and
lengths before a run, and estimates costs. `examples/plugin` has a complete one.

The spec's module is imported at every start: import SDKs inside the factories, not at its top.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from impasto import Configuration, Context
from impasto.sdk.options_context import OptionsContext
from impasto.sdk.providers import FoundServer, ModelDownloads, ProviderCheck, Variable
from impasto_nodes.providers.local_servers import LocalServer, find
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.protocols import (
    KINDS,
    CaptionsProvider,
    DialogueProvider,
    ImageProvider,
    Kind,
    MusicProvider,
    SoundEffectProvider,
    SpeechProvider,
    TextProvider,
    VideoProvider,
)

RATIOS = ("1:1", "4:5", "9:16", "16:9", "3:4", "4:3", "2:3", "3:2", "5:4", "21:9")
"""The aspect ratios that nodes offer."""

Option = dict[str, Any]
"""A choice in a list: `value` and `label`; optionally `group`, `detail`, `preview_url`, `sample` (a PNG)."""

ListModels = Callable[[Kind, Context], Awaitable[Sequence[Option]]]
ListVoices = Callable[[Context | None], Awaitable[Sequence[Option]]]
Ping = Callable[[Context], Awaitable[None]]
FindUnlisted = Callable[[Kind, str], "Model | None"]
RefreshModels = Callable[[Context], Awaitable[Sequence[Model]]]
ListWorkflowModels = Callable[[Context], Awaitable[Sequence[Option]]]
ListModelSettings = Callable[[str, Context], Awaitable[Sequence[Option]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CredentialField:
    """One value that a call needs, read from the operator's variable `variable`.

    A user may store the field named "key" under Account > Provider keys; their own key comes first.
    """

    variable: str
    name: str = "key"
    help: str = ""
    is_required: bool = True
    is_secret: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSpec:
    """A provider: what it is called, what it needs, what it makes, and with which models.

    `text`, `image`, `video`, `speech`, `dialogue`, `music`, `sound_effects` and `captions` are factories of
    the adapters; a provider makes the kinds that have one. `models` lists models best first: the first of a
    kind is its default.
    `address` says whether the operator may ("optional") or must ("required") set `IMPASTO_<ID>_BASE_URL`.
    `settings` are further variables of the operator. `model_settings` is a JSON Schema for each setting that
    is the models' own, by kind and name. `list_models`, `list_voices` and `list_model_settings` ask the
    provider for what the spec cannot know. `find_unlisted` returns a model, with its price, that `models`
    does not list; a model without a price is refused in runs with a budget.
    `refresh_models` returns what the provider, or a public list, says of its models today, for the
    operator's catalog. `list_workflow_models` asks a server for the models that workflows on it can load.
    `ping` asks a provider without lists whether the key is valid.
    `local_servers` are found on this machine and offered as the address of a provider that requires one.
    `voices` are those that every account has, the default first.
    `downloads` are models that an operator may download to this machine.
    `rank`: `auto` takes the configured provider with the lowest rank; `kind_ranks` has those of single kinds.
    `reads_brand`: the adapters read `request.brand`; otherwise nodes describe the brand in the prompt.
    """

    id: str
    title: str
    credentials: tuple[CredentialField, ...] = ()
    address: Literal["none", "optional", "required"] = "optional"
    settings: tuple[Variable, ...] = ()
    models: tuple[Model, ...] = ()
    model_settings: Mapping[Kind, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    text: Callable[[], TextProvider] | None = None
    image: Callable[[], ImageProvider] | None = None
    video: Callable[[], VideoProvider] | None = None
    speech: Callable[[], SpeechProvider] | None = None
    dialogue: Callable[[], DialogueProvider] | None = None
    music: Callable[[], MusicProvider] | None = None
    sound_effects: Callable[[], SoundEffectProvider] | None = None
    captions: Callable[[], CaptionsProvider] | None = None
    list_models: ListModels | None = None
    list_voices: ListVoices | None = None
    voices: tuple[str, ...] = ()
    list_model_settings: ListModelSettings | None = None
    find_unlisted: FindUnlisted | None = None
    refresh_models: RefreshModels | None = None
    list_workflow_models: ListWorkflowModels | None = None
    ping: Ping | None = None
    local_servers: tuple[LocalServer, ...] = ()
    downloads: ModelDownloads | None = None
    rank: int = 500
    kind_ranks: Mapping[Kind, int] = field(default_factory=dict)
    reads_brand: bool = False

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds that it makes."""
        return tuple(filter(self.makes, KINDS))

    def makes(self, kind: Kind) -> bool:
        """Whether it makes a kind."""
        return getattr(self, kind) is not None

    @property
    def key(self) -> CredentialField | None:
        """The credential that a user may store."""
        return next((one for one in self.credentials if one.name == "key"), None)

    @property
    def takes_key(self) -> bool:
        """Whether a user may store a key of their own."""
        return self.key is not None

    @property
    def takes_address(self) -> bool:
        """Whether it is a server that a user may name the address of, where the operator allows that."""
        return self.address == "required"

    @property
    def address_variable(self) -> str:
        """The variable with another address of the provider's API."""
        return f"IMPASTO_{self.id.upper()}_BASE_URL"

    @property
    def required_variable(self) -> str:
        """The variable that makes the provider usable for every user; empty if it needs none."""
        if self.address == "required":
            return self.address_variable
        return next((one.variable for one in self.credentials if one.is_required), "")

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Everything that the operator may set."""
        found = [
            Variable(name=one.variable, help=one.help or self._credential_help(one), is_secret=one.is_secret)
            for one in self.credentials
        ]
        if self.address != "none":
            found.append(Variable(name=self.address_variable, help=self._address_help()))
        return (*found, *self.settings)

    def is_configured(self, configuration: Configuration) -> bool:
        """Return whether the operator's variables are enough to call it."""
        needed = [one.variable for one in self.credentials if one.is_required]
        if self.address == "required":
            needed.append(self.address_variable)
        return all(map(configuration.text, needed))

    async def check(self, context: OptionsContext) -> ProviderCheck:
        """Ask the provider for its lists with the person's key; return how many models and voices it offers.

        Models that only the spec lists count. Raises a `ProviderError` that says what is wrong. A spec with
        none of `ping`, `list_models`, `list_workflow_models` and `list_voices` leaves it untested.
        """
        asking = cast(
            "Context", context
        )  # lists are made for steps and for the editor with the same functions
        if self.ping is not None:
            await self.ping(asking)
        names: set[tuple[str, str]] = {(model.kind, model.name) for model in self.models}
        for kind in self.kinds:
            found = await self.list_models(kind, asking) if self.list_models is not None else ()
            names = {one for one in names if one[0] != kind or not found}
            names |= {(kind, str(option["value"])) for option in found}
        if self.list_workflow_models is not None:
            found = await self.list_workflow_models(asking)
            names |= {("workflow", str(option["value"])) for option in found}
        voices = await self.list_voices(asking) if self.list_voices is not None else self.voices
        is_asked = any((self.ping, self.list_models, self.list_workflow_models, self.list_voices))
        return ProviderCheck(len(names), len(voices), is_asked or not self.required_variable)

    async def find_local_servers(self) -> list[FoundServer]:
        """Return which of `local_servers` answer on this machine, within two seconds."""
        return await find(self.id, self.local_servers)

    def _credential_help(self, credential: CredentialField) -> str:
        if credential.name != "key":
            return f"Credential '{credential.name}' of {self.title}, for every user."
        return f"Key of {self.title} for every user; a key that a user stores in their account comes first."

    def _address_help(self) -> str:
        if self.address == "required":
            return f"{self.title}: address of the server; may be in a private network."
        return f"Another address of {self.title}'s API (a proxy, a gateway); may be in a private network."
