"""Messages of a worker process arrive in any pieces."""

import struct
from multiprocessing import Pipe

import pytest

from impasto.runtime.executors.messages import MAX_BYTES, MessageReader


@pytest.fixture
def pipe():
    ours, theirs = Pipe()
    with ours, theirs:
        yield MessageReader(ours), theirs


def write(pipe, data):
    import os

    os.write(pipe.fileno(), data)


def test_pieces_are_joined_and_messages_separated(pipe):
    reader, theirs = pipe
    theirs.send_bytes(b"one")
    theirs.send_bytes(b"")
    write(theirs, struct.pack("!i", 4) + b"th")
    assert reader.read() == [b"one", b""]
    write(theirs, b"r")
    assert reader.read() == []
    write(theirs, b"e" + struct.pack("!i", 2))
    assert reader.read() == [b"thre"]
    theirs.close()
    with pytest.raises(EOFError):
        reader.read()


def test_long_header_is_read(pipe):
    reader, theirs = pipe
    write(theirs, struct.pack("!iQ", -1, 3)[:7])
    assert reader.read() == []
    write(theirs, struct.pack("!iQ", -1, 3)[7:] + b"abc")
    assert reader.read() == [b"abc"]


@pytest.mark.parametrize("header", [struct.pack("!i", -2), struct.pack("!iQ", -1, MAX_BYTES + 1)])
def test_impossible_size_is_refused(pipe, header):
    reader, theirs = pipe
    write(theirs, header)
    with pytest.raises(ValueError, match="too large"):
        reader.read()
