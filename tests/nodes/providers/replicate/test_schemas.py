"""The schemas of Replicate's models are read again; models that it no longer has are gone."""

from datetime import UTC, datetime

import pytest
from tests.fakes.reports import seen_by
from tests.fakes.running import addresses
from tests.fakes.state import GOOD_KEY, State

from impasto.testing import FakeContext
from impasto_nodes.providers.errors import ProviderError
from impasto_nodes.providers.registry import listed_models
from impasto_nodes.providers.replicate import requests
from impasto_nodes.providers.replicate.schemas import refresh_models

pytestmark = pytest.mark.anyio


@pytest.fixture
def account(fakes: State, monkeypatch: pytest.MonkeyPatch) -> FakeContext:
    monkeypatch.setattr(requests, "_schemas", {})
    return FakeContext(credentials={"replicate": GOOD_KEY}, configuration=addresses(fakes))


@pytest.mark.parametrize("is_there", [True, False])
async def test_model_that_is_no_longer_there_is_gone_from_today(
    fakes: State, account: FakeContext, is_there: bool
) -> None:
    listed = listed_models("replicate")
    if not is_there:
        fakes.misbehave("answer", on=f"/models/{listed[0].name}", status=404, body='{"detail": "No."}')
    days = {datetime.now(UTC).date()}
    first, *others = await refresh_models(seen_by(account))
    days.add(datetime.now(UTC).date())
    assert [first.name, *(model.name for model in others)] == [model.name for model in listed]
    if is_there:
        assert (first.is_gone, first.checked_on in days) == (False, True)
        assert first.settings["output_quality"]["maximum"] == 100
    else:
        assert (first.is_gone, first.retires_on in days) == (True, True)


@pytest.mark.parametrize("status", [403, 405, 500])
async def test_answer_that_says_nothing_of_a_model_is_an_error(
    fakes: State, account: FakeContext, status: int
) -> None:
    first = listed_models("replicate")[0].name
    fakes.misbehave("answer", on=f"/models/{first}", status=status, body='{"detail": "No."}')
    with pytest.raises(ProviderError):
        await refresh_models(seen_by(account))
