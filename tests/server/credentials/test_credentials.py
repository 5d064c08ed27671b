"""Provider keys: stored encrypted, returned as their last four characters."""

from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import text, update
from tests.server.responses import expect, simultaneous_statuses

from impasto_server.credentials import service
from impasto_server.credentials.models import CredentialRow
from impasto_server.security.crypto import (
    ENCRYPTION_FILE,
    open_keys,
    prune_encryption_keys,
    rotate_encryption,
)
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio
KEY = "sk-live-0123456789abcdef"


async def test_key_is_never_returned(person: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_state, "clock", lambda: now)
    for at in ("2026-03-01T12:00:00Z", "2026-03-01T12:00:01Z"):
        now = datetime.fromisoformat(at)
        stored = {"provider": "openai", "last_four": "cdef", "updated_at": at}
        answer = await person.client.put("/credentials/openai", json={"key": KEY})
        assert expect(answer, 200).json() == stored
    longest = "x" * 60
    expect(await person.client.put(f"/credentials/{longest}", json={"key": "another-key"}), 200)
    other = {"provider": longest, "last_four": "-key", "updated_at": at}
    listed = (await person.client.get("/credentials/")).json()
    assert listed == {"items": [stored, other], "next_cursor": None}
    assert (await person.client.get("/credentials/openai")).json() == stored


async def test_key_is_stored_encrypted(person: Any, app_state: Any) -> None:
    await person.client.put("/credentials/openai", json={"key": KEY})
    async with app_state.database.reading() as session:
        sealed = bytes((await session.execute(text("select sealed from credentials"))).scalar_one())
    assert KEY.encode() not in sealed
    assert await service.reveal(app_state, await person.id(), "openai") == KEY


async def test_encrypted_key_is_bound_to_its_user(person: Any, new_person: Any, app_state: Any) -> None:
    await person.client.put("/credentials/openai", json={"key": KEY})
    thief = await (await new_person("ines")).id()
    async with app_state.database.writing() as session:
        await session.execute(update(CredentialRow).values(owner_id=thief))
    with pytest.raises(ValueError, match="cannot be decrypted"):
        await service.reveal(app_state, thief, "openai")


async def test_new_key_replaces_old_one(person: Any, app_state: Any) -> None:
    await person.client.put("/credentials/openai", json={"key": KEY})
    await person.client.put("/credentials/openai", json={"key": "another-key-9876"})
    assert await service.reveal(app_state, await person.id(), "openai") == "another-key-9876"
    assert len((await person.client.get("/credentials/")).json()["items"]) == 1


async def test_delete_and_unknown_providers(person: Any, new_person: Any, app_state: Any) -> None:
    await person.client.put("/credentials/openai", json={"key": KEY})
    other = await new_person("ines")
    for method in ("GET", "DELETE"):
        refused = expect(await other.client.request(method, "/credentials/openai"), 404)
        assert refused.json()["detail"] == "There is no key for openai."
    await person.client.put("/credentials/groq", json={"key": KEY})
    await other.client.put("/credentials/openai", json={"key": KEY})
    expect(await person.client.delete("/credentials/openai"), 204)
    expect(await person.client.get("/credentials/openai"), 404)
    assert await service.reveal(app_state, await person.id(), "openai") is None
    assert await service.reveal(app_state, await person.id(), "groq") == KEY
    assert await service.reveal(app_state, await other.id(), "openai") == KEY


async def test_address_of_a_server_is_no_key_and_empty_if_it_cannot_be_read(
    person: Any, new_person: Any, app_state: Any
) -> None:
    owner, ines = User(id=await person.id()), await (await new_person("ines")).id()
    await person.client.put("/credentials/openai", json={"key": KEY})
    async with app_state.database.writing() as session:
        for provider, address in (("ollama", "http://10.0.0.1"), ("comfyui", "http://10.0.0.2")):
            await service.put_address(session, app_state, owner, provider, address)
        lost = update(CredentialRow).where(CredentialRow.provider == "address:comfyui")
        await session.execute(lost.values(sealed=b"x" * 40))
    async with app_state.database.writing() as session:
        found = await service.addresses_of(app_state, session, owner.id)
        assert found == {"ollama": "http://10.0.0.1", "comfyui": ""}
        assert await service.addresses_of(app_state, session, ines) == {}
        assert [item.provider for item in (await service.list_all(session, owner)).items] == ["openai"]
        assert await service.providers_of(session, owner.id) == {"openai", "ollama", "comfyui"}
        await service.delete_address(session, app_state, owner, "comfyui")
        assert await service.addresses_of(app_state, session, owner.id) == {"ollama": "http://10.0.0.1"}


