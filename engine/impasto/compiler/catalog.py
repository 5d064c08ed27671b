"""The node types at hand: given by hand, or found among the installed plugins."""

import inspect
import typing as t
from collections.abc import Iterable, Mapping
from types import ModuleType

from impasto.compiler.lru import WeightedLRU
from impasto.configuration import Configuration
from impasto.errors import DefinitionError
from impasto.sdk import conversions
from impasto.sdk.node_type import InputPort, NodeType, node_type_of
from impasto.sdk.plugins import BrokenPlugin, load
from impasto.sdk.providers import InstalledProviders, Provider, installed_providers
from impasto.sdk.schema import settings_schema
from impasto.types import BUILT_IN, ValueType

GROUP = "impasto.nodes"
MAX_COMPILED_STEPS = 10_000
CATEGORIES = ("inputs", "ai_models", "advanced_models", "transform_assets")


class Catalog:
    """Node types and providers by id. The newest version of a node type is the one that runs.

    `configured`: the ids of the providers that can be called with the operator's configuration alone.
    """

    def __init__(
        self,
        nodes: Iterable[t.Any] = (),
        *,
        broken: Iterable[BrokenPlugin] = (),
        providers: InstalledProviders | None = None,
        configuration: Configuration | None = None,
    ) -> None:
        self.broken: list[BrokenPlugin] = [*broken, *(providers.broken if providers else ())]
        self._providers = providers or InstalledProviders()
        self.configured = self._providers.configured(configuration or Configuration({}))
        self._types: dict[str, NodeType] = {}
        self._packages: dict[str, str | None] = {}
        # What `compile` made of the latest flows, in steps: editing one recompiles only what was changed.
        self.compiled: WeightedLRU[t.Any] = WeightedLRU(MAX_COMPILED_STEPS)
        self.value_types: dict[str, ValueType] = {found.name: found for found in BUILT_IN}
        for candidate in nodes:
            self.add(candidate)

    @classmethod
    def discover(cls, group: str = GROUP, *, configuration: Configuration | None = None) -> "Catalog":
        """Return every node type and provider of the installed packages; what fails to load is in `broken`.

        `configuration` is the operator's; by default the process's environment, without any file.
        """
        from importlib import metadata

        catalog = cls(providers=installed_providers(), configuration=configuration or Configuration.load())
        for entry in metadata.entry_points(group=group):
            failure = load(entry, catalog._add_loaded)
            if failure is not None:
                catalog.broken.append(failure)
        return catalog

    @property
    def providers(self) -> Mapping[str, Provider]:
        """The installed providers by id."""
        return self._providers.providers

    def _add_loaded(self, loaded: t.Any, package: str) -> None:
        if not isinstance(loaded, ModuleType):
            self.add(loaded, package)
            return
        # A module may say in which order people should meet its nodes.
        for candidate in (*getattr(loaded, "NODES", ()), *list(vars(loaded).values())):
            if node_type_of(candidate) is not None:
                self.add(candidate, package)

    def add(self, candidate: t.Any, package: str | None = None) -> None:
        """Add a declared function or a NodeType; two different ones may not share id and version."""
        found = node_type_of(candidate)
        if found is None:
            raise DefinitionError(f"{candidate!r} is not a node: put @node above the function.")
        _check_options(found)
        known = self._types.get(found.id)
        if known is not None and known.version == found.version and known.function is not found.function:
            raise DefinitionError(
                f"Two node types are called '{found.id}' (version {found.version}): rename one."
            )
        if known is None or known.version < found.version:
            self._types[found.id] = found
            self._packages[found.id] = package
            self.compiled.clear()
        for value_type in found.value_types:
            self.value_types.setdefault(value_type.name, value_type)

    def get(self, type_id: str) -> NodeType | None:
        """The node type, or None."""
        return self._types.get(type_id)

    def __getitem__(self, type_id: str) -> NodeType:
        return self._types[type_id]

    def __contains__(self, type_id: object) -> bool:
        return type_id in self._types

    def __iter__(self) -> t.Iterator[NodeType]:
        return iter(self._types.values())

    def __len__(self) -> int:
        return len(self._types)

    def describe(self) -> dict[str, t.Any]:
        """The whole catalogue as JSON data: from this alone the editor draws every node."""
        return {
            "types": [_describe(found, self._packages[found.id]) for found in self],
            "conversions": conversions.describe(self.value_types.values()),
            "value_types": list(self.value_types),
            "categories": list(dict.fromkeys((*CATEGORIES, *(found.category for found in self)))),
            "providers": [
                {
                    "id": provider.id,
                    "title": provider.title,
                    "kinds": list(provider.kinds),
                    "takes_key": provider.takes_key,
                    "package": self._providers.packages[provider.id],
                }
                for provider in self.providers.values()
            ],
            "broken": [
                {
                    "name": plugin.name,
                    "package": plugin.package,
                    "error": plugin.error,
                    "traceback": plugin.traceback,
                }
                for plugin in self.broken
            ],
        }

    async def options(
        self, type_id: str, setting: str, query: str = "", context: t.Any = None
    ) -> list[t.Any]:
        """The choices that a setting offers now (voices, models); empty where it offers none."""
        found = self._types[type_id]
        source = found.setting_names[setting].ui.options
        if isinstance(source, str):
            source = getattr(inspect.getmodule(found.function), source, None)
        if source is None:
            return []
        wanted = len(inspect.signature(source).parameters)
        answer = source(*(query, context)[:wanted])
        return list(await answer if inspect.isawaitable(answer) else answer)


def _check_options(found: NodeType) -> None:
    """Refuse a setting whose options a function gives that its module does not have."""
    function = found.function
    module = inspect.getmodule(function)
    for spec in found.settings:
        name = spec.ui.options
        if isinstance(name, str) and not callable(getattr(module, name, None)):
            where = f"setting '{spec.name}' of node '{function.__module__}.{function.__qualname__}'"
            what = f"its module has no function '{name}' for the options"
            raise DefinitionError(f"In {where}: {what}. Write it, or name another.")


def _describe(found: NodeType, package: str | None) -> dict[str, t.Any]:
    plain = ("id", "version", "title", "category", "summary", "help")
    flags = (
        "input",
        "generative",
        "beta",
        "deprecated",
        "replaced_by",
        "limit",
        "timeout",
        "retries",
        "subflow",
    )
    return {
        **{name: getattr(found, name) for name in plain},
        "inputs": [_describe_input(port) for port in found.inputs],
        "outputs": [
            {
                "name": port.name,
                "title": port.title,
                "help": port.help,
                "type": port.type.base.name,
                "list": port.type.depth > 0,
                "depth": port.type.depth,
            }
            for port in found.outputs
        ],
        "settings": settings_schema(found.settings),
        **{name: getattr(found, name) for name in flags},
        "variables": list(found.variables),
        "streams": found.kind == "stream",
        "package": package,
    }


def _describe_input(port: InputPort) -> dict[str, t.Any]:
    return {
        "name": port.name,
        "title": port.title,
        "help": port.help,
        "type": port.type.base.name,
        "list": port.type.depth > 0,
        "depth": port.type.depth,
        "lazy": port.lazy,
        "required": port.required,
    }
