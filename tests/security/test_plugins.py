"""Plugins: only those that the operator admits are imported."""

import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import orjson
import pytest
from tests.fakes.plugins import imported_by, install
from typer.testing import CliRunner

from impasto import Catalog, Configuration, FlowInvalid, compile
from impasto.cli import main
from impasto.plugins import distributions
from impasto.plugins.allow_list import AllowList, InvalidAllowList, entry_of, in_use, use
from impasto.sdk.providers import installed_providers
from impasto.testing import flow_of
from impasto_server.compiler import worker
from impasto_server.compiler.limits import FlowLimits
from impasto_server.compiler.process import setup_message

SOURCE = """
from impasto import Text, node


@node(id="{name}_glow", category="transform_assets")
async def glow(text: Text) -> Text:
    return text
"""
NAMES = ("acme", "other")
Install = Callable[..., metadata.Distribution]
runner = CliRunner()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path of Python, which is also the working folder."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    installed_providers.cache_clear()
    with imported_by(*NAMES):
        yield tmp_path
    installed_providers.cache_clear()
    use(AllowList())


@pytest.fixture
def acme(site: Path) -> metadata.Distribution:
    """Two plugins are installed; this is one of them."""
    install(site, "other", SOURCE.format(name="other"))
    return install(site, "acme", SOURCE.format(name="acme"), version="1.2.0")


def discover(allowed: str) -> Catalog:
    return Catalog.discover(configuration=Configuration({"IMPASTO_PLUGINS": allowed}))


def refusals(catalog: Catalog) -> dict[str, str]:
    return {plugin.package: f"{plugin.reason} {plugin.hint}" for plugin in catalog.refused}


class TestAllowList:
    def test_every_plugin_loads_without_a_list(self, acme: metadata.Distribution) -> None:
        catalog = discover("")
        assert {"acme_glow", "other_glow", "language_model"} <= {found.id for found in catalog}
        assert catalog.refused == []

    def test_only_listed_plugins_are_imported(self, acme: metadata.Distribution) -> None:
        catalog = discover("Acme==1.2.0")
        assert {"acme_glow", "language_model"} <= {found.id for found in catalog}
        assert "other" not in sys.modules
        assert refusals(catalog) == {
            "other": "it is not in IMPASTO_PLUGINS "
            "If you trust it, add the entry that `impasto plugins hash other` prints."
        }

    def test_own_name_admits_the_built_in_nodes_only(self, acme: metadata.Distribution) -> None:
        catalog = discover("impasto")
        assert "language_model" in catalog
        assert set(refusals(catalog)) == set(NAMES)
        assert not {*NAMES} & {*sys.modules}

    def test_other_version_is_refused_with_both_versions(self, acme: metadata.Distribution) -> None:
        catalog = discover("acme==1.1.0, other")
        assert "other_glow" in catalog
        assert "expects version 1.1.0, found 1.2.0" in refusals(catalog)["acme"]
        assert "Install acme==1.1.0" in refusals(catalog)["acme"]
        assert "acme" not in sys.modules

    def test_entry_point_without_a_distribution_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        entry = metadata.EntryPoint("loose", "loose:node", "impasto.nodes")
        monkeypatch.setattr(metadata, "entry_points", lambda group: [entry])
        admitted = AllowList.parse("acme").admit("impasto.nodes")
        assert admitted.entries == []
        assert [(one.package, one.hint) for one in admitted.refused] == [
            ("loose", "Install it as a distribution.")
        ]

    def test_only_distributions_with_entry_points_are_plugins(self, acme: metadata.Distribution) -> None:
        names = [one.metadata["Name"] for one in distributions.plugins()]
        assert {"acme", "other"} <= {*names}
        assert not {"impasto", "pytest"} & {*names}

    def test_printed_entry_admits_the_installed_files(self, acme: metadata.Distribution) -> None:
        printed = runner.invoke(main.app, ["plugins", "hash", "acme"]).output.strip()
        assert printed == entry_of(acme)
        assert "acme_glow" in discover(printed)

    @pytest.mark.parametrize(
        "change",
        [
            lambda site: (site / "acme" / "__init__.py").write_text("print('changed')"),
            lambda site: (site / "acme" / "data.txt").unlink(),
            # Imported in place of acme/helper.py, and listed nowhere.
            lambda site: (site / "acme" / "helper").mkdir() or (site / "acme/helper/__init__.py").touch(),
        ],
        ids=["changed", "removed", "added"],
    )
    def test_other_files_are_refused_with_both_hashes(
        self, site: Path, acme: metadata.Distribution, change: Callable[[Path], Any]
    ) -> None:
        files = {"helper.py": "", "data.txt": "1"}
        acme = install(site, "acme", SOURCE.format(name="acme"), version="1.2.0", files=files)
        admitted = entry_of(acme)
        change(site)
        found = entry_of(acme)
        catalog = discover(admitted)
        assert "acme" not in sys.modules
        assert admitted.partition("#")[2] in refusals(catalog)["acme"]
        assert found.partition("#")[2] in refusals(catalog)["acme"]

    def test_notes_of_installers_and_bytecode_do_not_count(
        self, site: Path, acme: metadata.Distribution
    ) -> None:
        before = entry_of(acme)
        (site / "acme-1.2.0.dist-info" / "INSTALLER").write_text("another\n")
        (site / "acme" / "__pycache__").mkdir(exist_ok=True)
        (site / "acme" / "__pycache__" / "__init__.cpython-311.pyc").write_bytes(b"compiled")
        assert entry_of(acme) == before

    def test_sources_of_an_editable_installation_count(self, site: Path, tmp_path: Path) -> None:
        acme = install(site, "acme", SOURCE.format(name="acme"))
        record = site / "acme-1.0.dist-info" / "RECORD"
        rows = record.read_text().splitlines(keepends=True)
        record.write_text("".join(row for row in rows if not row.startswith("acme/")))
        before = entry_of(acme)
        (site / "acme" / "__init__.py").write_text("changed = True\n")
        assert entry_of(acme) != before

    @pytest.mark.parametrize("text", ["acme=1.0", "acme#sha256=1", "a>=1", "==1", "acme,acme", ","])
    def test_unreadable_list_admits_nothing(self, acme: metadata.Distribution, text: str) -> None:
        with pytest.raises(InvalidAllowList, match="IMPASTO_PLUGINS"):
            discover(text)
        assert not {*NAMES} & {*sys.modules}


