"""Timed words gathered into captions that can be read in time, and text laid along a length."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

_LONGEST_CHARACTERS, _LONGEST_SECONDS, _PAUSE = 42, 5.0, 0.6
_SENTENCE_END = (".", "!", "?", "…")
_CLAUSE = re.compile(r"[^,;:.!?…]+[,;:.!?…]*\s*")


@dataclass(frozen=True, slots=True)
class Cue:
    """A few words with the time at which they are heard and shown, in seconds."""

    start: float
    end: float
    text: str


@dataclass(frozen=True, slots=True)
class Word:
    """One word and when it is heard, in seconds."""

    start: float
    end: float
    text: str


def cues_from_words(words: Iterable[Word]) -> tuple[Cue, ...]:
    """Cues that break at sentence ends and pauses, and stay short enough to read."""
    groups: list[list[Word]] = []
    for word in words:
        if groups and _belongs(word, groups[-1]):
            groups[-1].append(word)
        else:
            groups.append([word])
    return tuple(Cue(g[0].start, g[-1].end, " ".join(word.text.strip() for word in g)) for g in groups)


def cues_along(text: str, seconds: float) -> tuple[Cue, ...]:
    """A known text laid along a recording: each piece gets its share of the time by its letters."""
    pieces = _pieces(text)
    total = sum(map(_weight, pieces))
    cues, start = [], 0.0
    for piece in pieces:
        end = start + seconds * _weight(piece) / total
        cues.append(Cue(round(start, 3), round(end, 3), piece))
        start = end
    return tuple(cues)


def as_srt(cues: Iterable[Cue]) -> str:
    """The cues as a SubRip file."""
    blocks = [f"{n}\n{_clock(c.start)} --> {_clock(c.end)}\n{c.text}\n" for n, c in enumerate(cues, start=1)]
    return "\n".join(blocks)


def _belongs(word: Word, group: list[Word]) -> bool:
    length = sum(len(one.text) + 1 for one in group) + len(word.text)
    return not (
        group[-1].text.rstrip("\"'”’)").endswith(_SENTENCE_END)
        or word.start - group[-1].end > _PAUSE
        or length > _LONGEST_CHARACTERS
        or word.end - group[0].start > _LONGEST_SECONDS
    )


def _pieces(text: str) -> list[str]:
    pieces: list[str] = []
    for clause in _CLAUSE.findall(" ".join(text.split())):
        for word in clause.split():
            full = not pieces or len(pieces[-1]) + 1 + len(word) > _LONGEST_CHARACTERS
            if full or pieces[-1].endswith(_SENTENCE_END):
                pieces.append(word)
            else:
                pieces[-1] += f" {word}"
    return pieces


def _weight(piece: str) -> int:
    pause = 6 if piece.endswith(_SENTENCE_END) else 3 if piece.endswith((",", ";", ":")) else 0
    return len(piece) + pause


def _clock(seconds: float) -> str:
    whole = round(seconds * 1000)
    hours, rest = divmod(whole, 3_600_000)
    minutes, rest = divmod(rest, 60_000)
    return f"{hours:02}:{minutes:02}:{rest // 1000:02},{rest % 1000:03}"
