"""What Replicate's models take, read from their published schemas, for `impasto models refresh`."""

from datetime import UTC, datetime

from impasto import Context
from impasto_nodes.providers.credentials import access_to
from impasto_nodes.providers.errors import UnknownModel
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.registry import listed_models
from impasto_nodes.providers.replicate.connection import PROVIDER, connected
from impasto_nodes.providers.replicate.requests import inputs_of


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
                found.append(model.gone(today))
                continue
            found.append(inputs.facts_of(model, today))
    return found
