"""Plugins that share names: value types are identified by package, node ids belong to one package."""

import sys

import pytest

from impasto import Catalog, DefinitionError, DiskCache, FlowInvalid, MemoryCache, compile, execute, node
from impasto.compiler.catalog import BrokenPlugin
from impasto.encoding import from_json, to_json
from impasto.testing import flow_of
from impasto.types import Text, ValueTypes, value_type_of

pytestmark = pytest.mark.anyio

CHAPTERS = """
from dataclasses import dataclass
from impasto import Text, node


@dataclass(frozen=True)
class Chapter:
    {field}: str


@node(id="{package}_write", category="transform_assets")
async def write(text: Text) -> Chapter:
    return Chapter({field}=text)


@node(id="{package}_read", category="transform_assets")
async def read(chapter: Chapter) -> Text:
    return chapter.{field}
"""
SAME_ID = """
from impasto import Text, node


@node(id="{shared}", category="transform_assets")
async def shared(text: Text) -> Text:
    return "{package}"


@node(id="{package}_own", category="transform_assets")
async def own(text: Text) -> Text:
    return text
"""


@node
async def say(*, text: str = "once") -> Text:
    return text


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Installs a plugin: a module and the metadata of a distribution with an entry point."""
    monkeypatch.syspath_prepend(tmp_path)
    installed = []

    def install(package, source):
        (tmp_path / f"{package}.py").write_text(source)
        info = tmp_path / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}-nodes\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[test.nodes]\n{package} = {package}\n")
        installed.append(package)

    yield install
    for package in installed:
        sys.modules.pop(package, None)


@pytest.fixture
def chapters(install):
    """The catalog of two plugins that each have a dataclass called Chapter."""
    install("wt", CHAPTERS.format(package="wt", field="title"))
    install("wt2", CHAPTERS.format(package="wt2", field="heading"))
    catalog = Catalog.discover("test.nodes")
    catalog.add(say)
    assert catalog.broken == []
    return catalog


@pytest.fixture(params=["memory", "disk"])
def cache(request, tmp_path):
    return MemoryCache() if request.param == "memory" else DiskCache(tmp_path / "cache")


async def test_two_plugins_with_a_type_of_the_same_name_both_run_from_the_cache(chapters, cache):
    nodes = {"s": "say", "w": "wt_write", "r": "wt_read", "w2": "wt2_write", "r2": "wt2_read"}
    edges = [
        ("s.output", "w.text"),
        ("w.output", "r.chapter"),
        ("s.output", "w2.text"),
        ("w2.output", "r2.chapter"),
    ]
    plan = compile(flow_of(nodes, edges), chapters)
    first = await execute(plan, cache=cache)
    fresh = await execute(plan, cache=cache, fresh=["r", "r2"])
    assert [run.status for run in (first, fresh)] == ["finished", "finished"]
    assert (fresh.steps["w"].cached, fresh.steps["w2"].cached) == (True, True)
    assert (fresh.outputs["r.output"], fresh.outputs["r2.output"]) == ("once", "once")


def test_mismatch_of_two_types_of_the_same_name_names_both_packages(chapters):
    flow = flow_of(
        {"s": "say", "w": "wt2_write", "r": "wt_read"}, [("s.output", "w.text"), ("w.output", "r.chapter")]
    )
    with pytest.raises(FlowInvalid) as raised:
        compile(flow, chapters)
    [problem] = raised.value.problems
    assert (
        problem.message
        == "Type mismatch: wt2.Chapter cannot be used as wt.Chapter, from 'w.output' to 'r.chapter'."
    )
    assert problem.hint.startswith("No conversion exists.")


def test_catalog_describes_plugin_types_by_package_and_name(chapters):
    described = chapters.describe()
    assert {"wt.Chapter", "wt2.Chapter", "Text"} <= set(described["value_types"])
    ports = {item["id"]: item["outputs"][0]["type"] for item in described["types"]}
    assert (ports["wt_write"], ports["wt2_write"], ports["wt_read"]) == ("wt.Chapter", "wt2.Chapter", "Text")
    assert {"from": "wt.Chapter", "to": "wt2.Chapter"} not in described["conversions"]
    assert {"from": "wt.Chapter", "to": "Any"} in described["conversions"]


def test_value_is_written_with_its_package_and_read_by_it(chapters):
    import wt2

    written = to_json(wt2.Chapter(heading="One"))
    assert written == {"$type": "wt2.Chapter", "heading": "One"}
    assert from_json(written, chapters.value_types) == wt2.Chapter(heading="One")


def test_bare_name_of_older_versions_is_read_while_it_is_unambiguous(install, chapters):
    import wt

    old = {"$type": "Chapter", "title": "One"}
    assert from_json(old, chapters.value_types) == old
    alone = ValueTypes()
    alone.add(value_type_of(wt.Chapter))
    assert from_json(old, alone) == wt.Chapter(title="One")


def test_node_id_of_another_package_is_refused_and_the_rest_of_the_plugin_loads(install):
    install("first", SAME_ID.format(package="first", shared="rhyme"))
    install("second", SAME_ID.format(package="second", shared="rhyme"))
    catalog = Catalog.discover("test.nodes")
    assert {"rhyme", "first_own", "second_own"} <= {found.id for found in catalog}
    [broken] = catalog.broken
    assert isinstance(broken, BrokenPlugin)
    kept, refused = ("first", "second") if broken.package == "second-nodes" else ("second", "first")
    assert broken.name == f"{refused}: shared"
    assert f"{kept}.shared of {kept}-nodes and {refused}.shared of {refused}-nodes" in broken.error


def test_newer_version_of_another_packages_node_is_refused(install):
    install("first", SAME_ID.format(package="first", shared="rhyme"))
    install(
        "second",
        SAME_ID.format(package="second", shared="rhyme").replace('id="rhyme"', 'id="rhyme", version=2'),
    )
    catalog = Catalog.discover("test.nodes")
    assert len(catalog.broken) == 1


def test_two_classes_of_one_package_and_name_are_refused():
    def make(number):
        from dataclasses import dataclass

        @dataclass(frozen=True)
        class Chapter:
            title: str

        @node(id=f"write_{number}")
        async def write(text: Text) -> Chapter:
            return Chapter(text)

        return write

    with pytest.raises(DefinitionError, match=r"Two value types are called 'tests\.Chapter'"):
        Catalog([make(1), make(2)])
