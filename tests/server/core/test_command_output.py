"""What the commands print, and how they end."""

import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson
import pytest
import typer
from tests.server.content_credentials.samples import make_signer, png_with, sample, sign
from tests.server.sample_nodes import png
from typer.testing import CliRunner, Result

from impasto_server.__main__ import program
from impasto_server.assets import metadata
from impasto_server.cli.provenance import trace
from impasto_server.cli.start import read_settings
from impasto_server.security.crypto import SIGNING_FILE, open_keys

Impasto = Callable[..., Result]
trace_command = typer.Typer()
trace_command.command()(trace)


@pytest.fixture
def impasto(tmp_path: Path, data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Impasto:
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
    monkeypatch.setenv("COLUMNS", "250")
    return lambda *arguments: CliRunner().invoke(program, list(arguments), terminal_width=250)


@pytest.fixture
def noor(impasto: Impasto) -> None:
    made = impasto("admin", "create-user", "noor", "noor@northbound.example", "--password", "Thick-paint-7")
    assert (made.exit_code, made.stdout, made.stderr) == (0, "noor can sign in.\n", "")


@pytest.mark.usefixtures("noor")
def test_each_command_says_what_it_did(impasto: Impasto) -> None:
    for arguments, sentence in {
        "grant noor": "noor is an admin.",
        "revoke noor": "noor is no longer an admin.",
        "suspend noor --reason Spam": "noor is suspended.",
        "restore noor --reason Appeal": "noor can sign in again.",
        "grant-beta noor": "noor has access to *.",
        "grant-beta noor agent-7 --revoke": "noor no longer has access to agent-7.",
        "set-quota noor 5": "noor may start 5 runs per day.",
        "set-quota noor": "noor may start the default number of runs per day.",
        "remove-second-factors noor": "noor signs in with the password alone.",
        "delete-user noor --yes": "noor was deleted.",
    }.items():
        done = impasto("admin", *arguments.split())
        assert (done.exit_code, done.stdout) == (0, f"{sentence}\n")


def test_administration_without_a_command_lists_them(impasto: Impasto) -> None:
    listed = impasto("admin").output
    assert all(name in listed for name in ("create-user", "grant-beta", "set-limits", "audit", "requeue"))


@pytest.mark.usefixtures("noor")
def test_users_are_listed_with_status_role_quota_and_betas(impasto: Impasto) -> None:
    impasto("admin", "create-user", "ines", "ines@northbound.example")
    impasto("admin", "grant", "noor")
    impasto("admin", "grant-beta", "noor")
    impasto("admin", "set-quota", "noor", "0")
    impasto("admin", "suspend", "ines", "--reason", "Spam")
    rows = [
        [cell.strip() for cell in re.split("[│┃]", line)[1:-1]]
        for line in impasto("admin", "list-users").stdout.splitlines()
        if "northbound" in line
    ]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", row.pop(2)) for row in rows)
    assert sorted(rows) == [
        ["ines", "ines@northbound.example", "suspended", "", "", ""],
        ["noor", "noor@northbound.example", "active", "admin", "0", "*"],
    ]


@pytest.mark.usefixtures("noor")
def test_temporary_passwords_satisfy_the_rules(impasto: Impasto, data_folder: Path) -> None:
    reset = impasto("admin", "reset-password", "noor").stdout
    assert re.fullmatch(r"noor can sign in with the temporary password Ip7-[A-Za-z0-9]{12}\n", reset)
    with closing(sqlite3.connect(data_folder / "impasto.db")) as database:
        [(is_temporary,)] = database.execute("SELECT temporary FROM passwords")
    definitive = impasto("admin", "create-user", "ines", "ines@northbound.example", "--definitive").stdout
    with closing(sqlite3.connect(data_folder / "impasto.db")) as database:
        rows = database.execute("SELECT temporary FROM passwords ORDER BY temporary").fetchall()
    assert (is_temporary, rows) == (1, [(0,), (1,)])
    assert re.fullmatch(r"ines can sign in with the temporary password Ip7-[A-Za-z0-9]{12}\n", definitive)


def test_invitation_says_how_long_its_link_works(impasto: Impasto) -> None:
    said = impasto("admin", "invite", "noor@northbound.example").stdout
    assert re.fullmatch(
        r"Invited noor@northbound.example; the link works until \d{4}-\d\d-\d\d \d\d:\d\d UTC.\n", said
    )


def test_audit_log_is_exported_as_csv_with_the_number_of_entries(
    impasto: Impasto, noor: None, tmp_path: Path
) -> None:
    impasto("admin", "create-user", "ines", "ines@northbound.example")
    impasto("admin", "grant", "ines")
    printed = impasto("admin", "audit")
    assert printed.stderr == "Exported 3 entries.\n"
    assert len(printed.stdout.splitlines()) == 4
    again = impasto("admin", "audit", "--action", "audit", "--format", "jsonl")
    (entry,) = [orjson.loads(line) for line in again.stdout.splitlines()]
    assert (entry["action"], entry["details"]) == ("audit.export", {"format": "csv", "entries": 3})
    of_ines = impasto("admin", "audit", "--user", "ines", "--format", "jsonl")
    assert [orjson.loads(line)["action"] for line in of_ines.stdout.splitlines()] == [
        "user.grant_admin",
        "account.create",
    ]
    later = impasto("admin", "audit", "--since", "2999-01-01")
    assert later.stderr == "Exported 0 entries.\n"
    earlier = impasto("admin", "audit", "--until", "2000-01-01", "-o", str(tmp_path / "log.csv"))
    assert (earlier.stdout, earlier.stderr) == ("", "Exported 0 entries.\n")
    assert (tmp_path / "log.csv").stat().st_mode & 0o777 == 0o600
    refused = impasto("admin", "audit", "-o", str(tmp_path / "none" / "log.csv"))
    assert refused.exit_code == 1
    assert refused.stderr == f"{tmp_path / 'none' / 'log.csv'}: No such file or directory.\n"


def test_rotations_say_what_is_signed_with_from_now_on(impasto: Impasto, data_folder: Path) -> None:
    created = impasto("admin", "rotate-keys", "--encryption").stdout.splitlines()
    assert created == [
        f"Created {data_folder / 'secrets' / name}. Keep a backup in a safe place."
        for name in (SIGNING_FILE, "encryption.keys")
    ]
    rotated = impasto("admin", "rotate-keys").stdout
    kid = orjson.loads((data_folder / "secrets" / SIGNING_FILE).read_bytes())["keys"][0]["kid"]
    assert rotated == f"New tokens are signed with {kid}. Tokens signed with the previous key stay valid.\n"
    encrypted = impasto("admin", "rotate-keys", "--encryption").stdout.splitlines()[-1]
    assert encrypted == (
        "Re-encrypted 0 stored provider keys. The previous key is kept until the next rotation."
    )


@pytest.mark.usefixtures("noor")
def test_stored_secrets_are_readable_after_two_rotations_of_the_encryption_key(
    impasto: Impasto, data_folder: Path
) -> None:
    _, encryptor = open_keys(read_settings())
    with closing(sqlite3.connect(data_folder / "impasto.db")) as database, database:
        [(user_id,)] = database.execute("SELECT id FROM users")
        purposes = {"credentials": f"credential {user_id} fal", "totp_secrets": f"totp {user_id}"}
        key, secret = (encryptor.encrypt(b"secret", purpose) for purpose in purposes.values())
        now = "2026-11-22 03:26:00"
        database.execute("INSERT INTO credentials VALUES (?, 'fal', ?, '1234', ?)", (user_id, key, now))
        row = (user_id, secret, now, now)
        database.execute("INSERT INTO totp_secrets VALUES (?, ?, ?, ?, 0)", row)
    for _ in range(2):
        said = impasto("admin", "rotate-keys", "--encryption").stdout.splitlines()[-1]
        assert said == (
            "Re-encrypted 1 stored provider keys. The previous key is kept until the next rotation."
        )
    assert len((data_folder / "secrets" / "encryption.keys").read_text().split()) == 2
    _, encryptor = open_keys(read_settings())
    with closing(sqlite3.connect(data_folder / "impasto.db")) as database:
        for table, purpose in purposes.items():
            [(sealed,)] = database.execute(f"SELECT sealed FROM {table}")
            assert encryptor.decrypt(sealed, purpose) == b"secret"


def test_content_key_is_rotated_unless_an_operators_certificate_signs(
    impasto: Impasto, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = impasto("admin", "rotate-content-key").stdout
    assert re.fullmatch(
        r"New files are signed with the certificate [0-9a-f]+\. Files signed before stay trusted here\.\n",
        said,
    )
    entry: Any = orjson.loads(impasto("admin", "audit", "--format", "jsonl").stdout.splitlines()[0])
    assert (entry["action"], entry["details"]) == ("keys.rotate", {"keys": "content"})
    monkeypatch.setenv("IMPASTO_CONTENT_CERTIFICATE_FILE", "certificate.pem")
    refused = impasto("admin", "rotate-content-key")
    assert refused.exit_code == 1
    assert refused.stderr.startswith("IMPASTO_CONTENT_CERTIFICATE_FILE replaces the own authority")


@pytest.mark.usefixtures("noor")
def test_backup_is_written_and_checked(
    impasto: Impasto,
    tmp_path: Path,
    data_folder: Path,
    sqlite_template: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "backup.tar"
    made = impasto("backup", str(file))
    assert made.exit_code == 0, made.output
    lines = made.stdout.splitlines()
    found = re.fullmatch(rf"Wrote (\d+ rows, 0 files) to {re.escape(str(file))}\.", lines[0])
    assert found
    assert lines[1:] == [f"The key files are not part of it: keep a copy of {data_folder / 'secrets'}."]
    checked = impasto("restore", "--check", str(file)).stdout
    assert checked.startswith(f"The backup is complete: {found[1]}, made by Impasto ")
    again = impasto("backup", str(file))
    assert (again.exit_code, "exists already" in again.stderr) == (1, True)
    with_keys = tmp_path / "with keys.tar"
    whole = impasto("backup", "--with-secrets", str(with_keys)).stdout
    rows = int(found[1].split()[0])
    # The first backup has been recorded since.
    assert whole == f"Wrote {rows + 1} rows, 0 files and 3 key files to {with_keys}.\n"
    nowhere = impasto("backup", str(tmp_path / "none" / "backup.tar"))
    assert (nowhere.exit_code, nowhere.stdout) == (1, "")
    assert nowhere.stderr == f"{tmp_path / 'none'}: No such file or directory.\n"
    (tmp_path / "new").mkdir()
    shutil.copy(sqlite_template, tmp_path / "new" / "impasto.db")
    monkeypatch.setenv("IMPASTO_DATA_DIR", str(tmp_path / "new"))
    refused = impasto("restore", str(file))
    assert (refused.exit_code, "--new-keys" in refused.stderr) == (1, True)
    restored = impasto("restore", "--new-keys", str(file)).stdout
    assert restored == checked.replace("The backup is complete", "Restored")
    missing = impasto("restore", "--check", str(tmp_path / "none.tar"))
    assert (missing.exit_code, missing.stderr) == (
        1,
        f"{tmp_path / 'none.tar'}: No such file or directory.\n",
    )


def test_trace_prints_what_a_file_says_as_lines_or_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IMPASTO_DATA_DIR", str(tmp_path))

    def traced(*options: str) -> Result:
        return CliRunner().invoke(trace_command, [*options, str(path)])

    path = tmp_path / "jug.png"
    path.write_bytes(png(3))
    unknown = traced()
    assert (unknown.exit_code, unknown.stdout) == (1, "jug.png has no metadata of how it was made.\n")
    wrong = [CliRunner().invoke(trace_command, [str(tmp_path / name)]) for name in ("", "none.png")]
    assert [(result.exit_code, result.stdout) for result in wrong] == [(2, ""), (2, "")]
    embedded = {"flow_name": "Jugs", "seed": 7, "name": "a\x07"}
    metadata.embed(path, embedded)
    assert orjson.loads(traced("--json").stdout) == {**embedded, "watermark": False}
    assert [line.split(maxsplit=1) for line in traced().stdout.splitlines()] == [
        ["flow_name", "Jugs"],
        ["seed", "7"],
        ["name", "a\N{REPLACEMENT CHARACTER}"],
    ]


def test_trace_says_whether_a_file_was_signed_here_and_is_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IMPASTO_DATA_DIR", str(tmp_path))
    path = tmp_path / "jug.png"
    path.write_bytes(sample("image/png"))
    here, _ = sign(make_signer(tmp_path / "secrets"), path, generation={"provider": "fal", "model": "flux"})
    here = here.rename(tmp_path / "here.png")
    elsewhere, _ = sign(make_signer(tmp_path / "acme", "Acme"), path)
    changed = tmp_path / "changed.png"
    data = bytearray(here.read_bytes())
    data[-20] ^= 1
    changed.write_bytes(data)

    def traced(file: Path) -> dict[str, str]:
        result = CliRunner().invoke(trace_command, [str(file)])
        assert result.exit_code == 0, result.output
        lines = re.findall(r"^ *(\w+)  (.*(?:\n(?! *\w+  ).+)*)", result.stdout, re.MULTILINE)
        return {name: " ".join(value.split()) for name, value in lines}

    assert traced(here) == {
        "credentials": "trusted: signed by this installation, and unchanged",
        "signer": "Impasto installation",
        "signed_at": "2026-11-22T03:26:00Z",
        "ai_made": "yes",
        "source_type": "trainedAlgorithmicMedia",
        "provider": "fal",
        "model": "flux",
        "agent": "Jugs",
        "agent_version": "3",
    }
    unreadable = tmp_path / "unreadable.png"
    unreadable.write_bytes(png_with(b"c2pa"))
    assert traced(unreadable) == {"credentials": "invalid: Verify: unexpected end of file"}
    found = traced(elsewhere)
    assert found["credentials"] == "valid: unchanged, and signed by an authority that is unknown here"
    assert found["signer"] == "Acme"
    assert traced(changed)["credentials"].startswith(
        "invalid: the file or its credentials were changed (assertion.dataHash.mismatch"
    )
    with monkeypatch.context() as others:
        others.setenv("IMPASTO_CONTENT_TRUST_FILE", str(tmp_path / "acme" / "content_credentials.pem"))
        assert [traced(file)["credentials"].partition(":")[0] for file in (elsewhere, here)] == [
            "trusted", "valid",
        ]  # fmt: skip
        others.setenv("IMPASTO_CONTENT_TRUST_FILE", str(tmp_path / "none.pem"))
        assert traced(here)["credentials"].startswith("valid: ")
    shown = orjson.loads(CliRunner().invoke(trace_command, ["--json", str(here)]).stdout)
    assert (shown["watermark"], shown["credentials"]["state"]) == (False, "trusted")
