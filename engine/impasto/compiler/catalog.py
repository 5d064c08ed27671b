"""The catalog: node types given by hand, or discovered among the installed plugins."""

import inspect
import typing as t
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from types import ModuleType

from impasto.compiler.lru import WeightedLRU
from impasto.configuration import Configuration
from impasto.errors import DefinitionError
from impasto.plugins.allow_list import AllowList, RefusedPlugin, use
from impasto.plugins.capabilities import FILE, Plugin, declared_by, plugin_of
from impasto.plugins.distributions import BUILT_IN, normalized
from impasto.plugins.entry_points import BrokenPlugin, is_outside, load, name_of
from impasto.sdk import conversions
from impasto.sdk.node_type import CATEGORIES, InputPort, NodeType, OutputPort, node_type_of
from impasto.sdk.providers import InstalledProviders, Provider, installed_providers
from impasto.sdk.schema import settings_schema
from impasto.types import ValueTypes

if t.TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "impasto.nodes"
MAX_COMPILED_STEPS = 10_000


class Catalog:
    """Node types and providers by id. If there are several versions of a node type, the newest is used.

    `broken` lists what could not be loaded, `refused` the distributions that `allow_list`, the operator's,
    does not admit, and `plugins` the others by name. `value_types` has the types of all ports, and
    `configured` has the ids of the providers that can be called with the operator's configuration alone.
    """

    def __init__(
        self,
        nodes: Iterable[t.Any] = (),
        *,
        broken: Iterable[BrokenPlugin] = (),
        refused: Iterable[RefusedPlugin] = (),
        providers: InstalledProviders | None = None,
        configuration: Configuration | None = None,
    ) -> None:
        self.broken: list[BrokenPlugin] = [*broken, *(providers.broken if providers else ())]
        self._providers = providers or InstalledProviders()
        self.allow_list = AllowList()
        self.plugins: dict[str, Plugin] = {}
        self.refused = _each_once((*refused, *self._providers.refused))
        self.configured = self._providers.configured(configuration or Configuration({}))
        self._types: dict[str, NodeType] = {}
        self._packages: dict[str, str | None] = {}
        # The plans compiled last, weighed in steps: after an edit only the changed steps are compiled.
        self.compiled: WeightedLRU[t.Any] = WeightedLRU(MAX_COMPILED_STEPS)
        self.value_types = ValueTypes()
        for candidate in nodes:
            self.add(candidate)

    @classmethod
    def discover(cls, group: str = GROUP, *, configuration: Configuration | None = None) -> "Catalog":
        """Return the node types and providers of the installed packages, found by entry points.

        An entry point names a module or a single node. A plugin that cannot be imported, and a node that
        conflicts with another one, is listed in `broken`; everything else loads. `configuration` is the
        operator's; by default the process's environment, without any file. Its `IMPASTO_PLUGINS` decides
        which distributions may load. Raises InvalidAllowList.
        """
        configuration = configuration or Configuration.load()
        allow_list = AllowList.of(configuration)
        use(allow_list)
        admission = allow_list.admit(group)
        catalog = cls(
            refused=admission.refused,
            providers=installed_providers(allow_list),
            configuration=configuration,
        )
        catalog.allow_list = allow_list
        catalog._add_plugins([*admission.entries, *catalog._providers.entries])
        for entry in sorted(admission.entries, key=is_outside):
            failure = load(entry, partial(catalog._add_loaded, entry.name))
            if failure is not None:
                catalog.broken.append(failure)
        return catalog

    @property
    def providers(self) -> Mapping[str, Provider]:
        """The installed providers by id."""
        return self._providers.providers

    def _add_plugins(self, entries: "Iterable[EntryPoint]") -> None:
        """Note the distributions of entry points, and what they declare."""
        distributions = {name_of(entry.dist): entry.dist for entry in entries if entry.dist}
        for name, distribution in distributions.items():
            if normalized(name) == BUILT_IN:
                continue
            capabilities = None
            try:
                capabilities = declared_by(distribution)
            except DefinitionError as error:
                self.broken.append(BrokenPlugin.of(FILE, name, error))
            self.plugins[name] = plugin_of(distribution, capabilities)

    def _add_loaded(self, entry: str, loaded: t.Any, package: str) -> None:
        if not isinstance(loaded, ModuleType):
            self.add(loaded, package)
            return
        for candidate in _nodes_of(loaded):
            try:
                self.add(candidate, package)
            except DefinitionError as error:
                found = t.cast("NodeType", node_type_of(candidate))
                name = f"{entry}: {found.function.__name__}"
                self.broken.append(BrokenPlugin.of(name, package, error))

    def add(self, candidate: t.Any, package: str | None = None) -> None:
        """Add a decorated function or a NodeType; `package` is the distribution that it comes from.

        Raises DefinitionError if it is not a node, if a setting's options function is missing, if another
        package has a node type with this id or this one has the same version of it, or if another class has
        the same value type.
        """
        found = node_type_of(candidate)
        if found is None:
            raise DefinitionError(f"{candidate!r} is not a node: put @node above the function.")
        _check_options(found)
        known = self._types.get(found.id)
        if known is not None and self._conflict(found, known, package):
            raise self._duplicate(found, known, package)
        for value_type in found.value_types:
            self.value_types.add(value_type)
        if known is None or known.version < found.version:
            plugin = self.plugins.get(package or "")
            self._types[found.id] = replace(found, plugin=plugin) if plugin else found
            self._packages[found.id] = package
            self.compiled.clear()

    def _conflict(self, found: NodeType, known: NodeType, package: str | None) -> bool:
        """Return whether a node type may not join another one of its id: only versions of one package may."""
        if found.function is known.function:
            return False
        return found.version == known.version or package != self._packages[known.id]

    def _duplicate(self, found: NodeType, known: NodeType, package: str | None) -> DefinitionError:
        places = [
            f"{function.__module__}.{function.__qualname__}{f' of {origin}' if origin else ''}"
            for function, origin in ((known.function, self._packages[known.id]), (found.function, package))
        ]
        fault = f"Two node types are called '{found.id}' (version {found.version}): {' and '.join(places)}."
        return DefinitionError(f"{fault} Give one of them another id.")

    def get(self, type_id: str) -> NodeType | None:
        """Return the node type with this id, or None."""
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
        """Return the whole catalog as JSON data; the editor draws every node from it."""
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
            "plugins": [plugin.to_dict() for plugin in self.plugins.values()],
            "refused": [
                {"package": plugin.package, "reason": plugin.reason, "hint": plugin.hint}
                for plugin in self.refused
            ],
        }

    async def options(
        self, type_id: str, setting: str, query: str = "", context: t.Any = None
    ) -> list[t.Any]:
        """Return the choices that a setting offers now, such as voices or models; empty if it offers none.

        Raises KeyError for an unknown node type or setting, and whatever the plugin's function raises.
        """
        found = self._types[type_id]
        source = found.setting_names[setting].ui.options
        if isinstance(source, str):
            source = getattr(inspect.getmodule(found.function), source, None)
        if source is None:
            return []
        parameters = len(inspect.signature(source).parameters)
        choices = source(*(query, context)[:parameters])
        return list(await choices if inspect.isawaitable(choices) else choices)


