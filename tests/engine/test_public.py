"""The public API: its names, its import time, and the size of modules."""

import subprocess
import sys
from dataclasses import fields, is_dataclass
from importlib import import_module
from inspect import isclass, ismodule
from pathlib import Path
from pkgutil import walk_packages

import impasto
from impasto import ImpastoError, errors
from impasto.sdk.providers import InstalledProviders
from impasto.types import ValueType

LIGHT = "import sys, impasto; print(' '.join(sys.modules))"
HEAVY = {"pydantic", "httpx", "networkx", "rich", "typer", "fastapi", "sqlalchemy", "PIL", "numpy", "litellm"}
HEAVY |= {"tempfile", "shutil"}  # 15 ms, for compression that the library does not use


def test_all_lists_exactly_the_public_names():
    names = {name for name, each in vars(impasto).items() if not name.startswith("_") and not ismodule(each)}
    assert set(impasto.__all__) == names
    assert len(impasto.__all__) == len(names)


def test_every_exception_is_public():
    declared = {
        name for name, each in vars(errors).items() if isclass(each) and issubclass(each, ImpastoError)
    }
    assert declared <= set(impasto.__all__)


def test_former_names_still_work():
    assert impasto.Origin is impasto.Provenance
    assert impasto.Limits(most={"openai": 2}).max_running == impasto.Limits({"openai": 2}).max_running


def test_dataclasses_of_more_than_three_fields_are_keyword_only():
    names = [found.name for found in walk_packages(impasto.__path__, "impasto.")]
    modules = [impasto, *map(import_module, names)]
    classes = {each for module in modules for each in vars(module).values() if isclass(each)}
    long = {each for each in classes if is_dataclass(each) and len(fields(each)) > 3}
    assert {impasto.Provenance, ValueType, InstalledProviders} <= long
    assert [each.__name__ for each in long if not all(field.kw_only for field in fields(each))] == []


def test_importing_the_library_loads_no_heavy_modules():
    ran = subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True, check=True)
    assert not HEAVY & {name.partition(".")[0] for name in ran.stdout.split()}


def test_modules_stay_short():
    long = [
        path.name
        for path in Path(impasto.__file__).parent.rglob("*.py")
        if len(path.read_text().splitlines()) > 400
    ]
    assert long == []
