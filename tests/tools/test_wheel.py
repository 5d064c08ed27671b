"""The wheel, installed in an empty environment, is the whole product."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.server.responses import expect

ROOT = Path(__file__).resolve().parents[2]
UV = Path(sys.executable).parent / "uv"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def run(*command: str | Path, folder: Path, **environment: str) -> None:
    environment = environment or plain_environment()
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=200, env=environment)
    assert ran.returncode == 0, ran.stderr


def plain_environment(**changes: str) -> dict[str, str]:
    """Return the environment without variables that lead to this checkout."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("IMPASTO_", "PYTHON"))}
    return {**kept, **changes}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of an environment in which nothing but the wheel was installed."""
    assert (ROOT / "editor/dist/index.html").is_file(), (
        "The editor is not built: run `make editor/dist/index.html`."
    )
    folder = tmp_path_factory.mktemp("wheel")
    run(UV, "build", "--wheel", "--quiet", "--out-dir", folder, ROOT, folder=folder)
    (wheel,) = folder.glob("*.whl")
    run(UV, "venv", "--quiet", "--python", sys.executable, folder / "venv", folder=folder)
    install = (UV, "pip", "install", "--quiet", "--python", folder / "venv/bin/python")
    # The locked versions, so that the test's result depends on this project alone.
    run(
        *install,
        "--constraint",
        ROOT / "requirements.lock",
        f"impasto[all] @ {wheel.as_uri()}",
        folder=folder,
    )
    return folder / "venv/bin"


@pytest.fixture
def url(installed: Path, tmp_path: Path) -> Iterator[str]:
    """The address of a server of the installed program, with the account `mara`."""
    environment = plain_environment(IMPASTO_PORT="0", IMPASTO_DATA_DIR=str(tmp_path / "data"))
    account = ("mara", "mara@northbound.example", "--password", "Thick-paint-7", "--definitive")
    run(installed / "impasto", "admin", "create-user", *account, folder=tmp_path, **environment)
    with subprocess.Popen(
        [installed / "impasto", "serve"], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            opened = server.stdout.readline()
            assert opened.startswith("Impasto is running at ")
            yield opened.split()[-1]
        finally:
            server.terminate()
            server.wait(100)


@pytest.mark.thorough
def test_installed_wheel_serves_the_editor_and_the_agents_and_runs_them(url: str) -> None:
    with httpx.Client(base_url=url, timeout=100) as client:
        page = expect(client.get("/"), 200).text
        scripts = re.findall(r'src="(/assets/[^"]+\.js)"', page)
        assert scripts
        for script in scripts:
            assert "javascript" in expect(client.get(script), 200).headers["content-type"]

        account = {"username": "mara", "password": "Thick-paint-7"}
        signed_in = expect(client.post("/api/v1/identity/sign-in", json=account), 200).json()
        session = signed_in["session"]
        client.headers["Authorization"] = f"Bearer {session['identity_token']}"

        agents = {agent["name"]: agent for agent in expect(client.get("/api/v1/flows/"), 200).json()}
        assert len(agents) == len(list((ROOT / "examples/agents").glob("*.json")))
        for agent in agents.values():
            assert expect(client.get(agent["avatar_url"]), 200).headers["content-type"].startswith("image/")
        moodboard = agents["Moodboard"]
        body = {"inputs": {"prompt": "A lighthouse at dusk"}}
        run_id = expect(client.post(f"/api/v1/flows/{moodboard['id']}/runs", json=body), 202).json()["id"]
        with client.stream("GET", f"/api/v1/runs/{run_id}/events") as events:
            for _ in events.iter_lines():  # the stream ends with the run
                pass
        ended = expect(client.get(f"/api/v1/runs/{run_id}"), 200).json()
        assert ended["status"] == "finished", ended["error"]
