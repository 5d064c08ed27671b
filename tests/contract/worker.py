"""A Celery worker with the sample nodes and those that buy, configured by environment variables."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from impasto.garbage_collection import gc_paused, skip_final_collection

with gc_paused():
    from tests.chaos.paid_nodes import chaos_catalog
    from tests.server.barriers import extend_grace

    from impasto_server.runs import worker

if __name__ == "__main__":
    skip_final_collection()
    extend_grace()
    worker.runtime = worker.WorkerRuntime(chaos_catalog())
    worker.run("--loglevel", "error")
