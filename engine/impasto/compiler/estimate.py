"""Estimates of cost and time, before anything runs."""

import logging
import math
import typing as t
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress

from impasto.compiler.graph import critical_path, edges_of
from impasto.compiler.step import Binding, Source, Step
from impasto.errors import ConversionFailed
from impasto.sdk.settings import SettingInvalid

_UNKNOWN: t.Any = object()
_MAX_CALLS = 10**9  # of one step; more are not counted, as their dollars may exceed what a float holds
_MAX_ITEMS = 10_000  # of a gathered list, whose cost function gets a list of this length
Inputs = Mapping[int, Mapping[str, t.Any]]
"""The decoded inputs of a run: settings by step index."""
log = logging.getLogger("impasto")


class Guess(t.NamedTuple):
    """The estimate of a step: US dollars, seconds, its value if it is known, and the lengths of its lists.

    `provider` is the provider that will be paid, "" if the cost function names none. `is_price_unknown`: the
    dollars are not known. `closed` are the outputs, by index, that will be closed.
    """

    usd: float
    seconds: float | None
    value: t.Any
    lengths: tuple[int, ...]
    provider: str = ""
    is_price_unknown: bool = False
    notices: tuple["Notice", ...] = ()
    closed: Set[int] = frozenset()


class Notice(t.NamedTuple):
    """A notice that a launch will differ from the request. `hint` says what to do about it.

    `settings` are settings of the step, with values, that would do as asked.
    """

    code: str
    message: str
    hint: str = ""
    settings: tuple[tuple[str, str | int | float | bool], ...] = ()


class Expected(t.NamedTuple):
    """The answer of a cost function: dollars, seconds, the length of the step's list, the paid provider.

    `at_least` are the dollars that the step can do with, because it limits itself to what is left.
    `is_price_unknown`: the dollars are not known. `value` is the result, where it is known in advance, and
    `closed` names the outputs that will be closed. `notices` are for the user, before the launch.
    """

    usd: float = 0.0
    seconds: float | None = None
    items: int | None = None
    provider: str = ""
    at_least: float | None = None
    is_price_unknown: bool = False
    value: t.Any = _UNKNOWN
    notices: tuple[Notice, ...] = ()
    closed: tuple[str, ...] = ()


def step_estimate(
    step: Step, settings: Mapping[str, t.Any], inputs: Mapping[str, t.Any]
) -> tuple[float, float | None]:
    """Return the US dollars and seconds that the node type's cost function expects; (0, None) without one."""
    expected = _ask_cost(step, settings, inputs)
    return expected.usd, expected.seconds


def least_usd(step: Step, settings: Mapping[str, t.Any], inputs: Mapping[str, t.Any]) -> float:
    """Return the US dollars that must be left for the step to start."""
    expected = _ask_cost(step, settings, inputs)
    return expected.usd if expected.at_least is None else min(expected.usd, expected.at_least)


class Forecast:
    """The estimate of a run. Each step's cost function is asked once, whatever is read of it.

    The values of inputs are propagated along the edges as far as they are known: into settings, into the
    inputs of cost functions, and as the number of calls of a fanned-out step. These calls run concurrently,
    so they multiply its dollars and not its seconds. `disabled` are the steps that a run skips; what it skips
    with them is expected to take nothing.
    """

    def __init__(
        self, steps: Sequence[Step], order: Sequence[int], inputs: Inputs, disabled: Set[int] = frozenset()
    ) -> None:
        self._steps = steps
        self._guesses = _guesses(steps, order, inputs, disabled)

    def total(self) -> dict[str, float | None]:
        """Return the `usd`, and the `seconds` of the slowest path (None if no step knows its own)."""
        found = self._guesses
        usd = round(sum(guess.usd for guess in found.values()), 6)
        if all(guess.seconds is None for guess in found.values()):
            return {"usd": usd, "seconds": None}
        durations = [found[index].seconds or 0.0 for index in range(len(self._steps))]
        return {"usd": usd, "seconds": critical_path(durations, edges_of(self._steps))}

    def by_step(self) -> dict[str, dict[str, float | None]]:
        """Return the `usd` and `seconds` of each step by id, without the steps that have none."""
        return {
            self._steps[index].id: {"usd": guess.usd, "seconds": guess.seconds}
            for index, guess in self._guesses.items()
            if guess.usd or guess.seconds is not None
        }

    def provider_costs(self) -> dict[str, float]:
        """Return the US dollars that each provider is expected to be paid; "" is every unnamed provider."""
        costs: dict[str, float] = {}
        for guess in self._guesses.values():
            if guess.usd:
                costs[guess.provider] = costs.get(guess.provider, 0.0) + guess.usd
        return costs

    def unpriced_steps(self) -> list[str]:
        """Return the ids of the steps whose cost function says that the price is not known."""
        return [self._steps[index].id for index, guess in self._guesses.items() if guess.is_price_unknown]

    def notices(self) -> list[tuple[str, Notice]]:
        """Return what the steps, by id, will not do as asked; equal notices once."""
        found: dict[Notice, str] = {}
        for index, guess in self._guesses.items():
            for notice in guess.notices:
                found.setdefault(notice, self._steps[index].id)
        return [(step, notice) for notice, step in found.items()]


