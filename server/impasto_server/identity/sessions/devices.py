"""The browser or program behind an identity request: its cookie, IP address and name."""

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import Cookie, Depends, Request, Response
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.http.rate_limit import address_block
from impasto_server.identity import repository
from impasto_server.identity.models import KnownDevice

COOKIE = "impasto_device"
_PATH = "/api/v1/identity"
_MAX_AGE_SECONDS = 400 * 86_400  # the longest that browsers keep a cookie
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
_BROWSERS = (
    ("Edge", r"\bEdgA?/"),
    ("Opera", r"\bOPR/"),
    ("Firefox", r"\b(Firefox|FxiOS)/"),
    ("Chrome", r"\b(Chrome|Chromium|CriOS|HeadlessChrome)/"),
    ("Safari", r"\bSafari/"),
)
_SYSTEMS = (
    ("iPhone", r"\biPhone\b"),
    ("iPad", r"\biPad\b"),
    ("Android", r"\bAndroid\b"),
    ("Windows", r"\bWindows\b"),
    ("macOS", r"\bMacintosh\b"),
    ("ChromeOS", r"\bCrOS\b"),
    ("Linux", r"\bLinux\b"),
)
_PROGRAM = re.compile(r"[A-Za-z][A-Za-z0-9 ._-]{0,39}")


@dataclass(frozen=True)
class Device:
    """The sender of a request. `token` is the value of its cookie, or a new one if it sent none."""

    token: str
    address: str
    name: str

    @property
    def digest(self) -> str:
        """The hash under which the device is stored."""
        return hashlib.sha256(self.token.encode()).hexdigest()

    @property
    def block(self) -> str:
        """What rate limits count as its IP address."""
        return address_block(self.address)


async def _current_device(
    request: Request, token: Annotated[str | None, Cookie(alias=COOKIE, include_in_schema=False)] = None
) -> Device:
    if token is None or not _TOKEN.fullmatch(token):
        token = secrets.token_urlsafe(32)
    address = request.client.host if request.client else "unknown"
    return Device(token, address[:64], name_of(request.headers.get("user-agent", "")))


CurrentDevice = Annotated[Device, Depends(_current_device)]


def name_of(user_agent: str) -> str:
    """Return a short name such as "Firefox on Linux" for a User-Agent header."""
    browser = _first_match(_BROWSERS, user_agent)
    system = _first_match(_SYSTEMS, user_agent)
    if browser and system:
        return f"{browser} on {system}"
    program = _PROGRAM.match(user_agent.partition("/")[0])
    return browser or system or (program[0].strip() if program else "Unknown device")


def set_device_cookie(app_state: AppState, response: Response, device: Device) -> None:
    """Let the browser keep the device's token. It gives no access and only recognizes the device."""
    response.set_cookie(
        COOKIE,
        device.token,
        max_age=_MAX_AGE_SECONDS,
        path=_PATH,
        secure=app_state.settings.origin.startswith("https://"),
        httponly=True,
        samesite="lax",  # an OpenID Connect provider sends the browser back from another site
    )


async def remember(session: AsyncSession, user_id: str, device: Device, now: datetime) -> bool:
    """Store that the user signed in on this device; return whether it is new for the user."""
    known = await repository.known_device(session, user_id, device.digest)
    if known is None:
        session.add(
            KnownDevice(
                user_id=user_id,
                digest=device.digest,
                address_block=device.block,
                created_at=now,
                last_used_at=now,
            )
        )
        return True
    known.address_block, known.last_used_at = device.block, now
    return False


def _first_match(choices: tuple[tuple[str, str], ...], text: str) -> str | None:
    return next((name for name, pattern in choices if re.search(pattern, text)), None)
