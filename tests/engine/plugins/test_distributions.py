"""Files and node types of installed distributions, read without importing their code."""

import hashlib
import importlib
import json

import pytest
from tests.fakes.plugins import imported_by, install

from impasto.plugins import distributions
from impasto.plugins.distributions import files_of, hash_of, node_types_in, normalized, package_roots

SOURCE = """
import impasto
from impasto import node


@node
async def plain(): ...


@node(title="Named", id="named")
def with_an_id(): ...


@impasto.node(title="Spelled out")
async def spelled(): ...


@node(id=plain.__name__)
def computed(): ...


@other.mode
@cache
def helper(): ...


class node: ...
"""


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder on the path of Python."""
    monkeypatch.syspath_prepend(tmp_path)
    with imported_by("acme", "shared", "single"):
        yield tmp_path
    importlib.invalidate_caches()


@pytest.mark.parametrize(
    ("name", "found"),
    [("Acme.Nodes", "acme-nodes"), (" a__b-.c ", "a-b-c"), ("plain", "plain"), ("", "")],
)
def test_names_are_compared_as_package_indexes_do(name, found):
    assert normalized(name) == found


def test_files_are_those_recorded_and_those_in_the_packages(site):
    acme = install(site, "acme", "", files={"data/a.txt": "a", "x.pyc": "", "__pycache__/y.txt": ""})
    info = site / "acme-1.0.dist-info"
    for note in ("REQUESTED", "direct_url.json", "uv_build.json", "uv_cache.json", "licence.txt"):
        (info / note).write_text("note")
    record = info / "RECORD"
    listed = ["../bin/acme,,", "/etc/acme,,", "acme/gone.py,,"]
    listed += [f"acme-1.0.dist-info/{note.name},," for note in info.iterdir()]
    record.write_text(record.read_text() + "\n".join(listed) + "\n")
    (site / "acme" / "later.py").write_text("later = 1")
    assert [*files_of(acme)] == [
        "acme-1.0.dist-info/METADATA",
        "acme-1.0.dist-info/entry_points.txt",
        "acme-1.0.dist-info/licence.txt",
        "acme/__init__.py",
        "acme/data/a.txt",
        "acme/later.py",
    ]
    assert files_of(acme)["acme/later.py"] == site / "acme" / "later.py"


def test_hash_is_that_of_the_names_and_contents_of_the_files(site):
    acme = install(site, "acme", SOURCE)
    listed = [[name, hashlib.sha256(path.read_bytes()).hexdigest()] for name, path in files_of(acme).items()]
    written = json.dumps(listed, separators=(",", ":")).encode()
    assert hash_of(acme) == hashlib.sha256(written).hexdigest()


def test_node_types_are_the_functions_that_are_marked_as_nodes(site, monkeypatch):
    files = {"more.py": "@node(id='more')\ndef f(): ...", "broken.py": "@node\ndef", "text.txt": SOURCE}
    acme = install(site, "acme", SOURCE, files=files)
    found = {"plain", "named", "spelled", "computed"}
    assert node_types_in(acme) == found | {"more"}
    monkeypatch.setattr(distributions, "_MAX_SOURCE_BYTES", len(files["more.py"]))
    assert node_types_in(acme) == {"more"}
    monkeypatch.setattr(distributions, "_MAX_SOURCE_BYTES", len(files["more.py"]) - 1)
    assert node_types_in(acme) == frozenset()


def test_plugins_are_the_first_distributions_of_their_name_that_have_entry_points(site, monkeypatch):
    (site / "second").mkdir()
    monkeypatch.setattr("sys.path", [str(site), str(site / "second")])
    install(site, "zinc", "", version="1.0")
    install(site, "Acme.Nodes", "", version="1.0")
    install(site, "plain", "", groups={"console_scripts": "plain:run"})
    install(site, "warm", "", groups={"impasto.warm": "warm:up", "other": "warm:down"})
    install(site, "impasto", "")
    install(site / "second", "acme-nodes", "", version="2.0")
    install(site / "second", "late", "", version="2.0")
    found = [(each.metadata["Name"], each.version) for each in distributions.plugins()]
    assert found == [("Acme.Nodes", "1.0"), ("late", "2.0"), ("warm", "1.0"), ("zinc", "1.0")]


def test_packages_are_those_that_entry_points_for_impasto_name(site):
    groups = {
        "impasto.nodes": "acme",
        "impasto.commands": "single:run",
        "other.group": "json",
        "impasto.warm": "gone",
    }
    acme = install(site, "acme", "", groups=groups)
    (site / "single.py").write_text("")
    (site / "shared" / "acme").mkdir(parents=True)
    (site / "shared" / "other").mkdir()
    (site / "shared" / "acme.py").write_text("")
    assert package_roots(acme) == [site / "acme", site / "single.py"]
    shared = install(
        site, "other", "", groups={"impasto.nodes": "shared.acme.nodes", "impasto.warm": "shared"}
    )
    assert package_roots(shared) == [site / "shared" / "acme", site / "shared" / "acme.py"]


def test_plugins_are_listed_by_name_the_first_on_the_path_of_each(site, tmp_path_factory, monkeypatch):
    later = tmp_path_factory.mktemp("later")
    monkeypatch.setattr("sys.path", [str(site), str(later)])
    install(site, "acme", "", version="1.0")
    install(later, "acme", "", version="2.0")
    install(later, "Abc", "", groups={"impasto.providers": "abc"})
    install(later, "plain", "", groups={"console_scripts": "plain"})
    install(later, "impasto", "")
    unnamed = install(later, "unnamed", "")
    (later / "unnamed-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nVersion: 1.0\n")
    assert unnamed.metadata["Name"] is None
    assert [(found.metadata["Name"], found.version) for found in distributions.plugins()] == [
        ("Abc", "1.0"),
        ("acme", "1.0"),
    ]
