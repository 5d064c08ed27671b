"""Model servers on this machine: found in the background, offered to admins, used without a key."""

import asyncio
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import update
from tests.fakes.serving import served
from tests.fakes.state import GOOD_KEY, State
from tests.server.responses import expect

from impasto import Configuration
from impasto.sdk.providers import FoundServer, installed_providers
from impasto_nodes.providers.local_servers import LocalServer
from impasto_nodes.providers.registry import specs
from impasto_server.connections import local_servers
from impasto_server.connections.local_servers import SEARCH
from impasto_server.credentials.models import CredentialRow

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def machine() -> Iterator[State]:
    with served(State()) as state:
        yield state


@pytest.fixture(autouse=True)
def ports(machine: State) -> Iterator[None]:
    """Ollama at a free port, LM Studio at one where nothing listens."""
    machine.reset()
    port = int(machine.url.rpartition(":")[2])
    ollama = (
        LocalServer(title="Ollama", port=port, path="/ollama/api/tags", items="models", base="/ollama"),
    )
    lm_studio = (LocalServer(title="LM Studio", port=9, path="/v1/models", base="/v1"),)
    usual = {name: specs()[name].local_servers for name in ("ollama", "openai_compatible")}
    SEARCH.forget()
    for name, servers in {"ollama": ollama, "openai_compatible": lm_studio}.items():
        object.__setattr__(specs()[name], "local_servers", servers)
    yield
    for name, servers in usual.items():
        object.__setattr__(specs()[name], "local_servers", servers)
    SEARCH.forget()


async def found(admin: Any) -> list[Any]:
    """Return the list after the end of the search."""
    async with asyncio.timeout(20):
        while True:
            listed = (await admin.client.get("/connections/local-servers")).json()
            if listed["state"] != "searching":
                return list(listed["items"])
            await asyncio.sleep(0.02)


async def access(person: Any, provider: str) -> str:
    listed = (await person.client.get("/connections/")).json()["items"]
    return str(next(one["access"] for one in listed if one["provider"] == provider))


class FailingPlugin:
    """A provider of a plugin whose search fails."""

    id, title, kinds, takes_key, variables = "kiln", "Kiln", (), False, ()

    def is_configured(self, configuration: Configuration) -> bool:
        return False

    async def find_local_servers(self) -> list[FoundServer]:
        raise ZeroDivisionError


