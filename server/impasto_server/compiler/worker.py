"""The program of a compiler process: loads a catalog and answers requests about documents.

It holds the catalog and nothing else: no database, no secrets of users, no network. Its memory is limited
where the platform can do that, and it ends by itself if a request takes far longer than its parent allows.
"""

import importlib
import importlib.util
import sys
from types import ModuleType
from typing import Any

from impasto import Catalog
from impasto.plugins.allow_list import AllowList, RefusedPlugin, use
from impasto.plugins.entry_points import BrokenPlugin
from impasto_server.compiler.limits import FlowLimits
from impasto_server.compiler.operations import Operations
from impasto_server.compiler.request_loop import answer_requests


def main() -> None:
    """Answer requests until the parent closes the pipe."""
    answer_requests(_operations)


def _operations(data: dict[str, Any]) -> Operations:
    operations = Operations(catalog_of(data), FlowLimits(**data["limits"]))
    operations.warm_up()
    return operations


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
