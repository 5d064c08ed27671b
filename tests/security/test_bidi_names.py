"""Names cannot be displayed as other names: bidirectional control characters never reach a list."""

from typing import Any

import pytest
from tests.server.responses import expect
from tests.server.sample_nodes import png

pytestmark = pytest.mark.anyio
CONTROLS = [chr(code) for code in (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))]
SPOOFED = f"gnp.{''.join(CONTROLS)}exe"
ARABIC = "عربي"
NODE = {"id": "n", "type": "made.up", "title": SPOOFED, "settings": {}}
DOCUMENT = {"format": 1, "nodes": [NODE], "edges": []}


async def test_agent_has_a_plain_name(person: Any) -> None:
    body = {"name": SPOOFED, "description": SPOOFED, "flow": {**DOCUMENT, "name": "x"}}
    made = expect(await person.client.post("/flows/", json=body), 201).json()
    assert (made["name"], made["description"]) == ("gnp.exe", "gnp.exe")
    assert made["flow"]["nodes"][0]["title"] == "gnp.exe"
    patched = await person.client.patch(f"/flows/{made['id']}", json={"name": f"{ARABIC}\u202e1"})
    assert patched.json()["name"] == f"{ARABIC}1"


async def test_imported_agent_and_saved_draft_have_plain_names(person: Any) -> None:
    made = expect(await person.client.post("/flows/import", json={**DOCUMENT, "name": SPOOFED}), 201).json()
    assert (made["name"], made["flow"]["name"]) == ("gnp.exe", "gnp.exe")
    path, headers = f"/flows/{made['id']}", {"If-Match": '"1"'}
    saved = {**DOCUMENT, "name": "x", "nodes": [{**NODE, "title": "\u202ea"}]}
    expect(await person.client.put(f"{path}/draft", json=saved, headers=headers), 200)
    assert (await person.client.get(path)).json()["flow"]["nodes"][0]["title"] == "a"


async def test_name_of_controls_alone_is_refused(person: Any) -> None:
    for name in CONTROLS:
        expect(await person.client.post("/flows/", json={"name": name}), 422, reason=f"U+{ord(name):04X}")


async def test_profile_and_api_key_have_plain_names(person: Any) -> None:
    info = {"first_name": SPOOFED, "last_name": SPOOFED, "company": SPOOFED, "role": "other", "reasons": []}
    expect(await person.client.put("/users/me/info", json=info), 200)
    shown = (await person.client.get("/users/me")).json()["info"]
    assert {shown["first_name"], shown["last_name"], shown["company"]} == {"gnp.exe"}
    key = await person.client.post("/api-keys", json={"name": SPOOFED, "scopes": ["read"]})
    assert key.json()["name"] == "gnp.exe"


async def test_uploaded_file_has_a_plain_name(person: Any) -> None:
    files = {"file": (SPOOFED, png(3), "image/png")}
    made = expect(await person.client.post("/assets/", files=files), 201).json()
    assert made["name"] == "gnp.exe"


async def test_username_with_a_control_is_refused(client: Any) -> None:
    body = {"email": "mara@northbound.example", "password": "Thick-paint-7"}
    for control in CONTROLS:
        wanted = {**body, "username": f"ma{control}ra"}
        expect(await client.post("/identity/sign-up", json=wanted), 422, reason=f"U+{ord(control):04X}")
