"""Which calls are free, which model has a price, and what a clip costs."""

from typing import Any

import pytest
from tests.nodes.providers.own_providers import Install, unused

from impasto.testing import FakeContext
from impasto_nodes.providers.clip_price import clip_usd, lengths_at, resolution_of
from impasto_nodes.providers.errors import ProviderError, RateLimited, StreamDropped, TimedOut
from impasto_nodes.providers.models import ClipPrice, Model
from impasto_nodes.providers.paid_calls import free_call, is_free, paid_call, priced_model
from impasto_nodes.providers.spec import CredentialField, ProviderSpec

KEY = CredentialField(variable="ACME_KEY")


def unlisted(kind: Any, name: str) -> Model | None:
    return Model(kind=kind, name=name, title="Found", price_usd=3) if name == "known" else None


@pytest.fixture
def providers(install_only: Install) -> None:
    models = (
        Model(kind="text", name="a", title="A", price_usd=1),
        Model(kind="text", name="known", title="K", is_priced=False),
    )
    shared: dict[str, Any] = {"text": unused, "models": models}
    install_only(
        ProviderSpec(id="paid", title="P", credentials=(KEY,), find_unlisted=unlisted, **shared),
        ProviderSpec(id="plain", title="P", credentials=(KEY,), **shared),
        ProviderSpec(id="server", title="S", credentials=(KEY,), address="required", **shared),
        ProviderSpec(id="machine", title="M", **shared),
    )


@pytest.mark.parametrize(
    ("provider", "is_one"), [("paid", False), ("plain", False), ("server", True), ("machine", True)]
)
def test_own_servers_and_this_machine_are_free(providers: None, provider: str, is_one: bool) -> None:
    assert is_free(provider) is is_one


@pytest.mark.parametrize(
    ("provider", "name", "usd"),
    [
        ("paid", "a", 1),
        ("paid", "known", 3),
        ("paid", "other", None),
        ("plain", "a", 1),
        ("plain", "known", None),
        ("server", "other", 0),
        ("machine", "known", 0),
        ("not installed", "a", None),
    ],
)
def test_price_is_the_lists_else_the_providers_else_nothing_where_calls_are_free(
    providers: None, provider: str, name: str, usd: float | None
) -> None:
    found = priced_model("text", provider, name)
    assert (None if found is None else found.price_usd) == usd
    assert found is None or (found.kind, found.name, found.is_priced) == ("text", name, True)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("error", "is_charged", "spent"),
    [
        (RateLimited("xai"), False, 0),
        (TimedOut("xai"), False, 0.5),
        (StreamDropped("xai"), False, 0.5),
        (TimedOut("xai"), True, 0.2),
        (RateLimited("xai"), True, 0.2),
        (None, True, 0.2),
        (None, False, 0),
    ],
)
async def test_failed_call_counts_as_spent_where_the_work_may_have_been_done(
    error: ProviderError | None, is_charged: bool, spent: float
) -> None:
    context = FakeContext()

    async def call() -> None:
        async with paid_call(context, 0.5, at_least=0.1, name="clip") as paid:  # type: ignore[arg-type]
            if is_charged:
                paid.charge(0.2)
            if error is not None:
                raise error

    if error is None:
        await call()
    else:
        with pytest.raises(type(error)):
            await call()
    assert context.spent == spent
    assert context.calls == [("reserve", (0.5, 0.1, "clip"))]


@pytest.mark.anyio
async def test_free_call_has_no_limit_and_records_nothing() -> None:
    async with free_call() as call:
        call.charge(5)
        assert call.max_usd is None


def clip(**facts: Any) -> Model:
    return Model(kind="video", name="c", title="C", **facts)


PRICED = clip(
    price_usd=9,
    durations=(3,),
    image_price_usd=0.5,
    settings={"resolution": {"default": "720p"}},
    clip_prices=(
        ClipPrice("720p", 0.1),
        ClipPrice("1080p", 2, 5),
        ClipPrice("1080p", 3, 10),
        ClipPrice("4K", 1, 8),
    ),
)


@pytest.mark.parametrize(
    ("model", "seconds", "settings", "has_image", "usd"),
    [
        (clip(price_usd=0.5), 4, {}, False, 2),
        (clip(price_usd=0.5, image_price_usd=0.25), 4, {}, True, 2.25),
        (clip(price_usd=0.5, image_price_usd=0.25), 4, {}, False, 2),
        (clip(price_usd=0.5, image_price_usd=0.25, needs_image=True), 4, {}, False, 2.25),
        (PRICED, 7, {}, False, 0.7),
        (PRICED, 7, {}, True, 1.2),
        (PRICED, 5, {"resolution": "1080p"}, False, 2),
        (PRICED, 10, {"resolution": "1080p"}, False, 3),
        (PRICED, 20, {"resolution": "1080p"}, False, 8),
        (PRICED, 16, {"resolution": "4K"}, False, 2),
        (PRICED, 5, {"resolution": "8K"}, False, 2),
        (PRICED, 8, {"resolution": "8K"}, False, 1),
    ],
)
def test_clip_costs_by_its_length_and_resolution(
    model: Model, seconds: float, settings: dict[str, Any], has_image: bool, usd: float
) -> None:
    assert clip_usd(model, seconds, settings, has_image=has_image) == pytest.approx(usd)


@pytest.mark.parametrize(
    ("settings", "resolution", "lengths"),
    [
        ({}, "720p", (3,)),
        ({"resolution": "1080p"}, "1080p", (5, 10)),
        ({"resolution": "4K"}, "4K", (8,)),
        ({"resolution": "8K"}, "8K", (3,)),
        ({"resolution": ""}, "720p", (3,)),
    ],
)
def test_lengths_are_those_of_the_resolution_else_the_models(
    settings: dict[str, Any], resolution: str, lengths: tuple[float, ...]
) -> None:
    assert resolution_of(PRICED, settings) == resolution
    assert lengths_at(PRICED, settings) == lengths
    assert resolution_of(clip(), {}) is None
