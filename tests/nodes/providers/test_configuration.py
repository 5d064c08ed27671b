"""Variables in a `.env` file reach the providers, with the CLI and with the server."""

import asyncio
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from tests.fakes.running import flow_of
from tests.fakes.state import GOOD_KEY, REPLY, State
from typer.testing import CliRunner

from impasto import Configuration
from impasto.cli.main import app
from impasto.testing import FakeContext
from impasto_nodes.providers.local import text
from impasto_nodes.providers.local.errors import BadConfiguration
from impasto_nodes.providers.local.language_models import served
from impasto_nodes.providers.protocols import TextRequest
from impasto_server.app import create_app
from impasto_server.settings import Settings


@pytest.fixture
def env_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("OPENAI_API_KEY", "IMPASTO_LOCAL_THREADS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / ".env"
    path.write_text(f"OPENAI_API_KEY={GOOD_KEY}\nIMPASTO_LOCAL_THREADS=3\n")
    return path


@pytest.mark.anyio
async def test_the_cli_uses_the_key_of_a_dotenv_file(fakes: State, env_file: Path) -> None:
    flow_of("language_model", {}, {"prompt": "A can"}).dump("flow.json")
    done = await asyncio.to_thread(CliRunner().invoke, app, ["run", "flow.json", "--out", "out"])
    assert done.exit_code == 0, done.output
    assert Path("out/it.txt").read_text() == REPLY
    assert fakes.requests("chat")[0].headers["authorization"] == f"Bearer {GOOD_KEY}"


def test_the_server_uses_the_key_of_a_dotenv_file(env_file: Path, tmp_path: Path) -> None:
    app_state = create_app(Settings(data_dir=tmp_path / "data")).state.app_state
    assert app_state.catalog.configured == {"openai", "local"}
    assert app_state.settings.configuration.text("OPENAI_API_KEY") == GOOD_KEY


def test_importing_litellm_leaves_a_dotenv_file_alone(env_file: Path) -> None:
    # Python with `-c` counts as interactive, where litellm would look for the file in the working directory.
    code = (
        "import os; from impasto_nodes.providers.litellm import lazy_import; lazy_import.load();"
        " print(os.environ.get('OPENAI_API_KEY'))"
    )
    command = [sys.executable, "-c", code]
    printed = subprocess.run(
        command, cwd=env_file.parent, capture_output=True, text=True, timeout=100, check=True
    )
    assert printed.stdout.strip() == "None", printed.stdout


@pytest.mark.anyio
async def test_the_local_model_gets_the_threads_of_a_dotenv_file(
    env_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = await started_with(Configuration.load(env_file), monkeypatch)
    assert [task["threads"] for task in tasks] == [3]


@pytest.mark.anyio
async def test_threads_that_are_no_number_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        BadConfiguration, match="IMPASTO_LOCAL_THREADS must be a whole number from 0, got 'all'"
    ):
        await started_with(Configuration({"IMPASTO_LOCAL_THREADS": "all"}), monkeypatch)


async def started_with(
    configuration: Configuration, monkeypatch: pytest.MonkeyPatch
) -> list[dict[str, object]]:
    """Ask the local language model with a configuration; the tasks that its worker process gets."""

    class Stopped(Exception):
        pass

    class Worker:
        async def ask(self, task: dict[str, object], progress: object) -> None:
            tasks.append(task)
            raise Stopped

    tasks: list[dict[str, object]] = []
    monkeypatch.setattr(served, "_worker", Worker())
    context = FakeContext(configuration={**configuration, "IMPASTO_LOCAL_DOWNLOAD": "0"})
    with suppress(Stopped):
        await anext(text.LocalText().stream(TextRequest(model="", prompt="What is a can?"), context))  # type: ignore[arg-type]
    return tasks
