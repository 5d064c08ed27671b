"""Connections: which providers a user can use, what each cost this month, and whether it answers."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from tests.fakes.running import addresses
from tests.fakes.serving import served
from tests.fakes.state import GOOD_KEY, State
from tests.server.responses import expect

from impasto_server.connections import service
from impasto_server.runs.costs import provider_costs

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def services() -> Iterator[State]:
    with served(State()) as state:
        yield state


@pytest.fixture
def extra_settings(services: State, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    services.reset()
    for name, value in addresses(services).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AZURE_API_BASE", "https://acme.openai.azure.com")
    monkeypatch.setenv("AZURE_API_VERSION", "2024-10-21")
    return {}


async def connection(person: Any, provider: str) -> Any:
    answer = await person.client.get("/connections/")
    expect(answer, 200)
    return next(one for one in answer.json()["items"] if one["provider"] == provider)


async def test_each_provider_says_how_it_can_be_used(person: Any) -> None:
    await person.client.put("/credentials/openai", json={"key": GOOD_KEY})
    shared = {"takes_address": False, "address": None, "has_downloads": False, "spent_usd": "0"}
    unused = shared | {"access": "missing", "key_last_four": None}
    assert await connection(person, "openai") == shared | {
        "provider": "openai",
        "title": "OpenAI",
        "kinds": ["text", "image", "speech", "captions"],
        "access": "own_key",
        "takes_key": True,
        "key_last_four": "3456",
    }
    assert await connection(person, "local") == unused | {
        "provider": "local",
        "title": "This machine",
        "kinds": ["text", "image", "video", "speech", "captions"],
        "access": "local",
        "takes_key": False,
        "has_downloads": True,
    }
    assert await connection(person, "ollama") == unused | {
        "provider": "ollama",
        "title": "Ollama",
        "kinds": ["text"],
        "takes_key": False,
    }
    assert await connection(person, "replicate") == unused | {
        "provider": "replicate",
        "title": "Replicate",
        "kinds": ["image", "video"],
        "takes_key": True,
    }


async def test_usable_providers_come_first(person: Any) -> None:
    await person.client.put("/credentials/replicate", json={"key": GOOD_KEY})
    listed = (await person.client.get("/connections/")).json()["items"]
    assert [one["access"] for one in listed[:2]] == ["own_key", "local"]


async def test_spending_is_that_of_the_user_and_month(person: Any, new_person: Any, app_state: Any) -> None:
    other = await new_person("ines")
    month = app_state.clock().date().replace(day=1)
    costs = [
        (person, month, "1.5"),
        (person, month - timedelta(days=1), "3"),
        (person, month.replace(year=month.year - 1), "7"),
        (other, month, "9"),
    ]
    async with app_state.database.writing() as session:
        for user, day, usd in costs:
            await provider_costs.add(session, await user.id(), day.isoformat(), "openai", Decimal(usd))
    assert (await connection(person, "openai"))["spent_usd"] == "1.5"


async def test_spending_stays_when_a_provider_is_uninstalled(person: Any, app_state: Any) -> None:
    today = app_state.clock().date().isoformat()
    async with app_state.database.writing() as session:
        for provider, usd in (("kiln", "0.25"), ("forge", "2"), ("openai", "1")):
            await provider_costs.add(session, await person.id(), today, provider, Decimal(usd))
    page = (await person.client.get("/connections/")).json()
    assert page["uninstalled"] == [
        {"provider": "forge", "spent_usd": "2"},
        {"provider": "kiln", "spent_usd": "0.25"},
    ]


@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini", "mistral", "groq", "openrouter"])
async def test_valid_key_is_connected_and_counts_models(person: Any, services: State, provider: str) -> None:
    await person.client.put(f"/credentials/{provider}", json={"key": GOOD_KEY})
    tested = (await person.client.post(f"/connections/{provider}/test")).json()
    assert (tested["state"], tested["message"]) == ("connected", None)
    assert tested["models"] >= 1
    assert [one.method for one in services.seen] == ["GET"]


@pytest.mark.parametrize("provider", ["azure", "runwayml"])
async def test_provider_without_a_free_call_is_untested(person: Any, provider: str) -> None:
    assert (await person.client.post(f"/connections/{provider}/test")).json()["state"] == "missing"
    await person.client.put(f"/credentials/{provider}", json={"key": GOOD_KEY})
    tested = (await person.client.post(f"/connections/{provider}/test")).json()
    assert tested["state"] == "untested"
    assert "no call that tests a key without cost" in tested["message"]


async def test_voices_are_counted(person: Any) -> None:
    await person.client.put("/credentials/elevenlabs", json={"key": GOOD_KEY})
    tested = (await person.client.post("/connections/elevenlabs/test")).json()
    assert (tested["state"], tested["voices"]) == ("connected", 2)


async def test_wrong_key_is_named_without_the_key(person: Any, subtests: pytest.Subtests) -> None:
    cases = ["openai", "anthropic", "gemini", "mistral", "openrouter", "replicate", "fal", "elevenlabs"]
    for provider in cases:
        with subtests.test(provider=provider):
            await person.client.put(f"/credentials/{provider}", json={"key": "wrong-key-987654"})
            answer = await person.client.post(f"/connections/{provider}/test")
            assert (answer.json()["state"], answer.json()["code"]) == ("failed", "wrong_credential")
            assert "wrong-key-987654" not in answer.text


async def test_each_test_asks_the_provider(person: Any, services: State) -> None:
    await person.client.put("/credentials/openai", json={"key": GOOD_KEY})
    await person.client.post("/connections/openai/test")
    services.misbehave("unavailable", on="/models")
    tested = (await person.client.post("/connections/openai/test")).json()
    assert (tested["state"], tested["code"]) == ("failed", "provider_unavailable")


async def test_provider_that_does_not_answer_is_named(
    person: Any, services: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_TIMEOUT_SECONDS", 0.25)
    await person.client.put("/credentials/openai", json={"key": GOOD_KEY})
    services.misbehave("slow", times=9, on="/models")
    tested = (await person.client.post("/connections/openai/test")).json()
    assert (tested["state"], tested["code"]) == ("failed", "provider_timeout")
    assert tested["message"] == "OpenAI did not answer within 0.25 seconds. Try again."
    assert tested["seconds"] >= 0.2


async def test_connections_are_in_the_order_of_use_and_of_their_titles(person: Any) -> None:
    for provider in ("replicate", "openai"):
        await person.client.put(f"/credentials/{provider}", json={"key": GOOD_KEY})
    page = (await person.client.get("/connections/")).json()
    listed = [(one["access"], one["title"]) for one in page["items"]]
    missing = [title for access, title in listed if access == "missing"]
    assert listed[:3] == [("own_key", "OpenAI"), ("own_key", "Replicate"), ("local", "This machine")]
    assert missing == sorted(missing, key=str.casefold)
    assert listed[3:] == [("missing", title) for title in missing]
    assert (page["uninstalled"], page["next_cursor"]) == ([], None)
    assert {one["spent_usd"] for one in page["items"]} == {"0"}
    assert not any(one["takes_address"] for one in page["items"])


async def test_missing_key_and_unknown_provider(person: Any) -> None:
    tested = (await person.client.post("/connections/openai/test")).json()
    assert (tested["state"], tested["code"]) == ("missing", "missing_credential")
    unknown = expect(await person.client.post(f"/connections/{'n' * 60}/test"), 404).json()
    assert unknown["detail"] == f"There is no provider {'n' * 60}."
    expect(await person.client.post(f"/connections/{'n' * 61}/test"), 422)


async def test_provider_of_this_machine_is_connected(person: Any) -> None:
    assert (await person.client.post("/connections/local/test")).json()["state"] == "connected"
