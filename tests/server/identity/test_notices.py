"""E-mails that tell users of changes of their account."""

import re
from typing import Any

import pytest
from tests.server.conftest import Mailbox
from tests.server.responses import expect

pytestmark = pytest.mark.anyio
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


async def test_notice_says_what_was_changed_when_and_from_where(person: Any, mailbox: Mailbox) -> None:
    key = {"name": "CI", "scopes": ["read"]}
    expect(await person.client.post("/api-keys", json=key, headers={"User-Agent": FIREFOX}), 201)
    (message,) = [one for one in mailbox.messages() if one["Subject"] == "New Impasto API key"]
    body = message.get_body(("plain",))
    assert body is not None
    facts = [line.strip() for line in body.get_content().splitlines() if line.startswith("    ")]
    name, time, device, address = facts
    assert (name, device, address) == ("Name: CI", "Device: Firefox on Linux", "Address: 127.0.0.1")
    assert re.fullmatch(r"Time: \d\d \w+ \d{4}, \d\d:\d\d UTC", time)
