import os
import resource

import pytest

from impasto import Context, File, FolderStore, Text, execute, node
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


@node
async def large(*, context: Context) -> File:
    return await context.store(os.urandom(3_000_000), "application/octet-stream")


@node
async def small(*, context: Context) -> Text:
    return "kept"


async def test_full_disk_fails_the_step_and_leaves_no_file(tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, hard))
    try:
        store = FolderStore(tmp_path / "assets")
        result = await execute(plan_of([large, small], {"a": "large", "b": "small"}), store=store)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    error = result.steps["a"].error
    assert (error.code, error.message) == (
        "disk_full",
        "There is no room left to keep this. Free some space, then try again.",
    )
    assert result.outputs == {"b.output": "kept"}
    assert list((tmp_path / "assets").iterdir()) == []
