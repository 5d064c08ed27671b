"""What a step and a plan would cost, asked before anything runs."""

import logging
import math
import typing as t
from collections.abc import Mapping, Sequence
from contextlib import suppress

from impasto.compiler.step import Binding, Source, Step
from impasto.errors import ConversionFailed
from impasto.sdk.settings import SettingInvalid

_UNKNOWN: t.Any = object()
_log = logging.getLogger("impasto")


class Guess(t.NamedTuple):
    """What is known of a step beforehand: dollars in all, seconds, its value, and how long its lists are."""

    usd: float
    seconds: float | None
    value: t.Any
    lengths: tuple[int, ...]


def step_estimate(
    step: Step, settings: Mapping[str, t.Any], inputs: Mapping[str, t.Any]
) -> tuple[float, float | None]:
    """Dollars and seconds that the node type's cost function expects; (0, None) if it has none."""
    usd, seconds, _ = _answer(step, settings, inputs)
    return usd, seconds


def step_estimates(
    steps: Sequence[Step], order: Sequence[int], inputs: Mapping[int, t.Any]
) -> dict[int, tuple[float, float | None]]:
    """Each step's dollars and seconds, by its index, as far as they are known before anything ran.

    What the inputs say goes on to where they lead: into settings, into the cost functions' inputs, and as the
    number of times that a step runs. A step that runs several times does so at once: its seconds stay.
    """
    guesses: dict[int, Guess] = {}
    for index in order:
        guesses[index] = _guess(steps[index], inputs.get(index, _UNKNOWN), guesses)
    return {index: (guess.usd, guess.seconds) for index, guess in guesses.items()}


def estimate(
    steps: Sequence[Step], order: Sequence[int], inputs: Mapping[int, t.Any]
) -> dict[str, float | None]:
    """The sum of the dollars, and the seconds along the slowest path (None if no step knows its own)."""
    found = step_estimates(steps, order, inputs)
    done_at = [0.0] * len(steps)
    for index, (_, seconds) in found.items():
        sources = (source.step for binding in steps[index].bindings() for source in binding.sources)
        done_at[index] = max((done_at[source] for source in sources), default=0.0) + (seconds or 0.0)
    known = any(seconds is not None for _, seconds in found.values())
    dollars = sum(usd for usd, _ in found.values())
    return {"usd": round(dollars, 6), "seconds": max(done_at, default=0.0) if known else None}


def _guess(step: Step, given: t.Any, guesses: Mapping[int, Guess]) -> Guess:
    settings = dict(step.settings)
    for spec, binding in step.dynamic:
        value = _arriving(binding, guesses)
        if value is not _UNKNOWN:
            # The run will tell what the setting refuses; until then the document's own value is the guess.
            with suppress(SettingInvalid):
                settings[spec.name] = spec.decode(value)
    if given is not _UNKNOWN:
        settings[t.cast("str", step.type.input)] = given
    bound = zip(step.ports, step.inputs, strict=False)
    known = {port.name: _arriving(binding, guesses) if binding else None for port, binding in bound}
    ports = {port.name: None if (value := known.get(port.name)) is _UNKNOWN else value for port in step.ports}
    usd, seconds, items = _answer(step, settings, ports)
    outer = _outer(step, guesses)
    value = settings.get(step.type.input, _UNKNOWN) if step.type.input else _UNKNOWN
    inner = (len(value),) if isinstance(value, list) else (items,) if items is not None else ()
    return Guess(usd * math.prod(outer), seconds, value, outer + inner)


def _arriving(binding: Binding, guesses: Mapping[int, Guess]) -> t.Any:
    """The one value that arrives; unknown when it is computed first, taken apart or put together."""
    if binding.lift or binding.gather or len(binding.sources) != 1:
        return _UNKNOWN
    source: Source = binding.sources[0]
    value = guesses[source.step].value if source.step in guesses else _UNKNOWN
    if value is _UNKNOWN or source.prepare is None:
        return value
    try:
        return source.prepare(value)
    except (ConversionFailed, TypeError, ValueError):
        return _UNKNOWN


def _outer(step: Step, guesses: Mapping[int, Guess]) -> tuple[int, ...]:
    """How many times the step runs, level by level; once where nobody knows."""
    lifted = [
        guesses[source.step].lengths[: binding.lift]
        for binding in step.bindings()
        for source in binding.sources
        if binding.lift and source.step in guesses
    ]
    longest = max(lifted, key=lambda lengths: (len(lengths), math.prod(lengths)), default=())
    return longest + (1,) * (step.lift - len(longest))


def _answer(
    step: Step, settings: Mapping[str, t.Any], inputs: Mapping[str, t.Any]
) -> tuple[float, float | None, int | None]:
    """Dollars, seconds, and how many items the step's list will have, as far as its cost function tells."""
    if step.type.cost is None:
        return 0.0, None, None
    try:
        return _read(step.type.cost(settings, inputs, step.configured))
    except Exception:  # noqa: BLE001 - a plugin's own function: nobody may fail for want of an estimate
        _log.warning("The cost of node type '%s' cannot be estimated", step.type.id, exc_info=True)
        return 0.0, None, None


def _read(answer: t.Any) -> tuple[float, float | None, int | None]:
    if not isinstance(answer, Mapping):
        return _amount(answer), None, None
    seconds, items = answer.get("seconds"), answer.get("items")
    return (
        _amount(answer.get("usd")),
        None if seconds is None else _amount(seconds),
        None if items is None else max(0, int(items)),
    )


def _amount(number: t.Any) -> float:
    """A number of dollars or seconds: never below nothing, never without an end."""
    found = float(number or 0.0)
    return found if 0.0 <= found < math.inf else 0.0
