"""The program of a compiler process: answers the requests on its standard input until that closes.

It holds a catalog and nothing else: no database, no secrets of users, no network. Its memory is limited where
the platform can do that, and it ends by itself if a request takes far longer than its parent allows.
"""

import faulthandler
import importlib
import importlib.util
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import orjson

from impasto import Catalog
from impasto.plugins.allow_list import AllowList, RefusedPlugin, use
from impasto.plugins.entry_points import BrokenPlugin
from impasto_server.compiler.frames import read_frame, write_frame
from impasto_server.compiler.limits import FlowLimits
from impasto_server.compiler.operations import Operations

_GRACE_FACTOR = 5  # the parent kills the process after three times the limit at the latest
Operation = Callable[[dict[str, Any], list[bytes]], list[bytes]]


def main() -> None:
    """Answer requests until the parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal, meant for the server
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a plugin prints must not get between the answers
    try:
        (setup,) = read_frame(requests)
        data = orjson.loads(setup)
        operations = Operations(catalog_of(data), FlowLimits(**data["limits"]))
        operations.warm_up()
        _limit_memory(data["memory_bytes"])
        write_frame(answers, [b"ready"])
        while True:
            write_frame(answers, _answer(operations, read_frame(requests), data["seconds"]))
    except (EOFError, BrokenPipeError):
        os._exit(0)  # without waiting for threads of plugins


def _answer(operations: Operations, parts: list[bytes], seconds: float) -> list[bytes]:
    header = orjson.loads(parts[0])
    operation: Operation = getattr(operations, header.pop("operation"))
    # A parent that was killed cannot stop this process.
    faulthandler.dump_traceback_later(_GRACE_FACTOR * seconds, exit=True)
    try:
        return [b"done", *operation(header, parts[1:])]
    except MemoryError:
        return [b"memory"]
    except RecursionError:
        return [b"recursion"]
    except Exception as error:  # noqa: BLE001 - reported to the parent, which raises it
        return [b"failed", f"{type(error).__name__}: {error}".encode(errors="replace")]
    finally:
        faulthandler.cancel_dump_traceback_later()


def catalog_of(data: dict[str, Any]) -> Catalog:
    """Return the catalog that `setup_message` describes, and use its list of admitted plugins."""
    use(AllowList.parse(data["plugins"]))  # before nodes ask for the installed providers
    broken = [BrokenPlugin(**each) for each in data["broken"]]
    refused = [
        RefusedPlugin(**{**each, "node_types": frozenset(each["node_types"])}) for each in data["refused"]
    ]
    catalog = Catalog([_function(*place) for place in data["nodes"]], broken=broken, refused=refused)
    catalog.configured = frozenset(data["configured"])
    return catalog


def _function(module_name: str, name: str, file: str | None) -> Any:
    found: Any = _module(module_name, file)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _module(name: str, file: str | None) -> ModuleType:
    if name != "__main__":
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError:
            if file is None:
                raise
    name = "impasto_main" if name == "__main__" else name
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, str(file))
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"there is no module {name!r}")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _limit_memory(limit: int) -> None:
    """Allow `limit` bytes beyond what the catalog takes; where the platform cannot, do nothing."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        maximum = pages * resource.getpagesize() + limit
        resource.setrlimit(resource.RLIMIT_AS, (maximum, maximum))
