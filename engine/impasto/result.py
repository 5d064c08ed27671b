"""What a run came to: the same object while it lasts would be its events."""

import typing as t
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from impasto.errors import NodeError
from impasto.events import Event
from impasto.scheduler import Scheduler
from impasto.states import WORDS


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
        plan, outcomes = run.plan, run.outcomes
        if shown is None:
            shown = [(step.index, port) for step in plan.steps for port in range(len(step.type.outputs))]
        self._places: dict[str, tuple[int, int]] = {}
        for index, port in shown:
            outcome = outcomes[index]
            if outcome is not None and outcome.blobs[port] is not None:
                step = plan.steps[index]
                self._places[f"{step.id}.{step.type.outputs[port].name}"] = (index, port)

    def __getitem__(self, name: str) -> t.Any:
        index, port = self._places[name]
        run = self._run
        step = run.plan.steps[index]
        outcome = run.outcomes[index]
        assert outcome is not None
        return outcome.results(step.type, run.plan.value_types)[step.type.outputs[port].name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

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
