"""Timed words gathered into captions that can be read in time, and text laid along a length."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_MAX_CHARACTERS, _MAX_SECONDS, _PAUSE = 42, 5.0, 0.6
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


def cues_along(text: str, seconds: float, spoken: Sequence[tuple[float, float]] = ()) -> tuple[Cue, ...]:
    """Return cues of a known text along a recording: each cue gets time by its number of letters.

    `spoken` are the parts of the recording in which something is heard, if they are known. With as many parts
    as sentences, each sentence is laid along its own.
    """
    if not spoken:
        return _laid(text, 0.0, seconds)
    sentences = _sentences(text)
    parts = _joined(spoken, len(sentences))
    if len(parts) != len(sentences):
        return _laid(text, spoken[0][0], spoken[-1][1])
    pairs = zip(sentences, parts, strict=True)
    return tuple(cue for sentence, (start, end) in pairs for cue in _laid(sentence, start, end))


def _sentences(text: str) -> list[str]:
    """Return the text in runs of pieces that end a sentence."""
    sentences: list[str] = []
    for piece in _pieces(text):
        if sentences and not sentences[-1].endswith(_SENTENCE_END):
            sentences[-1] += f" {piece}"
        else:
            sentences.append(piece)
    return sentences


def _joined(parts: Sequence[tuple[float, float]], count: int) -> list[tuple[float, float]]:
    """Return at most `count` parts: the longest gaps between them stay."""
    gaps = sorted(range(1, len(parts)), key=lambda at: parts[at - 1][1] - parts[at][0])[: count - 1]
    starts = [0, *sorted(gaps)]
    ends = [*(start - 1 for start in starts[1:]), len(parts) - 1]
    return [(parts[start][0], parts[end][1]) for start, end in zip(starts, ends, strict=True)]


def _laid(text: str, start: float, end: float) -> tuple[Cue, ...]:
    pieces, seconds = _pieces(text), end - start
    total = sum(map(_weight, pieces))
    cues: list[Cue] = []
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
        or length > _MAX_CHARACTERS
        or word.end - group[0].start > _MAX_SECONDS
    )


def _pieces(text: str) -> list[str]:
    pieces: list[str] = []
    for clause in _CLAUSE.findall(" ".join(text.split())):
        for word in clause.split():
            full = not pieces or len(pieces[-1]) + 1 + len(word) > _MAX_CHARACTERS
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
