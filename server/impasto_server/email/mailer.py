"""Sends e-mail. What the mail server does not take at once waits in the database and is tried for a day."""

import asyncio
from contextlib import suppress
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage as MimeMessage
from email.policy import SMTP
from types import TracebackType
from typing import Literal

import structlog
from prometheus_client import Counter, Gauge
from sqlalchemy import delete, func, select, update

from impasto_server.db.engine import Database
from impasto_server.email.models import QueuedEmail
from impasto_server.email.transport import DeliveryFailed, EmailMessage, RecipientRefused, Transport
from impasto_server.outages import log_failure
from impasto_server.security.crypto import Encryptor
from impasto_server.settings import Settings
from impasto_server.utils import Clock, new_id

EMAILS = Counter("impasto_emails_total", "Deliveries of e-mails: sent, failed or abandoned", ["result"])
EMAILS_WAITING = Gauge("impasto_emails_waiting", "E-mails that the mail server has not taken")

log = structlog.get_logger()
Outcome = Literal["sent", "waiting", "refused"]
_PURPOSE = "queued e-mail"
_ABANDONED_AFTER = timedelta(days=1)
_MAX_DELAY_SECONDS = 900
_CLAIM_SECONDS = 60  # longer than a delivery takes: after it another process tries
_POLL_SECONDS = 5.0
_RESPONSE_SECONDS = 2.0  # how long a response waits for the mail server
_AT_ONCE = 10


class Mailer:
    """Sends e-mail through SMTP, or writes it to the outbox folder if no SMTP server is configured.

    Enter it to deliver what waits, also what other processes have queued.
    """

    def __init__(self, settings: Settings, clock: Clock, database: Database, encryptor: Encryptor) -> None:
        self._is_smtp = settings.smtp_url is not None
        self._transport = Transport(settings, clock)
        self._clock = clock
        self._database = database
        self._encryptor = encryptor
        self._sending: set[asyncio.Task[Outcome]] = set()
        self._loop: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Mailer":
        if self._is_smtp:
            self._loop = asyncio.create_task(self._deliver_forever(), name="e-mail")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop delivering. What is not sent stays in the database."""
        tasks = [*self._sending, *([self._loop] if self._loop else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def send(self, message: EmailMessage) -> Outcome:
        """Queue a message and try to deliver it. Does not raise."""
        mime = self._transport.compose(message)
        if not self._is_smtp:
            path = await self._transport.write(mime)
            log.info("e-mail written", to=message.to, path=str(path))
            return "sent"
        row = QueuedEmail(
            id=new_id(),
            content=self._encryptor.encrypt(mime.as_bytes(), _PURPOSE),
            attempts=0,
            created_at=self._clock(),
            next_attempt_at=self._in(_CLAIM_SECONDS),
        )
        try:
            async with self._database.writing() as session:
                session.add(row)
        except Exception as error:
            log.error("e-mail not queued; trying once", to=message.to, exc_info=error)
        return await self._deliver(row, mime)

    async def send_or_queue(self, message: EmailMessage) -> bool:
        """Send a message; return within two seconds whether it waits, for a response that says so."""
        task = asyncio.create_task(self.send(message), name="send e-mail")
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)
        done, _ = await asyncio.wait({task}, timeout=_RESPONSE_SECONDS)
        return not done or task.result() == "waiting"

    async def is_delayed(self) -> bool:
        """Whether an e-mail waits that could not be delivered at once."""
        query = select(QueuedEmail.id).where(QueuedEmail.attempts > 0).limit(1)
        async with self._database.reading() as session:
            return await session.scalar(query) is not None

    async def deliver_due(self) -> None:
        """Try to deliver each message whose time has come."""
        while rows := await self._claim_due():
            await asyncio.gather(*(self._deliver_queued(row) for row in rows))
        async with self._database.reading() as session:
            waiting = await session.scalars(select(func.count()).select_from(QueuedEmail))
            EMAILS_WAITING.set(waiting.one())

    async def _deliver_forever(self) -> None:
        while True:
            try:
                await self.deliver_due()
            except Exception as error:  # noqa: BLE001 - logged, and the loop goes on
                log_failure(log, "could not deliver the e-mails that wait", error)
            await asyncio.sleep(_POLL_SECONDS)

    async def _claim_due(self) -> list[QueuedEmail]:
        """Return some messages whose time has come; no other process tries them for a minute."""
        now, until = self._clock(), self._in(_CLAIM_SECONDS)
        due = select(QueuedEmail).where(QueuedEmail.next_attempt_at <= now)
        async with self._database.reading() as session:
            found = (await session.scalars(due.order_by(QueuedEmail.next_attempt_at).limit(_AT_ONCE))).all()
        if not found:
            return []
        claim = (
            update(QueuedEmail)
            .where(QueuedEmail.id.in_([row.id for row in found]), QueuedEmail.next_attempt_at <= now)
            .values(next_attempt_at=until)
            .returning(QueuedEmail.id)
            .execution_options(synchronize_session=False)
        )
        async with self._database.writing() as session:
            claimed = set(await session.scalars(claim))
        return [row for row in found if row.id in claimed]

    async def _deliver_queued(self, row: QueuedEmail) -> None:
        try:
            content = self._encryptor.decrypt(row.content, _PURPOSE)
        except ValueError:
            log.error("e-mail abandoned: its key is gone", email=row.id)
            await self._forget(row)
            return
        await self._deliver(row, message_from_bytes(content, _class=MimeMessage, policy=SMTP))

    async def _deliver(self, row: QueuedEmail, mime: MimeMessage) -> Outcome:
        """Deliver a queued message, and delete it or set the time of the next attempt. Does not raise."""
        to, attempts = str(mime["To"]), row.attempts + 1
        outcome: Outcome = "sent"
        try:
            await self._transport.send(mime)
        except DeliveryFailed as error:
            is_over = (
                isinstance(error, RecipientRefused) or self._clock() - row.created_at >= _ABANDONED_AFTER
            )
            EMAILS.labels("abandoned" if is_over else "failed").inc()
            write = log.error if is_over else log.warning
            write(
                "e-mail abandoned" if is_over else "e-mail not sent; trying again later",
                to=to,
                attempt=attempts,
                error=str(error),
            )
            outcome = "refused" if is_over else "waiting"
        else:
            EMAILS.labels("sent").inc()
            log.info("e-mail sent", to=to)
        with suppress(Exception):  # the next attempt sends it again, with the same Message-ID
            await (self._postpone(row, attempts) if outcome == "waiting" else self._forget(row))
        return outcome

    async def _forget(self, row: QueuedEmail) -> None:
        async with self._database.writing() as session:
            await session.execute(delete(QueuedEmail).where(QueuedEmail.id == row.id))

    async def _postpone(self, row: QueuedEmail, attempts: int) -> None:
        at = self._in(min(_MAX_DELAY_SECONDS, 2 ** (attempts - 1)))
        changed = update(QueuedEmail).where(QueuedEmail.id == row.id)
        async with self._database.writing() as session:
            await session.execute(changed.values(attempts=attempts, next_attempt_at=at))

    def _in(self, seconds: float) -> datetime:
        return self._clock() + timedelta(seconds=seconds)
