"""Worker process: a GGUF model behind llama.cpp's OpenAI-compatible server, on loopback only."""

import functools
import os
from collections.abc import Callable
from typing import Any


def serve(task: dict[str, Any], report: Callable[[float, str], None]) -> dict[str, Any]:
    """Start the server on first use and return its address. `task`: model (a path), key, threads (0: all)."""
    report(0.0, "Loading the language model")
    server = _server(task["model"], task["key"], task["threads"] or os.cpu_count() or 1)
    return {"address": server.listening_address}


@functools.cache
def _server(model: str, key: str, threads: int) -> Any:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = model
    parameters.hostnames = ["127.0.0.1"]
    parameters.api_keys = [key]
    parameters.ui = False
    parameters.endpoint_slots = False
    parameters.cors_origins = ""
    parameters.n_ctx = 8192
    parameters.n_parallel = 2
    parameters.cache_ram_mib = 64
    parameters.verbosity = 0
    parameters.cpuparams.n_threads = threads
    parameters.cpuparams_batch.n_threads = threads
    return xllamacpp.Server(parameters)
