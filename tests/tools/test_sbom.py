"""The software bills of materials are valid CycloneDX and list every locked package."""

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.schema import OutputFormat, SchemaVersion
from cyclonedx.validation import make_schemabased_validator

ROOT = Path(__file__).parents[2]

# The first test waits for npm and for two programs in Python, which take minutes on a very busy machine.
pytestmark = [pytest.mark.timeout(600), pytest.mark.thorough]


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The Python packages' document, then the editor's."""
    spec = importlib.util.spec_from_file_location("sbom", ROOT / "tools" / "sbom.py")
    assert spec is not None
    assert spec.loader is not None
    sbom = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sbom)
    return [json.loads(path.read_text("utf-8")) for path in sbom.write_sboms(tmp_path_factory.mktemp("sbom"))]


def names(document: dict[str, Any]) -> set[str]:
    return {f"{one['purl'].rpartition('/')[2]}" for one in document["components"] if "purl" in one}


def test_documents_are_valid_cyclonedx(documents: list[dict[str, Any]]) -> None:
    for document in documents:
        version = SchemaVersion.from_version(document["specVersion"])
        validator = make_schemabased_validator(OutputFormat.JSON, version)
        assert validator.validate_str(json.dumps(document)) is None


def test_every_locked_python_package_is_listed_with_its_version(documents: list[dict[str, Any]]) -> None:
    locked = re.findall(
        r"^([\w.-]+)==([\w.]+)", (ROOT / "requirements.lock").read_text("utf-8"), re.MULTILINE
    )
    assert len(locked) > 50
    assert {f"{name}@{version}" for name, version in locked} <= names(documents[0])


def test_what_the_built_editor_depends_on_is_listed(documents: list[dict[str, Any]]) -> None:
    wanted = json.loads((ROOT / "editor" / "package.json").read_text("utf-8"))["dependencies"]
    found = {name.rpartition("@")[0] for name in names(documents[1])}
    assert {name.rpartition("/")[2] for name in wanted} <= found
