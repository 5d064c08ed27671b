"""What a step gave: its outputs as values while they are read, as JSON for good."""

import math
import typing as t
from collections.abc import Collection, Mapping
from dataclasses import fields

import msgspec

from impasto.cache.keys import TYPE_TAG as TAG
from impasto.cache.keys import content_hash
from impasto.cache.keys import short_digest as stand_in
from impasto.errors import BadOutput
from impasto.hashing import canonical_json as dumps
from impasto.hashing import fast_canonical_json as written
from impasto.hashing import has_long_integer as has_long_number
from impasto.hashing import parse_json as loads
from impasto.sdk.node_type import NodeType, OutputPort
from impasto.types import ANY, SKIP, ValueType, from_json, to_json, value_type_of
from impasto.values import MUTABLE as OPEN
from impasto.values import deep_copied as owned
from impasto.values import without_skipped as without_holes

_SMALL: t.Final = 2000
# Of short JSON this makes values in half the time of orjson, and the same ones.
_parsed: t.Final[t.Callable[[t.Any], t.Any]] = msgspec.json.Decoder().decode
PLAIN: t.Final[tuple[t.Any, ...]] = ()
HOLE: t.Final = b'{"$type":"Skip"}'


@t.final
class Outcome:
    """The outputs of a finished step, in the order of its type's ports.

    `blobs` hold each output's JSON (None: closed) and `hashes` what stands for it in a key (nothing, if it is
    closed or has holes); `values` may be let go and are made again from the JSON when somebody asks. PLAIN
    in their place: there is one output, and a JSON parser alone makes it.
    """

    __slots__ = ("blobs", "hashes", "holes", "values")

    def __init__(
        self,
        blobs: tuple[bytes | None, ...],
        values: tuple[t.Any, ...] | None,
        hashes: tuple[bytes, ...],
        holes: bool = False,
    ) -> None:
        self.blobs = blobs
        self.values = values
        self.hashes = hashes
        self.holes = holes

    @classmethod
    def of(
        cls, blobs: tuple[bytes | None, ...], values: tuple[t.Any, ...] | None = None, holes: bool = False
    ) -> "Outcome":
        """The outcome with these outputs, hashed."""
        hashes = tuple([content_hash(blob) if blob is not None and not holes else b"" for blob in blobs])
        return cls(blobs, values, hashes, holes)

    def value(self, port: int, types: Mapping[str, ValueType]) -> t.Any:
        """One output's value, SKIP if it was closed.

        A list or an object is the reader's own, who may change it: it is made of its JSON for each. One
        that had to be parsed before is given to the first; a small one with assets in it is copied, which
        costs less than to read them.
        """
        blob = self.blobs[port]
        values = self.values
        if values is PLAIN:
            return _parsed(blob)
        if blob is None:
            return SKIP
        if not values:
            return loads(blob) if blob.find(TAG) < 0 else from_json(loads(blob), types)
        value = values[port]
        if type(value) in OPEN:
            if len(blob) < _SMALL and blob.find(TAG) >= 0:
                return owned(value)
            self.values = None
        return value

    def without(
        self, places: Collection[int], port: int, types: Mapping[str, ValueType]
    ) -> list[t.Any] | None:
        """One output's list with None at these places; None if it is no list, or has none of them."""
        value = self.value(port, types)
        if not isinstance(value, list) or min(places) >= len(value):
            return None
        return [None if place in places else item for place, item in enumerate(value)]

    def body(self, node_type: NodeType) -> bytes:
        """The open outputs as one JSON object."""
        if node_type.single:
            blob = self.blobs[0]
            return b'{"output":' + blob + b"}" if blob is not None else b"{}"
        ports = zip(node_type.outputs, self.blobs, strict=True)
        parts = [b'"' + port.name.encode() + b'":' + blob for port, blob in ports if blob is not None]
        return b"{" + b",".join(parts) + b"}"

    def shown(self, node_type: NodeType) -> dict[str, t.Any]:
        """The open outputs as JSON data, without holes: as events say them."""
        data: dict[str, t.Any] = {}
        for port, blob in zip(node_type.outputs, self.blobs, strict=True):
            if blob is not None:
                value = loads(blob)
                data[port.name] = _without_hole_marks(value) if self.holes else value
        return data

    def results(self, node_type: NodeType, types: Mapping[str, ValueType]) -> dict[str, t.Any]:
        """The open outputs as values, without holes: as a user of the library sees them."""
        data = {}
        for index, port in enumerate(node_type.outputs):
            if self.blobs[index] is not None:
                value = self.value(index, types)
                data[port.name] = without_holes(value) if self.holes else value
        return data


def closed(ports: int) -> Outcome:
    """The outcome of a step that closed all its outputs."""
    return Outcome((None,) * ports, (SKIP,) * ports, (b"",) * ports)


def _without_hole_marks(value: t.Any) -> t.Any:
    if not isinstance(value, list):
        return value
    return [_without_hole_marks(item) for item in value if item != {"$type": "Skip"}]


