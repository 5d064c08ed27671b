"""Where the body of a step runs: on the loop, in a worker thread, in a worker process.

An executor is an async function of a unit of work that gives back what the node's function returned.
It must let go of the unit at once when it is cancelled, whatever the function does.
"""

import typing as t
from collections.abc import Awaitable, Callable

Executor = Callable[[t.Any], Awaitable[t.Any]]
