"""E-mail to a real SMTP server (encryption, authentication, what waits in the database) and to the outbox."""

import asyncio
import re
import shutil
import ssl
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest
import structlog
from aiosmtpd.smtp import AuthResult, LoginPassword
from prometheus_client import REGISTRY
from sqlalchemy import select, text, update
from tests.server.certificates import self_signed
from tests.server.conftest import TravellingClock
from tests.server.resources import task_names
from tests.server.smtp_server import Inbox, SmtpServer

from impasto_server.db.engine import Database
from impasto_server.email import mailer, transport
from impasto_server.email.mailer import Mailer
from impasto_server.email.models import QueuedEmail
from impasto_server.email.transport import Transport
from impasto_server.identity import emails
from impasto_server.identity.codes import IssuedCode
from impasto_server.observability.telemetry import configure_logging
from impasto_server.security.crypto import Encryptor
from impasto_server.settings import Settings
from impasto_server.users.models import User
from impasto_server.utils import utc_now

pytestmark = pytest.mark.anyio

MARA = User(username="mara", email="mara@northbound.example")
LETTER = emails.confirmation(Settings(_env_file=None), MARA, IssuedCode("482913"))


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return self_signed(tmp_path_factory.mktemp("tls"))


@pytest.fixture(autouse=True)
def logging() -> Iterator[None]:
    configure_logging(Settings(_env_file=None))
    yield
    structlog.reset_defaults()


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def serve(inbox: Inbox, certificate: tuple[Path, Path]) -> Iterator[Callable[[str], int]]:
    running: list[SmtpServer] = []

    def start(kind: str) -> int:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        options: dict[str, Any] = {"authenticator": _authenticate}
        options |= {"auth_required": kind == "starttls", "auth_require_tls": kind == "starttls"}
        if kind == "starttls":
            options |= {"tls_context": context, "require_starttls": True}
        controller = SmtpServer(inbox, ssl_context=context if kind == "tls" else None, **options)
        controller.start()
        running.append(controller)
        return int(controller.port)

    yield start
    for controller in running:
        controller.stop()


