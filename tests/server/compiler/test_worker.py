"""The set-up of a compiler process: what it says of the catalog, and the catalog that is made of it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from tests.server.sample_nodes import paint, shout

from impasto import Catalog, Text, node
from impasto.errors import DefinitionError
from impasto.plugins.allow_list import AllowList, RefusedPlugin, in_use, use
from impasto.plugins.entry_points import BrokenPlugin
from impasto_server.compiler.limits import FlowLimits
from impasto_server.compiler.process import setup_message
from impasto_server.compiler.worker import catalog_of

LIMITS = FlowLimits(nodes=1, edges=2, steps=3, settings_bytes=4, setting_values=5, setting_depth=6)
SOURCE = """
from pathlib import Path
from impasto import Text, node

with Path(__file__).with_suffix(".log").open("a") as log:
    log.write("executed ")

@node(id="glow")
def glow(text: Text) -> Text:
    return text

class Group:
    @staticmethod
    @node(id="dim")
    def dim(text: Text) -> Text:
        return text
"""


@pytest.fixture(autouse=True)
def keep_the_list_of_plugins() -> Iterator[None]:
    yield
    use(AllowList())


def place(module: str, name: str, file: Path | None) -> tuple[str, str, str | None]:
    return module, name, file and str(file)


def setup_of(*nodes: Any) -> dict[str, Any]:
    return {"nodes": nodes, "configured": [], "broken": [], "refused": [], "plugins": ""}


def test_process_has_the_nodes_the_plugins_and_the_limits_of_the_server() -> None:
    broken = BrokenPlugin(name="glow", package="acme", error="ImportError: no", traceback="Traceback …")
    refused = RefusedPlugin(package="other", reason="it is not in the list", hint="Add it.",
                            node_types=frozenset({"b", "a"}))  # fmt: skip
    catalog = Catalog([shout, paint], broken=[broken], refused=[refused])
    catalog.configured = frozenset({"openai", "fal"})
    catalog.allow_list = AllowList.parse("acme==1.2")
    message = orjson.loads(setup_message(catalog, LIMITS, 2.5, 1024))
    here = sys.modules["tests.server.sample_nodes"].__file__
    assert message == {
        "nodes": [["tests.server.sample_nodes", name, here] for name in ("shout", "paint")],
        "configured": ["fal", "openai"],
        "broken": [
            {"name": "glow", "package": "acme", "error": "ImportError: no", "traceback": "Traceback …"}
        ],
        "refused": [
            {
                "package": "other", "reason": "it is not in the list", "hint": "Add it.",
                "node_types": ["a", "b"],
            }
        ],
        "plugins": "acme==1.2",
        "limits": {
            "nodes": 1, "edges": 2, "steps": 3, "settings_bytes": 4, "setting_values": 5, "setting_depth": 6,
        },
        "seconds": 2.5,
        "memory_bytes": 1024,
    }  # fmt: skip
    there = catalog_of(message)
    assert [node_type.id for node_type in there] == ["shout", "paint"]
    assert (there.broken, there.refused, there.configured) == ([broken], [refused], catalog.configured)
    assert in_use() == AllowList.parse("acme==1.2")


def test_nodes_of_a_program_are_read_from_its_file_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "impasto_main", raising=False)
    file = tmp_path / "program.py"
    file.write_text(SOURCE)
    nodes = [place("__main__", name, file) for name in ("glow", "Group.dim")]
    try:
        assert [node_type.id for node_type in catalog_of(setup_of(*nodes))] == ["glow", "dim"]
    finally:
        sys.modules.pop("impasto_main", None)
    assert file.with_suffix(".log").read_text() == "executed "


def test_nodes_of_a_module_that_is_on_no_path_are_read_from_its_file(
    tmp_path: Path,
) -> None:
    file = tmp_path / "glowing.py"
    file.write_text(SOURCE)
    try:
        assert [node_type.id for node_type in catalog_of(setup_of(place("glowing", "glow", file)))] == [
            "glow"
        ]
        assert sys.modules["glowing"].__file__ == str(file)
    finally:
        sys.modules.pop("glowing", None)


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        (place("glowing_nowhere", "glow", None), "No module named 'glowing_nowhere'"),
        (place("__main__", "glow", None), "there is no module 'impasto_main'"),
        (place("glowing_nowhere", "glow", Path("glow.txt")), "there is no module 'glowing_nowhere'"),
    ],
    ids=["no_file", "program_without_a_file", "no_python_file"],
)
def test_module_that_cannot_be_found_is_named(nodes: Any, message: str) -> None:
    with pytest.raises(ModuleNotFoundError, match=f"^{message}$"):
        catalog_of(setup_of(nodes))


def test_node_inside_a_function_cannot_be_imported_by_a_process() -> None:
    @node(id="local")
    def local(text: Text) -> Text:
        return text

    with pytest.raises(DefinitionError, match="is defined inside a function, so the process that checks"):
        setup_message(Catalog([local]), LIMITS, 1, 1)