async def test_invalid_key_is_refused_without_echo(person: Any, subtests: pytest.Subtests) -> None:
    not_ascii = "Key must be ASCII letters, digits and signs without spaces: copy it again."
    cases: list[tuple[Any, str]] = [
        ({}, "Key is required."),
        ({"key": ""}, "Key must be at least 8 characters."),
        ({"key": "tiny-17"}, "Key must be at least 8 characters."),
        ({"key": "k" * 4097}, "Key must be at most 4096 characters."),
        ({"key": 12345678}, "Key must be text."),
        ({"key": "with space 123"}, not_ascii),
        ({"key": "sk-live-0123456789\n"}, not_ascii),
        ({"key": "sk-live-0123456789…"}, not_ascii),
        ({"key": "sk-l\u0456ve-0123456789"}, not_ascii),
    ]
    for body, sentence in cases:
        with subtests.test(body=body):
            answer = await person.client.put("/credentials/openai", json=body)
            assert [one["message"] for one in expect(answer, 422).json()["errors"]] == [sentence]
            assert str(body.get("key") or "no key") not in answer.text
    for key in ("!tiny-1~", "k" * 4096):
        expect(await person.client.put("/credentials/openai", json={"key": key}), 200)


async def test_secret_of_a_lost_key_is_left_and_not_counted(
    person: Any, new_person: Any, app_state: Any
) -> None:
    user = await person.id()
    await person.client.put("/credentials/openai", json={"key": KEY})
    await person.client.put("/credentials/groq", json={"key": KEY})
    async with app_state.database.writing() as session:
        await session.execute(
            update(CredentialRow).where(CredentialRow.provider == "groq").values(sealed=b"x" * 40)
        )
    assert await service.reencrypt_all(app_state) == 1
    async with app_state.database.reading() as session:
        assert (await session.get(CredentialRow, (user, "groq"))).sealed == b"x" * 40
        assert await service.providers_of(session, user) == {"openai", "groq"}


async def test_provider_ids_are_validated(person: Any, subtests: pytest.Subtests) -> None:
    cases = ["Open-AI", "x" * 61, "a.b", "1st"]
    for provider in cases:
        with subtests.test(provider=provider):
            expect(await person.client.put(f"/credentials/{provider}", json={"key": KEY}), 422)


async def test_number_of_keys_is_limited(person: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_KEYS", 1)
    for provider, status in (("openai", 200), ("groq", 409), ("openai", 200)):
        answer = await person.client.put(f"/credentials/{provider}", json={"key": KEY})
        expect(answer, status)
        if status == 409:
            assert (answer.json()["code"], answer.json()["detail"]) == (
                "too_many_keys",
                "You have 1 provider keys. Delete one that you no longer need.",
            )
    expect(await person.client.delete("/credentials/openai"), 204)
    expect(await person.client.put("/credentials/groq", json={"key": KEY}), 200)


async def test_keys_cannot_fill_the_audit_log(
    person: Any, new_person: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_MAX_STORED", "2/hour")
    for status in (200, 200, 429):
        expect(await person.client.put("/credentials/openai", json={"key": KEY}), status)
    other = await new_person("ines")
    expect(await other.client.put("/credentials/openai", json={"key": KEY}), 200)


class TestPostgresql:
    """PostgreSQL executes the transactions of several requests at a time."""

    @pytest.fixture
    def database_url(self, migrated_postgresql: str) -> str:
        return migrated_postgresql

    async def test_simultaneous_requests_store_one_key_and_keep_the_limit(
        self, person: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(service, "MAX_KEYS", 2)
        for providers, statuses in (("aaaa", [200] * 4), ("bcde", [200, 409, 409, 409])):
            paths = [f"/credentials/{provider}" for provider in providers]
            requests = (person.client.put(path, json={"key": KEY}) for path in paths)
            assert await simultaneous_statuses(requests) == statuses, providers


async def test_encryption_rotation_reencrypts_and_reaches_running_server(
    person: Any, app_state: Any, settings: Any
) -> None:
    await person.client.put("/credentials/openai", json={"key": KEY})
    mara, file = await person.id(), settings.secrets / ENCRYPTION_FILE
    first = file.read_bytes()
    for _ in range(2):  # twice: the key that sealed it first is forgotten by then
        rotate_encryption(settings)
        assert await service.reencrypt_all(app_state) == 1
        prune_encryption_keys(settings)
        assert await service.reveal(app_state, mara, "openai") == KEY
    assert first not in file.read_bytes()
    _, encryptor = open_keys(settings)
    async with app_state.database.reading() as session:
        row = await session.get(CredentialRow, (mara, "openai"))
    assert encryptor.decrypt(row.sealed, f"credential {mara} openai") == KEY.encode()