def _authenticate(_server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
    good = isinstance(data, LoginPassword) and (data.login, data.password) == (b"impasto@x", b"p:w/1")
    return AuthResult(success=good)


Post = Callable[..., Mailer]


@pytest.fixture
async def database(tmp_path: Path, sqlite_template: Path) -> AsyncIterator[Database]:
    shutil.copy(sqlite_template, tmp_path / "impasto.db")
    opened = Database(f"sqlite+aiosqlite:///{tmp_path / 'impasto.db'}")
    yield opened
    await opened.close()


@pytest.fixture
def post(tmp_path: Path, database: Database, clock: TravellingClock, certificate: tuple[Path, Path]) -> Post:
    """Return a function that makes a mailer; those of one test share a database, as servers do."""
    encryptor = Encryptor([b"k" * 32])

    def make(url: str | None, **changes: Any) -> Mailer:
        chosen = {"data_dir": tmp_path, "smtp_url": url, "smtp_ca_file": certificate[0], **changes}
        return Mailer(Settings(_env_file=None, **chosen), clock, database, encryptor)

    return make


async def queued(database: Database) -> list[QueuedEmail]:
    async with database.reading() as session:
        return list(await session.scalars(select(QueuedEmail)))


def deliveries() -> dict[str, float]:
    """Return how many there were by result, and how many e-mails wait."""
    results = ("sent", "failed", "abandoned")
    found = {each: REGISTRY.get_sample_value("impasto_emails_total", {"result": each}) for each in results}
    found["waiting"] = REGISTRY.get_sample_value("impasto_emails_waiting")
    return {name: value or 0 for name, value in found.items()}


async def test_starttls_with_password(
    tmp_path: Path, serve: Callable[[str], int], inbox: Inbox, post: Post, clock: TravellingClock
) -> None:
    port = serve("starttls")
    assert await post(f"smtp://impasto%40x:p%3Aw%2F1@localhost:{port}").send(LETTER) == "sent"
    assert (inbox.encrypted, inbox.goodbyes) == ([True], 1)
    message = message_from_bytes(inbox.received[0], policy=policy.default)
    assert message["To"] == "mara@northbound.example"
    assert message["Subject"] == "482913 is your Impasto code"
    assert message["From"] == "Impasto <no-reply@localhost>"
    assert re.fullmatch(r"<[0-9a-f-]{36}@localhost>", message["Message-ID"])
    assert abs(message["Date"].datetime - clock()) < timedelta(minutes=1)
    assert message["Auto-Submitted"] == "auto-generated"
    kinds = [part.get_content_type() for part in message.walk()]
    assert kinds == ["multipart/alternative", "text/plain", "text/html"]
    assert not (tmp_path / "outbox").exists()


async def test_implicit_tls(serve: Callable[[str], int], inbox: Inbox, post: Post) -> None:
    await post(f"smtps://impasto%40x:p%3Aw%2F1@localhost:{serve('tls')}").send(LETTER)
    assert inbox.authenticated == [True]


def test_destination_shows_no_password(tmp_path: Path) -> None:
    shown = Settings(_env_file=None, data_dir=tmp_path, smtp_url="smtps://impasto:hunter2@mail.example")
    assert Transport(shown, utc_now).destination == "smtps://mail.example:465"
    shown = Settings(_env_file=None, data_dir=tmp_path, smtp_url="smtp://impasto:hunter2@mail.example")
    assert Transport(shown, utc_now).destination == "smtp://mail.example:587"
    shown = Settings(_env_file=None, data_dir=tmp_path, smtp_url="smtp://mail.example:25")
    assert Transport(shown, utc_now).destination == "smtp://mail.example:25"
    assert Transport(Settings(_env_file=None, data_dir=tmp_path), utc_now).destination == str(
        tmp_path / "outbox"
    )


async def test_unencrypted_smtp_needs_permission(
    serve: Callable[[str], int], inbox: Inbox, post: Post
) -> None:
    url = f"smtp://localhost:{serve('plain')}"
    assert await post(url).send(LETTER) == "waiting"
    assert inbox.received == []
    assert await post(url, smtp_allow_plain=True).send(LETTER) == "sent"
    assert len(inbox.received) == 1


async def test_unknown_certificate_is_refused(serve: Callable[[str], int], inbox: Inbox, post: Post) -> None:
    url = f"smtps://impasto%40x:p%3Aw%2F1@localhost:{serve('tls')}"
    assert await post(url, smtp_ca_file=None).send(LETTER) == "waiting"
    assert inbox.received == []


async def test_email_waits_for_a_mail_server_that_is_down(
    serve: Callable[[str], int],
    inbox: Inbox,
    post: Post,
    database: Database,
    clock: TravellingClock,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = deliveries()
    down = post("smtps://me:hunter2@localhost:1")
    assert await down.send(LETTER) == "waiting"
    (row,) = await queued(database)
    assert b"482913" not in row.content  # codes are encrypted
    assert await down.is_delayed()
    for _ in range(3):
        clock.travel(minutes=15)
        await down.deliver_due()
    assert [row.attempts for row in await queued(database)] == [4]
    assert deliveries() == {**before, "failed": before["failed"] + 4, "waiting": 1}

    other = post(f"smtps://impasto%40x:p%3Aw%2F1@localhost:{serve('tls')}")  # of another process
    await other.deliver_due()
    assert inbox.received == []  # its time has not come
    clock.travel(minutes=15)
    await asyncio.gather(other.deliver_due(), other.deliver_due())
    assert len(inbox.received) == 1
    assert await queued(database) == []
    assert not await other.is_delayed()
    assert deliveries() == {
        **before,
        "failed": before["failed"] + 4,
        "sent": before["sent"] + 1,
        "waiting": 0,
    }
    output = "".join(capsys.readouterr())
    assert "e-mail not sent; trying again later" in output
    assert "hunter2" not in output
    assert "482913" not in output


async def test_email_of_a_process_that_died_is_delivered_by_another(
    serve: Callable[[str], int],
    inbox: Inbox,
    post: Post,
    clock: TravellingClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url = f"smtps://impasto%40x:p%3Aw%2F1@localhost:{serve('tls')}"
    dying = post(url)

    async def die(mime: Any) -> None:
        raise asyncio.CancelledError

    monkeypatch.setattr(dying._transport, "send", die)
    with pytest.raises(asyncio.CancelledError):
        await dying.send(LETTER)
    assert not await dying.is_delayed(), "it may be on its way"
    monkeypatch.setattr(mailer, "_POLL_SECONDS", 0.01)
    tasks = asyncio.all_tasks()
    async with post(url):
        assert inbox.received == []
        clock.travel(minutes=2)
        async with asyncio.timeout(30):
            while not inbox.received:
                await asyncio.sleep(0.01)
    assert asyncio.all_tasks() == tasks


class SilentServer:
    """Greets, and answers no command; `asked` is set once it has got one."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example\r\n")
        await reader.readline()
        self.asked.set()
        await reader.read()
        writer.close()


async def test_response_does_not_wait_for_a_slow_delivery_which_ends_with_the_mailer(
    post: Post, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = SilentServer()
    monkeypatch.setattr(mailer, "_RESPONSE_SECONDS", 0.01)
    async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with post(f"smtp://127.0.0.1:{port}", smtp_allow_plain=True) as sender:
            assert await sender.send_or_queue(LETTER)
            assert "send e-mail" in task_names()
            async with asyncio.timeout(30):
                await silent.asked.wait()
        assert "send e-mail" not in task_names()
    assert [row.attempts for row in await queued(database)] == [0]


async def test_delivery_ends_when_the_mail_server_takes_too_long(
    post: Post,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(transport, "MAX_SECONDS", 0.2)
    async with await asyncio.start_server(SilentServer(), "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with asyncio.timeout(10):
            sent = await post(f"smtp://127.0.0.1:{port}", smtp_allow_plain=True).send(LETTER)
    assert sent == "waiting"
    assert [row.attempts for row in await queued(database)] == [1]
    assert "TimeoutError" in "".join(capsys.readouterr())


async def test_email_that_no_server_takes_for_a_day_is_abandoned(
    post: Post,
    database: Database,
    clock: TravellingClock,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start, before = clock(), deliveries()
    monkeypatch.setattr(TravellingClock, "__call__", lambda self: start + self.ahead)
    down = post("smtps://localhost:1")
    await down.send(LETTER)
    clock.ahead += timedelta(hours=24, microseconds=-1)
    await down.deliver_due()
    assert len(await queued(database)) == 1
    async with database.writing() as session:
        await session.execute(update(QueuedEmail).values(next_attempt_at=start))
    clock.ahead += timedelta(microseconds=1)
    await down.deliver_due()
    assert await queued(database) == []
    assert deliveries() == {
        **before, "failed": before["failed"] + 2, "abandoned": before["abandoned"] + 1, "waiting": 0,
    }  # fmt: skip
    assert "e-mail abandoned" in "".join(capsys.readouterr())


async def test_email_whose_key_is_gone_is_abandoned(
    serve: Callable[[str], int], inbox: Inbox, post: Post, database: Database, clock: TravellingClock
) -> None:
    async with database.writing() as session:
        session.add(QueuedEmail(content=b"x" * 40, attempts=0, created_at=clock(), next_attempt_at=clock()))
    await post(f"smtps://impasto%40x:p%3Aw%2F1@localhost:{serve('tls')}").deliver_due()
    assert (inbox.received, await queued(database)) == ([], [])


async def test_delay_between_attempts_doubles_up_to_a_quarter_of_an_hour(
    post: Post, database: Database, clock: TravellingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = clock()
    monkeypatch.setattr(TravellingClock, "__call__", lambda self: start + self.ahead)
    down = post("smtps://localhost:1")
    await down.send(LETTER)
    delays = []
    for _ in range(13):
        (row,) = await queued(database)
        delays.append((row.next_attempt_at - clock()).total_seconds())
        clock.ahead += row.next_attempt_at - clock()
        await down.deliver_due()
    assert delays == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]


async def test_temporary_refusal_is_tried_again_and_a_permanent_one_is_not(
    serve: Callable[[str], int], inbox: Inbox, post: Post, database: Database, clock: TravellingClock
) -> None:
    sender = post(f"smtps://impasto%40x:p%3Aw%2F1@localhost:{serve('tls')}")
    inbox.failures = 1
    assert await sender.send(LETTER) == "waiting"
    clock.travel(seconds=2)
    await sender.deliver_due()
    assert len(inbox.received) == 1
    inbox.refusal = "500 no such user"
    assert await sender.send(LETTER) == "refused"
    assert await queued(database) == []
    inbox.refusal = "450 mailbox busy"
    assert await sender.send(LETTER) == "waiting"


async def test_email_that_cannot_be_queued_is_sent_at_once(
    serve: Callable[[str], int], inbox: Inbox, post: Post, database: Database
) -> None:
    async with database.writing() as session:
        await session.execute(text("DROP TABLE queued_emails"))
    sender = post(f"smtps://impasto%40x:p%3Aw%2F1@localhost:{serve('tls')}")
    assert await sender.send(LETTER) == "sent"
    assert len(inbox.received) == 1


async def test_without_smtp_server_email_is_written_to_outbox(
    tmp_path: Path, post: Post, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await post(None).send(LETTER) == "sent"
    (file,) = (tmp_path / "outbox").iterdir()
    output = "".join(capsys.readouterr())
    assert str(file) in output
    assert "482913" not in output
    assert file.suffix == ".eml"
    assert ((tmp_path / "outbox").stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)
    message = message_from_bytes(file.read_bytes(), policy=policy.default)
    body = message.get_body(("plain",))
    assert body is not None
    assert "    482913" in body.get_content()


async def test_hostile_recipient_is_safe_in_headers_and_file_name(tmp_path: Path, post: Post) -> None:
    user = User(username="<script>alert(1)</script>", email=f"../../etc/{'x' * 80}@y.example")
    hostile = emails.confirmation(Settings(_env_file=None), user, IssuedCode("000000"))
    await post(None).send(hostile)
    (file,) = (tmp_path / "outbox").iterdir()
    assert file.name[36:] == f"-.._.._etc_{'x' * 70}.eml"
    assert b"<script>" not in file.read_bytes().split(b"text/html")[1]
