"""Signatures of callbacks: secret, body and time."""

import base64
import hashlib
import hmac
from datetime import UTC, datetime

import pytest
from tests.fakes.replicate import webhook_call
from tests.fakes.state import WEBHOOK_SECRET, Prediction

from impasto_server.callbacks.signatures import is_signed

NOW = 1_790_000_000
DONE = Prediction("p1", "owner/model", {"prompt": "é"}, None, "succeeded")


def at(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


@pytest.fixture
def call() -> tuple[dict[str, str], bytes]:
    return webhook_call(DONE, NOW)


def test_example_of_the_standard_is_accepted() -> None:
    """The example in the test suites of the Standard Webhooks libraries."""
    headers = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    assert is_signed(headers, b'{"test": 2432232314}', secret, at(1614265330))


def test_one_valid_signature_among_several_is_enough(call: tuple[dict[str, str], bytes]) -> None:
    headers, body = call
    assert headers["webhook-signature"].count("v1,") == 2
    assert is_signed(headers, body, WEBHOOK_SECRET, at(NOW))


def test_wrong_body_secret_or_version_is_rejected(call: tuple[dict[str, str], bytes]) -> None:
    headers, body = call
    assert not is_signed(headers, body + b" ", WEBHOOK_SECRET, at(NOW))
    assert not is_signed(headers, body, "whsec_b3RoZXI=", at(NOW))
    other = headers | {"webhook-signature": headers["webhook-signature"].replace("v1,", "v1a,")}
    assert not is_signed(other, body, WEBHOOK_SECRET, at(NOW))


@pytest.mark.parametrize("late", [1, -1], ids=["late", "early"])
def test_timestamp_counts_for_five_minutes(late: int, call: tuple[dict[str, str], bytes]) -> None:
    headers, body = call
    assert is_signed(headers, body, WEBHOOK_SECRET, at(NOW + 300 * late))
    assert not is_signed(headers, body, WEBHOOK_SECRET, at(NOW + 301 * late))


@pytest.mark.parametrize("name", ["webhook-id", "webhook-timestamp", "webhook-signature"])
@pytest.mark.parametrize("value", [None, "", "²", "nonsense", "-1", "9" * 400, "v1,é"])
def test_malformed_headers_are_rejected(
    name: str, value: str | None, call: tuple[dict[str, str], bytes]
) -> None:
    headers, body = call
    broken = {key: one for key, one in headers.items() if key != name} | (
        {} if value is None else {name: value}
    )
    assert not is_signed(broken, body, WEBHOOK_SECRET, at(NOW))


def test_call_without_an_id_is_rejected_although_it_is_signed() -> None:
    signature = base64.b64encode(hmac.digest(b"secret", f".{NOW}.".encode() + b"{}", hashlib.sha256))
    headers = {"webhook-timestamp": str(NOW), "webhook-signature": f"v1,{signature.decode()}"}
    assert not is_signed(headers, b"{}", "whsec_c2VjcmV0", at(NOW))


def test_secret_with_characters_outside_base64_accepts_nothing() -> None:
    headers, body = webhook_call(DONE, NOW, "whsec_c2VjcmV0")
    assert is_signed(headers, body, "whsec_c2VjcmV0", at(NOW))
    assert not is_signed(headers, body, "whsec_c2Vj cmV0!", at(NOW))


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_not base64!", "é"])
def test_invalid_secret_accepts_nothing(secret: str) -> None:
    headers, body = webhook_call(DONE, NOW, "whsec_")
    assert not is_signed(headers, body, secret, at(NOW))
    assert not is_signed(headers | {"webhook-signature": "v1,"}, body, secret, at(NOW))
