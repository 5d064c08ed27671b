"""The lock files agree: installing one after the other changes no package that is installed already."""

import re
from itertools import combinations
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = ["requirements.lock", "requirements-dev.lock", "requirements-docs.lock"]
PIN = re.compile(r"^([a-z0-9._-]+)==(\S+)", re.MULTILINE)


def pins(name: str) -> dict[str, set[str]]:
    """Every package of a lock file with its versions: several where they depend on Python's version."""
    found: dict[str, set[str]] = {}
    for package, version in PIN.findall((ROOT / name).read_text("utf-8")):
        found.setdefault(package, set()).add(version)
    return found


@pytest.mark.parametrize(("first", "second"), list(combinations(LOCKS, 2)))
def test_lock_files_pin_the_same_versions(first: str, second: str) -> None:
    one, other = pins(first), pins(second)
    shared = one.keys() & other.keys()
    assert shared
    assert {name for name in shared if one[name] != other[name]} == set(), "run `make lock`"


@pytest.mark.parametrize("name", LOCKS)
def test_lock_files_name_no_index(name: str) -> None:
    assert not re.search(r"https?://|--index|--extra-index", (ROOT / name).read_text("utf-8"))
