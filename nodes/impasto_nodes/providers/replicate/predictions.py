"""One prediction, paid for once: created, its id remembered, then waited for, come what may."""

import asyncio
from typing import Any

from impasto import Context
from impasto_nodes.providers.errors import CorruptOutput, GenerationFailed, Moderated, ProviderError
from impasto_nodes.providers.replicate.connection import MODERATED, PROVIDER, translate

_FIRST_WAIT, _LONGEST_WAIT, _GROWTH = 0.5, 5.0, 1.5
_PATIENCE = 5
_FAREWELL = 0.9


async def predict(
    client: Any, model: str, inputs: dict[str, Any], memory: str, context: Context
) -> list[str]:
    """The addresses of the outputs. `memory` names what is remembered: after a crash or a retry the same
    prediction is taken up again, never a second one paid for."""
    found = await context.recall(memory)
    if found is None:
        prediction = await _create(client, model, inputs)
        await context.remember(memory, prediction.id)
    else:
        prediction = await client.predictions.async_get(found)
    try:
        prediction = await _finished(client, prediction)
    except asyncio.CancelledError:
        if not context.abandoned:  # a process that shuts down leaves it to be taken up again
            await _cancel(client, prediction.id, context)
        raise
    if prediction.status != "succeeded":
        await context.remember(memory, None)  # what failed is not taken up again
        raise _failure(prediction, model)
    return _addresses(prediction.output)


async def _create(client: Any, model: str, inputs: dict[str, Any]) -> Any:
    name, _, version = model.partition(":")
    if version:
        return await client.predictions.async_create(version=version, input=inputs)
    return await client.models.predictions.async_create(model=name, input=inputs)


async def _finished(client: Any, prediction: Any) -> Any:
    wait, failures = _FIRST_WAIT, 0
    while prediction.status not in {"succeeded", "failed", "canceled"}:
        await asyncio.sleep(wait)
        wait = min(wait * _GROWTH, _LONGEST_WAIT)
        try:
            prediction = await client.predictions.async_get(prediction.id)
            failures = 0
        except Exception as error:  # noqa: BLE001 - told again in our words
            failures += 1
            fault = error if isinstance(error, ProviderError) else translate(error, prediction.id)
            if failures >= _PATIENCE or not fault.retryable:
                raise fault from None
    return prediction


async def _cancel(client: Any, prediction_id: str, context: Context) -> None:
    """Tell the provider, briefly: a run that is cancelled ends within two seconds."""
    try:
        async with asyncio.timeout(_FAREWELL):
            await client.predictions.async_cancel(prediction_id)
    except Exception as error:  # noqa: BLE001 - nothing more can be done, and the cancel goes on
        context.log.warning("prediction %s could not be cancelled: %s", prediction_id, type(error).__name__)


def _failure(prediction: Any, model: str) -> ProviderError:
    why = str(prediction.error or prediction.status)
    if any(word in why.casefold() for word in MODERATED):
        return Moderated(PROVIDER, why)
    return GenerationFailed(PROVIDER, model, why)


def _addresses(output: Any) -> list[str]:
    found = output if isinstance(output, list) else [output]
    addresses = [item.get("url") if isinstance(item, dict) else item for item in found]
    sound = [item for item in addresses if isinstance(item, str) and item.startswith(("http", "data:"))]
    if not sound or len(sound) < len(addresses):
        raise CorruptOutput(PROVIDER, "something", f"output: {str(output)[:200]}")
    return sound
