"""Standard Webhooks signatures: HMAC-SHA256 of id, timestamp and body with a shared secret."""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime

TOLERANCE_SECONDS = 300
PREFIX = "whsec_"


def is_signed(headers: Mapping[str, str], body: bytes, secret: str, now: datetime) -> bool:
    """Whether one of the call's signatures is valid and its timestamp within five minutes of `now`."""
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not message_id or not _is_recent(timestamp, now):
        return False
    expected = _signature(f"{message_id}.{timestamp}.".encode() + body, secret)
    header = headers.get("webhook-signature", "").encode()
    return bool(expected) and any(hmac.compare_digest(expected, each) for each in _signatures(header))


def _is_recent(timestamp: str, now: datetime) -> bool:
    is_number = timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12
    return is_number and abs(now.timestamp() - int(timestamp)) <= TOLERANCE_SECONDS


def _signature(signed: bytes, secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        return b""
    return base64.b64encode(hmac.digest(key, signed, hashlib.sha256))


def _signatures(header: bytes) -> list[bytes]:
    parts = [each.partition(b",") for each in header.split()]
    return [signature for version, _, signature in parts if version == b"v1"]