def _each_once(refused: Iterable[RefusedPlugin]) -> list[RefusedPlugin]:
    return list({plugin.package: plugin for plugin in refused}.values())


def _nodes_of(module: ModuleType) -> list[t.Any]:
    """Return the nodes of a module: those of its list `NODES` first, if it has one, then the others."""
    candidates = (*getattr(module, "NODES", ()), *list(vars(module).values()))
    nodes = {id(candidate): candidate for candidate in candidates if node_type_of(candidate) is not None}
    return list(nodes.values())


def _check_options(found: NodeType) -> None:
    """Raise DefinitionError if a setting names an options function that its module does not have."""
    function = found.function
    module = inspect.getmodule(function)
    for spec in found.settings:
        name = spec.ui.options
        if isinstance(name, str) and not callable(getattr(module, name, None)):
            where = f"setting '{spec.name}' of node '{function.__module__}.{function.__qualname__}'"
            fault = f"its module has no function '{name}' for the options"
            raise DefinitionError(f"In {where}: {fault}. Write it, or name another one.")


_DESCRIBED = ("id", "version", "title", "category", "summary", "help")
_FLAGS = (
    "input", "generative", "beta", "deprecated", "replaced_by", "limit", "timeout", "retries", "subflow",
)  # fmt: skip


def _describe(found: NodeType, package: str | None) -> dict[str, t.Any]:
    return {
        **{name: getattr(found, name) for name in _DESCRIBED},
        "inputs": [
            {**_describe_port(port), "lazy": port.lazy, "required": port.required} for port in found.inputs
        ],
        "outputs": [_describe_port(port) for port in found.outputs],
        "settings": settings_schema(found.settings),
        **{name: getattr(found, name) for name in _FLAGS},
        "variables": list(found.variables),
        "keywords": list(found.keywords),
        "streams": found.kind == "stream",
        "package": package,
    }


def _describe_port(port: InputPort | OutputPort) -> dict[str, t.Any]:
    return {
        "name": port.name,
        "title": port.title,
        "help": port.help,
        "type": port.type.base.id,
        "list": port.type.depth > 0,
        "depth": port.type.depth,
        "item_of": port.item_of,
    }
