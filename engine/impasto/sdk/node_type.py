"""Node types: what a function's signature declares, read once at import."""

import logging
import typing as t
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from impasto.plugins.capabilities import Plugin
from impasto.sdk.settings import REQUIRED, SettingSpec
from impasto.sdk.template import Template
from impasto.types import TEXT, PortType, ValueType

log = logging.getLogger("impasto")
CATEGORIES = ("inputs", "ai_models", "advanced_models", "transform_assets")
Kind = t.Literal["async", "stream", "thread", "process"]
Cost = Callable[[Mapping[str, t.Any], Mapping[str, t.Any], frozenset[str]], t.Any]
Migration = Callable[[dict[str, t.Any]], dict[str, t.Any]]
Check = Callable[[dict[str, t.Any], frozenset[str] | None], t.Iterable[Mapping[str, t.Any]]]
Fingerprint = Callable[[Mapping[str, t.Any]], str | Awaitable[str]]
Meaning = str | Callable[[Mapping[str, t.Any]], str | None]


@dataclass(frozen=True, slots=True)
class Category:
    """A palette section of a plugin's own: `@node(category=Category("film_tools"))`.

    `id` consists of lower-case letters, digits and underscores. The palette shows it as words.
    """

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Port:
    """The title and help of an input or output port: `Annotated[Text, Port(title="Slogan")]`.

    Two more attributes say how results show an output. `meaning`: what the value is ("post", "hashtags",
    "shot_list", ...), or a function that returns it, or None, for the node's settings. `text_of`: the output
    is the plain text of this other output, so results leave it out where the other one has a value.

    `item_of`: the port belongs to one item of this list setting, the object whose `port` is the port's name.
    `item_of="workflow.inputs"` names the list `inputs` in the object setting `workflow`. The editor shows the
    port only while there is such an item, under the item's `name`. An input of an item has a default.
    """

    title: str | None = None
    help: str = ""
    meaning: Meaning | None = None
    text_of: str | None = None
    item_of: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InputPort:
    """One input of a node type.

    `lazy` marks a `Lazy[…]` parameter, `spread` a `*parameter`, `variable` a `{{name}}` in a setting.
    `Port` documents `item_of`.
    """

    name: str
    type: PortType
    title: str
    help: str = ""
    default: t.Any = REQUIRED
    lazy: bool = False
    spread: bool = False
    variable: bool = False
    item_of: str | None = None

    @property
    def required(self) -> bool:
        """Whether a step cannot run without a value for it."""
        return self.default is REQUIRED


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputPort:
    """One output of a node type. An `optional` one may be None, which closes it.

    `Port` documents `meaning`, `text_of` and `item_of`.
    """

    name: str
    type: PortType
    title: str
    help: str = ""
    optional: bool = False
    meaning: Meaning | None = None
    text_of: str | None = None
    item_of: str | None = None

    @property
    def item_setting(self) -> str | None:
        """The setting that holds the list `item_of`."""
        return self.item_of.partition(".")[0] if self.item_of else None

    def item_in(self, settings: Mapping[str, t.Any]) -> Mapping[str, t.Any] | None:
        """Return the item of the setting `item_of` that this output belongs to; None if there is none."""
        items: t.Any = settings if self.item_of else None
        for name in (self.item_of or "").split("."):
            items = items.get(name) if isinstance(items, Mapping) else None
        listed = items if isinstance(items, list | tuple) else ()
        own = (each for each in listed if isinstance(each, Mapping) and each.get("port") == self.name)
        return next(own, None)

    def title_for(self, settings: Mapping[str, t.Any]) -> str:
        """Return the title of this output under these settings: the name of its item, if it has one."""
        name = (self.item_in(settings) or {}).get("name")
        return name if isinstance(name, str) and name.strip() else self.title

    def meaning_for(self, settings: Mapping[str, t.Any]) -> str | None:
        """Return what the value of this output is under these settings; None if that is not declared."""
        if self.meaning is None or isinstance(self.meaning, str):
            return self.meaning
        try:
            return self.meaning(settings)
        except Exception:  # a plugin's function may raise anything; results are shown without it
            log.warning("The meaning of the output '%s' could not be read", self.name, exc_info=True)
            return None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NodeType:
    """A node type as the engine and the editor use it. `@node` documents the declared attributes.

    `kind` is how the function is called, `single` whether its result is one output (not a NamedTuple).
    `context` and `input` name the parameters for the Context and for the value of an input node. `plugin` is
    the distribution that it was loaded from, None for Impasto itself and for functions given by hand.

    The scheduler relies on: `plain` (classes whose instances are the single output as they are), `direct`
    (arguments are the ports' values in order), `outside` (the key depends on a seed or fingerprint), `open`
    (a setting is mutable, so that each call needs its own copy), `effects` (the call may have side effects)
    and `simple` (none of the above needs handling).
    """

    id: str
    version: int
    title: str
    category: str
    summary: str
    help: str
    function: Callable[..., t.Any]
    kind: Kind
    inputs: tuple[InputPort, ...]
    outputs: tuple[OutputPort, ...]
    settings: tuple[SettingSpec, ...]
    single: bool
    context: str | None
    input: str | None
    variables: tuple[str, ...]
    generative: bool
    seeded: bool
    fingerprint: Fingerprint | None
    timeout: float | None
    retries: int
    limit: str | None
    beta: bool
    deprecated: bool
    replaced_by: str | None
    cost: Cost | None
    check: Check | None
    migrations: Mapping[int, Migration]
    subflow: str | None
    keywords: tuple[str, ...] = ()
    plugin: Plugin | None = None
    value_types: tuple[ValueType, ...] = ()
    setting_names: Mapping[str, SettingSpec] = field(default_factory=dict)
    input_names: Mapping[str, int] = field(default_factory=dict)
    output_names: Mapping[str, int] = field(default_factory=dict)
    positional: bool = True

    plain: frozenset[type] = frozenset()
    direct: bool = True
    outside: bool = False
    open: bool = False
    simple: bool = False
    effects: bool = False

    def __repr__(self) -> str:
        return f"<NodeType {self.id} v{self.version}>"


def node_type_of(candidate: t.Any) -> NodeType | None:
    """Return the node type of a decorated function (or a node type itself); None for anything else."""
    if isinstance(candidate, NodeType):
        return candidate
    found = getattr(candidate, "__impasto_node__", None) if callable(candidate) else None
    return found if isinstance(found, NodeType) else None


def variables_in(text: t.Any) -> list[str]:
    """Return the distinct names of a template's placeholders, in order; none for a value that is not text."""
    return list(Template.parse(text).names) if isinstance(text, str) else []


def input_ports(found: NodeType, settings: Mapping[str, t.Any]) -> tuple[InputPort, ...]:
    """Return the declared inputs, and one optional Text input for each `{{name}}` in the settings."""
    if not found.variables:
        return found.inputs
    names = [name for setting in found.variables for name in variables_in(settings.get(setting))]
    text = PortType(TEXT)
    return found.inputs + tuple(
        InputPort(
            name=name,
            type=text,
            title=name.replace("_", " ").capitalize(),
            help="",
            default="",
            variable=True,
        )
        for name in dict.fromkeys(names)
        if name not in found.input_names and name not in found.setting_names
    )
