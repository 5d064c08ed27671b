"""The catalog: which node types it has, what it says of them, and the choices that settings offer."""

import sys
from collections.abc import Iterator
from importlib import metadata
from types import ModuleType
from typing import Annotated, Any, NamedTuple

import pytest

from impasto import Catalog, Configuration, DefinitionError, Integer, Lazy, Port, Setting, Text, node
from impasto.compiler import catalog as module
from impasto.compiler.catalog import BrokenPlugin
from impasto.plugins.allow_list import AllowList, RefusedPlugin
from impasto.plugins.capabilities import Capabilities, Plugin
from impasto.sdk.node_type import node_type_of
from impasto.sdk.providers import installed_providers


@pytest.fixture(autouse=True)
def forget_providers() -> Iterator[None]:
    """Forget the providers that were loaded while a test replaced the entry points."""
    yield
    installed_providers.cache_clear()


def list_voices(query: str, context: Any) -> list[str]:
    return [f"{query} {context}"]


async def list_models(query: str) -> tuple[str, ...]:
    return (query,)


async def say(
    text: Text,
    *,
    voice: Annotated[str, Setting(options="list_voices")] = "",
    model: Annotated[str, Setting(options=list_models)] = "",
    mood: Annotated[str, Setting(options=lambda: ["calm"])] = "",
    size: int = 1,
) -> Text:
    return text


@pytest.mark.anyio
async def test_setting_offers_what_its_function_returns() -> None:
    catalog = Catalog([node(say)])
    assert await catalog.options("say", "voice", "ra", "here") == ["ra here"]
    assert await catalog.options("say", "voice") == [" None"]
    assert await catalog.options("say", "model", "m") == ["m"]
    assert await catalog.options("say", "mood") == ["calm"]
    assert await catalog.options("say", "size") == []
    for type_id, setting in (("sing", "voice"), ("say", "text")):
        with pytest.raises(KeyError):
            await catalog.options(type_id, setting)


@pytest.mark.parametrize("name", ["unlisted", "module"])
def test_function_of_options_is_one_of_the_module(name: str) -> None:
    async def sing(*, voice: Annotated[str, Setting(options=name)] = "") -> Text: ...

    sing.__annotations__["voice"] = Annotated[str, Setting(options=name)]
    with pytest.raises(DefinitionError) as raised:
        Catalog([node(sing)])
    where = f"setting 'voice' of node '{__name__}.{sing.__qualname__}'"
    assert str(raised.value) == (
        f"In {where}: its module has no function '{name}' for the options. Write it, or name another one."
    )


class Both(NamedTuple):
    words: Annotated[list[Text], Port(title="All words", help="In order.", item_of="rows")]
    count: Integer


def test_node_type_is_described_as_a_whole() -> None:
    @node(
        title="Count",
        version=2,
        category="inputs",
        generative=True,
        beta=True,
        deprecated=True,
        replaced_by="say",
        limit="shop",
        timeout=2,
        retries=1,
        subflow="rows",
        variables="rows",
        keywords=("sum",),
    )
    async def count_words(
        text: Text,
        other: Lazy[Text] = None,
        *,
        rows: Annotated[str, Setting(input=True)] = "",
        variables: dict[str, str],
    ) -> Both:
        """Count words.

        And list them.
        """

    catalog = Catalog()
    catalog.add(count_words, "acme")
    (described,) = catalog.describe()["types"]
    assert [*described.pop("settings")["properties"]] == ["rows"]
    plain = {"help": "", "type": "Text", "list": False, "depth": 0, "item_of": None}
    assert described == {
        "id": "count_words",
        "version": 2,
        "title": "Count",
        "category": "inputs",
        "summary": "Count words.",
        "help": "Count words.\n\nAnd list them.",
        "inputs": [
            {"name": "text", "title": "Text", "lazy": False, "required": True, **plain},
            {"name": "other", "title": "Other", "lazy": True, "required": False, **plain},
        ],
        "outputs": [
            {
                "name": "words", "title": "All words", "help": "In order.", "type": "Text", "list": True,
                "depth": 1, "item_of": "rows",
            },
            {"name": "count", "title": "Count", **plain, "type": "Integer"},
        ],
        "input": "rows",
        "generative": True,
        "beta": True,
        "deprecated": True,
        "replaced_by": "say",
        "limit": "shop",
        "timeout": 2,
        "retries": 1,
        "subflow": "rows",
        "variables": ["rows"],
        "keywords": ["sum"],
        "streams": False,
        "package": "acme",
    }  # fmt: skip


