"""The command line of the server."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
from pydantic import ValidationError
from tests.server.responses import expect
from typer.testing import CliRunner, Result

from impasto_server.__main__ import program
from impasto_server.cli.serving import make_config
from impasto_server.cli.variables import all_variables
from impasto_server.limits.schemas import LimitOverrides
from impasto_server.settings import Settings

PASSWORD = "Thick-paint-7"
Impasto = Callable[..., Result]


@pytest.fixture
def impasto(tmp_path: Path, data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Impasto:
    monkeypatch.chdir(tmp_path)
    for name, value in _cheap(tmp_path).items():
        monkeypatch.setenv(name, value)

    def run(*arguments: str, **given: Any) -> Result:
        return CliRunner().invoke(program, list(arguments), terminal_width=250, **given)

    return run


def _cheap(folder: Path) -> dict[str, str]:
    return {
        "IMPASTO_DATA_DIR": str(folder / "data"),
        "IMPASTO_ARGON2_TIME_COST": "1",
        "IMPASTO_ARGON2_MEMORY_KIB": "64",
        "IMPASTO_ARGON2_PARALLELISM": "1",
        "IMPASTO_LOG_LEVEL": "error",
        "IMPASTO_WARM": "0",
        "COLUMNS": "250",
    }


def test_every_setting_is_listed_with_its_meaning(impasto: Impasto) -> None:
    listed = impasto("settings").output
    for name, field in Settings.model_fields.items():
        assert f"IMPASTO_{name.upper()} " in listed
        assert field.description
        assert field.description[:30] in listed
    for variable in all_variables():
        assert f"{variable.name} " in listed
    for name, value, source in (
        ("IMPASTO_PORT", "8000", "default"),
        ("IMPASTO_WARM", "False", "environment"),
        ("IMPASTO_PUBLIC_URL", "", "default"),
        ("OPENAI_API_KEY", "", "default"),
    ):
        assert re.search(rf"│ {name} +│ {value} +│ {source} +│", listed), name


def test_variable_that_providers_and_the_storage_use_is_listed_once_with_its_source(
    impasto: Impasto, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text("AWS_ACCESS_KEY_ID=hunter2\nAWS_REGION=eu-west-2\n")
    (line,) = re.findall(r"AWS_ACCESS_KEY_ID .*", impasto("settings").output)
    assert re.search(r"\(set\) .*\.env .*Bedrock\. Access key of the S3 bucket", line)
    assert re.search(r"AWS_REGION .*eu-west-2 .*\.env ", impasto("settings").output)


def test_misspelt_setting_is_reported_once(impasto: Impasto, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("IMPASTO_RUN_BAKEND", "IMPASTO_DOMAIN", "IMPASTO_FAL_BASE_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1")
    said = impasto("migrate", "--plan").stderr
    assert (
        said == "IMPASTO_RUN_BAKEND is not a setting and has no effect. Did you mean IMPASTO_RUN_BACKEND?\n"
    )


def test_secrets_are_not_listed(impasto: Impasto, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMPASTO_SMTP_URL", "smtps://me:hunter2@mail.example")
    listed = impasto("settings").output
    assert "hunter2" not in listed
    assert "(set)" in listed


def test_no_password_of_a_url_is_listed(impasto: Impasto, monkeypatch: pytest.MonkeyPatch) -> None:
    schemes = ("postgresql+asyncpg", "redis", "https", "s3", "smtp")
    urls = [f"{scheme}://me:hunter2@h.example/x?token=hunter3" for scheme in schemes]
    given: dict[str, str] = {}
    for url in urls:
        given = dict.fromkeys(_names_that_accept(url), url) | given
    del given["otel_headers"]  # needs an endpoint, which may have no password
    assert {"database_url", "redis_url", "storage_url", "storage_endpoint", "cors_origins"} <= {*given}
    for name, url in given.items():
        monkeypatch.setenv(f"IMPASTO_{name.upper()}", url)
    others = [variable.name for variable in all_variables()]
    for name in others:
        monkeypatch.setenv(name, "https://me:hunter2@h.example/x?token=hunter3")
    listed = impasto("settings")
    assert listed.exit_code == 0, listed.output
    assert "hunter" not in listed.output
    for name in ("IMPASTO_DATABASE_URL", "IMPASTO_REDIS_URL", "AZURE_API_BASE", "LITELLM_MODEL_COST_MAP_URL"):
        assert re.search(rf"{name} .*://me:\*\*\*@h.example/x\?token=\*\*\* ", listed.output)


def _names_that_accept(value: str) -> set[str]:
    """Return the settings that may have a value, which is tried for all of them at once."""
    with pytest.raises(ValidationError) as refused:
        Settings(_env_file=None, **dict.fromkeys(Settings.model_fields, value))
    return {*Settings.model_fields} - {str(error["loc"][0]) for error in refused.value.errors()}


def test_password_in_refused_setting_is_not_shown(impasto: Impasto, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMPASTO_USER_SERVERS", "http://me:hunter2@gpu.example/v1")
    refused = impasto("settings")
    assert refused.exit_code == 1
    assert "me:***@gpu.example" in refused.output
    assert "hunter2" not in refused.output


def test_empty_list_is_listed_as_unset(impasto: Impasto) -> None:
    assert "()" not in impasto("settings").output


def test_invalid_setting_is_named(impasto: Impasto, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMPASTO_PORT", "many")
    result = impasto("settings")
    assert result.exit_code == 1
    assert result.stderr.startswith("Invalid settings:\nIMPASTO_PORT: Input should be a valid integer")
    assert "Traceback" not in result.output


def test_empty_variable_is_an_unset_one(impasto: Impasto, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.setenv(f"IMPASTO_{name.upper()}", "")
    assert impasto("settings").exit_code == 0
    assert Settings(_env_file=None) == Settings(_env_file=None, port=8000)


def test_keep_alive_exceeds_client_idle_time(tmp_path: Path) -> None:
    assert make_config(None, Settings(data_dir=tmp_path)).timeout_keep_alive > 60


def test_server_trusts_named_proxies_and_hides_its_software(tmp_path: Path) -> None:
    config = make_config(None, Settings(data_dir=tmp_path, forwarded_allow_ips="10.0.0.1"))
    assert (config.proxy_headers, config.forwarded_allow_ips) == (True, "10.0.0.1")
    assert (config.server_header, config.access_log, config.log_config) == (False, False, None)
    assert (config.timeout_graceful_shutdown, config.timeout_keep_alive, config.ws) == (10, 75, "none")


def test_celery_without_redis_is_refused(impasto: Impasto, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMPASTO_RUN_BACKEND", "celery")
    result = impasto("settings")
    assert result.exit_code == 1
    assert "IMPASTO_REDIS_URL" in result.output


def test_openapi_needs_no_data_folder(
    impasto: Impasto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IMPASTO_DATA_DIR", str(tmp_path / "none"))
    printed = impasto("openapi").output
    document = orjson.loads(printed)
    assert document["paths"]["/api/v1/users/me"]["get"]["operationId"] == "users_me"
    assert not (tmp_path / "none").exists()
    impasto("openapi", "--out", str(tmp_path / "openapi.json"))
    assert (tmp_path / "openapi.json").read_text() == printed


def test_create_user_makes_account_with_temporary_password(impasto: Impasto) -> None:
    made = impasto("admin", "create-user", "noor", "noor@northbound.example")
    assert made.exit_code == 0, made.output
    assert re.search(r"temporary password \S{16}", made.output)
    again = impasto("admin", "create-user", "noor", "other@northbound.example")
    assert (again.exit_code, again.stdout, again.stderr) == (1, "", "User already exists. Please sign in.\n")
    listed = impasto("admin", "list-users").output
    assert "noor@northbound.example" in listed


def test_create_user_validates_values(impasto: Impasto, subtests: pytest.Subtests) -> None:
    cases: list[tuple[list[str], str]] = [
        (["create-user", "noor", "not-an-address"], "email: Email is invalid."),
        (
            ["create-user", "n", "noor@northbound.example"],
            "username: Username must be at least 2 characters.",
        ),
        (
            ["create-user", "noor", "noor@northbound.example", "--password", "simple"],
            "password: Password must be at least 8 characters.",
        ),
        (
            ["create-user", "n", "not-an-address"],
            "username: Username must be at least 2 characters.\nemail: Email is invalid.",
        ),
    ]
    for arguments, sentences in cases:
        with subtests.test(arguments=arguments):
            refused = impasto("admin", *arguments)
            assert (refused.exit_code, refused.stdout, refused.stderr) == (1, "", f"{sentences}\n")
            assert "noor" not in impasto("admin", "list-users").output


def test_set_quota_and_grant_beta(impasto: Impasto) -> None:
    impasto("admin", "create-user", "noor", "noor@northbound.example")
    assert impasto("admin", "set-quota", "noor", "500").exit_code == 0
    assert impasto("admin", "grant-beta", "noor@northbound.example", "agent-7").exit_code == 0
    assert impasto("admin", "grant-beta", "noor", "agent-8").exit_code == 0
    listed = impasto("admin", "list-users").output
    assert "500" in listed
    assert "agent-7, agent-8" in listed
    impasto("admin", "grant-beta", "noor", "agent-7", "--revoke")
    impasto("admin", "set-quota", "noor")
    listed = impasto("admin", "list-users").output
    assert "500" not in listed
    assert "agent-7" not in listed


def test_set_limits_changes_shows_and_resets_them(impasto: Impasto) -> None:
    impasto("admin", "create-user", "noor", "noor@northbound.example")
    given = {name: str(number) for number, name in enumerate(LimitOverrides.model_fields, 11)}
    options = (f"--{name}={value}".replace("_", "-") for name, value in given.items())
    changed = impasto("admin", "set-limits", "noor", *options)
    assert changed.exit_code == 0

    def shown(output: str) -> dict[str, list[str]]:
        lines = [line.replace("│", " ").split() for line in output.splitlines()]
        return {line[0]: line[1:] for line in lines if line and line[0] in given}

    for output in (changed.output, impasto("admin", "set-limits", "noor@northbound.example").output):
        assert {name: values[0] for name, values in shown(output).items()} == given
    assert shown(output)["agents"] == [given["agents"], "500"]
    reset = shown(impasto("admin", "set-limits", "noor", "--reset", "--agents", "8").output)
    assert reset.pop("agents") == ["8", "500"]
    assert {name for name, (value, default) in reset.items() if value == default} == given.keys() - {"agents"}


def test_set_limits_refuses_values_out_of_range(impasto: Impasto, subtests: pytest.Subtests) -> None:
    impasto("admin", "create-user", "noor", "noor@northbound.example")
    cases = [
        (("--agents", "-1"), "agents: Input should be greater than or equal to 0"),
        (("--usd-per-day", "much"), "usd_per_day: String should match pattern '^\\d{1,9}(\\.\\d{1,6})?$'"),
        (("--exports", "0"), "exports: Input should be greater than or equal to 1"),
    ]
    for option, sentence in cases:
        with subtests.test(option=option):
            refused = impasto("admin", "set-limits", "noor", *option)
            assert (refused.exit_code, refused.stdout, refused.stderr) == (1, "", f"{sentence}\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["reset-password", "unknown"],
        ["grant-beta", "unknown"],
        ["set-quota", "unknown", "1"],
        ["delete-user", "unknown", "--yes"],
    ],
)
def test_unknown_user_is_reported(impasto: Impasto, arguments: list[str]) -> None:
    result = impasto("admin", *arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "There is no user 'unknown'.\n"


def test_delete_user_asks_for_confirmation(impasto: Impasto) -> None:
    impasto("admin", "create-user", "noor", "noor@northbound.example")
    assert impasto("admin", "delete-user", "noor", input="n\n").exit_code == 1
    assert "noor" in impasto("admin", "list-users").output
    assert impasto("admin", "delete-user", "noor", "--yes").exit_code == 0
    assert "noor" not in impasto("admin", "list-users").output


def test_rotate_keys_creates_then_rotates(impasto: Impasto, tmp_path: Path) -> None:
    assert "Created " in impasto("admin", "rotate-keys").output
    file = tmp_path / "data" / "secrets" / "signing_keys.json"
    before = [key["kid"] for key in orjson.loads(file.read_bytes())["keys"]]
    assert impasto("admin", "rotate-keys", "--encryption").exit_code == 0
    after = [key["kid"] for key in orjson.loads(file.read_bytes())["keys"]]
    assert after[1] == before[0]
    assert len((tmp_path / "data" / "secrets" / "encryption.keys").read_text().split()) == 2


def test_missing_keys_are_created_and_existing_ones_kept(impasto: Impasto, tmp_path: Path) -> None:
    folder = tmp_path / "data" / "secrets"
    assert impasto("admin", "create-keys").output.count("Created ") == 2
    written = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert impasto("admin", "create-keys").output == "No key file is missing.\n"
    (folder / "encryption.keys").unlink()
    assert impasto("admin", "create-keys").output.count("Created ") == 1
    assert (folder / "signing_keys.json").read_bytes() == written["signing_keys.json"]


def test_encryption_key_of_environment_is_not_rotated(
    impasto: Impasto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IMPASTO_ENCRYPTION_KEY", "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")
    impasto("admin", "rotate-keys")
    result = impasto("admin", "rotate-keys", "--encryption")
    assert result.exit_code == 1
    assert "IMPASTO_ENCRYPTION_KEY" in result.output


@pytest.mark.slow
def test_serve_prints_urls_and_stops_on_sigterm(tmp_path: Path) -> None:
    environment = {**os.environ, **_cheap(tmp_path), "IMPASTO_PORT": "0"}
    with subprocess.Popen(
        [sys.executable, "-m", "impasto_server", "serve"],
        cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True,
    ) as server:  # fmt: skip
        assert server.stdout is not None
        opened, mails, _ = (server.stdout.readline() for _ in range(3))
        url = opened.split()[-1]
        assert opened.startswith("Impasto is running at http://localhost:")
        assert mails.strip() == f"E-mail: {tmp_path / 'data' / 'outbox'}"

        with httpx.Client(base_url=url) as client:
            assert client.get("/readyz").json()["database"] == "ok"
            body: dict[str, Any] = {
                "username": "mara", "email": "mara@northbound.example", "password": PASSWORD,
            }  # fmt: skip
            expect(client.post("/api/v1/identity/sign-up", json=body), 201)
            assert "server" not in client.get("/healthz").headers
        server.send_signal(signal.SIGTERM)
        assert server.wait(100) == -signal.SIGTERM


def test_production_needs_secrets(impasto: Impasto, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMPASTO_ENVIRONMENT", "production")
    monkeypatch.setenv("IMPASTO_PORT", "0")
    refused = impasto("serve")
    assert refused.exit_code == 1
    assert "Impasto cannot start" in refused.stderr
    assert "create-keys" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_port_in_use_is_reported(impasto: Impasto, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        given = impasto("serve", "--port", port)
        monkeypatch.setenv("IMPASTO_PORT", port)
        for refused in (given, impasto("serve")):
            assert refused.exit_code == 1
            assert refused.stderr == f"Cannot listen on 127.0.0.1:{port}: Address already in use.\n"
    elsewhere = impasto("serve", "--host", "192.0.2.1", "--port", "0")
    assert elsewhere.stderr == "Cannot listen on 192.0.2.1:0: Cannot assign requested address.\n"
    version_6 = impasto("serve", "--host", "2001:db8::1", "--port", "0").stderr
    assert version_6.startswith("Cannot listen on 2001:db8::1:0: ")
    assert "hostname" not in version_6, "it is an address of IPv6"


def test_dotenv_file_is_read_for_the_server_and_for_what_it_hands_on(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("IMPASTO_PORT=8123\nPAINT_API_KEY=from-the-file\n")
    settings = Settings(_env_file=tmp_path / ".env")
    assert settings.port == 8123
    assert settings.configuration.text("PAINT_API_KEY") == "from-the-file"
    assert settings.model_copy(update={"port": 1}).configuration is settings.configuration


@pytest.mark.parametrize("command", [(), ("admin",), ("serve",), ("admin", "set-limits")])
def test_help_is_shown_without_importing_the_server(command: tuple[str, ...]) -> None:
    heavy = ["fastapi", "sqlalchemy", "uvicorn", "celery", "PIL", "impasto_server.settings"]
    code = (
        "import sys\n"
        "from impasto.cli.main import main\n"
        "try:\n"
        "    main()\n"
        "finally:\n"
        f"    print([name for name in {heavy} if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *command, "--help"],
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    assert "Usage: " in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"
