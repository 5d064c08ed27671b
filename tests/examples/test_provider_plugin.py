"""A provider of an installed outside package shows up everywhere, without a change to Impasto."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "examples" / "plugin"


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a process with the plugin installed shows of its provider."""
    folder = tmp_path_factory.mktemp("site")
    install(folder)
    paths = [str(folder), str(PLUGIN), str(ROOT), os.environ.get("PYTHONPATH", "")]
    ran = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("provider_plugin_child.py"))],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), "COLUMNS": "250"},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert ran.returncode == 0, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def install(folder: Path) -> None:
    """Write the metadata that an installer writes for the plugin."""
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text())["project"]
    metadata = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    metadata.mkdir()
    name, version = project["name"], project["version"]
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    sections = [
        "\n".join([f"[{group}]", *(f"{key} = {value}" for key, value in entries.items())])
        for group, entries in project["entry-points"].items()
    ]
    (metadata / "entry_points.txt").write_text("\n\n".join(sections) + "\n")


def test_provider_is_offered_by_the_nodes_of_its_kind(shown: dict[str, Any]) -> None:
    assert shown["broken"] == []
    assert "rhyme_house" in shown["choices"]


def test_what_it_declares_to_need_is_listed(shown: dict[str, Any]) -> None:
    declared = {
        "network": [],
        "subprocess": False,
        "files": {"read": [], "write": []},
        "environment": ["RHYME_HOUSE_KEY", "RHYME_HOUSE_ENDING"],
    }
    assert shown["plugins"] == [{"package": "impasto-rhyme", "version": "0.1.0", "capabilities": declared}]


def test_its_models_are_listed(shown: dict[str, Any]) -> None:
    assert [(option["value"], option["group"]) for option in shown["models"]] == [
        ("couplet-1", "Rhyme House")
    ]


def test_catalog_has_its_title_and_credential_fields(shown: dict[str, Any]) -> None:
    assert shown["provider"] == {
        "id": "rhyme_house",
        "title": "Rhyme House",
        "kinds": ["text"],
        "takes_key": True,
        "package": "impasto-rhyme",
    }


def test_its_variables_are_in_the_settings_list_and_in_the_reference(shown: dict[str, Any]) -> None:
    for variable in ("RHYME_HOUSE_KEY", "RHYME_HOUSE_ENDING"):
        assert variable in shown["settings"]
        assert all(variable in page for page in shown["reference"])


def test_its_price_is_in_estimates_and_costs(shown: dict[str, Any]) -> None:
    assert shown["estimate"]["usd"] == pytest.approx(0.4 * 0.5)
    assert shown["cost"] == pytest.approx(9 / 1000 * 0.5)


def test_it_runs_with_the_operators_key(shown: dict[str, Any]) -> None:
    assert shown["output"] == "Tea, every day,\nand more of it, every day."
