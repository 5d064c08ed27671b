"""litellm's published map of models, read into the catalog's models."""

import asyncio
import json
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any, cast

import httpx
import pytest
from tests.fakes.reports import seen_by
from tests.fakes.state import State

from impasto import Configuration, Context
from impasto.sdk.options_context import options_context
from impasto.testing import FakeContext
from impasto_nodes.providers.litellm import price_map
from impasto_nodes.providers.litellm.price_map import MapUnusable, refresh_models
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.protocols import KINDS, Kind

pytestmark = pytest.mark.anyio
TEXT = {
    "litellm_provider": "acme",
    "mode": "chat",
    "input_cost_per_token": 0.001,
    "output_cost_per_token": 0.002,
}
OTHERS = {f"other-{number}": TEXT | {"litellm_provider": "other"} for number in range(50)}


def of(mode: str, **facts: Any) -> dict[str, Any]:
    return {"litellm_provider": "acme", "mode": mode, **facts}


async def refreshed(
    fakes: State,
    entries: dict[str, Any],
    provider: str = "acme",
    kinds: tuple[Kind, ...] = KINDS,
    calls: int = 1,
) -> list[Model]:
    fakes.misbehave("answer", times=9, on="/map.json", status=200, body=json.dumps(entries))
    configuration = Configuration({"LITELLM_MODEL_COST_MAP_URL": f"{fakes.url}/openai/map.json"})
    async with options_context(configuration=configuration, allow_private_hosts=True) as context:
        for _ in range(calls):
            found = await refresh_models(provider, kinds, cast("Context", context))
    return [replace(model, checked_on=None) for model in found]


def model(kind: Kind, price_usd: float | None, **facts: Any) -> Model:
    more = {"price_usd": price_usd or 0.0, "is_priced": price_usd is not None}
    return Model(kind=kind, name="m", title="m", **more | facts)


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (TEXT, model("text", 2, input_price_usd=1, takes_image=False)),
        (TEXT | {"mode": "responses"}, model("text", 2, input_price_usd=1, takes_image=False)),
        (
            TEXT
            | {
                "supports_vision": True,
                "max_input_tokens": 1_000_000_000,
                "max_output_tokens": 1,
                "deprecation_date": "2030-01-31",
            },
            model("text", 2, input_price_usd=1, max_input=10**9, max_output=1, retires_on=date(2030, 1, 31)),
        ),
        (
            TEXT | {"max_input_tokens": 1_000_000_001, "max_output_tokens": 0},
            model("text", 2, input_price_usd=1, takes_image=False),
        ),
        (
            of("chat", input_cost_per_token=0, output_cost_per_token=0),
            model("text", 0, takes_image=False),
        ),
        (of("chat", input_cost_per_token=0.001), model("text", None, takes_image=False)),
        (of("chat", output_cost_per_token=0.001), model("text", None, takes_image=False)),
        (of("image_generation", output_cost_per_image=0.25), model("image", 0.25)),
        (of("image_generation", output_cost_per_image=999), model("image", 999)),
        (of("image_generation", output_cost_per_token=0.002), model("image", None)),
        (of("video_generation", output_cost_per_second=0.5), model("video", 0.5)),
        (of("video_generation", output_cost_per_video_per_second=0.75), model("video", 0.75)),
        (of("video_generation"), model("video", None)),
        (of("audio_speech", input_cost_per_character=0.002), model("speech", 2)),
        (of("audio_speech", max_input_tokens=9, max_output_tokens=9), model("speech", None)),
        (of("audio_transcription", input_cost_per_second=0.25), model("captions", 15)),
        (of("audio_transcription", input_cost_per_second=0), model("captions", 0)),
        (of("audio_transcription"), model("captions", None)),
    ],
)
async def test_entry_becomes_a_model_in_the_catalogs_units(
    fakes: State, entry: dict[str, Any], expected: Model
) -> None:
    assert await refreshed(fakes, OTHERS | {"m": entry}) == [expected]


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        ("m", of("embedding")),
        ("m", of("image_generation", output_cost_per_image=1_000)),
        ("m", of("image_generation", output_cost_per_image=-0.01)),
        ("m", of("chat", input_cost_per_token="cheap")),
        ("m", of("chat", input_cost_per_token="0.001")),
        ("m", {"mode": "chat"}),
        ("m", "a text"),
        ("hd/m", of("image_generation")),
        ("ft:m", TEXT),
        ("a m", TEXT),
        ("a\tm", TEXT),
        ("m" * 201, TEXT),
        ("one-month-commitment/m", TEXT),
        ("sora-9", of("video_generation")),
        ("m-realtime", TEXT),
        ("m", TEXT | {"output_cost_per_token": 11}),
    ],
)
async def test_entry_that_is_no_model_of_a_node_is_left_out(
    fakes: State, name: str, entry: dict[str, Any]
) -> None:
    found = await refreshed(fakes, OTHERS | {name: entry, "acme/kept": TEXT})
    assert [each.name for each in found] == ["kept"]


