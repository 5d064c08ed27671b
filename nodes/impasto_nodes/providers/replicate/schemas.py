"""What Replicate's models take, read from their published schemas, for `impasto models refresh`."""

from dataclasses import replace
from datetime import UTC, datetime

from impasto import Context
from impasto_nodes.providers.credentials import access_to
from impasto_nodes.providers.errors import UnknownModel
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.registry import listed_models
from impasto_nodes.providers.replicate.connection import PROVIDER, connected
from impasto_nodes.providers.replicate.requests import inputs_of
from impasto_nodes.providers.spec import RATIOS


async def refresh_models(context: Context) -> list[Model]:
    """Return the listed models with the ratios, durations and settings of today's schemas.

    A model that Replicate no longer has is gone from today. Raises a `ProviderError`.
    """
    access, today = await access_to(PROVIDER, context), datetime.now(UTC).date()
    found = []
    async with connected(access, "") as client:
        for model in listed_models(PROVIDER):
            try:
                inputs = await inputs_of(client, access.address, model.name)
            except Exception as error:
                if getattr(error, "status", None) != 404 and not isinstance(error, UnknownModel):
                    raise
                found.append(replace(model, retires_on=model.retires_on or today, checked_on=today))
                continue
            ratios = tuple(str(ratio) for ratio in inputs.allowed("aspect_ratio") if ratio in RATIOS)
            found.append(
                replace(
                    model,
                    ratios=ratios,
                    durations=tuple(sorted(inputs.durations())),
                    settings=inputs.own_settings()["properties"],
                    checked_on=today,
                )
            )
    return found
