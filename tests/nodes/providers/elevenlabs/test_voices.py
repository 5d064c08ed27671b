"""A voice by its name, its id, or what stands in for it."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.fakes.reports import seen_by
from tests.fakes.running import access_to, addresses
from tests.fakes.state import GOOD_KEY, State

from impasto.testing import FakeContext
from impasto_nodes.providers.elevenlabs import voices
from impasto_nodes.providers.elevenlabs.connection import connected
from impasto_nodes.providers.elevenlabs.spec import SPEC
from impasto_nodes.providers.elevenlabs.voices import Voice, find_voice
from impasto_nodes.providers.errors import ProviderError

pytestmark = pytest.mark.anyio
LONG_ID = "abcdefghij0123456789"


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voices, "_cache", {})


@pytest.fixture
async def client(fakes: State) -> AsyncIterator[Any]:
    async with connected(access_to("elevenlabs", fakes)) as client:
        yield client


async def find(client: Any, fakes: State, wanted: str) -> Voice:
    return await find_voice(client, access_to("elevenlabs", fakes), wanted)


def voice(voice_id: str, name: str | None, **labels: str) -> dict[str, Any]:
    return {"voice_id": voice_id, "name": name, "labels": labels}


def have(fakes: State, *found: dict[str, Any], status: int = 200) -> None:
    body = json.dumps({"voices": list(found)})
    fakes.misbehave("answer", on="/v1/voices", status=status, body=body)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("Ines", Voice("v1", "Ines")),
        (" INES ", Voice("v1", " INES ")),
        ("v1", Voice("v1", "v1")),
        ("roger", Voice("v2", "roger")),
        ("Roger - Laid-back", Voice("v2", "Roger - Laid-back")),
        ("v3", Voice("v3", "v3")),
    ],
)
async def test_voice_of_the_account_is_found_by_name_or_id(
    fakes: State, client: Any, wanted: str, found: Voice
) -> None:
    have(fakes, voice("v1", "Ines"), voice("v2", "Roger - Laid-back"), voice("v3", None))
    assert await find(client, fakes, wanted) == found
    assert len(fakes.requests("/v1/voices", "GET")) == 1


async def test_shared_voice_is_used_by_its_id_of_twenty_characters(fakes: State, client: Any) -> None:
    have(fakes, voice("v1", "Ines"))
    assert await find(client, fakes, LONG_ID) == Voice(LONG_ID, LONG_ID)
    for name in (LONG_ID[:19], LONG_ID[:19] + "-"):
        have(fakes, voice("v1", "Ines"))
        with pytest.raises(ProviderError) as raised:
            await find(client, fakes, name)
        assert raised.value.code == "unknown_voice"
        assert raised.value.detail == "the account has ['Ines']"


async def test_voices_of_a_large_account_are_not_all_named(fakes: State, client: Any) -> None:
    for _ in range(2):
        have(fakes, *(voice(f"v{number}", f"Ines {number}") for number in range(31)))
    with pytest.raises(ProviderError) as raised:
        await find(client, fakes, "Tom")
    assert raised.value.detail == f"the account has {[f'Ines {number}' for number in range(30)]}"
    assert raised.value.message == "ElevenLabs has no voice named 'Tom'. Choose another voice."


async def test_voice_that_is_new_is_found_in_a_fresh_list(fakes: State, client: Any) -> None:
    have(fakes, voice("v1", "Ines"))
    have(fakes, voice("v1", "Ines"), voice("v2", "Tom"))
    assert await find(client, fakes, "Tom") == Voice("v2", "Tom")
    assert await find(client, fakes, "Ines") == Voice("v1", "Ines")
    assert len(fakes.requests("/v1/voices", "GET")) == 2


async def test_old_list_is_asked_for_again(
    fakes: State, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(voices, "_CACHE_SECONDS", 0.0)
    for _ in range(2):
        have(fakes, voice("v1", "Ines"))
        await find(client, fakes, "Ines")
    assert len(fakes.requests("/v1/voices", "GET")) == 2


@pytest.mark.parametrize(
    ("known", "stand_in"),
    [
        ([voice("v1", "Tom", gender="male"), voice("v2", "Ines", gender="female")], Voice("v2", "Ines")),
        ([voice("v1", "Tom", gender="male"), voice("v2", "Ben")], Voice("v1", "Tom")),
    ],
)
async def test_account_without_the_default_voice_has_one_of_the_same_gender(
    fakes: State, client: Any, known: list[dict[str, Any]], stand_in: Voice
) -> None:
    for _ in range(2):
        have(fakes, *known)
    assert await find(client, fakes, "rachel ") == stand_in


async def test_account_without_any_voice_has_no_default_one(fakes: State, client: Any) -> None:
    for _ in range(2):
        have(fakes)
    with pytest.raises(ProviderError) as raised:
        await find(client, fakes, "Rachel")
    assert raised.value.code == "unknown_voice"


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("Rachel", Voice("21m00Tcm4TlvDq8ikWAM", "Rachel")),
        (LONG_ID, Voice(LONG_ID, LONG_ID)),
        ("Ines", None),
    ],
)
async def test_key_that_may_not_list_voices_may_use_ids_and_the_default_one(
    fakes: State, client: Any, wanted: str, found: Voice | None
) -> None:
    body = '{"detail": {"status": "missing_permissions"}}'
    fakes.misbehave("answer", on="/v1/voices", status=401, body=body)
    if found is not None:
        assert await find(client, fakes, wanted) == found
    else:
        with pytest.raises(Exception, match="missing_permissions"):
            await find(client, fakes, wanted)


async def test_other_failure_of_the_list_is_raised_even_for_an_id(fakes: State, client: Any) -> None:
    have(fakes, status=503)
    with pytest.raises(Exception, match="503"):
        await find(client, fakes, LONG_ID)


async def test_voices_are_offered_with_what_is_known_of_them(fakes: State) -> None:
    context = FakeContext(configuration={"ELEVENLABS_API_KEY": GOOD_KEY} | addresses(fakes))
    full = voice("v1", "Ines", accent="Berlin", age="young", gender="female", description="calm", use="news")
    have(fakes, full | {"preview_url": "http://x/v1.mp3"}, voice("v2", None) | {"labels": None})
    found = await voices.list_voices(seen_by(context))
    shared = {"group": "ElevenLabs", "provider": "elevenlabs"}
    assert found == [
        {
            "value": "Ines",
            "label": "Ines",
            "id": "v1",
            "gender": "female",
            "detail": "Berlin, young, female, calm",
            "preview_url": "http://x/v1.mp3",
            **shared,
        },
        {"value": "v2", "label": "v2", "id": "v2", "gender": "", "detail": "", "preview_url": "", **shared},
    ]


async def test_models_of_speech_are_listed_by_their_titles_and_no_others(fakes: State) -> None:
    models = [
        {"model_id": "m1", "name": "The first", "can_do_text_to_speech": True},
        {"model_id": "m2", "can_do_text_to_speech": True},
        {"model_id": "scribe", "can_do_text_to_speech": False},
    ]
    fakes.misbehave("answer", on="/v1/models", status=200, body=json.dumps(models))
    context = seen_by(FakeContext(configuration={"ELEVENLABS_API_KEY": GOOD_KEY} | addresses(fakes)))
    assert SPEC.list_models is not None
    assert SPEC.list_voices is not None
    shared = {"group": "ElevenLabs", "provider": "elevenlabs"}
    assert await SPEC.list_models("speech", context) == [
        {"value": "m1", "label": "The first"} | shared,
        {"value": "m2", "label": "m2"} | shared,
    ]
    assert await SPEC.list_models("music", context) == []
    assert await SPEC.list_voices(None) == []
    assert len(fakes.seen) == 1
