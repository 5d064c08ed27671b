"""fal's models are read again with their prices; models that it no longer lists are gone."""

from datetime import UTC, datetime

import pytest
from tests.fakes import fal as fake
from tests.fakes.reports import seen_by
from tests.fakes.running import addresses
from tests.fakes.state import GOOD_KEY, State

from impasto.testing import FakeContext
from impasto_nodes.providers.fal import platform
from impasto_nodes.providers.fal.refresh import refresh_models
from impasto_nodes.providers.registry import listed_models

pytestmark = pytest.mark.anyio


async def test_models_have_todays_prices_and_those_that_are_not_listed_are_gone(
    fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "_schemas", {})
    monkeypatch.setitem(fake.PRICES, "fal-ai/flux/schnell", (0.25, "megapixels"))
    listed = listed_models("fal")
    monkeypatch.setattr(fake, "MODELS", {"fal-ai/flux/schnell": fake.MODELS["fal-ai/flux/schnell"]})
    context = FakeContext(credentials={"fal": GOOD_KEY}, configuration=addresses(fakes))
    days = {datetime.now(UTC).date()}
    found = {model.name: model for model in await refresh_models(seen_by(context))}
    days.add(datetime.now(UTC).date())
    assert list(found) == [model.name for model in listed]
    known = found.pop("fal-ai/flux/schnell")
    assert (known.price_usd, known.is_priced, known.is_gone) == (0.25, True, False)
    assert known.checked_on in days
    assert known.settings["num_inference_steps"]["maximum"] == 12
    assert {(model.is_gone, model.retires_on in days) for model in found.values()} == {(True, True)}