def test_catalog_without_plugins_is_described_as_a_whole() -> None:
    broken = BrokenPlugin(name="nodes", package="acme", error="E: no", traceback="T")
    refused = [
        RefusedPlugin(package=name, reason=reason, hint="H") for name, reason in (("a", "1"), ("b", "2"))
    ]
    later = RefusedPlugin(package="a", reason="3", hint="H")
    described = Catalog(broken=[broken], refused=[*refused, later]).describe()
    described.pop("conversions")
    assert described == {
        "types": [],
        "value_types": ["Text", "Number", "Integer", "Boolean", "Json", "File", "Image", "Video", "Audio",
                        "Brand", "Mask", "Any"],
        "categories": ["inputs", "ai_models", "advanced_models", "transform_assets"],
        "providers": [],
        "broken": [{"name": "nodes", "package": "acme", "error": "E: no", "traceback": "T"}],
        "plugins": [],
        "refused": [
            {"package": "a", "reason": "3", "hint": "H"},
            {"package": "b", "reason": "2", "hint": "H"},
        ],
    }  # fmt: skip


def make(number: int, **arguments: Any) -> Any:
    """Return a node of the id `same` whose result is a number."""

    @node(id="same", **arguments)
    async def one() -> Integer:
        return number

    return one


def function_of(catalog: Catalog) -> Any:
    return catalog["same"].function


def test_of_several_versions_of_a_package_the_newest_is_used() -> None:
    old, new = make(1), make(2, version=2)
    for order in ([old, new], [new, old], [new, old, new]):
        catalog = Catalog()
        for each in order:
            catalog.add(each, "acme")
        assert function_of(catalog) is new
        assert (len(catalog), [found.id for found in catalog]) == (1, ["same"])
        assert ("same" in catalog, "other" in catalog, catalog.get("other")) == (True, False, None)
    with pytest.raises(KeyError):
        catalog["other"]


@pytest.mark.parametrize(
    ("version", "package", "other"),
    [(1, "acme", " of acme"), (2, "other", " of other"), (1, "other", " of other"), (2, None, "")],
    ids=["same version", "newer one of another package", "other package", "newer one of none"],
)
def test_node_type_of_a_known_id_is_refused(version: int, package: str | None, other: str) -> None:
    catalog, first = Catalog(), make(1)
    catalog.add(first, "acme")
    with pytest.raises(DefinitionError) as raised:
        catalog.add(make(2, version=version), package)
    place = f"{__name__}.make.<locals>.one"
    assert str(raised.value) == (
        f"Two node types are called 'same' (version {version}): {place} of acme and {place}{other}. "
        "Give one of them another id."
    )
    assert function_of(catalog) is first


def test_what_is_no_node_is_refused() -> None:
    with pytest.raises(DefinitionError, match="5 is not a node: put @node above the function"):
        Catalog().add(5)


def test_node_type_of_a_plugin_knows_it() -> None:
    plugin = Plugin(package="acme", version="1.0", capabilities=Capabilities())
    catalog = Catalog()
    catalog.plugins["acme"] = plugin
    catalog.add(make(1), "acme")
    assert catalog["same"].plugin is plugin
    assert catalog.describe()["plugins"] == [plugin.to_dict()]
    catalog.add(node(say), "other")
    assert catalog["say"].plugin is None
    assert catalog["say"] is node_type_of(say)


def test_nodes_of_a_module_are_loaded_in_the_order_of_its_list_and_a_bad_one_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plugin = ModuleType("plugin_of_this_test")
    first, bad, again = make(1), make(2), node(id="again")(say)
    vars(plugin).update(zebra=again, bad=bad, first=first, again=again, number=5, NODES=[first])
    monkeypatch.setitem(sys.modules, plugin.__name__, plugin)
    entry = metadata.EntryPoint("nodes", plugin.__name__, "test.nodes")
    single = metadata.EntryPoint("single", f"{plugin.__name__}:bad", "test.nodes")
    entries = {"test.nodes": [entry, single]}
    monkeypatch.setattr(metadata, "entry_points", lambda group: entries.get(group, []))
    catalog = Catalog.discover("test.nodes", configuration=Configuration({}))
    assert [found.id for found in catalog] == ["same", "again"]
    assert function_of(catalog) is first
    assert [(each.name, each.package) for each in catalog.broken] == [
        ("nodes: one", "unknown"),
        ("single", "unknown"),
    ]
    error = "DefinitionError: Two node types are called 'same'"
    assert all(each.error.startswith(error) for each in catalog.broken)
    assert (catalog.allow_list, catalog.refused, catalog.configured) == (AllowList(), [], frozenset())


def test_compiled_plans_are_kept_up_to_ten_thousand_steps() -> None:
    assert Catalog().compiled.max_weight == module.MAX_COMPILED_STEPS == 10_000