def _guesses(
    steps: Sequence[Step], order: Sequence[int], inputs: Inputs, disabled: Set[int]
) -> dict[int, Guess]:
    guesses: dict[int, Guess] = {}
    for index in order:
        step = steps[index]
        if index in disabled or _is_skipped(step, guesses):
            guesses[index] = Guess(0.0, None, _UNKNOWN, (), closed=set(range(len(step.type.outputs))))
        else:
            guesses[index] = _guess(step, inputs.get(index, {}), guesses)
    return guesses


def _is_skipped(step: Step, guesses: Mapping[int, Guess]) -> bool:
    """Return whether a required input gets its values from closed outputs only, or every connected one."""
    bound = [
        (binding, port.required)
        for port, binding in zip(step.ports, step.inputs, strict=True)
        if binding is not None and binding.sources
    ]
    bound += [(binding, spec.required and spec.name not in step.settings) for spec, binding in step.dynamic]
    closed = [
        is_required
        for binding, is_required in bound
        if not binding.lazy and all(source.port in guesses[source.step].closed for source in binding.sources)
    ]
    return any(closed) or (bool(closed) and len(closed) == len(bound))


def _guess(step: Step, given: Mapping[str, t.Any], guesses: Mapping[int, Guess]) -> Guess:
    settings = dict(step.settings)
    for spec, binding in step.dynamic:
        value = _arriving(binding, guesses)
        if value is not _UNKNOWN:
            # A value that the setting refuses fails in the run; the estimate uses the document's value.
            with suppress(SettingInvalid):
                settings[spec.name] = spec.decode(value)
    settings.update(given)
    bound = zip(step.ports, step.inputs, strict=False)
    known = {port.name: _arriving(binding, guesses) if binding else None for port, binding in bound}
    ports = {port.name: None if (value := known.get(port.name)) is _UNKNOWN else value for port in step.ports}
    for port, fed in zip(step.ports, step.inputs, strict=False):
        # The values are not known, but how many there are.
        if port.spread and fed and ports[port.name] is None:
            ports[port.name] = [None] * _gathered(fed, guesses)
        elif fed and port.type.depth and known[port.name] is _UNKNOWN:
            ports[port.name] = _blanks(fed, port.type.depth, guesses)
    expected = _ask_cost(step, settings, ports)
    outer = _outer(step, guesses)
    value = settings.get(step.type.input, _UNKNOWN) if step.type.input else expected.value
    listed = len(value) if isinstance(value, list) else expected.items
    inner = () if listed is None else (listed,)
    usd = expected.usd * _calls(outer)
    names = step.type.output_names
    # A step that runs once per item gives a list, from which items are missing: it is not closed.
    closed = frozenset() if step.fan_out else {names[name] for name in expected.closed if name in names}
    return Guess(
        usd,
        expected.seconds,
        value,
        outer + inner,
        expected.provider,
        expected.is_price_unknown,
        expected.notices,
        closed,
    )


def _arriving(binding: Binding, guesses: Mapping[int, Guess]) -> t.Any:
    """Return the value that arrives, if it is known and neither fanned out nor gathered."""
    if binding.fan_out or binding.gather or len(binding.sources) != 1:
        return _UNKNOWN
    source: Source = binding.sources[0]
    value = guesses[source.step].value if source.step in guesses else _UNKNOWN
    if value is _UNKNOWN or source.prepare is None:
        return value
    try:
        return source.prepare(value)
    except (ConversionFailed, TypeError, ValueError):
        return _UNKNOWN


