"""One behaviour of running a step a file, over the same shape: a body wrapped in a body.

A body is an async function of a unit of work that gives back what the node's function returned. The life
of a unit, and who has a say in it:

1. its inputs are there: `lifting` makes one unit of each item where lists meet single ports;
2. it is about to start: `reuse` (the key is known already), `budget`, `limits` may hold it back or end it;
3. its body runs: `timeout` around `retry` around the executor, each there only if the type asks for it;
4. it has ended: `limits` and `budget` are told.
"""

import typing as t
from collections.abc import Callable, Coroutine
from functools import lru_cache

from impasto.runtime.executors import inline
from impasto.runtime.policies import retry, timeout
from impasto.sdk.node_type import NodeType

Body = Callable[[t.Any], Coroutine[t.Any, t.Any, t.Any]]


async def _thread(unit: t.Any) -> t.Any:
    return await unit.run.threads.call(unit)


async def _process(unit: t.Any) -> t.Any:
    return await unit.run.processes.call(unit)


_EXECUTORS: dict[str, Body] = {
    "async": inline.call,
    "stream": inline.stream,
    "thread": _thread,
    "process": _process,
}


@lru_cache(maxsize=4096)
def body_for(node_type: NodeType) -> Body | None:
    """The body of a type's units; None where awaiting the function is all there is to do."""
    if node_type.kind == "async" and node_type.timeout is None and not node_type.retries:
        return None
    body = _EXECUTORS[node_type.kind]
    if node_type.retries:
        body = retry.around(body, node_type.retries)
    if node_type.timeout is not None:
        body = timeout.around(body, node_type.timeout)
    return body