def from_body(node_type: NodeType, body: bytes) -> Outcome | None:
    """The outcome that `Outcome.body` wrote; None if it does not fit the node type (any more)."""
    tagged = body.find(TAG) >= 0
    holes = tagged and HOLE in body
    if node_type.single and body.startswith(b'{"output":'):
        blob = body[10:-1]
        hashed = stand_in(blob) if not tagged else content_hash(blob) if not holes else b""
        return Outcome((blob,), None, (hashed,), holes)
    try:
        data = loads(body)
    except ValueError:
        return None
    if not isinstance(data, dict) or not data.keys() <= node_type.output_names.keys():
        return None
    ports = (port.name for port in node_type.outputs)
    return Outcome.of(tuple(dumps(data[name]) if name in data else None for name in ports), None, holes)


def read(node_type: NodeType, returned: t.Any) -> Outcome:
    """What a function returned, held against its annotation; raises BadOutput."""
    if not node_type.single:
        return _read_several(node_type, returned)
    if type(returned) not in node_type.plain:
        returned = _checked(node_type, node_type.outputs[0], returned)
        if returned is SKIP:
            return closed(1)
    try:
        blob = written(returned)
    except (TypeError, ValueError, RecursionError):
        blob = _dumped(node_type, node_type.outputs[0], returned)
    else:
        if type(returned) in _NEVER_DIFFER:
            return Outcome((blob,), (returned,), (stand_in(blob),))
        if blob.find(b"null") < 0 and blob.find(TAG) < 0:
            # Nothing to refuse: whoever reads it parses it.
            return Outcome((blob,), None if has_long_number(blob) else PLAIN, (stand_in(blob),))
    if blob.find(TAG) >= 0 or (kept := loads(blob)) != returned:
        kept = _as_kept(node_type, node_type.outputs[0], returned, blob)
    return Outcome((blob,), (kept,), (content_hash(blob),))


def _read_several(node_type: NodeType, returned: t.Any) -> Outcome:
    ports = node_type.outputs
    if returned is SKIP or not ports:
        return closed(len(ports))
    if not isinstance(returned, tuple) or len(returned) != len(ports):
        names = ", ".join(port.name for port in ports)
        raise BadOutput(
            node_type.id, names, f"a NamedTuple of {len(ports)} was promised, not {_shown(returned)}"
        )
    values = tuple(_checked(node_type, port, value) for port, value in zip(ports, returned, strict=True))
    blobs = tuple(
        None if value is SKIP else _dumped(node_type, port, value)
        for port, value in zip(ports, values, strict=True)
    )
    kept = tuple(
        value if blob is None or type(value) in _NEVER_DIFFER else _as_kept(node_type, port, value, blob)
        for port, value, blob in zip(ports, values, blobs, strict=True)
    )
    return Outcome.of(blobs, kept)


def _checked(node_type: NodeType, port: OutputPort, value: t.Any) -> t.Any:
    if value is SKIP or (value is None and port.optional):
        return SKIP
    depth, base = port.type.depth, port.type.base
    if depth and isinstance(value, tuple):
        value = list(value)
    if not _fits(value, depth, base):
        raise BadOutput(node_type.id, port.name, f"{port.type} was promised, not {_shown(value)}")
    return value


def _fits(value: t.Any, depth: int, base: ValueType) -> bool:
    level = [value]
    for _ in range(depth):
        if not all(isinstance(item, list) for item in level):
            return False
        level = [inner for item in level for inner in item]
    return base is ANY or all(base.holds(item) for item in level)


def _dumped(node_type: NodeType, port: OutputPort, value: t.Any) -> bytes:
    try:
        return dumps(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadOutput(node_type.id, port.name, f"it cannot be written as JSON ({error})") from error


_NEVER_DIFFER: t.Final = frozenset({str, int, bool, type(None)})


def _as_kept(node_type: NodeType, port: OutputPort, value: t.Any, blob: bytes) -> t.Any:
    """The value as its JSON gives it back, so that a fresh result is what a reused one will be.

    A tuple becomes a list, a key text; BadOutput for a number that is not finite, or for what would be
    something else when it is read again.
    """
    tagged = blob.find(TAG) >= 0
    if tagged and HOLE in blob:
        raise BadOutput(node_type.id, port.name, "it holds SKIP, which only a whole output can be")
    types: dict[str, ValueType] = {}
    if b"null" in blob or tagged:
        _look_through(node_type, port, value, types)
    kept = from_json(loads(blob), types) if tagged else loads(blob)
    return value if type(value) not in OPEN and kept == value else kept


def _look_through(node_type: NodeType, port: OutputPort, value: t.Any, types: dict[str, ValueType]) -> None:
    """Note the value types inside, and refuse numbers that are not finite."""
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, float):
            if not math.isfinite(item):
                raise BadOutput(node_type.id, port.name, "it holds a number that is not finite")
        elif isinstance(item, Mapping):
            todo.extend(item.values())
        elif isinstance(item, list | tuple):
            todo.extend(item)
        elif (found := value_type_of(type(item))) is not None and found.cls is not None:
            types[found.name] = found
            todo.extend(getattr(item, field.name) for field in fields(item))


def _shown(value: t.Any) -> str:
    text = repr(to_json(value)) if isinstance(value, str | int | float | list | dict) else repr(value)
    return f"{type(value).__name__} {text[:80]}"
