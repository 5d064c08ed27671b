"""Every command of `impasto admin` that changes something is recorded as an action of the operator."""

import getpass
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner

from impasto_server.__main__ import program

Impasto = Callable[..., str]


@pytest.fixture
def impasto(tmp_path: Path, data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Impasto:
    """Return a function that runs a command, which must succeed, and returns what it prints."""
    monkeypatch.chdir(tmp_path)
    for name, value in {
        "DATA_DIR": str(data_folder),
        "ARGON2_TIME_COST": "1",
        "ARGON2_MEMORY_KIB": "64",
        "ARGON2_PARALLELISM": "1",
        "LOG_LEVEL": "error",
        "WARM": "0",
    }.items():
        monkeypatch.setenv(f"IMPASTO_{name}", value)

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(program, ["admin", *arguments])
        assert result.exit_code == 0, result.output
        return result.stdout

    return run


def exported(impasto: Impasto, path: Path) -> list[dict[str, Any]]:
    """Return the entries of the audit log, oldest first."""
    impasto("audit", "--format", "jsonl", "--output", str(path))
    return [orjson.loads(line) for line in path.read_text().splitlines()][::-1]


def test_commands_about_a_user_are_recorded(impasto: Impasto, tmp_path: Path) -> None:
    created = impasto("create-user", "noor", "noor@northbound.example")
    reset = impasto("reset-password", "noor")
    impasto("grant-beta", "noor", "agent-7")
    impasto("grant-beta", "noor", "agent-7", "--revoke")
    impasto("set-quota", "noor", "500")
    impasto("set-limits", "noor", "--agents", "7", "--usd-per-day", "12.5")
    impasto("set-limits", "noor")  # only shows them
    impasto("grant", "noor")
    impasto("revoke", "noor")
    impasto("suspend", "noor", "--reason", "Spam")
    impasto("restore", "noor", "--reason", "Appeal")
    impasto("remove-second-factors", "noor")
    impasto("delete-user", "noor", "--yes")

    entries = exported(impasto, tmp_path / "log")
    assert [(entry["action"], entry["details"]) for entry in entries] == [
        ("account.create", {}),
        ("password.reset", {"temporary": True, "revoked_keys": 0}),
        ("user.set_betas", {"betas": "agent-7"}),
        ("user.set_betas", {"betas": ""}),
        ("user.set_limits", {"runs_per_day": "500"}),
        ("user.set_limits", {"agents": "7", "usd_per_day": "12.5"}),
        ("user.grant_admin", {}),
        ("user.revoke_admin", {}),
        ("user.suspend", {"reason": "Spam", "revoked_keys": 0, "cancelled_runs": 0}),
        ("user.restore", {"reason": "Appeal"}),
        ("second_factors.remove", {}),
        ("account.delete", {}),
    ]
    assert len({entry["target_id"] for entry in entries}) == 1
    for entry in entries:
        assert (entry["actor_kind"], entry["actor_id"], entry["target_kind"]) == ("operator", None, "user")
        assert entry["user_agent"] == f"impasto admin, run by {getpass.getuser()}"
        assert entry["outcome"] == "success"
    passwords = {output.split()[-1] for output in (created, reset)}
    assert not [each for each in passwords if each in (tmp_path / "log").read_text()]


def test_rotations_and_invitations_are_recorded(impasto: Impasto, tmp_path: Path) -> None:
    impasto("rotate-keys")  # creates the first keys
    impasto("rotate-keys", "--encryption")
    impasto("invite", "noor@northbound.example")
    entries = exported(impasto, tmp_path / "log")
    assert [(entry["action"], entry["details"]) for entry in entries] == [
        ("keys.rotate", {"keys": "signing"}),
        ("keys.rotate", {"keys": "encryption"}),
        ("invitation.create", {"email": "noor@northbound.example"}),
    ]
    assert {entry["actor_kind"] for entry in entries} == {"operator"}


def test_user_gets_a_notice_of_the_operators_reset(impasto: Impasto, tmp_path: Path) -> None:
    impasto("create-user", "noor", "noor@northbound.example")
    password = impasto("reset-password", "noor").split()[-1]
    [letter] = (tmp_path / "data" / "outbox").glob("*.eml")
    text = letter.read_text()
    assert "Subject: Your Impasto password was reset by the administrator" in text
    assert password not in text


def test_refused_command_records_nothing(impasto: Impasto, tmp_path: Path) -> None:
    impasto("create-user", "noor", "noor@northbound.example")
    again = CliRunner().invoke(program, ["admin", "create-user", "noor", "other@northbound.example"])
    assert again.exit_code == 1
    assert [entry["action"] for entry in exported(impasto, tmp_path / "log")] == ["account.create"]