class TestOtherEntryPoints:
    """Providers, commands and functions to preload are imported from admitted distributions only."""

    def test_providers(self, site: Path) -> None:
        install(site, "acme", "SPEC = None", groups={"impasto.providers": "acme:SPEC"})
        assert set(refusals(discover("impasto"))) == {"acme"}
        assert "acme" not in sys.modules

    def test_commands(self, site: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
        install(site, "acme", "raise SystemExit(9)", groups={"impasto.commands": "acme:run"})
        monkeypatch.setenv("IMPASTO_PLUGINS", "impasto")
        monkeypatch.setattr(sys, "argv", ["impasto", "acme"])
        with pytest.raises(SystemExit) as end:
            main.main()
        assert end.value.code == 2  # no such command
        assert "The commands of acme are refused: it is not in IMPASTO_PLUGINS." in capsys.readouterr().err
        assert "acme" not in sys.modules

    def test_preloaded_functions(self, site: Path) -> None:
        install(site, "acme", "raise SystemExit(9)", groups={"impasto.preload": "acme:run"})
        assert [entry.name for entry in AllowList.parse("impasto").admit("impasto.preload").entries] == ["ai"]


class TestFlows:
    @pytest.mark.parametrize("extra", [{}, {"plugins": {"acme_glow": "Acme"}}])
    def test_node_of_a_refused_plugin_is_a_problem_that_names_it(
        self, acme: metadata.Distribution, extra: dict[str, Any]
    ) -> None:
        flow = flow_of({"a": "acme_glow"})
        flow.extra.update(extra)
        with pytest.raises(FlowInvalid) as raised:
            compile(flow, discover("other"))
        (problem,) = raised.value.problems
        assert (problem.code, problem.message) == (
            "refused_plugin",
            "Node 'a' needs the plugin 'acme', which is refused: it is not in IMPASTO_PLUGINS.",
        )
        assert "impasto plugins hash acme" in (problem.hint or "")

    def test_processes_that_check_flows_have_the_same_list(self, acme: metadata.Distribution) -> None:
        catalog = discover("other")
        limits = FlowLimits(*[1] * 6)
        there = worker.catalog_of(orjson.loads(setup_message(catalog, limits, seconds=1, memory_bytes=0)))
        assert there.refused == catalog.refused
        assert in_use() == AllowList.parse("other")


class TestCommandLine:
    def test_plugins_are_listed_without_importing_them(
        self, acme: metadata.Distribution, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("IMPASTO_PLUGINS", "other,gone")
        shown = runner.invoke(main.app, ["plugins"])
        rows = [line.split() for line in shown.stdout.splitlines()]
        assert ["acme", "1.2.0", "no", "not", "declared"] in rows
        assert ["other", "1.0", "yes", "not", "declared"] in rows
        assert "acme is refused: it is not in IMPASTO_PLUGINS." in shown.output
        assert "names 'gone', which is not installed" in shown.output
        assert not {*NAMES} & {*sys.modules}

    def test_hash_of_an_unknown_plugin_names_those_that_are_installed(
        self, acme: metadata.Distribution
    ) -> None:
        shown = runner.invoke(main.app, ["plugins", "hash", "nothing"])
        assert shown.exit_code == 1
        assert (
            "'nothing' is not an installed distribution with plugins. Installed: acme, other." in shown.output
        )
