"""One prediction, paid for once: created, its id remembered, then waited for, come what may.

Where the server has a public address, Replicate calls when it is done. The call only says "look now": what
is true is what Replicate answers to our own key. We go on looking, less often, so a lost call loses no run.
"""

import asyncio
from dataclasses import dataclass
from typing import Any

from impasto import Callback, Context
from impasto_nodes.providers.errors import CorruptOutput, GenerationFailed, Moderated, ProviderError
from impasto_nodes.providers.replicate.connection import MODERATED, PROVIDER, look, translate
from impasto_nodes.providers.replicate.prediction_idempotency import CAME_TO_NOTHING, Order


@dataclass(frozen=True, slots=True)
class Pace:
    """How long to wait between two looks, in seconds."""

    first: float
    longest: float
    growth: float = 1.5


ALONE, CALLED = Pace(0.5, 5.0), Pace(5.0, 30.0)
"""Without, and with, a call to hope for."""
_ENDED = CAME_TO_NOTHING | {"succeeded"}
_PATIENCE = 5


async def predict(
    client: Any, model: str, inputs: dict[str, Any], memory: str, context: Context
) -> list[str]:
    """The addresses of the outputs. `memory` names what is remembered: after a crash or a retry the same
    prediction is taken up again, never a second one paid for."""
    order = Order(client, model, inputs, memory, context)
    async with context.callback(memory) as callback:
        prediction = await order.known()
        webhook = await _webhook(client, callback, context) if prediction is None else {}
        if prediction is None:
            prediction = await order.place(webhook)
        prediction = await _waited_for(prediction, order, callback, CALLED if webhook else ALONE)
    try:
        return _addresses(prediction, model)
    except ProviderError:
        await order.forget()
        raise


async def _webhook(client: Any, callback: Callback, context: Context) -> dict[str, Any]:
    """What asks Replicate to call; nothing where it could not, or where its secret is not to be had."""
    if not callback.address(""):
        return {}
    try:
        secret = await client.webhooks.default.async_secret()  # afresh each time: accounts change theirs
    except Exception as error:  # noqa: BLE001 - a call is a comfort, looking is enough
        context.log.warning("no webhook: its secret cannot be read: %s", type(error).__name__)
        return {}
    return {"webhook": callback.address(secret.key), "webhook_events_filter": ["completed"]}


async def _waited_for(prediction: Any, order: Order, callback: Callback, pace: Pace) -> Any:
    try:
        await order.context.remember(order.memory, prediction.id)
        return await _finished(order.client, prediction, callback, pace)
    except asyncio.CancelledError:
        await order.call_off(prediction.id)
        raise


async def _finished(client: Any, prediction: Any, callback: Callback, pace: Pace) -> Any:
    wait, failures = pace.first, 0
    while prediction.status not in _ENDED:
        await callback.wait(wait)
        wait = min(wait * pace.growth, pace.longest)
        try:
            prediction = await look(client, prediction.id)
            failures = 0
        except Exception as error:
            failures += 1
            fault = error if isinstance(error, ProviderError) else translate(error, prediction.id)
            if failures >= _PATIENCE or not fault.retryable:
                raise
    return prediction


def _failure(prediction: Any, model: str) -> ProviderError:
    why = str(prediction.error or prediction.status)
    if any(word in why.casefold() for word in MODERATED):
        return Moderated(PROVIDER, why)
    return GenerationFailed(PROVIDER, model, why)


def _addresses(prediction: Any, model: str) -> list[str]:
    if prediction.status != "succeeded":
        raise _failure(prediction, model)
    output = prediction.output
    found = output if isinstance(output, list) else [output]
    addresses = [item.get("url") if isinstance(item, dict) else item for item in found]
    sound = [item for item in addresses if isinstance(item, str) and item.startswith(("http", "data:"))]
    if not sound or len(sound) < len(addresses):
        raise CorruptOutput(PROVIDER, "something", f"output: {str(output)[:200]}")
    return sound
