"""Signatures of incoming calls, as Standard Webhooks say: of id, time and body, under a shared secret."""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime

TOLERANCE_SECONDS = 300
PREFIX = "whsec_"


def is_signed(headers: Mapping[str, str], body: bytes, secret: str, now: datetime) -> bool:
    """Whether one of the call's signatures is of this body and secret, and made within five minutes."""
    identity, sent = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not identity or not _is_near(sent, now):
        return False
    wanted = _signature(f"{identity}.{sent}.".encode() + body, secret)
    offered = headers.get("webhook-signature", "").encode()
    return bool(wanted) and any(hmac.compare_digest(wanted, one) for one in _signatures(offered))


def _is_near(sent: str, now: datetime) -> bool:
    plain = sent.isascii() and sent.isdigit() and len(sent) <= 12
    return plain and abs(now.timestamp() - int(sent)) <= TOLERANCE_SECONDS


def _signature(signed: bytes, secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        return b""
    return base64.b64encode(hmac.digest(key, signed, hashlib.sha256))


def _signatures(offered: bytes) -> list[bytes]:
    parts = [one.partition(b",") for one in offered.split()]
    return [signature for version, _, signature in parts if version == b"v1"]
