"""The files of a new plugin, and the names that it may have."""

import tomllib
from pathlib import Path

import pytest

from impasto.cli.new_plugin import BadPluginName, FolderExists, NameTaken, create_plugin


def test_package_is_created_in_a_folder_of_its_own(tmp_path: Path) -> None:
    folder = create_plugin("Glitter_Tools-2", tmp_path / "deep" / "plugins")
    assert folder == tmp_path / "deep" / "plugins" / "glitter-tools-2"
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()) == [
        "README.md",
        "glitter_tools_2/__init__.py",
        "glitter_tools_2/impasto-plugin.toml",
        "pyproject.toml",
        "tests/test_glitter_tools_2.py",
    ]
    project = tomllib.loads((folder / "pyproject.toml").read_text())
    assert project["project"]["name"] == "glitter-tools-2"
    assert project["project"]["entry-points"] == {"impasto.nodes": {"glitter_tools_2": "glitter_tools_2"}}
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == ["glitter_tools_2"]
    assert (folder / "README.md").read_text().startswith("# glitter-tools-2\n")
    assert "from glitter_tools_2 import sparkle" in (folder / "tests/test_glitter_tools_2.py").read_text()
    with pytest.raises(FolderExists, match=r"'.*glitter-tools-2' already exists\. Choose another name"):
        create_plugin("glitter-tools-2", tmp_path / "deep" / "plugins")


@pytest.mark.parametrize("name", ["a--b", "-a", "a-", "a_", "1a", "a b", "ä", "a.b", "a-_b"])
def test_name_that_no_package_can_have_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadPluginName, match="use letters, digits and dashes, a letter first"):
        create_plugin(name, tmp_path)


@pytest.mark.parametrize(
    ("name", "package"),
    [("Json", "json"), ("impasto-server", "impasto_server"), ("tests", "tests"), ("class", "class"),
     ("networkx", "networkx")],
)  # fmt: skip
def test_name_of_another_module_is_refused(tmp_path: Path, name: str, package: str) -> None:
    with pytest.raises(NameTaken, match=f"'{package}' is taken: Python or an installed package has a module"):
        create_plugin(name, tmp_path)
    assert [*tmp_path.iterdir()] == []
