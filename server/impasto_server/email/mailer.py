"""Sends e-mail through SMTP, or writes it to the outbox folder if no SMTP server is configured."""

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

from impasto_server.file_modes import make_private_file, make_private_folder
from impasto_server.settings import Settings
from impasto_server.utils import Clock, new_id

log = structlog.get_logger()
_RETRY_DELAYS = (0.5, 2.0, 8.0)
_TIMEOUT_SECONDS = 20


@dataclass(frozen=True)
class EmailMessage:
    """An e-mail with the same content as plain text and as HTML."""

    to: str
    subject: str
    text: str
    html: str


class Mailer:
    """Sends e-mail. A message that cannot be delivered after the retries is logged as an error."""

    def __init__(
        self, settings: Settings, clock: Clock, retry_delays: Sequence[float] = _RETRY_DELAYS
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._retry_delays = retry_delays

    @property
    def destination(self) -> str:
        """The SMTP server without credentials, or the outbox folder; shown to the operator."""
        url = self._settings.smtp_url
        if url is None:
            return str(self._settings.outbox.resolve())
        server = urlsplit(url.get_secret_value())
        return f"{server.scheme}://{server.hostname}:{_port(server.scheme, server.port)}"

    async def send(self, message: EmailMessage) -> None:
        """Deliver a message, with retries after 0.5, 2 and 8 seconds. Does not raise."""
        mime = self._compose(message)
        if self._settings.smtp_url is None:
            path = await asyncio.to_thread(self._write, mime)
            log.info("e-mail written", to=message.to, path=str(path))
            return
        await self._deliver(mime, message.to)

    async def _deliver(self, mime: MimeMessage, to: str) -> None:
        for attempt, delay in enumerate([0.0, *self._retry_delays]):
            await asyncio.sleep(delay)
            try:
                await aiosmtplib.send(mime, **self._connection())
            except (aiosmtplib.SMTPException, OSError) as error:
                log.warning("e-mail not sent", to=to, attempt=attempt + 1, error=str(error))
            else:
                log.info("e-mail sent", to=to)
                return
        log.error("e-mail abandoned", to=to)

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

    def _compose(self, message: EmailMessage) -> MimeMessage:
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
