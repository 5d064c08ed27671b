"""Memory of nodes on large images, measured in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

MAX_BYTES_PER_PIXEL = 16
"""Four for the image, four for the result, and what copies and encoders need at their peak: 1.5 GB at 10,000
by 10,000 pixels, with the libraries."""


@pytest.mark.thorough
@pytest.mark.parametrize("child", ["matting_child.py", "masking_child.py"])
def test_a_large_image_needs_few_bytes_a_pixel(tmp_path: Path, child: str) -> None:
    run = subprocess.run(
        [sys.executable, str(Path(__file__).with_name(child)), "3200", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env=os.environ | {"MALLOC_ARENA_MAX": "1"},  # else each thread keeps memory of its own
    )
    assert float(run.stdout.split()[0]) < MAX_BYTES_PER_PIXEL
