"""The labels that the tutorials name, in bold, are those of the interface."""

import json
import re
from pathlib import Path

import pytest

from impasto import Catalog

ROOT = Path(__file__).parents[2]
TUTORIALS = [ROOT / "docs" / "tutorial" / name for name in ("marketer.md", "builder.md")]
BOLD = re.compile(r"\*\*([^*\n]+?)\*\*")
TEXT = re.compile(r"'((?:[^'\\\n]|\\.)+)'")


def interface_texts() -> set[str]:
    """Every text of the editor, every title of nodes, ports and settings, every built-in agent's name."""
    editor = (ROOT / "editor" / "src" / "lib" / "i18n" / "en").glob("*.ts")
    texts = {text for file in editor for text in TEXT.findall(file.read_text("utf-8"))}
    for item in Catalog.discover().describe()["types"]:
        texts.add(item["title"])
        texts.update(port["title"] for port in (*item["inputs"], *item["outputs"]))
        texts.update(field.get("title", "") for field in item["settings"].get("properties", {}).values())
    agents = (ROOT / "examples" / "agents").glob("*.json")
    return texts | {json.loads(file.read_text("utf-8"))["name"] for file in agents}


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda page: page.stem)
def test_bold_labels_are_in_the_interface(tutorial: Path) -> None:
    labels = {" ".join(label.split()) for label in BOLD.findall(tutorial.read_text("utf-8"))}
    questions = {label for label in labels if label.endswith("?")}
    assert labels - questions
    assert labels - questions - interface_texts() == set()
