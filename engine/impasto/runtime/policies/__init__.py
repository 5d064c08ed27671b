"""Policies wrap the call of a node's function: one behaviour a module.

A body is a coroutine function of a task and the run's services that returns what the node's function
returned. `body_for` nests `timeout` around `retry` around the executor, each only if the node type asks for
it. `limits` decide before a task starts: `Admission` uses them.
"""

import typing as t
from functools import lru_cache

from impasto.runtime.executors import Body, CallServices, inline
from impasto.runtime.policies import retry, timeout
from impasto.runtime.task import Task
from impasto.sdk.node_type import NodeType


async def _thread(task: Task, services: CallServices) -> t.Any:
    return await services.threads.call(task)


async def _process(task: Task, services: CallServices) -> t.Any:
    return await services.processes.call(task)


_EXECUTORS: dict[str, Body] = {
    "async": inline.call,
    "stream": inline.stream,
    "thread": _thread,
    "process": _process,
}


@lru_cache(maxsize=4096)
def body_for(node_type: NodeType) -> Body | None:
    """Return the body of a node type's tasks; None where it would only await the function."""
    if node_type.kind == "async" and node_type.timeout is None and not node_type.retries:
        return None
    body = _EXECUTORS[node_type.kind]
    if node_type.retries:
        body = retry.with_retries(body, node_type.retries)
    if node_type.timeout is not None:
        body = timeout.with_timeout(body, node_type.timeout)
    return body
