"""A real server process with the sample nodes and those that buy, configured by environment variables."""

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path

import uvicorn

sys.path.insert(0, str(Path(__file__).parents[2]))
from impasto.garbage_collection import gc_paused, skip_final_collection

with gc_paused():
    from tests.chaos.paid_nodes import chaos_catalog
    from tests.server.barriers import extend_grace

    from impasto_server.app import create_app


async def main(on_ready: Callable[[], None]) -> None:
    app = create_app(catalog=chaos_catalog())
    server = uvicorn.Server(uvicorn.Config(app, port=int(os.environ["IMPASTO_PORT"]), log_config=None))
    task = asyncio.create_task(server.serve())
    while not server.started and not task.done():
        await asyncio.sleep(0.01)
    on_ready()
    await task


def serve(on_ready: Callable[[], None]) -> None:
    extend_grace()
    asyncio.run(main(on_ready))


if __name__ == "__main__":
    skip_final_collection()
    serve(lambda: print("ready", flush=True))