async def test_server_on_this_machine_is_found_without_a_key(
    admin: Any, machine: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(local_servers, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setitem(installed_providers().providers, "kiln", FailingPlugin())
    await admin.client.put("/credentials/openai_compatible", json={"key": GOOD_KEY})
    listed = await admin.client.get("/connections/local-servers")
    assert expect(listed, 200).json() == {"state": "searching", "items": []}
    (ollama,) = await found(admin)
    assert ollama == {
        "provider": "ollama",
        "title": "Ollama",
        "address": f"{machine.url.replace('localhost', '127.0.0.1')}/ollama",
        "models": ollama["models"],
        "is_used": False,
    }
    assert ollama["models"] >= 1
    assert await found(admin) == [ollama]
    (asked,) = machine.seen
    assert asked.method == "GET"
    assert not {"authorization", "x-api-key", "cookie"} & set(asked.headers)
    for later, state in ((120.0, "done"), (120.5, "searching")):
        now = later
        again = expect(await admin.client.get("/connections/local-servers"), 200).json()
        assert again == {"state": state, "items": [ollama]}, "what was found stays during the next search"


async def test_server_that_was_found_is_used_with_one_request(
    admin: Any, machine: State, app_state: Any
) -> None:
    (ollama,) = await found(admin)
    assert await access(admin, "ollama") == "missing"
    expect(await admin.client.put("/connections/ollama/address", json={"address": ollama["address"]}), 204)
    assert await access(admin, "ollama") == "own_address"
    assert (await found(admin))[0]["is_used"]
    tested = (await admin.client.post("/connections/ollama/test")).json()
    assert (tested["state"], tested["message"]) == ("connected", None)
    assert (await admin.client.get("/credentials/")).json()["items"] == []
    async with app_state.database.writing() as session:
        await session.execute(update(CredentialRow).values(sealed=bytes(40)))
    listed = (await admin.client.get("/connections/")).json()["items"]
    lost = next(one for one in listed if one["provider"] == "ollama")
    assert (lost["access"], lost["address"]) == ("own_address", None), "its key is lost"
    expect(await admin.client.delete("/connections/ollama/address"), 204)
    assert await access(admin, "ollama") == "missing"
    gone = expect(await admin.client.delete("/connections/ollama/address"), 404)
    assert gone.json()["detail"] == "There is no address for ollama."


async def test_address_that_was_not_found_is_refused(admin: Any, subtests: pytest.Subtests) -> None:
    await found(admin)
    cases = [
        "http://169.254.169.254",
        "http://127.0.0.1:22",
        "http://localhost",
        "file:///etc/passwd",
        "http://" + "a" * 193,
    ]
    for address in cases:
        with subtests.test(address=address):
            refused = await admin.client.put("/connections/ollama/address", json={"address": address})
            assert expect(refused, 404).json()["detail"] == f"There is no local server {address}."
            assert await access(admin, "ollama") == "missing"
    unknown = await admin.client.put("/connections/nothing/address", json={"address": "http://localhost"})
    expect(unknown, 404)
    for address, status in (("", 404), ("http://" + "a" * 194, 422)):
        expect(await admin.client.put("/connections/ollama/address", json={"address": address}), status)


async def test_others_than_admins_see_nothing_and_choose_nothing(person: Any, machine: State) -> None:
    expect(await person.client.get("/connections/local-servers"), 404)
    body = {"address": machine.url}
    expect(await person.client.put("/connections/ollama/address", json=body), 404)
    assert not machine.seen


async def test_server_that_an_admin_has_found_is_not_for_others(admin: Any, person: Any) -> None:
    (ollama,) = await found(admin)
    body = {"address": ollama["address"]}
    expect(await person.client.put("/connections/ollama/address", json=body), 404)
    assert await access(person, "ollama") == "missing"


async def test_server_found_earlier_is_refused_once_the_search_is_off(
    admin: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ollama,) = await found(admin)
    # As after a restart with another setting, which the frozen settings do not allow.
    monkeypatch.setitem(app_state.settings.__dict__, "find_local_servers", False)
    body = {"address": ollama["address"]}
    expect(await admin.client.put("/connections/ollama/address", json=body), 404)


async def test_user_cannot_store_an_address_as_a_key(person: Any, machine: State) -> None:
    await person.client.put("/credentials/ollama", json={"key": f"{machine.url}/ollama"})
    tested = (await person.client.post("/connections/ollama/test")).json()
    assert tested["state"] == "missing"
    expect(await person.client.put("/credentials/address:ollama", json={"key": machine.url}), 422)
    assert not machine.seen


@pytest.mark.parametrize("body", ["<html>", "[]", '{"models": 7}', '{"models": [1]}', '{"data": []}'])
async def test_answer_of_another_program_is_no_server(admin: Any, machine: State, body: str) -> None:
    machine.misbehave("answer", times=9, on="/api/tags", status=200, body=body)
    assert await found(admin) == []


async def test_search_is_over_in_time_if_a_server_does_not_answer(admin: Any, machine: State) -> None:
    machine.misbehave("slow", times=9, on="/api/tags")
    assert await found(admin) == []


class TestUserServers:
    """The operator lets users name the address of a server of their own."""

    @pytest.fixture
    def extra_settings(self, machine: State, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
        allowed = f"{machine.url.partition('//')[2]}, 10.0.0.0/24"
        monkeypatch.setenv("IMPASTO_USER_SERVERS", allowed)  # nodes read it, too
        return {"user_servers": allowed, "find_local_servers": False}

    async def test_user_names_an_address_which_is_called_without_the_key(
        self, person: Any, machine: State
    ) -> None:
        await person.client.put("/credentials/openai_compatible", json={"key": GOOD_KEY})
        body = {"address": f" {machine.url}/openai/v1/ "}
        expect(await person.client.put("/connections/openai_compatible/address", json=body), 204)
        listed = (await person.client.get("/connections/")).json()["items"]
        own = next(one for one in listed if one["provider"] == "openai_compatible")
        assert (own["access"], own["address"]) == ("own_address", f"{machine.url}/openai/v1")
        await person.client.post("/connections/openai_compatible/test")
        (asked,) = machine.requests("/openai/v1/models")
        assert GOOD_KEY not in str(asked.headers)
        expect(await person.client.delete("/connections/openai_compatible/address"), 204)
        assert await access(person, "openai_compatible") != "own_address"

    @pytest.mark.parametrize("address", ["http://169.254.169.254", "http://127.0.0.1:22", "http://10.0.1.1"])
    async def test_address_beside_the_list_is_refused_with_what_it_allows(
        self, person: Any, machine: State, address: str
    ) -> None:
        refused = await person.client.put("/connections/ollama/address", json={"address": address})
        expect(refused, 403)
        assert refused.json()["code"] == "address_not_allowed"
        allowed = f"{machine.url.partition('//')[2]}, 10.0.0.0/24"
        assert refused.json()["detail"] == (
            f"This server's operator allows addresses at {allowed}. Enter one of them."
        )

    async def test_service_with_a_key_takes_no_address(self, person: Any, machine: State) -> None:
        body = {"address": f"{machine.url}/openai/v1"}
        expect(await person.client.put("/connections/openai/address", json=body), 404)
        listed = (await person.client.get("/connections/")).json()["items"]
        assert {one["provider"] for one in listed if one["takes_address"]} == {
            "comfyui", "ollama", "openai_compatible",
        }  # fmt: skip


class TestForbidden:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"find_local_servers": False}

    async def test_nothing_is_asked(self, admin: Any, machine: State) -> None:
        listed = (await admin.client.get("/connections/local-servers")).json()
        assert listed == {"state": "off", "items": []}
        body = {"address": f"{machine.url}/ollama"}
        expect(await admin.client.put("/connections/ollama/address", json=body), 404)
        assert not machine.seen
