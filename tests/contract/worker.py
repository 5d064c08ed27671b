"""A Celery worker with the sample nodes, configured by environment variables."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.server.barriers import extend_grace
from tests.server.sample_nodes import sample_catalog

from impasto_server.runs import worker

if __name__ == "__main__":
    extend_grace()
    worker.runtime = worker.WorkerRuntime(sample_catalog())
    worker.run("--loglevel", "error")
