"""fal's lists: models by pages, their schemas, and prices by any unit."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.fakes.reports import seen_by
from tests.fakes.running import access_to, addresses
from tests.fakes.state import State

from impasto import Context
from impasto.testing import FakeContext
from impasto_nodes.providers.errors import CorruptOutput, ProviderError, TimedOut, UnknownModel
from impasto_nodes.providers.fal import platform
from impasto_nodes.providers.fal.platform import Price, list_models, prices_of, schema_of
from impasto_nodes.providers.fal.prices import JobPrice, price_of

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def nothing_cached() -> Iterator[None]:
    platform._lists.clear()
    platform._schemas.clear()
    yield
    platform._lists.clear()
    platform._schemas.clear()


def say(fakes: State, answer: Any, on: str = "/v1/models", **facts: Any) -> None:
    body = answer if isinstance(answer, str) else json.dumps(answer)
    fakes.misbehave("answer", on=on, body=body, **{"status": 200} | facts)


# -- prices ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "kind", "usd"),
    [
        ("image", "image", 2),
        ("generation", "image", 2),
        ("second", "image", None),
        ("video second", "video", 2),
        ("second of video", "video", None),
        ("compute second", "video", None),
        ("image", "video", None),
        ("", "video", None),
    ],
)
def test_unit_decides_what_one_costs(unit: str, kind: Any, usd: float | None) -> None:
    assert Price(2, unit).of_one(kind) == usd


@pytest.mark.parametrize(
    ("unit", "metrics", "usd"),
    [
        ("compute second", {"inference_time": 3}, 6),
        ("compute second", {"inference_time": "3"}, 2),
        ("compute second", {}, 2),
        ("compute second", None, 2),
        ("video", {"inference_time": 3}, 2),
    ],
)
def test_request_is_measured_by_its_seconds_else_as_one_unit(unit: str, metrics: Any, usd: float) -> None:
    assert Price(2, unit).measured(metrics) == usd
    assert JobPrice(None, Price(2, unit)).measured(metrics) == usd
    assert JobPrice(None).measured(metrics) == 0


def test_price_of_a_job_grows_with_its_size_and_yields_to_what_was_billed() -> None:
    assert JobPrice(0.5).of_size(3) == JobPrice(1.5)
    assert JobPrice(None).of_size(3) == JobPrice(None)
    unit = Price(2, "image")
    assert JobPrice(0.5, unit).of_size(2) == JobPrice(1.0, unit)
    assert JobPrice(0.5, unit).billed(3) == 6
    assert JobPrice(0.5, unit).billed(0) == 0
    assert JobPrice(0.5, unit).billed(None) is None
    assert JobPrice(0.5).billed(3) is None


def priced(name: str, usd: Any = 0.5, unit: str = "image", currency: str = "USD") -> dict[str, Any]:
    return {"endpoint_id": name, "unit_price": usd, "unit": unit, "currency": currency}


async def test_prices_in_dollars_are_read_in_one_spelling(fakes: State) -> None:
    listed = [
        priced("a", "0.25", " Compute_Seconds "),
        priced("b", 0, "megapixels"),
        priced("c", -1),
        priced("d", 1, currency="EUR"),
    ]
    say(fakes, {"prices": listed}, "/pricing")
    assert await prices_of(["a", "b", "c", "d"], access_to("fal", fakes)) == {
        "a": Price(0.25, "compute second"),
        "b": Price(0, "megapixel"),
    }


async def test_prices_are_asked_for_fifty_at_once(fakes: State) -> None:
    for number in range(3):
        say(fakes, {"prices": [priced(f"m{number}")]}, "/pricing")
    names = [f"name-{number}" for number in range(101)]
    assert list(await prices_of(names, access_to("fal", fakes))) == ["m0", "m1", "m2"]
    asked = [one.query["endpoint_id"].split(",") for one in fakes.requests("/pricing", "GET")]
    assert asked == [names[:50], names[50:100], names[100:]]
    say(fakes, {"prices": []}, "/pricing")
    await prices_of(["m"] * 50, access_to("fal", fakes))
    assert len(fakes.requests("/pricing", "GET")) == 4


@pytest.mark.parametrize(
    "answer", [{}, {"prices": 5}, {"prices": [{}]}, {"prices": [priced("a", "dear")]}, [], "<html>"]
)
async def test_list_of_prices_of_another_shape_cannot_be_read(fakes: State, answer: Any) -> None:
    say(fakes, answer, "/pricing")
    with pytest.raises(CorruptOutput, match=r"^fal returned a list of "):
        await prices_of(["a"], access_to("fal", fakes))


async def test_catalogs_price_comes_before_fals(fakes: State) -> None:
    assert await price_of("image", "fal-ai/flux/schnell", 2, access_to("fal", fakes)) == JobPrice(
        pytest.approx(0.006)
    )
    assert not fakes.requests("/pricing", "GET")


@pytest.mark.parametrize(
    ("listed", "price"),
    [
        ([priced("x")], JobPrice(1.0, Price(0.5, "image"))),
        ([priced("x", unit="compute second")], JobPrice(None, Price(0.5, "compute second"))),
        ([], JobPrice(None)),
    ],
)
async def test_price_of_an_unlisted_model_is_fals(fakes: State, listed: list[Any], price: JobPrice) -> None:
    say(fakes, {"prices": listed}, "/pricing")
    assert await price_of("image", "x", 2, access_to("fal", fakes)) == price


@pytest.mark.parametrize(("status", "is_raised"), [(404, False), (400, False), (401, True), (503, True)])
async def test_price_that_fal_does_not_know_is_no_error(fakes: State, status: int, is_raised: bool) -> None:
    say(fakes, {"detail": "no"}, "/pricing", status=status)
    if is_raised:
        with pytest.raises(ProviderError):
            await price_of("image", "x", 2, access_to("fal", fakes))
    else:
        assert await price_of("image", "x", 2, access_to("fal", fakes)) == JobPrice(None)


async def test_fal_that_does_not_answer_in_time_fails(fakes: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "_TIMEOUT_SECONDS", 0.1)
    fakes.misbehave("slow", on="/pricing")
    with pytest.raises(TimedOut):
        await prices_of(["a"], access_to("fal", fakes))


# -- models ------------------------------------------------------------------------------------


def context(fakes: State) -> Context:
    return seen_by(FakeContext(configuration={"FAL_KEY": "k"} | addresses(fakes)))


def page(*names: str, cursor: str | None = None, **metadata: str) -> dict[str, Any]:
    return {
        "models": [{"endpoint_id": name, "metadata": metadata or None} for name in names],
        "next_cursor": cursor,
    }


async def test_models_of_both_categories_are_listed_by_pages_and_kept_for_a_while(fakes: State) -> None:
    for answer in (page("a", cursor="2", display_name="A!"), page("b"), page("c")):
        say(fakes, answer)
    found = await list_models("image", context(fakes))
    assert [(one["value"], one["label"]) for one in found] == [("a", "A!"), ("b", "b"), ("c", "c")]
    assert len(await list_models("image", context(fakes))) == 3
    shared = {"status": "active", "limit": "100"}
    assert [one.query for one in fakes.requests("/v1/models", "GET")] == [
        {"category": "text-to-image"} | shared,
        {"category": "text-to-image", "cursor": "2"} | shared,
        {"category": "image-to-image"} | shared,
    ]


async def test_five_pages_of_a_category_are_read(fakes: State) -> None:
    for number in range(6):
        say(fakes, page(f"m{number}", cursor="more"))
    say(fakes, page("last"))
    found = await list_models("video", context(fakes))
    assert [one["value"] for one in found] == ["m0", "m1", "m2", "m3", "m4", "m5", "last"]


async def test_list_is_asked_for_again_when_it_is_old_or_empty(
    fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    for answer in (page(), page(), page("a"), page("b")):
        say(fakes, answer)
    assert await list_models("image", context(fakes)) == []
    assert len(await list_models("image", context(fakes))) == 2
    monkeypatch.setattr(platform, "_CACHE_SECONDS", -1.0)
    for answer in (page("c"), page("d")):
        say(fakes, answer)
    assert [one["value"] for one in await list_models("image", context(fakes))] == ["c", "d"]


@pytest.mark.parametrize("answer", [{}, {"models": [{}]}, {"models": 5}, {"models": ["a"]}, "[]", "<html>"])
async def test_list_of_models_of_another_shape_cannot_be_read(fakes: State, answer: Any) -> None:
    say(fakes, answer)
    with pytest.raises(CorruptOutput, match=r"^fal returned a list of models that"):
        await list_models("image", context(fakes))


async def test_schema_is_that_of_the_model_and_is_asked_for_once(fakes: State) -> None:
    models = [{"endpoint_id": "other", "openapi": {}}, {"endpoint_id": "x", "openapi": {"paths": {"/": 1}}}]
    say(fakes, {"models": models})
    assert await schema_of("x", access_to("fal", fakes)) == {"paths": {"/": 1}}
    assert await schema_of("x", access_to("fal", fakes)) == {"paths": {"/": 1}}
    (asked,) = fakes.requests("/v1/models", "GET")
    assert asked.query == {"endpoint_id": "x", "expand": "openapi-3.0"}


async def test_model_that_fal_does_not_know_is_named(fakes: State) -> None:
    say(fakes, {"detail": "no"}, status=404)
    with pytest.raises(UnknownModel, match="fal has no model named 'x'"):
        await schema_of("x", access_to("fal", fakes))
    say(fakes, {"models": []})
    with pytest.raises(UnknownModel, match="fal has no model named 'x'"):
        await schema_of("x", access_to("fal", fakes))


@pytest.mark.parametrize(
    ("models", "error"),
    [
        ([], UnknownModel),
        ([{"endpoint_id": "other", "openapi": {}}], UnknownModel),
        ([{"endpoint_id": "x"}], CorruptOutput),
        ([{"endpoint_id": "x", "openapi": "odd"}], CorruptOutput),
        ([{"endpoint_id": "x", "openapi": {"paths": []}}], CorruptOutput),
        (5, CorruptOutput),
    ],
)
async def test_schema_of_another_shape_has_its_error(
    fakes: State, models: Any, error: type[ProviderError]
) -> None:
    say(fakes, {"models": models})
    with pytest.raises(error, match=r"^fal "):
        await schema_of("x", access_to("fal", fakes))


async def test_caches_are_bounded(fakes: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "_MAX_CACHED", 1)
    for name in ("x", "y", "x"):
        say(fakes, {"models": [{"endpoint_id": name, "openapi": {"paths": {}}}]})
        await schema_of(name, access_to("fal", fakes))
    assert len(fakes.requests("/v1/models", "GET")) == 3
    for name in ("a", "b", "c", "d", "e", "f"):
        say(fakes, page(name))
    for kind, names in (("image", "ab"), ("video", "cd"), ("image", "ef")):
        found = await list_models(kind, context(fakes))
        assert [one["value"] for one in found] == list(names)
