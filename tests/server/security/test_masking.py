"""Passwords and other credentials of URLs are masked."""

import pytest

from impasto_server.security.masking import mask_passwords, mask_url


@pytest.mark.parametrize(
    ("url", "masked"),
    [
        ("postgresql+asyncpg://me:topsecret@h/db", "postgresql+asyncpg://me:***@h/db"),
        ("postgresql+asyncpg://me:top/se?cr#et@h/db", "postgresql+asyncpg://me:***@h/db"),
        ("postgresql+asyncpg://me@acme:topsecret@h/db", "postgresql+asyncpg://me@acme:***@h/db"),
        (
            "postgresql+asyncpg://h/db?user=me&password=topsecret",
            "postgresql+asyncpg://h/db?user=me&password=***",
        ),
        ("redis://:top@secret@h:6379/0", "redis://:***@h:6379/0"),
        ("unix://me:topsecret@/run/redis.sock?db=1", "unix://me:***@/run/redis.sock?db=1"),
        ("https://me:topsecret@h/p?mail=a@b", "https://me:***@h/p?mail=a@b"),
        ("https:/me:topsecret@h", "https:/me:***@h"),
        ("http://a:1, http://me:topsecret@b", "http://a:1, http://me:***@b"),
        (
            "s3://paint/x?region=r&secret%5Faccess_key=topsecret&endpoint=http%3A%2F%2Fme%3Atopsecret%40h",
            "s3://paint/x?region=r&secret%5Faccess_key=***&endpoint=http://me:***@h",
        ),
    ],
)
def test_credentials_are_masked(url: str, masked: str) -> None:
    assert mask_url(url) == masked


@pytest.mark.parametrize(
    "value",
    [
        "",
        "127.0.0.1",
        "http://localhost:8000/x?key=",
        "Impasto <me@h.example>",
        "mailto:me@h.example",
        "sqlite+aiosqlite:///data/impasto.db",
        "s3://paint/x?region=r&endpoint=http://h:8333",
        "acme==1.2.0#sha256=00",
        "acme?token=00",
    ],
)
def test_value_without_credentials_is_unchanged(value: str) -> None:
    assert mask_url(value) == value


def test_text_around_urls_is_unchanged() -> None:
    text = '{"url": "http://h:80", "user": "a@b", "error": "HEAD http://me:topsecret@h:9/x failed"}'
    assert mask_passwords(text) == text.replace("topsecret", "***")
