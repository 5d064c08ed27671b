"""The list of sessions, ending them, and the e-mails about changes of an account."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.server.conftest import BASE, Recorded
from tests.server.identity.token_claims import claims_of
from tests.server.responses import expect

from impasto_server.identity.sessions.devices import name_of

pytestmark = pytest.mark.anyio
PASSWORD = "Thick-paint-7"
NEW = "Thin-glaze-8"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


async def sign_in(client: httpx.AsyncClient, password: str = PASSWORD) -> None:
    body = {"username": "mara", "password": password}
    headers = {"User-Agent": FIREFOX}
    signed_in = await client.post("/identity/sign-in", json=body, headers=headers)
    expect(signed_in, 200)
    client.headers["Authorization"] = f"Bearer {signed_in.json()['session']['identity_token']}"


def newest(mailbox: Any) -> str:
    letter = mailbox.messages()[-1]
    return f"{letter['Subject']}\n{letter.get_body(('plain',)).get_content()}"


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (FIREFOX, "Firefox on Linux"),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/140.0 Safari/537.36 Edg/140.0",
            "Edge on Windows",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Safari/604",
            "Safari on iPhone",
        ),
        ("python-httpx/0.28.1", "python-httpx"),
        ("", "Unknown device"),
        ("<script>alert(1)</script>", "Unknown device"),
    ],
)
def test_device_is_named_by_browser_and_system(user_agent: str, name: str) -> None:
    assert name_of(user_agent) == name


async def test_sessions_are_listed_with_device_and_address(
    new_client: Callable[[], httpx.AsyncClient], person: Any, new_person: Any
) -> None:
    await new_person("ines")
    other = new_client()
    await sign_in(other)
    page = (await other.get("/identity/sessions")).json()
    times = [(item.pop("created_at"), item.pop("last_used_at")) for item in page["items"]]
    assert all(created == used for created, used in times)
    assert times[0] > times[1]
    own, former = [claims_of(str(token))["sid"] for token in (other.headers["Authorization"], person.token)]
    assert page == {
        "items": [
            {"id": own, "device": "Firefox on Linux", "address": "127.0.0.1", "is_current": True},
            {"id": former, "device": "python-httpx", "address": "127.0.0.1", "is_current": False},
        ],
        "next_cursor": None,
    }
    first = (await other.get("/identity/sessions", params={"limit": 1})).json()
    assert [item["id"] for item in first["items"]] == [own]
    rest = (await other.get("/identity/sessions", params={"cursor": first["next_cursor"]})).json()
    assert [item["id"] for item in rest["items"]] == [former]


async def test_device_is_stored_with_a_short_address_and_without_a_user_agent(
    app: FastAPI, person: Any
) -> None:
    body = {"username": "mara", "password": PASSWORD}
    for address in (("f" * 100, 1), None):
        transport = httpx.ASGITransport(app, client=address)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as other:
            del other.headers["User-Agent"]
            expect(await other.post("/identity/sign-in", json=body), 200)
    items = (await person.client.get("/identity/sessions")).json()["items"]
    assert [(item["address"], item["device"]) for item in items[:2]] == [
        ("unknown", "Unknown device"),
        ("f" * 64, "Unknown device"),
    ]


async def test_one_session_is_ended(new_client: Callable[[], httpx.AsyncClient], person: Any) -> None:
    other = new_client()
    await sign_in(other)
    items = (await person.client.get("/identity/sessions")).json()["items"]
    (target,) = [item["id"] for item in items if not item["is_current"]]
    expect(await person.client.delete(f"/identity/sessions/{target}"), 204)
    expect(await other.get("/users/me"), 401)
    expect(await other.post("/identity/refresh"), 401)
    expect(await person.client.get("/users/me"), 200)
    gone = expect(await person.client.delete(f"/identity/sessions/{target}"), 404).json()
    assert gone["detail"] == f"There is no session {target}."


async def test_ended_sessions_are_in_the_audit_log(
    new_client: Callable[[], httpx.AsyncClient], person: Any, recorded: Recorded
) -> None:
    user_id = await person.id()
    await sign_in(new_client())
    items = (await person.client.get("/identity/sessions")).json()["items"]
    (ended,) = [item["id"] for item in items if not item["is_current"]]
    expect(await person.client.delete(f"/identity/sessions/{ended}"), 204)
    await sign_in(new_client())
    expect(await person.client.delete("/identity/sessions"), 204)
    entries = await recorded("session.revoke")
    assert [(entry.actor_id, entry.target_kind, entry.target_id) for entry in entries] == [
        (user_id, "session", ended),
        (user_id, "user", user_id),
    ]


async def test_all_other_sessions_are_ended(new_client: Callable[[], httpx.AsyncClient], person: Any) -> None:
    other = new_client()
    await sign_in(other)
    expect(await person.client.delete("/identity/sessions"), 204)
    expect(await other.get("/users/me"), 401)
    expect(await person.client.get("/users/me"), 200)
    assert len((await person.client.get("/identity/sessions")).json()["items"]) == 1


async def test_session_of_another_user_is_not_found(person: Any, new_person: Any) -> None:
    other = await new_person("ines")
    (item,) = (await person.client.get("/identity/sessions")).json()["items"]
    expect(await other.client.delete(f"/identity/sessions/{item['id']}"), 404)
    expect(await person.client.get("/users/me"), 200)


async def test_sign_in_on_a_new_device_is_mailed_once(
    new_client: Callable[[], httpx.AsyncClient], person: Any, mailbox: Any
) -> None:
    sent = len(mailbox.messages())
    other = new_client()
    await sign_in(other)
    await sign_in(other)
    assert len(mailbox.messages()) == sent + 1
    assert "New sign-in to Impasto" in newest(mailbox)
    assert "Firefox on Linux" in newest(mailbox)
    assert "If not, reset your password" in newest(mailbox).replace("\n", " ")


async def test_first_session_is_not_mailed(person: Any, mailbox: Any) -> None:
    assert len(mailbox.messages()) == 1, "the code of the sign-up only"


async def test_password_change_is_mailed(person: Any, mailbox: Any) -> None:
    body = {"old_password": PASSWORD, "new_password": NEW}
    expect(await person.client.post("/identity/change-password", json=body), 204)
    assert "Your Impasto password was changed" in newest(mailbox)
    assert NEW not in newest(mailbox)


async def test_password_reset_is_mailed(client: httpx.AsyncClient, person: Any, mailbox: Any) -> None:
    await client.post("/identity/forgot-password", json={"username": "mara"})
    body = {"username": "mara", "confirmation_code": mailbox.code(), "new_password": NEW}
    expect(await client.post("/identity/confirm-forgot-password", json=body), 204)
    assert "Your Impasto password was reset" in newest(mailbox)


async def test_key_changes_are_mailed_without_the_key(person: Any, mailbox: Any) -> None:
    made = await person.client.post("/api-keys", json={"name": "robot", "scopes": ["read"]})
    key = made.json()
    assert "New Impasto API key" in newest(mailbox)
    assert "robot" in newest(mailbox)
    assert key["key"] not in newest(mailbox)
    await person.client.delete(f"/api-keys/{key['id']}")
    assert "Impasto API key revoked" in newest(mailbox)
    await person.client.put("/credentials/openai", json={"key": "sk-secret-1234"})
    assert "Provider key saved" in newest(mailbox)
    assert "sk-secret-1234" not in newest(mailbox)
    await person.client.delete("/credentials/openai")
    assert "Provider key removed" in newest(mailbox)
