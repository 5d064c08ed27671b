"""A step whose sources are settled becomes one unit of work, or many, or is settled itself."""

import time
import typing as t

from impasto.compiler.estimate import step_estimate
from impasto.compiler.step import Step
from impasto.errors import NodeError
from impasto.runtime import inputs
from impasto.runtime.fan_out import Lane, spread
from impasto.runtime.inputs import Broken, Closed
from impasto.runtime.node_services import Services
from impasto.runtime.task import Items, Path, Unit
from impasto.types import SKIP


class Opening(Services):
    """Makes units."""

    __slots__ = ()

    def open(self, step: Step, extra: bytes = b"") -> Unit | None:
        """The step's unit; None if it has none (yet): skipped, failed, or lifted into units of its own."""
        if self.stopping is not None:
            self.skip(step.index, None, self.stopping)
            return None
        if step.feeds is not None and not extra:
            static = self.static_of(step) if self.overrides else step.static
            told = inputs.feed_hashes(static, step.feeds, self.outcomes)
            if told is not None:
                return Unit(self, step, self.keyed(told))
        return self._open_slowly(step, extra)

    def _open_slowly(self, step: Step, extra: bytes) -> Unit | None:
        """For a step with conversions, lists, lazy inputs, driven settings, or unfinished sources."""
        try:
            inputs.check_sources(step, self.outcomes)
            lanes = inputs.lanes(self, step)
            if step.lift:
                self._lift(step, lanes, extra)
                return None
            values = [lane.value for lane in lanes]
            inputs.check_closed(self, step, values)
            return self._unit(step, values, extra)
        except Closed as closed:
            self.skip(step.index, closed.because, "closed")
        except Broken as broken:
            self.skip(step.index, self.root_of(broken.source), self.states.reason(broken.source))
        except Exception as error:  # noqa: BLE001 - a plugin's own type may not take what comes
            self.fail(step, NodeError.wrap(error))
        return None

    def _unit(
        self,
        step: Step,
        values: list[t.Any],
        extra: bytes,
        path: Path | None = None,
        items: Items | None = None,
    ) -> Unit:
        settings = inputs.settings_of(self, step, values)
        key = self.keyed(self.static_of(step) + inputs.hashes_of(self, step, values) + extra)
        unit = Unit(self, step, key, path, items)
        inputs.call(self, unit, values, settings)
        unit.ready = True
        return unit

    def _lift(self, step: Step, lanes: list[Lane], extra: bytes) -> None:
        """Make a unit of each item; those that are known from before the run was resumed are not made."""
        if all(lane.value is SKIP for lane in lanes if lane.levels):
            inputs.check_closed(self, step, [lane.value for lane in lanes])
        shape, found = spread(lanes, step.lift)
        items = Items(shape, len(found), time.perf_counter())
        self.lifted[step.index] = items
        units = [
            unit
            for path, values in found
            if (unit := self._item(step, items, path, values, extra)) is not None
        ]
        if units:
            self.ready.extend(units)
        else:
            self.items_done(step, items)

    def _item(self, step: Step, items: Items, path: Path, values: list[t.Any], extra: bytes) -> Unit | None:
        """The unit of one item; None if it needs none."""
        try:
            inputs.check_closed(self, step, values)
            unit = self._unit(step, values, extra, path, items)
        except Closed:
            items.done += 1
        except Exception as error:  # noqa: BLE001 - a plugin's own type may not take what comes
            items.errors[path] = NodeError.wrap(error)
        else:
            known = self.past.item(step, path, unit.key)
            if known is None:
                return unit
            items.outcomes[path] = known
            items.done += 1
        items.left -= 1
        return None

    def prepare(self, unit: Unit) -> None:
        """Give a unit its arguments, now that it will really run."""
        unit.ready = True
        step = unit.step
        values = inputs.feed_values(step.feeds or (), self.outcomes, self.value_types)
        settings = self.settings_of(step) if self.overrides else step.settings
        if step.type.direct:
            unit.args, unit.kwargs = tuple(values), settings
        else:
            inputs.call(self, unit, values, settings)

    def estimate(self, unit: Unit) -> float:
        """The dollars that the unit is expected to cost."""
        if not unit.ready:
            self.prepare(unit)
        names = [port.name for port in unit.step.ports if not port.spread]
        return step_estimate(unit.step, unit.kwargs, dict(zip(names, unit.args, strict=False)))[0]
