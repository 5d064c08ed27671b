"""One prediction, paid for once: created, its id remembered, then polled until it ends.

If the server has a public address, Replicate calls a webhook at the end. The webhook only triggers a poll,
whose response alone is trusted. Polling continues at a slower pace, so a lost webhook delays the run at most.
"""

import asyncio
from dataclasses import dataclass
from typing import Any

from impasto import Callback, Context
from impasto_nodes.providers.errors import CorruptOutput, GenerationFailed, Moderated, ProviderError
from impasto_nodes.providers.jobs.bill import Bill
from impasto_nodes.providers.replicate.connection import MODERATED, PROVIDER, get_prediction, map_exception
from impasto_nodes.providers.replicate.prediction_idempotency import FAILED_STATUSES, PredictionRequest


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds between two polls: the first interval, its growth factor, and the longest interval."""

    first: float
    longest: float
    growth: float = 1.5


POLLING, WITH_WEBHOOK = Pace(0.5, 5.0), Pace(5.0, 30.0)
_ENDED = FAILED_STATUSES | {"succeeded"}
_MAX_FAILED_POLLS = 5
UNLISTED_USD_PER_SECOND = 0.001525
"""Of a model without a list price: Replicate bills the seconds of its hardware, at most at this price."""
_FILE_KEYS = ("url", "image", "images", "video", "videos", "output", "outputs")


async def predict(
    client: Any, model: str, inputs: dict[str, Any], memory: str, bill: Bill, context: Context
) -> list[str]:
    """Return the URLs of the outputs. `memory` is the key of the step's memo: after a crash or a retry the
    same prediction is continued, and no second one is paid for."""
    request = PredictionRequest(client, model, inputs, memory, context)
    try:
        async with context.callback(memory) as callback:
            prediction = await request.existing()
            webhook = await _webhook(client, callback, context) if prediction is None else {}
            if prediction is None:
                prediction = await request.create(webhook)
            prediction = await _finished(prediction, request, callback, WITH_WEBHOOK if webhook else POLLING)
    except asyncio.CancelledError:
        bill.leave()
        raise
    except Exception as error:
        if await _may_be_billed(error, request):
            await bill.assume(memory)
        raise
    if prediction.status == "succeeded":
        await bill.charge(memory, prediction.id, _measured_usd(prediction))
    try:
        return _output_urls(prediction, model)
    except ProviderError:
        await bill.forget(memory)
        await request.forget()
        raise


async def _may_be_billed(error: Exception, request: PredictionRequest) -> bool:
    """Return whether a prediction may go on although its request failed."""
    if isinstance(await request.context.recall(request.memory), str):
        return True  # it was created, and could not be followed to its end
    mapped = error if isinstance(error, ProviderError) else map_exception(error, request.model)
    return mapped.code in {"provider_timeout", "stream_dropped", "corrupt_output"}


async def _webhook(client: Any, callback: Callback, context: Context) -> dict[str, Any]:
    """Return the webhook's arguments; none without a public address or if its secret cannot be read."""
    if not callback.address(""):
        return {}
    try:
        secret = await client.webhooks.default.async_secret()  # not cached: an account may rotate it
    except Exception as error:  # noqa: BLE001 - polling is enough
        context.log.warning("No webhook: failed to read its secret: %s", type(error).__name__)
        return {}
    return {"webhook": callback.address(secret.key), "webhook_events_filter": ["completed"]}


async def _finished(prediction: Any, request: PredictionRequest, callback: Callback, pace: Pace) -> Any:
    try:
        await request.context.remember(request.memory, prediction.id)
        return await _polled(request.client, prediction, callback, pace)
    except asyncio.CancelledError:
        await request.cancel(prediction.id)
        raise


async def _polled(client: Any, prediction: Any, callback: Callback, pace: Pace) -> Any:
    wait, failures = pace.first, 0
    while prediction.status not in _ENDED:
        await callback.wait(wait)
        wait = min(wait * pace.growth, pace.longest)
        try:
            prediction = await get_prediction(client, prediction.id)
            failures = 0
        except Exception as error:
            failures += 1
            mapped = error if isinstance(error, ProviderError) else map_exception(error, prediction.id)
            is_passing = mapped.retryable or isinstance(
                mapped, CorruptOutput
            )  # a gateway's page, for example
            if failures >= _MAX_FAILED_POLLS or not is_passing:
                raise
    return prediction


def _measured_usd(prediction: Any) -> float:
    metrics = getattr(prediction, "metrics", None) or {}
    seconds = metrics.get("predict_time") or metrics.get("total_time") or 0.0
    return float(seconds) * UNLISTED_USD_PER_SECOND


def _failure(prediction: Any, model: str) -> ProviderError:
    reason = str(prediction.error or prediction.status)
    if any(word in reason.casefold() for word in MODERATED):
        return Moderated(PROVIDER, reason)
    return GenerationFailed(PROVIDER, model, reason)


def _output_urls(prediction: Any, model: str) -> list[str]:
    if prediction.status != "succeeded":
        raise _failure(prediction, model)
    output = prediction.output
    urls = _flattened(output)
    valid = [item for item in urls if isinstance(item, str) and item.startswith(("http", "data:"))]
    if not valid or len(valid) < len(urls):
        raise CorruptOutput(PROVIDER, "an output", f"output: {str(output)[:200]}")
    return valid


def _flattened(output: Any) -> list[Any]:
    """Return the files in an output: one, a list, or an object that names them, such as {"images": [...]}."""
    if isinstance(output, list):
        return [url for item in output for url in _flattened(item)]
    if isinstance(output, dict):
        named = [output[name] for name in _FILE_KEYS if name in output]
        return [url for item in named for url in _flattened(item)]
    return [output]