async def test_names_with_a_slash_or_200_characters_are_kept(fakes: State) -> None:
    names = ["team/m", "m" * 200]
    assert [each.name for each in await refreshed(fakes, OTHERS | dict.fromkeys(names, TEXT))] == names


async def test_only_the_asked_kinds_are_returned(fakes: State) -> None:
    entries = OTHERS | {"m": TEXT, "p": of("image_generation")}
    assert [each.name for each in await refreshed(fakes, entries, kinds=("image",))] == ["p"]


@pytest.mark.parametrize(
    ("provider", "divided"),
    [("bedrock", "bedrock_converse"), ("vertex_ai", "vertex_ai-language-models")],
)
async def test_models_of_a_divided_provider_are_found(fakes: State, provider: str, divided: str) -> None:
    entries = OTHERS | {
        "whole": TEXT | {"litellm_provider": provider},
        "part": TEXT | {"litellm_provider": divided},
        "else": TEXT,
    }
    assert [each.name for each in await refreshed(fakes, entries, provider)] == ["whole", "part"]


async def test_models_are_checked_today(fakes: State) -> None:
    fakes.misbehave("answer", on="/map.json", status=200, body=json.dumps(OTHERS))
    configuration = Configuration({"LITELLM_MODEL_COST_MAP_URL": f"{fakes.url}/openai/map.json"})
    days = {datetime.now(UTC).date()}
    async with options_context(configuration=configuration, allow_private_hosts=True) as context:
        found = await refresh_models("other", KINDS, cast("Context", context))
    assert {each.checked_on for each in found} <= days | {datetime.now(UTC).date()}


async def test_map_is_fetched_once_for_all_providers(fakes: State) -> None:
    await refreshed(fakes, OTHERS | {"m": TEXT}, calls=2)
    assert len(fakes.requests("/map.json", "GET")) == 1


async def test_map_has_50_models_at_least(fakes: State) -> None:
    entries = dict(list(OTHERS.items())[:49])
    assert len(await refreshed(fakes, entries | {"m": TEXT})) == 1


async def test_map_of_49_models_is_refused(fakes: State) -> None:
    entries = dict(list(OTHERS.items())[:48])
    with pytest.raises(MapUnusable, match="it has 49 models; 50 are expected"):
        await refreshed(fakes, entries | {"m": TEXT, "no model": {}})


async def test_map_without_a_model_of_the_provider_is_refused(fakes: State) -> None:
    with pytest.raises(MapUnusable, match="it lists no model of acme"):
        await refreshed(fakes, OTHERS)


async def test_map_of_another_status_is_refused(fakes: State) -> None:
    fakes.misbehave("answer", on="/map.json", status=203, body=json.dumps(OTHERS))
    with pytest.raises(MapUnusable, match="status 203 for its file"):
        await refreshed(fakes, OTHERS, "other")


async def test_map_that_does_not_arrive_in_time_is_refused(
    fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(price_map, "_SECONDS", 0.1)
    fakes.misbehave("slow", on="/map.json")
    async with asyncio.timeout(20):
        with pytest.raises(MapUnusable, match=r"it did not arrive within 0\.1 seconds"):
            await refreshed(fakes, OTHERS)


async def test_map_nested_too_deeply_is_refused(fakes: State) -> None:
    fakes.misbehave("answer", on="/map.json", status=200, body='{"a":' + "[" * 100_000)
    with pytest.raises(MapUnusable, match="it is no JSON object: "):
        await refreshed(fakes, OTHERS)


async def test_map_is_litellms_unless_the_operator_names_another() -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        return httpx.Response(200, json=OTHERS)

    context = FakeContext()
    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as context.http:
        assert len(await refresh_models("other", KINDS, seen_by(context))) == 50
    assert asked == [
        "https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json"
    ]


async def test_map_of_the_largest_size_is_read(fakes: State, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = OTHERS | {"m": TEXT}
    monkeypatch.setattr(price_map, "MAX_BYTES", len(json.dumps(entries)))
    assert len(await refreshed(fakes, entries)) == 1


async def test_map_of_one_byte_more_is_refused(fakes: State, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = OTHERS | {"m": TEXT}
    monkeypatch.setattr(price_map, "MAX_BYTES", len(json.dumps(entries)) - 1)
    with pytest.raises(MapUnusable, match="more than"):
        await refreshed(fakes, entries)
