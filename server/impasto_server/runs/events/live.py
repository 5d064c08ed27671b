"""The events of a run in the messages that announce them."""

from collections.abc import Iterable

import msgspec

from impasto import Event
from impasto.journal.protocol import Entry

ENDS = frozenset({"run.finished", "run.failed", "run.cancelled"})
"""The types of the events that end a run."""
_MAX_BYTES = 64_000
_Fields = tuple[int, float, str, str | None, bytes]
_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(list[_Fields])


def pack(records: Iterable[Entry]) -> bytes | None:
    """Return a message with the events among a journal's records; None if there are none.

    It is empty if they are too large for a message: then they are read from the database.
    """
    events = [
        (each.seq, each.time, each.name, each.step, bytes(each.body))
        for each in records
        if each.kind == "event"
    ]
    if not events:
        return None
    return _encoder.encode(events) if sum(len(event[-1]) for event in events) <= _MAX_BYTES else b""


def unpack(run_id: str, message: bytes) -> list[Event] | None:
    """Return the events of a message of `pack`; None if another release has sent it in another form."""
    try:
        fields = _decoder.decode(message)
    except msgspec.DecodeError:
        return None
    return [Event(run_id, seq, time, name, step, None, body) for seq, time, name, step, body in fields]
