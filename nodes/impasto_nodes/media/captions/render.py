"""Timed text: cues as data, SRT and WebVTT read into them."""

from __future__ import annotations

import math
import re

from impasto import NodeError
from impasto_nodes.media.captions.segmentation import Cue

# Digits and spaces are counted, and a tag ends at the next one: both patterns take linear time.
_TIME = re.compile(
    r"(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})\s{0,9}-->\s{0,9}"
    r"(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})"
)
_TAG = re.compile(r"<[^<>]*>|\{\\[^{}]*\}")


def read(source: object) -> list[Cue]:
    """Cues from a list of `{start, end, text}`, an object that holds one, or SRT or WebVTT text."""
    if isinstance(source, str):
        return _from_text(source)
    if isinstance(source, dict):
        source = next((source[key] for key in ("cues", "captions", "segments") if key in source), [])
    if not isinstance(source, list):
        raise _unreadable(type(source).__name__)
    return sorted((_from_data(entry) for entry in source), key=lambda cue: cue.start)


def _unreadable(detail: str) -> NodeError:
    return NodeError(
        "The captions can't be read: start, end and text are needed for each.",
        code="bad_captions",
        detail=detail,
    )


def _from_data(entry: object) -> Cue:
    if not isinstance(entry, dict):
        raise _unreadable(repr(entry)[:200])
    try:
        start, end, text = float(entry["start"]), float(entry["end"]), str(entry["text"])
    except (KeyError, OverflowError, TypeError, ValueError) as error:
        raise _unreadable(repr(error)) from error
    if not 0 <= start < end < math.inf:
        raise _unreadable(f"a cue from {start} to {end}")
    return Cue(start, end, " ".join(text.split()))


def _from_text(text: str) -> list[Cue]:
    cues: list[Cue] = []
    lines: list[str] = []
    times: tuple[float, float] | None = None
    for line in [*text.replace("\ufeff", "").splitlines(), ""]:
        match = _TIME.search(line)
        if match:
            times = (_seconds(match.groups()[:4]), _seconds(match.groups()[4:]))
            lines = []
        elif times and line.strip():
            lines.append(_TAG.sub("", line.strip()))
        elif times:
            cues.append(Cue(*times, " ".join(lines)))
            times = None
    if text.strip() and not cues:
        raise _unreadable("no time line like 00:00:01,000 --> 00:00:02,000")
    return [cue for cue in cues if cue.text and cue.end > cue.start]


def _seconds(parts: tuple[str | None, ...]) -> float:
    hours, minutes, seconds, fraction = (part or "0" for part in parts)
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds) + int(fraction.ljust(3, "0")) / 1000
