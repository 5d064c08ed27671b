"""How long a signed URL is valid, and for which path."""

from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest

from impasto_server.security.crypto import Encryptor
from impasto_server.security.signed_urls import SignatureInvalid, sign_url, verify_url

ENCRYPTOR = Encryptor([b"k" * 32])
HOUR = 3600


def at(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def signed(seconds: float) -> tuple[str, int, str]:
    url = urlsplit(sign_url(ENCRYPTOR, "/api/v1/assets/a1/content", at(seconds)))
    query = parse_qs(url.query)
    return url.path, int(query["expires"][0]), query["signature"][0]


def test_url_is_the_same_for_an_hour_and_valid_for_one_to_two() -> None:
    first = signed(500_000 * HOUR)
    assert first[:2] == ("/api/v1/assets/a1/content", 500_002 * HOUR)
    assert signed(500_000 * HOUR + HOUR - 1) == first
    assert signed(500_001 * HOUR)[1] == 500_003 * HOUR


def test_signature_is_of_one_path_and_its_expiry() -> None:
    path, expires, signature = signed(500_000 * HOUR)
    verify_url(ENCRYPTOR, lambda: at(expires - 0.001), path, expires, signature)
    for now, given in (
        (expires, (path, expires, signature)),
        (0, ("/api/v1/assets/a2/content", expires, signature)),
        (0, (path, expires + HOUR, signature)),
        (0, (path, expires, "")),
        (0, (path, expires, signature[:-1])),
    ):
        with pytest.raises(SignatureInvalid):
            verify_url(ENCRYPTOR, lambda: at(now), *given)  # noqa: B023 - called at once
    with pytest.raises(SignatureInvalid):
        verify_url(Encryptor([b"o" * 32]), lambda: at(0), path, expires, signature)
