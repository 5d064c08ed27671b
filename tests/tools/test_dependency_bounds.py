"""Dependencies before version 1.0 may break in any release, so `pyproject.toml` bounds them from above."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAME = re.compile(r"[A-Za-z0-9._-]+")
PIN = re.compile(r"^([a-z0-9-]+)(?:\[[^\]]*\])?==(\S+)", re.MULTILINE)


def requirements() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    listed = [*project["dependencies"], *(item for extra in extras for item in extra)]
    return [item for item in listed if not item.startswith("impasto[")]  # an extra that names the others


def pins() -> dict[str, str]:
    locks = sorted(ROOT.glob("requirements*.lock"))
    return {name: version for lock in locks for name, version in PIN.findall(lock.read_text("utf-8"))}


def test_every_dependency_before_1_0_has_an_upper_bound() -> None:
    locked = pins()
    names = {NAME.match(item)[0].lower(): item for item in requirements()}  # type: ignore[index]
    early = [item for name, item in names.items() if locked[name].startswith("0.")]
    assert early
    assert [item for item in early if "<" not in item] == []
