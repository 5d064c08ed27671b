"""E-mails that tell users of changes of their account."""

import re
from typing import Any

import pytest
from tests.server.conftest import Mailbox
from tests.server.responses import expect

from impasto_server.audit.origin import Origin, acting_from
from impasto_server.container import AppState
from impasto_server.identity import notices
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
MARA = User(id="m", username="mara", email="mara@northbound.example")


def facts_of(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.startswith("    ")]


async def test_notice_says_what_was_changed_when_and_from_where(person: Any, mailbox: Mailbox) -> None:
    key = {"name": "CI", "scopes": ["read"]}
    expect(await person.client.post("/api-keys", json=key, headers={"User-Agent": FIREFOX}), 201)
    (message,) = [one for one in mailbox.messages() if one["Subject"] == "New Impasto API key"]
    assert message["To"] == person.email
    body = message.get_body(("plain",))
    assert body is not None
    name, time, device, address = facts_of(body.get_content())
    assert (name, device, address) == ("Name: CI", "Device: Firefox on Linux", "Address: 127.0.0.1")
    assert re.fullmatch(r"Time: \d\d \w+ \d{4}, \d\d:\d\d UTC", time)


async def test_at_most_twenty_notices_of_one_kind_are_sent_an_hour(app_state: AppState) -> None:
    for _ in range(20):
        assert await notices.compose(app_state, MARA, notices.API_KEY_CREATED) is not None
    assert await notices.compose(app_state, MARA, notices.API_KEY_CREATED) is None
    assert await notices.compose(app_state, MARA, notices.API_KEY_REVOKED) is not None
    noor = User(id="n", username="noor", email="noor@northbound.example")
    assert await notices.compose(app_state, noor, notices.API_KEY_CREATED) is not None
    without = User(id="w", username="ines", email=None)
    assert await notices.compose(app_state, without, notices.API_KEY_CREATED) is None


@pytest.mark.parametrize(
    ("origin", "facts"),
    [
        (Origin("anonymous", "192.0.2.1", FIREFOX), ["Device: Firefox on Linux", "Address: 192.0.2.1"]),
        (Origin("anonymous", "192.0.2.1"), ["Device: Unknown device", "Address: 192.0.2.1"]),
        (Origin("operator"), ["Device: the operator's command line"]),
    ],
    ids=["browser", "no agent", "command"],
)
async def test_notice_names_the_device_or_the_command_line(
    app_state: AppState, origin: Origin, facts: list[str]
) -> None:
    with acting_from(origin):
        found = await notices.compose(app_state, MARA, notices.EMAIL_CHANGED, "an.unsafe.name")
    assert found is not None
    assert (found.to, found.subject) == (MARA.email, "Your Impasto email address was changed")
    assert "Hello mara, your account has a new email address." in found.text
    assert "codes no longer reach this address" in found.text
    time, *others = facts_of(found.text)
    assert time.startswith("Time: ")
    assert others == facts
