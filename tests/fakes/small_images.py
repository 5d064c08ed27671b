"""The worker process of local images, with a sixteenth of the area: drawing takes most of their time."""

from collections.abc import Callable
from typing import Any

from impasto_nodes.providers.local import image_renderer
from impasto_nodes.providers.local.image_renderer import render as renderer
from impasto_nodes.providers.local.process import WorkerProcess
from impasto_nodes.providers.local.workers import render as worker

small_worker = WorkerProcess("tests.fakes.small_images:render")
_size_of = image_renderer.size_of


def render(task: dict[str, Any], report: Callable[[float, str], None]) -> dict[str, Any]:
    """Take the place of the worker's own function, in the child process."""
    image_renderer.size_of = renderer.size_of = _small_size_of
    return worker.render(task, report)


def _small_size_of(ratio: str) -> tuple[int, int]:
    width, height = _size_of(ratio)
    return width // 4, height // 4
