"""A server that cannot start explains why in a sentence, without a traceback."""

import shutil
import socket
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from moto.server import ThreadedMotoServer
from typer.testing import CliRunner, Result

from impasto_server.__main__ import program
from impasto_server.runs.events.pubsub import RedisPubSub

_S3_KEYS = "region=us-east-1&access_key_id=impasto&secret_access_key=hunter2"
Serve = Callable[..., Result]


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port without a listener, reserved so that no other process gets it."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield int(taken.getsockname()[1])


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Start a server that is expected to refuse."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IMPASTO_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("IMPASTO_WARM", "0")

    def run(*command: str, **settings: object) -> Result:
        for name, value in settings.items():
            monkeypatch.setenv(f"IMPASTO_{name.upper()}", str(value))
        result = CliRunner().invoke(program, list(command or ("serve", "--port", "0")))
        assert result.exit_code == 1
        assert "Traceback" not in result.output
        return result

    return run


def _database(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder / "impasto.db"


def test_data_dir_that_is_a_file_is_explained(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    output = serve().output
    assert "Impasto cannot start" in output
    assert str(tmp_path / "data") in output
    assert "IMPASTO_DATA_DIR" in output


def test_file_that_is_not_a_database_is_explained(serve: Serve, tmp_path: Path) -> None:
    _database(tmp_path / "data").write_text(
        "this was never a database, and it is long enough to look like one"
    )
    assert "file is not a database" in serve().output
    assert "file is not a database" in serve("admin", "list-users").output


def test_database_of_newer_version_is_explained(serve: Serve, tmp_path: Path, sqlite_template: Path) -> None:
    path = _database(tmp_path / "data")
    shutil.copy(sqlite_template, path)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    assert "written by a newer version of Impasto" in serve().output


def test_unreachable_database_is_explained_without_password(serve: Serve, silent_port: int) -> None:
    output = serve(database_url=f"postgresql+asyncpg://me:hunter2@127.0.0.1:{silent_port}/impasto").output
    assert f"127.0.0.1:{silent_port}/impasto does not respond" in output
    assert "hunter2" not in output
    output = serve(
        database_url=f"postgresql+asyncpg://127.0.0.1:{silent_port}/impasto?user=me&password=hunter2"
    ).output
    assert "password=*** does not respond" in output


def test_missing_postgresql_database_is_explained(serve: Serve, postgresql_server: str) -> None:
    output = serve(database_url=postgresql_server.rpartition("/")[0] + "/nowhere").output
    assert 'cannot be used: database "nowhere" does not exist' in output


def test_unreachable_redis_is_explained(
    serve: Serve, silent_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RedisPubSub, "_START_SECONDS", 0.2)
    assert "IMPASTO_REDIS_URL" in serve(redis_url=f"redis://127.0.0.1:{silent_port}/0").output


def test_missing_bucket_is_explained(serve: Serve) -> None:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        output = serve(storage_url=f"s3://nowhere/files?endpoint=http://{host}:{port}&{_S3_KEYS}").output
    finally:
        server.stop()
    assert "the bucket of s3://nowhere/files does not exist" in output
    assert "hunter2" not in output


def test_storage_that_does_not_respond_is_explained_without_keys(serve: Serve, silent_port: int) -> None:
    url = f"s3://paint/files?endpoint=http://127.0.0.1:{silent_port}&{_S3_KEYS}"
    output = serve(storage_url=url).output
    assert "the storage at s3://paint/files cannot be used" in output
    assert "hunter2" not in output


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("signing_keys.json", "{", "is damaged"),
        ("signing_keys.json", '{"keys": []}', "is empty"),
        ("signing_keys.json", '{"keys": [{"kty": "EC"}]}', "is damaged"),
        ("encryption.keys", "", "is empty"),
        ("encryption.keys", "\xff", "32 random bytes"),
    ],
)
def test_damaged_key_file_is_explained(
    serve: Serve, tmp_path: Path, name: str, content: str, sentence: str
) -> None:
    (tmp_path / "data/secrets").mkdir(parents=True)
    (tmp_path / "data/secrets" / name).write_bytes(content.encode("latin-1"))
    output = serve().output
    assert sentence in output
    assert name in output


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("database_url", "nonsense"),
        ("database_url", "postgres://me@db/impasto"),
        ("storage_url", "gs://bucket"),
        ("redis_url", "localhost:6379"),
        ("smtp_url", "mail.example"),
        ("smtp_url", "smtp://mail.example:many"),
        ("mail_from", "unknown"),
        ("mail_from", "Me <me@here.example>\nBcc: all@here.example"),
        ("public_url", "impasto.example"),
        ("rate_limit_account", "lots"),
        ("oidc_issuer", "https://login.example"),
    ],
)
def test_malformed_setting_stops_startup(serve: Serve, setting: str, value: str) -> None:
    assert f"IMPASTO_{setting.upper()}" in serve(**{setting: value}).output


def test_valid_settings_are_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    right = {
        "DATABASE_URL": "postgresql+asyncpg://me:secret@/impasto?host=/run/postgresql",
        "STORAGE_URL": "s3://bucket/prefix?region=eu-central-1",
        "REDIS_URL": "rediss://:secret@redis.example:6380/1",
        "SMTP_URL": "smtp://me%40here:p%3Ass@mail.example:587",
        "MAIL_FROM": '"Impasto, Mail" <no-reply@here.example>',
        "PUBLIC_URL": "https://impasto.example/",
        "RATE_LIMIT_ACCOUNT": "5 per 10 minute",
    }
    for name, value in right.items():
        monkeypatch.setenv(f"IMPASTO_{name}", value)
    assert CliRunner().invoke(program, ["settings"]).exit_code == 0
