"""The fields of tracked values that a run's steps read, by the source of the value."""

from impasto.cache.tracked_inputs import Fields, sources_in
from impasto.compiler.step import Step
from impasto.runtime.run_state import RunState
from impasto.runtime.task import Items, Task
from impasto.tracking import EVERYTHING


class StepReads:
    """Adds to what a step read what the steps before it read: its output depends on that, too.

    A tracked value that says where it comes from stands for that source. What the step that passed it on
    has read of it does not count, only what its receiver reads.
    """

    __slots__ = ("_sources", "_state")

    def __init__(self, state: RunState) -> None:
        self._state = state
        self._sources: dict[tuple[int, int], frozenset[str]] = {}

    def on_step_finished(self, step: Step, work: Task | Items) -> Fields:
        """Note and return what the step and those before it read."""
        if isinstance(work, Items):
            found, covered = dict(work.reads), work.covered or frozenset()
        elif work.tracked is not None:
            found, covered = work.tracked.fields_by_source(), work.tracked.covered
        else:
            found, covered = {}, frozenset()
        for position, binding in enumerate((*step.inputs, *(binding for _, binding in step.dynamic))):
            if binding is not None and position not in covered:
                for source in binding.sources:
                    _merge(found, self._passed_on(source.step, source.port))
        if found:
            self._state.reads[step.index] = found
        return found

    def _passed_on(self, index: int, port: int) -> Fields:
        """Return what a step that reads all of an output depends on."""
        sources = self._sources.get((index, port))
        if sources is None:
            output = self._state.outputs[index]
            value = output.value(port, self._state.plan.value_types) if output is not None else None
            sources = self._sources[index, port] = frozenset(sources_in(value))
        return dict.fromkeys(sources, EVERYTHING) if sources else self._state.reads.get(index, {})


def _merge(found: Fields, more: Fields) -> None:
    for source, fields in more.items():
        found[source] = found.get(source, frozenset()) | fields
