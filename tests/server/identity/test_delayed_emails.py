"""Sign-up while the mail server is down: the answer says so, and the code arrives once it is up."""

import re
import socket
from email import message_from_bytes, policy
from typing import Any

import httpx
import pytest
from tests.server.conftest import PASSWORD, TravellingClock
from tests.server.responses import expect
from tests.server.smtp_server import Inbox, SmtpServer

pytestmark = pytest.mark.anyio

MARA = {"username": "mara", "email": "mara@northbound.example", "password": PASSWORD}
TOKEN = "a-token-of-the-tests"


@pytest.fixture
def smtp_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@pytest.fixture
def extra_settings(smtp_port: int) -> dict[str, Any]:
    url = f"smtp://127.0.0.1:{smtp_port}"
    return {"smtp_url": url, "smtp_allow_plain": True, "metrics": True, "metrics_token": TOKEN}


async def test_code_of_a_sign_up_arrives_when_the_mail_server_is_back(
    client: httpx.AsyncClient, app_state: Any, clock: TravellingClock, smtp_port: int
) -> None:
    assert (await client.get("http://testserver/readyz")).json()["mail"] == "ok"
    signed_up = expect(await client.post("/identity/sign-up", json=MARA), 201).json()
    assert signed_up["delivery"]["delayed"] is True
    ready = expect(await client.get("http://testserver/readyz"), 200)  # requests need no e-mail
    assert ready.json()["mail"] == "delayed"

    inbox = Inbox()
    server = SmtpServer(inbox, port=smtp_port)
    server.start()
    try:
        clock.travel(seconds=5)
        await app_state.mailer.deliver_due()
    finally:
        server.stop()
    body = message_from_bytes(inbox.received[0], policy=policy.default).get_body(("plain",))
    assert body is not None
    code = re.search(r"^ +(\d{6})\s*$", body.get_content(), re.MULTILINE)
    assert code is not None
    confirmed = await client.post("/identity/confirm-sign-up", json={"username": "mara", "code": code[1]})
    expect(confirmed, 200)
    assert (await client.get("http://testserver/readyz")).json()["mail"] == "ok"
    headers = {"Authorization": f"Bearer {TOKEN}"}
    metrics = (await client.get("http://testserver/metrics", headers=headers)).text
    assert "impasto_emails_waiting 0.0" in metrics
    assert 'impasto_emails_total{result="failed"}' in metrics
