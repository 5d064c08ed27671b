"""Delivery of one e-mail: through SMTP, or as a file in the outbox folder if no SMTP server is configured."""

import asyncio
import re
import ssl
from contextlib import suppress
from dataclasses import dataclass
from email.message import EmailMessage as MimeMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import aiosmtplib

from impasto_server.file_modes import make_private_file, make_private_folder
from impasto_server.settings import Settings
from impasto_server.utils import Clock, new_id

MAX_SECONDS = 40.0  # for a whole delivery: less than a process has claimed the message for
_COMMAND_SECONDS = 20
_QUIT_SECONDS = 2
_FIRST_PERMANENT_CODE = 500


@dataclass(frozen=True)
class EmailMessage:
    """An e-mail with the same content as plain text and as HTML."""

    to: str
    subject: str
    text: str
    html: str


class DeliveryFailed(Exception):
    """An e-mail was not delivered."""


class RecipientRefused(DeliveryFailed):
    """The mail server refuses the recipient for good."""


class Transport:
    """Delivers e-mails where the settings say."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock

    @property
    def destination(self) -> str:
        """The SMTP server without credentials, or the outbox folder; shown to the operator."""
        url = self._settings.smtp_url
        if url is None:
            return str(self._settings.outbox.resolve())
        server = urlsplit(url.get_secret_value())
        return f"{server.scheme}://{server.hostname}:{_port(server.scheme, server.port)}"

    def compose(self, message: EmailMessage) -> MimeMessage:
        """Return a message with its headers. Every delivery of it has the same `Message-ID`."""
        mime = MimeMessage(policy=SMTP)
        mime["From"] = self._settings.mail_from
        mime["To"] = message.to
        mime["Subject"] = message.subject
        mime["Date"] = format_datetime(self._clock())
        mime["Message-ID"] = f"<{new_id()}@{urlsplit(self._settings.origin).hostname}>"
        mime["Auto-Submitted"] = "auto-generated"
        mime.set_content(message.text)
        mime.add_alternative(message.html, subtype="html")
        return mime

    async def send(self, mime: MimeMessage) -> None:
        """Send a message to the SMTP server within `MAX_SECONDS`. Raises `DeliveryFailed`."""
        try:
            async with asyncio.timeout(MAX_SECONDS):
                client = aiosmtplib.SMTP(**await asyncio.to_thread(self._connection))
                await self._send(client, mime)
        except aiosmtplib.SMTPRecipientsRefused as error:
            code = min(refused.code for refused in error.recipients)
            kind = RecipientRefused if code >= _FIRST_PERMANENT_CODE else DeliveryFailed
            raise kind(str(error)) from error
        except (aiosmtplib.SMTPException, OSError, ValueError) as error:
            raise DeliveryFailed(str(error) or type(error).__name__) from error

    async def write(self, mime: MimeMessage) -> Path:
        """Write a message to the outbox folder; return its path."""
        return await asyncio.to_thread(self._write, mime)

    async def _send(self, client: aiosmtplib.SMTP, mime: MimeMessage) -> None:
        try:
            await client.connect()
            await client.send_message(mime)
            with suppress(aiosmtplib.SMTPException):  # the server has taken the message
                await client.quit(timeout=_QUIT_SECONDS)
        finally:
            client.close()

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
            "timeout": _COMMAND_SECONDS,
        }

    def _write(self, mime: MimeMessage) -> Path:
        folder = self._settings.outbox
        make_private_folder(folder)
        name = re.sub(r"[^A-Za-z0-9@._-]", "_", str(mime["To"]))
        path = (folder / f"{new_id()}-{name[:80]}.eml").resolve()
        temporary = path.with_suffix(".part")
        make_private_file(temporary)
        temporary.write_bytes(mime.as_bytes())
        temporary.replace(path)
        return path


def _port(scheme: str, port: int | None) -> int:
    return port or (465 if scheme == "smtps" else 587)
