"""Fan-out: a step whose single ports get lists runs once per item, and its outputs become lists."""

import typing as t

import orjson

from impasto.cache.keys import key_digest
from impasto.compiler.step import Step
from impasto.errors import InputUnavailable, NodeError
from impasto.runtime.inputs.resolver import InputClosed, InputResolver, PortInput
from impasto.runtime.recording.event_buffer import EventBuffer
from impasto.runtime.replay import RecoveredRun
from impasto.runtime.run_state import clock
from impasto.runtime.step_output import SKIPPED_JSON, StepOutput
from impasto.runtime.task import Items, Path, Task, TaskRun
from impasto.tracking import EVERYTHING
from impasto.types import SKIP


class FanOut:
    """Makes the tasks of a fanned-out step's items, and collects their results."""

    __slots__ = ("_buffer", "_inputs", "_recovered")

    def __init__(self, inputs: InputResolver, recovered: RecoveredRun, buffer: EventBuffer) -> None:
        self._inputs = inputs
        self._recovered = recovered
        self._buffer = buffer

    def expand(
        self, run: TaskRun, step: Step, inputs: list[PortInput], external_key: bytes
    ) -> tuple[Items, list[Task]]:
        """Return the step's items and the tasks of those that must run.

        Items that finished before the run was resumed, were skipped or cannot be called have no task. Raises
        InputClosed if a required input has no value, NodeError if lists differ in length.
        """
        if all(each.value is SKIP for each in inputs if each.levels):
            self._inputs.check_open(step, [each.value for each in inputs])
        shape, found = spread(inputs, step.fan_out)
        items = Items(shape, len(found), clock())
        tasks = [self._item_task(run, step, items, path, values, external_key) for path, values in found]
        return items, [task for task in tasks if task is not None]

    def _item_task(
        self, run: TaskRun, step: Step, items: Items, path: Path, values: list[t.Any], external_key: bytes
    ) -> Task | None:
        try:
            task = self._inputs.make_task(run, step, values, external_key, path, items)
        except InputClosed:
            items.done += 1
        except Exception as error:  # noqa: BLE001 - a plugin's own type may refuse the value
            items.errors[path] = NodeError.wrap(error)
        else:
            known = self._recovered.item(step, path, task.key)
            if known is None:
                return task
            items.outputs[path] = known
            items.done += 1
            if task.tracked is not None:
                paths = EVERYTHING if known.read_paths is None else known.read_paths
                task.tracked.log.add_all(paths)
            items.add_reads(task.tracked)
        items.left -= 1
        return None

    def on_item_done(self, task: Task, items: Items, output: StepOutput, cached: bool) -> None:
        """Store an item's output, for the step and for a resume."""
        path = task.path or ()
        items.outputs[path] = output
        items.done += 1
        items.cached = items.cached and cached
        for name, amount in (task.units or {}).items():
            items.units[name] = items.units.get(name, 0) + amount
        items.add_reads(task.tracked)
        reads = b',"reads":' + orjson.dumps(sorted(task.tracked.paths)) if task.tracked is not None else b""
        key = key_digest(task.key).hex().encode()
        parts = (key, output.to_json(task.step.type), orjson.dumps(task.cost), reads)
        body = b'{"key":"%s","outputs":%s,"cost_usd":%s%s}' % parts
        self._buffer.record("item", ".".join(map(str, path)), task.step.id, body)
        self._on_item_ended(task, items)

    def on_item_failed(self, task: Task, items: Items, error: NodeError) -> None:
        """Note an item's error; an item whose lazy input was closed is skipped instead."""
        if isinstance(error, InputUnavailable) and error.reason == "closed":
            items.done += 1
        else:
            items.errors[task.path or ()] = error
        self._on_item_ended(task, items)

    def on_item_stopped(self, task: Task, items: Items) -> None:
        """Note that an item ended because the run does."""
        items.stopped = True
        self._on_item_ended(task, items)

    def _on_item_ended(self, task: Task, items: Items) -> None:
        items.left -= 1
        items.cost += task.cost
        items.made_by = task.made_by or items.made_by
        if items.left and not items.stopped:
            message = f"{items.done} of {items.total}"
            self._buffer.emit(
                "step.progress", task.step.id, {"fraction": items.done / items.total, "message": message}
            )


