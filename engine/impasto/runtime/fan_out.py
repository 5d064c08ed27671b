"""Lists that meet single ports: one call an item, zipped, and the results put back in the same shape."""

import typing as t

from impasto.errors import NodeError
from impasto.runtime.step_output import HOLE, Outcome
from impasto.types import SKIP

Path = tuple[int, ...]


class Lane(t.NamedTuple):
    """One port's value and the levels over which it is still to be taken apart."""

    name: str
    value: t.Any
    levels: int


def spread(lanes: list[Lane], depth: int) -> tuple[t.Any, list[tuple[Path, list[t.Any]]]]:
    """The shape of the result, and each item's path with its values in the order of the lanes.

    The shape is nested lists whose leaves are None. Lists of one level are zipped; what is not a list
    there is repeated; a hole stands for itself.
    """
    return _level(lanes, depth, ())


def _level(lanes: list[Lane], depth: int, path: Path) -> tuple[t.Any, list[tuple[Path, list[t.Any]]]]:
    taken = [lane for lane in lanes if lane.levels and lane.value is not SKIP]
    if not depth or not taken:
        return None, [(path, [lane.value for lane in lanes])]
    shape, items = [], []
    for index in range(_length(taken)):
        inner = [
            lane._replace(value=lane.value[index], levels=lane.levels - 1)
            if lane.levels and lane.value is not SKIP
            else lane
            for lane in lanes
        ]
        part, found = _level(inner, depth - 1, (*path, index))
        shape.append(part)
        items.extend(found)
    return shape, items


def _length(lanes: list[Lane]) -> int:
    first = lanes[0]
    for lane in lanes[1:]:
        if len(lane.value) != len(first.value):
            sentence = (
                f"The lists for '{first.name}' and '{lane.name}' do not have the same length "
                f"({len(first.value)} and {len(lane.value)}), so their items cannot be paired."
            )
            raise NodeError(sentence, code="length_mismatch")
    return len(first.value)


def assemble(shape: t.Any, outcomes: t.Mapping[Path, Outcome], ports: int) -> Outcome:
    """The outcome of the whole step from those of its items."""
    found = [_port(shape, outcomes, port) for port in range(ports)]
    blobs = tuple(None if value is SKIP else blob for blob, value, _ in found)
    holes = any(hole for _, _, hole in found)
    if any(not outcome.values for outcome in outcomes.values()):
        # An item came from a cache or a journal as JSON: the values are read from it when asked for.
        return Outcome.of(blobs, None, holes)
    return Outcome.of(blobs, tuple(value for _, value, _ in found), holes)


def _port(shape: t.Any, outcomes: t.Mapping[Path, Outcome], port: int) -> tuple[bytes, t.Any, bool]:
    """One port's JSON and value, and whether there are holes; a list with nothing but holes is closed."""
    stats = [0, 0]
    blob, value = _fill(shape, (), outcomes, port, stats)
    if stats[0] and stats[0] == stats[1]:
        return HOLE, SKIP, False
    return blob, value, stats[0] > 0


def _fill(
    shape: t.Any, path: Path, outcomes: t.Mapping[Path, Outcome], port: int, stats: list[int]
) -> tuple[bytes, t.Any]:
    if shape is None:
        outcome = outcomes.get(path)
        stats[1] += 1
        if outcome is None or (blob := outcome.blobs[port]) is None:
            stats[0] += 1
            return HOLE, SKIP
        return blob, outcome.values[port] if outcome.values else None
    parts = [_fill(part, (*path, index), outcomes, port, stats) for index, part in enumerate(shape)]
    return b"[" + b",".join(blob for blob, _ in parts) + b"]", [value for _, value in parts]


def failure(errors: dict[Path, NodeError], total: int) -> NodeError:
    """The error of a lifted step, naming the items that failed."""
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
