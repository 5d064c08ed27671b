"""The modules of the mutation tester."""

import importlib.util
import sys
from types import SimpleNamespace

import pytest
from tests.tools.mutants.project import TOOL


@pytest.fixture
def tool(monkeypatch):
    """The tool's modules: `main`, `mutation` and `suites`."""
    monkeypatch.syspath_prepend(str(TOOL))
    spec = importlib.util.spec_from_file_location("mutants_main", TOOL / "__main__.py")
    assert spec is not None
    assert spec.loader is not None
    main = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(main)
    import areas
    import mutation
    import reach
    import suites
    import swap

    yield SimpleNamespace(main=main, areas=areas, mutation=mutation, reach=reach, suites=suites, swap=swap)
    for name in ("areas", "cpu_time", "mutation", "reach", "record", "suites", "swap", "warm"):
        sys.modules.pop(name, None)
