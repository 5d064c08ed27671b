"""E-mail to a real SMTP server (encryption, authentication, retries) and to the outbox."""

import asyncio
import socket
import ssl
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
import structlog
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from impasto_server.email.mailer import Mailer
from impasto_server.identity import emails
from impasto_server.identity.codes import IssuedCode
from impasto_server.observability.telemetry import configure_logging
from impasto_server.settings import Settings
from impasto_server.users.models import User
from impasto_server.utils import utc_now

pytestmark = pytest.mark.anyio

MARA = User(username="mara", email="mara@northbound.example")
LETTER = emails.confirmation(Settings(_env_file=None), MARA, IssuedCode("482913"))


class Inbox:
    """Accepts e-mail after temporary failures for the first `failures` messages."""

    def __init__(self) -> None:
        self.received: list[bytes] = []
        self.encrypted: list[bool] = []
        self.authenticated: list[bool] = []
        self.failures = 0

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.failures:
            self.failures -= 1
            return "451 try again later"
        self.received.append(envelope.content)
        self.encrypted.append(session.ssl is not None)
        self.authenticated.append(bool(session.authenticated))
        return "250 taken"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("tls")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    paths = folder / "cert.pem", folder / "key.pem"
    paths[0].write_bytes(made.public_bytes(pem))
    paths[1].write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return paths


@pytest.fixture(autouse=True)
def logging() -> Iterator[None]:
    configure_logging(Settings(_env_file=None))
    yield
    structlog.reset_defaults()


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


class _Controller(Controller):
    """Listens on a free port from the start; allows 60 seconds for slow machines."""

    def __init__(self, *given: Any, **options: Any) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        port = self._socket.getsockname()[1]
        super().__init__(*given, hostname="127.0.0.1", port=port, ready_timeout=60, **options)

    def _create_server(self) -> Any:
        return self.loop.create_server(self._factory_invoker, sock=self._socket, ssl=self.ssl_context)

    def stop(self, no_assert: bool = False) -> None:
        """Close the listener and wait for the open connections: stopping the loop would leave them open."""
        asyncio.run_coroutine_threadsafe(self._close_connections(), self.loop).result(60)
        super().stop(no_assert)

    async def _close_connections(self) -> None:
        closed = asyncio.ensure_future(self.server.wait_closed())
        await asyncio.sleep(0)  # Python 3.11 returns at once if the wait begins after `close`
        self.server.close()
        await closed


@pytest.fixture
def serve(inbox: Inbox, certificate: tuple[Path, Path]) -> Iterator[Callable[[str], int]]:
    running: list[Controller] = []

    def start(kind: str) -> int:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        options: dict[str, Any] = {"authenticator": _authenticate}
        options |= {"auth_required": kind == "starttls", "auth_require_tls": kind == "starttls"}
        if kind == "starttls":
            options |= {"tls_context": context, "require_starttls": True}
        controller = _Controller(inbox, ssl_context=context if kind == "tls" else None, **options)
        controller.start()
        running.append(controller)
        return int(controller.port)

    yield start
    for controller in running:
        controller.stop()


def _authenticate(_server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
    good = isinstance(data, LoginPassword) and (data.login, data.password) == (b"impasto@x", b"p:w/1")
    return AuthResult(success=good)


def post(tmp_path: Path, url: str | None, certificate: tuple[Path, Path], **changes: Any) -> Mailer:
    settings = Settings(
        _env_file=None, data_dir=tmp_path, smtp_url=url, smtp_ca_file=certificate[0], **changes
    )
    return Mailer(settings, utc_now, retry_delays=(0.0, 0.0))


async def test_starttls_with_password(
    tmp_path: Path, serve: Callable[[str], int], inbox: Inbox, certificate: tuple[Path, Path]
) -> None:
    port = serve("starttls")
    await post(tmp_path, f"smtp://impasto%40x:p%3Aw%2F1@localhost:{port}", certificate).send(LETTER)
    assert inbox.encrypted == [True]
    message = message_from_bytes(inbox.received[0], policy=policy.default)
    assert message["To"] == "mara@northbound.example"
    assert message["Subject"] == "482913 is your Impasto code"
    assert message["From"] == "Impasto <no-reply@localhost>"
    kinds = [part.get_content_type() for part in message.walk()]
    assert kinds == ["multipart/alternative", "text/plain", "text/html"]
    assert not (tmp_path / "outbox").exists()


async def test_implicit_tls(
    tmp_path: Path, serve: Callable[[str], int], inbox: Inbox, certificate: tuple[Path, Path]
) -> None:
    port = serve("tls")
    sender = post(tmp_path, f"smtps://impasto%40x:p%3Aw%2F1@localhost:{port}", certificate)
    assert sender.destination == f"smtps://localhost:{port}"
    await sender.send(LETTER)
    assert inbox.authenticated == [True]


async def test_unencrypted_smtp_needs_permission(
    tmp_path: Path, serve: Callable[[str], int], inbox: Inbox, certificate: tuple[Path, Path]
) -> None:
    url = f"smtp://localhost:{serve('plain')}"
    await post(tmp_path, url, certificate).send(LETTER)
    assert inbox.received == []
    await post(tmp_path, url, certificate, smtp_allow_plain=True).send(LETTER)
    assert len(inbox.received) == 1


async def test_unknown_certificate_is_refused(
    tmp_path: Path, serve: Callable[[str], int], inbox: Inbox
) -> None:
    url = f"smtps://impasto%40x:p%3Aw%2F1@localhost:{serve('tls')}"
    await Mailer(Settings(_env_file=None, data_dir=tmp_path, smtp_url=url), utc_now, retry_delays=()).send(
        LETTER
    )
    assert inbox.received == []


async def test_temporary_smtp_failure_is_retried(
    tmp_path: Path, serve: Callable[[str], int], inbox: Inbox, certificate: tuple[Path, Path]
) -> None:
    inbox.failures = 2
    port = serve("tls")
    await post(tmp_path, f"smtps://impasto%40x:p%3Aw%2F1@localhost:{port}", certificate).send(LETTER)
    assert len(inbox.received) == 1


async def test_unreachable_smtp_server_is_logged(
    tmp_path: Path, certificate: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    await post(tmp_path, "smtps://me:hunter2@localhost:1", certificate).send(LETTER)
    output = "".join(capsys.readouterr())
    assert "e-mail abandoned" in output
    assert "hunter2" not in output
    assert "482913" not in output


async def test_without_smtp_server_email_is_written_to_outbox(
    tmp_path: Path, certificate: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    sender = post(tmp_path, None, certificate)
    await sender.send(LETTER)
    (file,) = (tmp_path / "outbox").iterdir()
    output = "".join(capsys.readouterr())
    assert str(file) in output
    assert "482913" not in output
    assert sender.destination == str(tmp_path / "outbox")
    assert file.suffix == ".eml"
    message = message_from_bytes(file.read_bytes(), policy=policy.default)
    body = message.get_body(("plain",))
    assert body is not None
    assert "    482913" in body.get_content()


async def test_hostile_recipient_is_safe_in_headers_and_file_name(
    tmp_path: Path, certificate: tuple[Path, Path]
) -> None:
    user = User(username="<script>alert(1)</script>", email="../../etc/x@y.example")
    hostile = emails.confirmation(Settings(_env_file=None), user, IssuedCode("000000"))
    await post(tmp_path, None, certificate).send(hostile)
    (file,) = (tmp_path / "outbox").iterdir()
    assert b"<script>" not in file.read_bytes().split(b"text/html")[1]
