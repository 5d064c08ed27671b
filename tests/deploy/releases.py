"""Releases with different tables: the code of this checkout, of a former commit, and of a next release."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
_PACKAGES = ("engine", "nodes", "server", "tests")
_VERSIONS = "server/impasto_server/db/migrations/versions"
_GIT_SECONDS = 30

# What a release adds that uses new tables and columns: each waits for the tables that launches write.
_MIGRATION = '''"""What the next release adds

Revision ID: next
Revises: {newest}
"""

import sqlalchemy as sa
from alembic import op

revision = "next"
down_revision = "{newest}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("runs", sa.Column("mood", sa.Text(), nullable=True))
    op.add_column("runs", sa.Column("rank", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("run_records", sa.Column("weight", sa.Integer(), nullable=False, server_default="1"))
    op.create_index("ix_runs_mood", "runs", ["mood"])
    op.create_table("moods", sa.Column("id", sa.Text(), primary_key=True))


def downgrade() -> None:
    op.drop_table("moods")
    op.drop_index("ix_runs_mood")
    op.drop_column("run_records", "weight")
    op.drop_column("runs", "rank")
    op.drop_column("runs", "mood")
'''


class Release(NamedTuple):
    """A folder with the code of a release, and the newest migration that it has."""

    root: Path
    revision: str


def this_release() -> Release:
    """Return the code of this checkout."""
    return Release(ROOT, _newest(ROOT))


def next_release(folder: Path) -> Release:
    """Write to `folder` the code of this checkout with one migration more."""
    folder.mkdir()
    for package in _PACKAGES:
        if package != "server":
            (folder / package).symlink_to(ROOT / package)
    shutil.copytree(ROOT / "server", folder / "server")  # with the compiled modules
    migration = _MIGRATION.format(newest=_newest(ROOT))
    (folder / _VERSIONS / "9999_next.py").write_text(migration, "utf-8")
    return Release(folder, "next")


def former_commit() -> str | None:
    """Return the commit before the one that added the newest migration; None without the history of both."""
    newest = max((ROOT / _VERSIONS).glob("[0-9]*.py"))
    added = _git("log", "--diff-filter=A", "--format=%H", "-1", "--", str(newest.relative_to(ROOT)))
    return _git("rev-parse", "--verify", "--quiet", f"{added}^") if added else None


def former_release(folder: Path, commit: str) -> Release:
    """Write to `folder` the code of a commit of this repository."""
    folder.mkdir()
    archive = folder / "archive.zip"
    assert _git("archive", "-o", str(archive), commit, *_PACKAGES) is not None
    shutil.unpack_archive(archive, folder)
    archive.unlink()
    return Release(folder, _newest(folder))


def _newest(root: Path) -> str:
    return max((root / _VERSIONS).glob("[0-9]*.py")).name.partition("_")[0]


def _git(*arguments: str) -> str | None:
    """Return what git prints, or None if it fails or is not installed."""
    git = shutil.which("git")
    if git is None:
        return None
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        [git, "-C", ROOT, *arguments],
        capture_output=True,
        text=True,
        timeout=_GIT_SECONDS,
        check=False,
        env=environment,
    )
    return done.stdout.strip() if done.returncode == 0 else None
