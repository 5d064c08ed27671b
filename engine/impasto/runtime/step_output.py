"""The outputs of a step: as values while steps read them, and as JSON."""

import math
import typing as t
from collections.abc import Collection, Mapping
from dataclasses import fields

import msgspec

from impasto.cache.keys import TYPE_TAG, content_hash, short_digest
from impasto.encoding import from_json, to_json
from impasto.errors import BadOutput
from impasto.hashing import (
    LONG_INTEGER_DIGITS,
    canonical_json,
    fast_canonical_json,
    has_long_integer,
    parse_json,
)
from impasto.sdk.node_type import NodeType, OutputPort
from impasto.types import SKIP, ValueType, value_type_of
from impasto.values import MUTABLE, deep_copied, fits, without_skipped

_MAX_COPIED_BYTES: t.Final = 2000
# Parses short JSON in half the time of orjson.
_parse_short: t.Final[t.Callable[[t.Any], t.Any]] = msgspec.json.Decoder().decode
PARSE_ON_READ: t.Final[tuple[t.Any, ...]] = ()
SKIPPED_JSON: t.Final = b'{"$type":"Skip"}'


class StepOutput(msgspec.Struct, gc=False, eq=False):
    """The outputs of a finished step, in the order of its node type's ports.

    `blobs` hold each output's JSON (None if the port is closed), `hashes` what represents it in a key (empty
    if it is closed or `has_skipped` items). `values` are None once every reader is done: a later reader
    parses the JSON. PARSE_ON_READ in their place: there is one output, and the JSON parser alone gives it.
    `read_paths` is what the function read of tracked inputs to make it; None if that is not known.

    Runs keep all of their outputs, so the garbage collector does not track them: no value refers back to one.
    """

    blobs: tuple[bytes | None, ...]
    values: tuple[t.Any, ...] | None
    hashes: tuple[bytes, ...]
    has_skipped: bool = False
    read_paths: frozenset[str] | None = None

    @classmethod
    def hashed(
        cls,
        blobs: tuple[bytes | None, ...],
        values: tuple[t.Any, ...] | None = None,
        has_skipped: bool = False,
    ) -> "StepOutput":
        """Return the output with its hashes."""
        hashes = tuple(
            [content_hash(blob) if blob is not None and not has_skipped else b"" for blob in blobs]
        )
        return cls(blobs, values, hashes, has_skipped)

    def value(self, port: int, types: Mapping[str, ValueType]) -> t.Any:
        """Return one port's value, SKIP if it is closed. Each reader gets its own copy of lists and objects.

        The first reader of a value that needed parsing gets it as it is. A small value that refers to assets
        is copied, which costs less than parsing it again.
        """
        blob = self.blobs[port]
        values = self.values
        if values is PARSE_ON_READ:
            return _parse_short(blob)
        if blob is None:
            return SKIP
        if not values:
            return parse_json(blob) if blob.find(TYPE_TAG) == -1 else from_json(parse_json(blob), types)
        value = values[port]
        if type(value) in MUTABLE:
            if len(blob) < _MAX_COPIED_BYTES and blob.find(TYPE_TAG) != -1:
                return deep_copied(value)
            self.values = None
        return value

    def list_without(
        self, positions: Collection[int], port: int, types: Mapping[str, ValueType]
    ) -> list[t.Any] | None:
        """Return one port's list with None at these positions; None if it is no list or has none of them."""
        value = self.value(port, types)
        if not isinstance(value, list) or min(positions) >= len(value):
            return None
        return [None if position in positions else item for position, item in enumerate(value)]

    def to_json(self, node_type: NodeType) -> bytes:
        """Return the open ports as one JSON object."""
        if node_type.single:
            blob = self.blobs[0]
            return b'{"output":' + blob + b"}" if blob is not None else b"{}"
        ports = zip(node_type.outputs, self.blobs, strict=True)
        parts = [b'"' + port.name.encode() + b'":' + blob for port, blob in ports if blob is not None]
        return b"{" + b",".join(parts) + b"}"

    def event_data(self, node_type: NodeType) -> dict[str, t.Any]:
        """Return the open ports as JSON data, without skipped items, for events."""
        data: dict[str, t.Any] = {}
        for port, blob in zip(node_type.outputs, self.blobs, strict=True):
            if blob is not None:
                value = parse_json(blob)
                data[port.name] = _without_skip_marks(value) if self.has_skipped else value
        return data

    def values_by_port(self, node_type: NodeType, types: Mapping[str, ValueType]) -> dict[str, t.Any]:
        """Return the open ports as values, without skipped items, for users of the library."""
        data = {}
        for index, port in enumerate(node_type.outputs):
            if self.blobs[index] is not None:
                value = self.value(index, types)
                data[port.name] = without_skipped(value) if self.has_skipped else value
        return data


def closed_output(ports: int) -> StepOutput:
    """Return the output of a step that closed all its ports."""
    return StepOutput((None,) * ports, (SKIP,) * ports, (b"",) * ports)


def _without_skip_marks(value: t.Any) -> t.Any:
    if not isinstance(value, list):
        return value
    return [_without_skip_marks(item) for item in value if item != {"$type": "Skip"}]