def spread(inputs: list[PortInput], depth: int) -> tuple[t.Any, list[tuple[Path, list[t.Any]]]]:
    """Return the shape of the result, and each item's path with its values in the order of the inputs.

    The shape is nested lists, at most `depth` levels deep, whose leaves are None. Lists of one level are
    zipped, single values repeated. A skipped item (a hole) stays skipped. Where every list is closed, the
    step is called once, as for lists of one item. Raises NodeError if lists differ in length.
    """
    return _level(inputs, depth, ())


def _level(inputs: list[PortInput], depth: int, path: Path) -> tuple[t.Any, list[tuple[Path, list[t.Any]]]]:
    taken = [each for each in inputs if each.levels and each.value is not SKIP]
    if not taken:
        return None, [((*path, *[0] * depth), [each.value for each in inputs])]
    shape, items = [], []
    for index in range(_length(taken)):
        inner = [
            each._replace(value=each.value[index], levels=each.levels - 1)
            if each.levels and each.value is not SKIP
            else each
            for each in inputs
        ]
        part, found = _level(inner, depth - 1, (*path, index))
        shape.append(part)
        items.extend(found)
    return shape, items


def _length(inputs: list[PortInput]) -> int:
    first = inputs[0]
    for each in inputs[1:]:
        if len(each.value) != len(first.value):
            sentence = (
                f"The lists for '{first.name}' and '{each.name}' do not have the same length "
                f"({len(first.value)} and {len(each.value)}), so their items cannot be paired."
            )
            raise NodeError(sentence, code="length_mismatch")
    return len(first.value)


def assemble(shape: t.Any, depth: int, outputs: t.Mapping[Path, StepOutput], ports: int) -> StepOutput:
    """Return the output of the whole step, which fans out over `depth` levels, from those of its items."""
    found = [_port(shape, depth, outputs, port) for port in range(ports)]
    blobs = tuple(None if value is SKIP else blob for blob, value, _ in found)
    holes = any(hole for _, _, hole in found)
    if any(not output.values for output in outputs.values()):
        # An item came from a cache or a journal as JSON, which is parsed when the value is first read.
        return StepOutput.hashed(blobs, None, holes)
    return StepOutput.hashed(blobs, tuple(value for _, value, _ in found), holes)


def _port(
    shape: t.Any, depth: int, outputs: t.Mapping[Path, StepOutput], port: int
) -> tuple[bytes, t.Any, bool]:
    """Return one port's JSON and value, and whether it has holes; a list of nothing but holes is closed."""
    holes: list[bool] = []
    blob, value = _fill(shape, depth, (), outputs, port, holes)
    if holes and all(holes):
        return SKIPPED_JSON, SKIP, False
    return blob, value, any(holes)


def _fill(
    shape: t.Any,
    depth: int,
    path: Path,
    outputs: t.Mapping[Path, StepOutput],
    port: int,
    holes: list[bool],
) -> tuple[bytes, t.Any]:
    """Return the JSON and the value at a path; adds to `holes` for each leaf whether it is one."""
    if shape is None:
        output = outputs.get((*path, *[0] * depth))
        blob = output.blobs[port] if output is not None else None
        holes.append(blob is None)
        if output is None or blob is None:
            return SKIPPED_JSON, SKIP
        value = output.values[port] if output.values else None
        for _ in range(depth):
            value = [value]
        return b"[" * depth + blob + b"]" * depth, value
    parts = [_fill(part, depth - 1, (*path, index), outputs, port, holes) for index, part in enumerate(shape)]
    return b"[" + b",".join(blob for blob, _ in parts) + b"]", [value for _, value in parts]


def items_error(errors: dict[Path, NodeError], total: int) -> NodeError:
    """Return the error of a fanned-out step, naming the items that failed."""
    paths = sorted(errors)
    first = errors[paths[0]]
    named = ", ".join(".".join(str(index + 1) for index in path) for path in paths[:10])
    more = f" and {len(paths) - 10} more" if len(paths) > 10 else ""
    what = f"Item {named}" if len(paths) == 1 else f"Items {named}{more}"
    items = [{"index": path[0], "path": list(path), "error": errors[path].to_dict()} for path in paths]
    return NodeError(
        f"{what} of {total} failed: {first.message}",
        code="items_failed",
        detail=first.detail,
        retryable=any(error.retryable for error in errors.values()),
        provider=first.provider,
        items=items,
    )
