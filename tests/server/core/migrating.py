"""A process that migrates the database whose URL is in its environment."""

import asyncio
import os
import signal
from collections.abc import Callable
from typing import Any

from alembic.ddl.impl import DefaultImpl

from impasto_server.db.migrations.runner import migrate


def migrate_database(on_ready: Callable[[], None]) -> None:
    """Migrate. The process kills itself instead of making table or index number LAST_STEP, if that is set."""
    if last := os.environ.get("LAST_STEP"):
        _die_at(int(last))
    asyncio.run(migrate(os.environ["DATABASE"]))


def _die_at(step: int) -> None:
    execute = DefaultImpl._exec

    def counted(self: DefaultImpl, *args: Any, **kwargs: Any) -> Any:
        nonlocal step
        step -= 1
        if not step:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(self, *args, **kwargs)

    DefaultImpl._exec = counted  # type: ignore[method-assign]