def _gathered(binding: Binding, guesses: Mapping[int, Guess]) -> int:
    """Return how many values a spread input gets; a list of unknown length counts as one."""
    count = 0
    for source in binding.sources:
        guess = guesses.get(source.step)
        count += _calls(guess.lengths if guess is not None and source.joins is not False else ())
    return min(count, _MAX_ITEMS)


def _blanks(binding: Binding, depth: int, guesses: Mapping[int, Guess]) -> list[t.Any] | None:
    """Return as many None as a list input gets values, nested as deep as it is; None if that is not known."""
    if len(binding.sources) == 1 and binding.sources[0].joins is not False:
        guess = guesses.get(binding.sources[0].step)
        return _nested(guess.lengths[binding.fan_out :] if guess else (), depth)
    if binding.fan_out or depth > 1:
        return None
    counts = [_count(source, guesses) for source in binding.sources]
    return _nested((sum(count or 0 for count in counts),), 1) if None not in counts else None


def _count(source: Source, guesses: Mapping[int, Guess]) -> int | None:
    """Return how many values an edge adds to a list; None for a list of unknown length."""
    if source.joins is False:
        return 1
    guess = guesses.get(source.step)
    return _calls(guess.lengths) if guess is not None and guess.lengths else None


def _nested(lengths: tuple[int, ...], depth: int) -> list[t.Any] | None:
    if len(lengths) < depth or _calls(lengths[:depth]) > _MAX_ITEMS:
        return None
    return [None if depth == 1 else _nested(lengths[1:], depth - 1) for _ in range(lengths[0])]


def _outer(step: Step, guesses: Mapping[int, Guess]) -> tuple[int, ...]:
    """Return how often the step is called, for each level of lists; 1 where that is unknown."""
    fanned_out = [
        guesses[source.step].lengths[: binding.fan_out]
        for binding in step.bindings()
        for source in binding.sources
        if binding.fan_out
    ]
    longest = max(fanned_out, key=lambda lengths: (len(lengths), _calls(lengths)), default=())
    return longest + (1,) * (step.fan_out - len(longest))


def _calls(lengths: tuple[int, ...]) -> int:
    """Return the product of the lengths of nested lists, at most `_MAX_CALLS`."""
    calls = 1
    for length in lengths:
        calls *= length
        if calls > _MAX_CALLS:
            return 0 if 0 in lengths else _MAX_CALLS
    return calls


def _ask_cost(step: Step, settings: Mapping[str, t.Any], inputs: Mapping[str, t.Any]) -> Expected:
    """Return what the step's cost function expects; nothing without one, or if it fails."""
    if step.type.cost is None:
        return Expected()
    try:
        return _read(step.type.cost(settings, inputs, step.configured))
    except Exception:  # a plugin's function: a run must not fail because of an estimate
        log.warning("The cost function of node type '%s' failed", step.type.id, exc_info=True)
        return Expected()


def _read(answer: t.Any) -> Expected:
    if not isinstance(answer, Mapping):
        return Expected(_amount(answer))
    seconds, items = answer.get("seconds"), answer.get("items")
    return Expected(
        _amount(answer.get("usd")),
        None if seconds is None else _amount(seconds),
        None if items is None else max(0, int(items)),
        str(answer.get("provider") or ""),
        None if answer.get("at_least") is None else _amount(answer["at_least"]),
        "usd" in answer and answer["usd"] is None,
        answer.get("value", _UNKNOWN),
        tuple(_notice(notice) for notice in answer.get("notices") or ()),
        tuple(map(str, answer.get("closed") or ())),
    )


def _notice(notice: Mapping[str, t.Any]) -> Notice:
    settings = notice.get("settings") or {}
    return Notice(**{**notice, "settings": tuple(settings.items())})


def _amount(number: t.Any) -> float:
    """Return a number of dollars or seconds; 0 for a negative or infinite one."""
    found = float(number or 0.0)
    return found if 0.0 <= found < math.inf else 0.0
