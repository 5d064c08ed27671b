"""Inputs and prices of fal's models today, for `impasto models refresh`."""

from dataclasses import replace
from datetime import UTC, datetime

from impasto import Context
from impasto_nodes.providers.credentials import access_to
from impasto_nodes.providers.errors import UnknownModel
from impasto_nodes.providers.fal.errors import PROVIDER
from impasto_nodes.providers.fal.inputs import inputs_of
from impasto_nodes.providers.fal.platform import prices_of
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.registry import listed_models


async def refresh_models(context: Context) -> list[Model]:
    """Return the listed models with the ratios, durations, settings and prices of today.

    A model that fal no longer lists is gone from today. Raises a `ProviderError`.
    """
    access, today = await access_to(PROVIDER, context), datetime.now(UTC).date()
    listed, found = listed_models(PROVIDER), []
    names = []
    for model in listed:
        try:
            inputs = await inputs_of(model.name, access)
        except UnknownModel:
            found.append(model.gone(today))
            continue
        names.append(model.name)
        found.append(inputs.facts_of(model, today))
    prices = await prices_of(names, access)
    each = {
        model.name: price.of_one(model.kind)
        for model in found
        if (price := prices.get(model.name)) is not None
    }
    return [
        model if (usd := each.get(model.name)) is None else replace(model, price_usd=usd, is_priced=True)
        for model in found
    ]