def output_from_json(node_type: NodeType, body: bytes) -> StepOutput | None:
    """Return the output that `StepOutput.to_json` wrote; None if it does not fit the node type (any more)."""
    has_skipped = body.find(SKIPPED_JSON) != -1
    if node_type.single and body.startswith(b'{"output":'):
        return StepOutput.hashed((body[10:-1],), None, has_skipped)
    try:
        data = parse_json(body)
    except ValueError:
        return None
    if not isinstance(data, dict) or not data.keys() <= node_type.output_names.keys():
        return None
    ports = (port.name for port in node_type.outputs)
    blobs = tuple(canonical_json(data[name]) if name in data else None for name in ports)
    return StepOutput.hashed(blobs, None, has_skipped)


def output_from_value(node_type: NodeType, returned: t.Any) -> StepOutput:
    """Return the output for what a function returned; raises BadOutput if it does not fit the annotation."""
    if not node_type.single:
        return _several_ports(node_type, returned)
    if type(returned) not in node_type.plain:
        returned = _checked(node_type, node_type.outputs[0], returned)
        if returned is SKIP:
            return closed_output(1)
    try:
        blob = fast_canonical_json(returned)
    except (TypeError, ValueError, RecursionError):
        blob = _port_json(node_type, node_type.outputs[0], returned)
    else:
        if type(returned) in _SAME_AS_JSON:
            return StepOutput((blob,), (returned,), (short_digest(blob),))
        # `partition` takes half as long as `find`, whose arguments are a tuple.
        if not blob.partition(b"null")[1] and not blob.partition(TYPE_TAG)[1]:
            # No number that is not finite, no value type: its readers parse it.
            is_short = len(blob) < LONG_INTEGER_DIGITS  # most are: a call less for each step
            values = PARSE_ON_READ if is_short or not has_long_integer(blob) else None
            return StepOutput((blob,), values, (short_digest(blob),))
    if blob.find(TYPE_TAG) != -1 or (kept := parse_json(blob)) != returned:
        kept = _as_parsed(node_type, node_type.outputs[0], returned, blob)
    return StepOutput((blob,), (kept,), (content_hash(blob),))


def _several_ports(node_type: NodeType, returned: t.Any) -> StepOutput:
    ports = node_type.outputs
    if returned is SKIP or not ports:
        return closed_output(len(ports))
    if not isinstance(returned, tuple) or len(returned) != len(ports):
        names = ", ".join(port.name for port in ports)
        raise BadOutput(
            node_type.id, names, f"a NamedTuple of {len(ports)} was promised, not {_described(returned)}"
        )
    values = tuple(_checked(node_type, port, value) for port, value in zip(ports, returned, strict=True))
    blobs = tuple(
        None if value is SKIP else _port_json(node_type, port, value)
        for port, value in zip(ports, values, strict=True)
    )
    kept = tuple(
        value if blob is None or type(value) in _SAME_AS_JSON else _as_parsed(node_type, port, value, blob)
        for port, value, blob in zip(ports, values, blobs, strict=True)
    )
    return StepOutput.hashed(blobs, kept)


def _checked(node_type: NodeType, port: OutputPort, value: t.Any) -> t.Any:
    if value is SKIP or (value is None and port.optional):
        return SKIP
    depth, base = port.type.depth, port.type.base
    if depth and isinstance(value, tuple):
        value = list(value)
    if not fits(value, depth, base):
        raise BadOutput(node_type.id, port.name, f"{port.type} was promised, not {_described(value)}")
    return value


def _port_json(node_type: NodeType, port: OutputPort, value: t.Any) -> bytes:
    try:
        return canonical_json(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadOutput(node_type.id, port.name, f"it cannot be written as JSON ({error})") from error


_SAME_AS_JSON: t.Final = frozenset({str, int, bool, type(None)})


def _as_parsed(node_type: NodeType, port: OutputPort, value: t.Any, blob: bytes) -> t.Any:
    """Return the value as its JSON gives it back, so that a fresh result equals a reused one.

    A tuple becomes a list, and object keys become strings. Raises BadOutput for numbers that are not finite
    and for SKIP inside a value.
    """
    is_tagged = blob.find(TYPE_TAG) != -1
    if is_tagged and SKIPPED_JSON in blob:
        raise BadOutput(node_type.id, port.name, "it holds SKIP, which only a whole output can be")
    types: dict[str, ValueType] = {}
    if b"null" in blob or is_tagged:
        _inspect(node_type, port, value, types)
    kept = from_json(parse_json(blob), types) if is_tagged else parse_json(blob)
    return value if type(value) not in MUTABLE and kept == value else kept


def _inspect(node_type: NodeType, port: OutputPort, value: t.Any, types: dict[str, ValueType]) -> None:
    """Add the value types inside the value to `types`; raises BadOutput for numbers that are not finite."""
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
            types[found.id] = found
            todo.extend(getattr(item, field.name) for field in fields(item))


def _described(value: t.Any) -> str:
    text = repr(to_json(value)) if isinstance(value, str | int | float | list | dict) else repr(value)
    return f"{type(value).__name__} {text[:80]}"
