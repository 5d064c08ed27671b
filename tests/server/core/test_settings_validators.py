"""Which values of settings are accepted, and as what."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError
from pydantic_core import PydanticCustomError

from impasto.sdk.user_servers import UserServers
from impasto_server import settings_validators as validators
from impasto_server.settings import Settings


@pytest.mark.parametrize(
    ("check", "value"),
    [
        (validators.check_database, ""),
        (validators.check_database, "sqlite+aiosqlite:///impasto.db"),
        (validators.check_database, "postgresql+asyncpg://me:secret@db/impasto"),
        (validators.check_storage, ""),
        (validators.check_storage, "files"),
        (validators.check_storage, "file:///srv/files"),
        (validators.check_storage, "s3://bucket/prefix"),
        (validators.check_redis, ""),
        (validators.check_redis, "redis://localhost:6379/0"),
        (validators.check_redis, "rediss://localhost"),
        (validators.check_redis, "unix:///run/redis.sock"),
        (validators.check_web, ""),
        (validators.check_web, "http://localhost:8000"),
        (validators.check_web, "https://impasto.example"),
        (validators.check_sender, "me@here.example"),
        (validators.check_sender, "Me <me@here.example>"),
        (validators.check_rate, "10/minute"),
        (validators.check_plugins, ""),
        (validators.check_user_servers, ""),
        (validators.check_otel, ""),
        (validators.check_otel, "https://traces.example:4318"),
        (validators.check_contact, ""),
        (validators.check_contact, "mailto:me@here.example"),
        (validators.check_contact, "tel:+49-30-1"),
        (validators.check_contact, "https://here.example/security"),
    ],
)
def test_valid_value_is_kept(check: Callable[[str], str], value: str) -> None:
    assert check(value) == value


@pytest.mark.parametrize(
    ("check", "value"),
    [
        (validators.check_database, "mysql+aiomysql://db/impasto"),
        (validators.check_database, "postgresql://db/impasto"),
        (validators.check_database, "impasto.db"),
        (validators.check_storage, "gs://bucket"),
        (validators.check_storage, "s3:///prefix"),
        (validators.check_redis, "localhost:6379"),
        (validators.check_redis, "redis://"),
        (validators.check_redis, "http://localhost"),
        (validators.check_web, "impasto.example"),
        (validators.check_web, "ftp://impasto.example"),
        (validators.check_web, "https://"),
        (validators.check_web, "https://impasto.example:many"),
        (validators.check_web, "https://[::1"),
        (validators.check_sender, "me"),
        (validators.check_sender, "Me <me@here.example>\n"),
        (validators.check_rate, "often"),
        (validators.check_plugins, "=="),
        (validators.check_user_servers, "nonsense://"),
        (validators.check_otel, "https://me@traces.example"),
        (validators.check_otel, "traces.example"),
        (validators.check_domain, "example"),
        (validators.check_domain, "exa mple.com"),
        (validators.check_domain, ""),
        (validators.check_contact, "me"),
        (validators.check_contact, "mailto:me"),
        (validators.check_contact, "tel:"),
        (validators.check_contact, "http://here.example"),
        (validators.check_contact, "https://"),
        (validators.check_contact, "https://here.example/a b"),
        (validators.check_contact, "tel:+49\n30"),
    ],
)
def test_malformed_value_is_refused(check: Callable[[str], str], value: str) -> None:
    with pytest.raises(PydanticCustomError):
        check(value)


@pytest.mark.parametrize("installed", [(), ("opentelemetry",)], ids=["nothing", "API alone"])
def test_traces_need_the_sdk_of_opentelemetry(
    installed: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(validators, "find_spec", dict.fromkeys(installed, "found").get)
    with pytest.raises(PydanticCustomError, match=r"pip install 'impasto\[otel\]'"):
        validators.check_otel("https://traces.example:4318")


def test_values_are_normalized() -> None:
    assert validators.check_domain("Exämple.COM") == "xn--exmple-cua.com"
    assert validators.check_contact("me@here.example") == "mailto:me@here.example"


@pytest.mark.parametrize(
    ("check", "value", "is_valid"),
    [
        (validators.check_token, "x" * 16, True),
        (validators.check_token, "x" * 15, False),
        (validators.check_token, "x" * 15 + "é", False),
        (validators.check_token, "x" * 15 + " x", False),
        (validators.check_token, "x" * 15 + "\n", False),
        (validators.check_smtp, "smtp://mail.example", True),
        (validators.check_smtp, "smtps://me:p%3Aw@mail.example:465", True),
        (validators.check_smtp, "mail.example", False),
        (validators.check_smtp, "smtp://", False),
        (validators.check_headers, "", True),
        (validators.check_headers, "a=1, b=2=3,", True),
        (validators.check_headers, "a", False),
        (validators.check_headers, "a=", False),
        (validators.check_headers, "=1", False),
        (validators.check_headers, "a=é", False),
        (validators.check_headers, "a=1\n2", False),
    ],
)
def test_secret_values_are_checked(
    check: Callable[[SecretStr], SecretStr], value: str, is_valid: bool
) -> None:
    if is_valid:
        assert check(SecretStr(value)) == SecretStr(value)
    else:
        with pytest.raises(PydanticCustomError):
            check(SecretStr(value))


def test_headers_have_names_in_lower_case() -> None:
    assert validators.parse_headers(" X-Key = a=b ,, y=2 ") == {"x-key": "a=b", "y": "2"}
    assert Settings(
        _env_file=None, otel_headers=SecretStr("A=1"), otel_endpoint="https://traces.example"
    ).otel_header_values == {"a": "1"}
    assert Settings(_env_file=None).otel_header_values == {}


@pytest.mark.parametrize(
    ("used", "needed"),
    [
        ({"sign_up": "domains"}, {"sign_up_domains": "here.example"}),
        ({"sign_up_domains": "here.example"}, {"sign_up": "domains"}),
        ({"run_backend": "celery"}, {"redis_url": "redis://localhost"}),
        ({"metrics": True}, {"metrics_token": "x" * 16}),
        ({"worker_metrics_port": 9000}, {"metrics": True, "metrics_token": "x" * 16}),
        ({"otel_headers": "a=1"}, {"otel_endpoint": "https://traces.example"}),
        ({"oidc_issuer": "https://login.example"}, {"oidc_client_id": "impasto"}),
        ({"content_key_file": "key.pem"}, {"content_certificate_file": "certificate.pem"}),
        ({"content_signer": "kms"}, {"content_certificate_file": "certificate.pem"}),
        ({"storage_region": "r"}, {"storage_url": "s3://bucket"}),
        ({"storage_endpoint": "https://s3.example"}, {"storage_url": "s3://bucket"}),
        (
            {"storage_url": "s3://bucket", "storage_access_key_id": "a"},
            {"storage_secret_access_key": "b"},
        ),
        (
            {"storage_url": "s3://bucket", "storage_secret_access_key": "b"},
            {"storage_access_key_id": "a"},
        ),
        (
            {"storage_access_key_id": "a", "storage_secret_access_key": "b"},
            {"storage_url": "s3://bucket"},
        ),
    ],
)
def test_setting_that_needs_another_is_refused_without_it(
    used: dict[str, Any], needed: dict[str, Any]
) -> None:
    with pytest.raises(ValidationError, match=f"IMPASTO_{next(iter(needed)).upper()}"):
        Settings(_env_file=None, **used)
    Settings(_env_file=None, **used, **needed)


def test_lists_are_separated_by_commas() -> None:
    found = Settings(_env_file=None, cors_origins=" https://a.example, ,https://b.example")
    assert found.cors_origins == ("https://a.example", "https://b.example")
    given: Any = ["https://a.example"]
    assert Settings(_env_file=None, cors_origins=given).cors_origins == ("https://a.example",)


@pytest.mark.parametrize(
    ("chosen", "name", "value"),
    [
        ({"public_url": "https://impasto.example/"}, "origin", "https://impasto.example"),
        ({"public_url": "HTTPS://Impasto.Example:8443/"}, "origin", "https://impasto.example:8443"),
        ({"public_url": "http://Host/Path"}, "origin", "http://host/Path"),
        ({"port": 9000}, "origin", "http://localhost:9000"),
        ({"oidc_client_id": "client"}, "api_audience", "client"),
        ({"oidc_client_id": "client", "oidc_audience": "api"}, "api_audience", "api"),
        ({"environment": "production"}, "production", True),
        ({"environment": "development"}, "production", False),
        ({"environment": "production"}, "finds_local_servers", False),
        ({"environment": "development"}, "finds_local_servers", True),
        ({"environment": "production", "find_local_servers": True}, "finds_local_servers", True),
        ({"find_local_servers": False}, "finds_local_servers", False),
        ({"data_dir": "d"}, "secrets", Path("d/secrets")),
        ({"data_dir": "d", "secrets_dir": "s"}, "secrets", Path("s")),
        ({"data_dir": "d"}, "outbox", Path("d/outbox")),
        ({"user_servers": "gpu.lan:11434"}, "allowed_user_servers", UserServers.parse("gpu.lan:11434")),
        ({}, "api_audience", ""),
        ({}, "origin", "http://localhost:8000"),
        ({"data_dir": "d"}, "database", "sqlite+aiosqlite:///d/impasto.db"),
        ({"database_url": "sqlite+aiosqlite:///x"}, "database", "sqlite+aiosqlite:///x"),
    ],
)
def test_values_follow_from_other_settings(chosen: dict[str, Any], name: str, value: Any) -> None:
    assert getattr(Settings(_env_file=None, **chosen), name) == value
