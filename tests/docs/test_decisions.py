"""The index of decisions lists every record under its title, in order."""

import re
from pathlib import Path

DECISIONS = Path(__file__).parents[2] / "docs" / "decisions"
ROW = re.compile(r"^\| \[(\d{4})\]\(([^)]+)\) \| (.+) \|$", re.MULTILINE)


def test_index_lists_every_record_with_its_title() -> None:
    rows = ROW.findall((DECISIONS / "README.md").read_text("utf-8"))
    assert [file for _, file, _ in rows] == sorted(page.name for page in DECISIONS.glob("0*.md"))
    for number, file, title in rows:
        heading = (DECISIONS / file).read_text("utf-8").splitlines()[0]
        assert heading == f"# {number}: {title.removesuffix(' (superseded)')}"
