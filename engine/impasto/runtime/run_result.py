"""What a run came to: the same object while it lasts would be its events."""

import typing as t
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from impasto.errors import NodeError
from impasto.events import Event
from impasto.runtime.scheduler import Scheduler
from impasto.runtime.step_output import Outcome
from impasto.runtime.step_status import WORDS


@dataclass(frozen=True, slots=True)
class StepResult:
    """One step: finished, failed, skipped or cancelled; `items` are a lifted step's finished items."""

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


class Steps(Mapping[str, StepResult]):
    """The steps of a run by id, each made when it is looked at."""

    def __init__(self, run: Scheduler) -> None:
        self._run = run
        self._present = {run.plan.steps[index].id: index for index in run.states.present()}

    def __getitem__(self, step_id: str) -> StepResult:
        run, index = self._run, self._present[step_id]
        states, step = run.states, run.plan.steps[index]
        types = run.plan.value_types
        because, reason = states.skips.get(index, (None, None))
        outcome = run.outcomes[index]
        items = states.items.get(index, {})
        return StepResult(
            step_id,
            WORDS[states.codes[index]],
            index in states.cached,
            states.errors.get(index),
            states.seconds[index],
            states.costs.get(index, 0.0),
            outcome.results(step.type, types) if outcome is not None else {},
            because,
            reason,
            {path: item.results(step.type, types) for path, item in items.items()},
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self._present)

    def __len__(self) -> int:
        return len(self._present)


class Outputs(Mapping[str, t.Any]):
    """The values of all finished ports, under `step.port`, each read when it is looked at."""

    def __init__(self, run: Scheduler, shown: list[tuple[int, int]] | None = None) -> None:
        self._run = run
        self._shown = shown

    def _places(self) -> Iterator[tuple[int, int]]:
        """The finished ports, as the steps stand in the plan."""
        shown = self._shown
        if shown is None:
            steps = self._run.plan.steps
            shown = [(step.index, port) for step in steps for port in range(len(step.type.outputs))]
        return (place for place in shown if self._open(*place))

    def _open(self, index: int, port: int) -> bool:
        outcome = self._run.outcomes[index]
        return outcome is not None and outcome.blobs[port] is not None

    def __getitem__(self, name: str) -> t.Any:
        run = self._run
        step_id, _, port_name = name.rpartition(".")
        index = run.plan.by_id.get(step_id, -1)
        port = run.plan.steps[index].type.output_names.get(port_name, -1) if index >= 0 else -1
        hidden = self._shown is not None and (index, port) not in self._shown
        if port < 0 or hidden or not self._open(index, port):
            raise KeyError(name)
        outcome = t.cast("Outcome", run.outcomes[index])
        return outcome.results(run.plan.steps[index].type, run.plan.value_types)[port_name]

    def __iter__(self) -> Iterator[str]:
        steps = self._run.plan.steps
        return (f"{steps[i].id}.{steps[i].type.outputs[port].name}" for i, port in self._places())

    def __len__(self) -> int:
        return sum(1 for _ in self._places())

    def __repr__(self) -> str:
        return repr(dict(self))


class RunResult:
    """A run that has ended: `status` is finished, failed or cancelled."""

    def __init__(self, run: Scheduler) -> None:
        status, error = run.verdict()
        self.run_id = run.run_id
        self.status = status
        self.error = error
        self.cost_usd = run.budget.spent
        self.seconds = run.ended - run.started
        self.events: list[Event] = run.recorder.events
        self._run = run

    @property
    def steps(self) -> Steps:
        """Every step of the run by id."""
        return Steps(self._run)

    @property
    def outputs(self) -> Outputs:
        """The values of all finished ports by `step.port`."""
        return Outputs(self._run)

    @property
    def results(self) -> Outputs:
        """Those that a user of the flow is shown."""
        plan = self._run.plan
        places = [
            (port.step, plan.steps[port.step].type.output_names[port.port]) for port in plan.result_ports
        ]
        return Outputs(self._run, places)

    def __repr__(self) -> str:
        return f"<RunResult {self.run_id} {self.status}>"
