"""Workers' handlers that write down their tasks, and answer as the real ones do."""

import json
import os
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.fakes.media import mp4, png

Report = Callable[[float, str], None]


class UnusableModel(Exception):
    """As the worker of captions raises it."""


def _note(task: dict[str, Any]) -> None:
    with Path(os.environ["IMPASTO_TEST_TASKS"]).open("a") as file:
        file.write(json.dumps(task) + "\n")


def render(task: dict[str, Any], report: Report) -> dict[str, Any]:
    """Answer with a small image; the prompt is what no font draws if it begins so."""
    _note(task)
    Path(task["out"]).write_bytes(png(4, 3))
    undrawn = task["prompt"].removeprefix("undrawn ") if task["prompt"].startswith("undrawn ") else ""
    facts = {"style": "riso", "headline": "Cold", "line": "Sip it", "position": task["index"] + 100}
    return {"width": 4, "height": 3, "undrawn": undrawn, **facts}


def render_video(task: dict[str, Any], report: Report) -> dict[str, Any]:
    """Answer with a clip of a second."""
    _note(task)
    report(0.5, "")
    Path(task["out"]).write_bytes(mp4())
    return {}


def transcribe(task: dict[str, Any], report: Report) -> dict[str, Any]:
    """Answer with two words; the language says what goes wrong."""
    _note(task)
    report(0.5, "Listening")
    if task["language"] == "tlh":
        return {"languages": ["de", "en"]}
    if task["language"] == "xx":
        raise UnusableModel("it has no weights")
    if task["language"] == "yy":
        raise ValueError("odd")
    words = [] if task["language"] == "zz" else [(0.5, 0.9, "Cold"), (1.0, 1.4, "brew")]
    return {"words": words, "language": "en"}


def speak(task: dict[str, Any], report: Report) -> dict[str, Any]:
    """Answer with half a second of silence; of no length if there is nothing to say."""
    _note(task)
    with wave.open(task["out"], "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(24_000)
        file.writeframes(bytes(24_000))
    return {"seconds": 0.0 if task["text"] == "-" else 0.5}
