"""Mails: through SMTP when a server is configured, into the outbox folder otherwise."""

import asyncio
import re
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import EmailMessage as MimeMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import aiosmtplib
import structlog

from impasto_server.settings import Settings
from impasto_server.utils import Clock, new_id

log = structlog.get_logger()
_PAUSES = (0.5, 2.0, 8.0)
_TIMEOUT_SECONDS = 20


@dataclass(frozen=True)
class EmailMessage:
    """A mail to be sent: the same words as text and as HTML."""

    to: str
    subject: str
    text: str
    html: str


class Mailer:
    """Sends letters. A letter that cannot be sent is logged, never lost silently."""

    def __init__(self, settings: Settings, clock: Clock, pauses: Sequence[float] = _PAUSES) -> None:
        self._settings = settings
        self._clock = clock
        self._pauses = pauses

    @property
    def destination(self) -> str:
        """Where mails go, for the operator's eyes."""
        url = self._settings.smtp_url
        if url is None:
            return str(self._settings.outbox.resolve())
        parts = urlsplit(url.get_secret_value())
        return f"{parts.scheme}://{parts.hostname}:{_port(parts.scheme, parts.port)}"

    async def send(self, letter: EmailMessage) -> None:
        """Deliver a letter, trying again when the mail server stumbles."""
        message = self._compose(letter)
        if self._settings.smtp_url is None:
            path = await asyncio.to_thread(self._write, message)
            log.info("mail written", to=letter.to, path=str(path))
            return
        await self._deliver(message, letter)

    async def _deliver(self, message: MimeMessage, letter: EmailMessage) -> None:
        for attempt, pause in enumerate([0.0, *self._pauses]):
            await asyncio.sleep(pause)
            try:
                await aiosmtplib.send(message, **self._connection())
            except (aiosmtplib.SMTPException, OSError) as error:
                log.warning("mail not sent", to=letter.to, attempt=attempt + 1, error=str(error))
            else:
                log.info("mail sent", to=letter.to)
                return
        log.error("mail given up", to=letter.to)

    def _connection(self) -> dict[str, Any]:
        settings = self._settings
        assert settings.smtp_url is not None
        url = urlsplit(settings.smtp_url.get_secret_value())
        tls = url.scheme == "smtps"
        context = ssl.create_default_context(cafile=settings.smtp_ca_file)
        return {
            "hostname": url.hostname,
            "port": _port(url.scheme, url.port),
            "username": unquote(url.username) if url.username else None,
            "password": unquote(url.password) if url.password else None,
            "use_tls": tls,
            "start_tls": False if tls else (None if settings.smtp_allow_plain else True),
            "tls_context": context,
            "timeout": _TIMEOUT_SECONDS,
        }

    def _compose(self, letter: EmailMessage) -> MimeMessage:
        message = MimeMessage(policy=SMTP)
        message["From"] = self._settings.mail_from
        message["To"] = letter.to
        message["Subject"] = letter.subject
        message["Date"] = format_datetime(self._clock())
        message["Message-ID"] = f"<{new_id()}@{urlsplit(self._settings.origin).hostname}>"
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(letter.text)
        message.add_alternative(letter.html, subtype="html")
        return message

    def _write(self, message: MimeMessage) -> Path:
        folder = self._settings.outbox
        folder.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"[^A-Za-z0-9@._-]", "_", str(message["To"]))
        path = (folder / f"{new_id()}-{name[:80]}.eml").resolve()
        fresh = path.with_suffix(".part")
        fresh.write_bytes(message.as_bytes())
        fresh.replace(path)
        return path


def _port(scheme: str, port: int | None) -> int:
    return port or (465 if scheme == "smtps" else 587)
