"""A worker process with the nodes of the load benchmark, configured by environment variables."""

from nodes import catalog

from impasto_server.runs import worker

if __name__ == "__main__":
    worker.runtime = worker.WorkerRuntime(catalog())
    worker.run("--loglevel", "error")
