"""Ports for the servers that tests start in processes of their own."""

import random
import socket

# Below the range that systems take the ports of outgoing connections from: no connection of another test
# takes the port before its server listens, or while that restarts.
_FIRST, _END = 11_000, 31_000
# Not the module's generator: a test may seed that alike in two processes.
_random = random.SystemRandom()


def free_port() -> int:
    """Return a port of 127.0.0.1 that no process listens on."""
    while True:
        port = _random.randrange(_FIRST, _END)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
