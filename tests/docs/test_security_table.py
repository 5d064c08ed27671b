"""The table of attacks names tests that exist, and every file of tests/security."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operate" / "security.md").read_text("utf-8")
NAMED = set(re.findall(r"`(tests/[\w/]+\.py)`", PAGE))


def test_every_named_test_exists() -> None:
    assert NAMED
    assert not [name for name in NAMED if not (ROOT / name).is_file()]


def test_every_security_test_has_a_row() -> None:
    files = {str(file.relative_to(ROOT)) for file in (ROOT / "tests" / "security").glob("test_*.py")}
    assert not sorted(files - NAMED)
