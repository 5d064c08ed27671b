"""What a server or a worker holds while it runs, and gives back at its end."""

import asyncio
import threading
from typing import Any


async def redis_connections(redis: Any) -> set[str]:
    """Return the ids of the connections to Redis."""
    return {client["id"] for client in await redis.client_list()}


def task_names() -> set[str]:
    """Return the names of the tasks of the running event loop that have not ended."""
    return {task.get_name() for task in asyncio.all_tasks()}


def thread_names() -> set[str]:
    """Return the names of the threads, without those that asyncio keeps for calls that block."""
    names = {thread.name for thread in threading.enumerate()}
    return {name for name in names if not name.startswith("asyncio_")}
