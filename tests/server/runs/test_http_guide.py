"""The Python program in the guide to the HTTP API, run against a server."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.server.sample_nodes import chain

pytestmark = pytest.mark.anyio
GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "http-api.md"


@pytest.fixture
def guide(tmp_path: Path) -> ModuleType:
    """The Python program of the guide as a module."""
    program = tmp_path / "guide.py"
    program.write_text(
        "\n\n".join(re.findall(r"^```python\n(.*?)^```", GUIDE.read_text("utf-8"), re.DOTALL | re.MULTILINE))
    )
    spec = importlib.util.spec_from_file_location("guide", program)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
async def robot(person: Any, new_client: Any) -> Any:
    """A client with an API key that may launch agents."""
    made = await person.client.post("/api-keys", json={"name": "robot", "scopes": ["run"]})
    client = new_client()
    client.headers["Authorization"] = f"Bearer {made.json()['key']}"
    return client


async def test_guide_launches_follows_and_downloads(
    guide: ModuleType, robot: Any, person: Any, publish: Any, tmp_path: Path, capsys: Any
) -> None:
    made = await publish(person, chain("paint"))
    (kept,) = await guide.launch(robot, made["id"], {"ask": "jug"}, tmp_path)
    assert kept.read_bytes().startswith(b"\x89PNG")
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("run.started")
    assert printed[-1].startswith("run.finished")


async def test_guide_saves_text_results_as_json(
    guide: ModuleType, robot: Any, person: Any, publish: Any, tmp_path: Path
) -> None:
    made = await publish(person, chain("shout"))
    (kept,) = await guide.launch(robot, made["id"], {"ask": "jug"}, tmp_path)
    assert "JUG" in kept.read_text("utf-8")
