"""The tracked values among the inputs of one task, and what its function has read of them."""

import typing as t
from collections.abc import Collection, Sequence

from impasto.cache.keys import TYPE_TAG
from impasto.cache.traces import base_key, result_key
from impasto.hashing import canonical_json, digest
from impasto.tracking import EVERYTHING, MAX_PATHS, ReadLog, field_at, replaced, source_of, view_of
from impasto.values import MUTABLE

Fields = dict[str, frozenset[str]]
"""The fields that were read, by the source of the value that they were read of."""

# In the place of a tracked value in a base key. No other value has this JSON: what says Skip is read as SKIP.
_LEFT_OUT: t.Final = {"$type": "Skip", "tracked": True}
_LEFT_OUT_INPUT: t.Final = b"\4"  # before the digest of an input with such places


class TrackedInputs:
    """`base` is the task's key without the tracked values, `log` what was read of them so far.

    `covered` are the positions of the inputs whose tracked values all say where they come from. `own_memos`
    are the keys under which the task has remembered something itself.
    """

    __slots__ = ("_values", "base", "covered", "log", "own_memos")

    def __init__(self, base: bytes, values: list[t.Any], covered: frozenset[int], log: ReadLog) -> None:
        self.base = base
        self._values = values
        self.covered = covered
        self.log = log
        self.own_memos: set[str] = set()

    @property
    def paths(self) -> frozenset[str]:
        """The paths that the function has read."""
        return self.log.paths

    def add_reported(self, paths: object) -> None:
        """Note what a worker process reports as read: EVERYTHING if it names more than the inputs' fields."""
        if not isinstance(paths, frozenset) or len(paths) > MAX_PATHS:
            paths = EVERYTHING
        is_valid = all(isinstance(path, str) and field_at(path, self._values) for path in paths)
        self.log.add_all(paths if is_valid else EVERYTHING)

    def key_of(self, paths: frozenset[str]) -> bytes | None:
        """Return the key of the result that reads these paths; None if there is none."""
        return result_key(self.base, paths, self._values)

    def fields_by_source(self) -> Fields:
        """Return what was read of values that say where they come from."""
        paths = self.paths
        if paths == EVERYTHING:
            return {source: EVERYTHING for value in self._values if (source := source_of(value))}
        found: dict[str, set[str]] = {}
        for value, field in filter(None, (field_at(path, self._values) for path in sorted(paths))):
            found.setdefault(source_of(value), set()).add(field)
        return {source: frozenset(fields) for source, fields in found.items() if source}


def track(
    values: Sequence[t.Any], hashes: Sequence[bytes], before: bytes, after: bytes
) -> tuple[TrackedInputs, list[t.Any]] | None:
    """Return the tracked values among a task's inputs, and the inputs with views in their place.

    `hashes` represent the inputs in the task's key, `before` and `after` are the rest of it. None if no input
    is or holds a tracked value.
    """
    found: list[t.Any] = []
    log = ReadLog()

    def show(value: t.Any) -> t.Any:
        found.append(value)
        return view_of(value, len(found) - 1, log)

    parts, views, covered = list(hashes), [], set()
    for position, value in enumerate(values):
        first = len(found)
        views.append(replaced(value, show) if _may_hold_tracked(value) else value)
        if len(found) > first:
            skeleton = canonical_json(replaced(value, lambda _: _LEFT_OUT))
            parts[position] = _LEFT_OUT_INPUT + digest(skeleton)
            if all(map(source_of, found[first:])):
                covered.add(position)
    if not found:
        return None
    base = base_key(b"".join((before, *parts, after)))
    return TrackedInputs(base, found, frozenset(covered), log), views


def _may_hold_tracked(value: t.Any) -> bool:
    """Return False for what is quickly seen to hold no tracked value, such as a long list of numbers."""
    return type(value) not in MUTABLE or canonical_json(value).find(TYPE_TAG) != -1


def sources_in(value: t.Any) -> Collection[str]:
    """Return the sources of the tracked values inside a value."""
    sources: set[str] = set()
    if not _may_hold_tracked(value):
        return sources

    def note(each: t.Any) -> t.Any:
        sources.add(source_of(each))
        return each

    replaced(value, note)
    return sources - {""}
