"""The files in deploy/ fit the product, and follow the rules of their formats."""

import configparser
import re
from pathlib import Path

import pytest
import typer
import yaml

from impasto_server.__main__ import program
from impasto_server.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
SHUTDOWN_SECONDS = 15  # between SIGTERM and SIGKILL, as docs/operate/scaling.md says


def texts() -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted(DEPLOY.rglob("*")) if path.is_file())


def test_every_named_setting_exists() -> None:
    named = set(re.findall(r"\bIMPASTO_[A-Z_]+\b", texts()))
    known = {f"IMPASTO_{name.upper()}" for name in Settings.model_fields}
    assert named - known == {"IMPASTO_DOMAIN"}  # of the proxy, not of the product


def test_every_named_command_exists() -> None:
    commands = typer.main.get_command(program).commands  # type: ignore[attr-defined]
    named = re.findall(r"impasto (admin )?([a-z-]+)", texts().replace('", "', " "))
    used = {name for admin, name in named if not admin and name in {"serve", "worker", "migrate"}}
    assert used == {"serve", "worker", "migrate"} <= set(commands)
    assert {name for admin, name in named if admin} <= set(commands["admin"].commands)


def test_every_variable_of_compose_is_in_the_example() -> None:
    needed = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text("utf-8")))
    example = re.findall(r"^(\w+)=", (DEPLOY / "example.env").read_text("utf-8"), re.MULTILINE)
    assert needed == set(example)


def test_services_run_twice_restart_and_wait_for_what_they_need() -> None:
    services = COMPOSE["services"]
    for name in ("server", "worker"):
        assert services[name]["deploy"]["replicas"] == 2
        assert services[name]["restart"] == "unless-stopped"
        assert int(services[name]["stop_grace_period"].rstrip("s")) > SHUTDOWN_SECONDS
        assert set(services[name]["depends_on"]) == {"setup", "bucket", "redis"}
    for service in services.values():
        assert set(service.get("depends_on", ())) <= set(services)
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert source in COMPOSE["volumes"] or (DEPLOY / source).exists()
    assert "appendonly" in " ".join(services["redis"]["command"])


def test_image_names_its_versions_and_runs_unprivileged() -> None:
    images = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    images += [service["image"] for service in COMPOSE["services"].values() if service["image"] != "impasto"]
    assert all(re.search(r":\d", image) for image in images)
    last_stage = DOCKERFILE.rpartition("\nFROM ")[2]
    assert re.search(r"^USER impasto$", last_stage, re.MULTILINE)
    assert "HEALTHCHECK" in last_stage


def test_image_has_what_it_copies() -> None:
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    admitted = [line[1:] for line in ignored if line.startswith("!")]
    copied = re.findall(r"^COPY (?!--)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    for source in " ".join(copied).split():
        assert list(ROOT.glob(source)), source
        assert any(
            source == path or Path(source).match(path) or source.startswith(f"{path}/") for path in admitted
        )


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_unit_restarts_an_unprivileged_process_and_gives_it_time_to_stop(path: Path) -> None:
    unit = configparser.ConfigParser(interpolation=None, strict=False)
    unit.optionxform = str  # type: ignore[assignment]
    unit.read(path)
    service = unit["Service"]
    assert service["User"] == "impasto"
    assert service["Restart"] == "always"
    assert int(service["TimeoutStopSec"]) > SHUTDOWN_SECONDS
    assert service["ExecStart"].split("/")[-1] in {"impasto serve", "impasto worker"}
