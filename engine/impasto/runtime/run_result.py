"""The result of a finished run."""

import typing as t
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from impasto.errors import NodeError
from impasto.events import Event
from impasto.runtime.run_state import RunState
from impasto.runtime.step_output import StepOutput
from impasto.runtime.step_status import STATUS_NAMES


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """One step's `status` is finished, failed, skipped or cancelled.

    `seconds` and `cost_usd` are 0 for a cached result. `because` is the step to blame for a skipped one and
    `reason` why (failed, closed, cancelled, budget). `items` are the finished items of a fanned-out step.
    `reads` are the fields of tracked values that the step and those before it read, by source; "*" is all.
    """

    id: str
    status: str
    cached: bool = False
    error: NodeError | None = None
    seconds: float = 0.0
    cost_usd: float = 0.0
    outputs: dict[str, t.Any] = field(default_factory=dict)
    because: str | None = None
    reason: str | None = None
    items: dict[tuple[int, ...], dict[str, t.Any]] = field(default_factory=dict)
    reads: Mapping[str, frozenset[str]] = field(default_factory=dict)


class Steps(Mapping[str, StepResult]):
    """The steps of a run by id."""

    def __init__(self, state: RunState) -> None:
        self._state = state
        self._present = {state.plan.steps[index].id: index for index in state.statuses.present()}

    def __getitem__(self, step_id: str) -> StepResult:
        state, index = self._state, self._present[step_id]
        statuses, step = state.statuses, state.plan.steps[index]
        types = state.plan.value_types
        because, reason = statuses.skips.get(index, (None, None))
        output = state.outputs[index]
        items = statuses.items.get(index, {})
        return StepResult(
            id=step_id,
            status=STATUS_NAMES[statuses.codes[index]],
            cached=index in statuses.cached,
            error=statuses.errors.get(index),
            seconds=statuses.seconds[index],
            cost_usd=statuses.costs.get(index, 0.0),
            outputs=output.values_by_port(step.type, types) if output is not None else {},
            because=because,
            reason=reason,
            items={path: item.values_by_port(step.type, types) for path, item in items.items()},
            reads=state.reads.get(index, {}),
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self._present)

    def __len__(self) -> int:
        return len(self._present)


class Outputs(Mapping[str, t.Any]):
    """The values of all finished ports, under `step.port`."""

    def __init__(self, state: RunState, shown: list[tuple[int, int]] | None = None) -> None:
        self._state = state
        self._shown = shown

    def _places(self) -> Iterator[tuple[int, int]]:
        """The finished ports, in the order of the plan."""
        shown = self._shown
        if shown is None:
            steps = self._state.plan.steps
            shown = [(step.index, port) for step in steps for port in range(len(step.type.outputs))]
        return (place for place in shown if self._open(*place))

    def _open(self, index: int, port: int) -> bool:
        output = self._state.outputs[index]
        return output is not None and output.blobs[port] is not None

    def _place(self, name: str) -> tuple[int, int] | None:
        """Return the port of a name; outputs of a pinned agent have dots in their own names."""
        plan, cut = self._state.plan, name.rfind(".")
        while cut >= 0:
            index = plan.by_id.get(name[:cut])
            port = plan.steps[index].type.output_names.get(name[cut + 1 :]) if index is not None else None
            if index is not None and port is not None:
                return index, port
            cut = name.rfind(".", 0, cut)
        return None

    def __getitem__(self, name: str) -> t.Any:
        place = self._place(name)
        if place is None or (self._shown is not None and place not in self._shown) or not self._open(*place):
            raise KeyError(name)
        state, (index, port) = self._state, place
        output, found = t.cast("StepOutput", state.outputs[index]), state.plan.steps[index].type
        return output.values_by_port(found, state.plan.value_types)[found.outputs[port].name]

    def __iter__(self) -> Iterator[str]:
        steps = self._state.plan.steps
        return (f"{steps[i].id}.{steps[i].type.outputs[port].name}" for i, port in self._places())

    def __len__(self) -> int:
        return sum(1 for _ in self._places())

    def __repr__(self) -> str:
        return repr(dict(self))


class RunResult:
    """The result of a run: `status` is finished, failed or cancelled, `error` why it failed."""

    def __init__(self, state: RunState, cost_usd: float, events: list[Event]) -> None:
        status, error = state.verdict()
        self.run_id = state.run_id
        self.status = status
        self.error = error
        self.cost_usd = cost_usd
        self.seconds = state.ended - state.started
        self.events = events
        self._state = state

    @property
    def steps(self) -> Steps:
        """Every step of the run by id."""
        return Steps(self._state)

    @property
    def outputs(self) -> Outputs:
        """The values of all finished ports by `step.port`."""
        return Outputs(self._state)

    @property
    def results(self) -> Outputs:
        """The values of the ports that are results of the flow."""
        plan = self._state.plan
        places = [
            (port.step, plan.steps[port.step].type.output_names[port.port]) for port in plan.result_ports
        ]
        return Outputs(self._state, places)

    def __repr__(self) -> str:
        return f"<RunResult {self.run_id} {self.status}>"
