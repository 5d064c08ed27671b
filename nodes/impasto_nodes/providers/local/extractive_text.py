"""Texts extracted from a brief: headlines, lines, hashtags, scenes, calls to action. Nothing is invented."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from impasto_nodes.providers.local.brief import PLAIN, Brief, cut_to

_CALLS = (
    (r"\bhiring\b|\bjobs?\b|\bjoin our team\b|\bvacanc", "Apply today"),
    (r"\bsale\b|\bdiscount|\d\s*%", "Shop the sale"),
    (r"\bepisode\b|\bpodcast\b|\blisten\b|\bradio show\b", "Listen now"),
    (r"\bfoster\b|\badopt|\bdonat|\bvolunteer|\bshelter\b", "See how you can help"),
    (r"\bon us\b|\bfree\b", "Claim yours"),
    (r"\bapp\b|\bsoftware\b|\bsubscri|\bsign up\b", "Try it today"),
    (r"\bvisit|\bopens?\b|\bopening\b|\bevent\b|\bexhibition\b|\bconcert\b", "Plan your visit"),
    (r"\bcourse\b|\bguide\b|\breasons?\b|\bhow to\b|\btips?\b", "Read more"),
    (r"\bnew\b|\blaunch|\bintroducing\b", "Be the first to try it"),
)
_SIGNS = "why than how the a of for and to is with our we you by from that who until off on before its all"
_ENGLISH = frozenset(_SIGNS.split())
_FRAMES = (
    "Wide view: {moment}",
    "Close-up: {detail}",
    "{moment}, seen from behind",
    "Detail: {detail}",
    "{moment}, in late light",
    "Last frame: {detail}, held still",
)
_HEADLINE = 11
_GAP = re.compile(r"[|\s]*\|[|\s]*")
_OBJECT = re.compile(r"\S+\s+(?:an?|the|your?|our|his|her|its|it|us|them)(?=\s|$)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_DONE = re.compile(r"\b(?:we|you|they|i|he|she|it|who)\s+\S+", re.IGNORECASE)
"""A pronoun with its verb, which is not a thing for a hashtag."""


def line_for(kin: str, brief: Brief, least: int, most: int, said: Sequence[str]) -> str:
    """Return an unused line for a field of `kin`, within the limits; empty if the brief has none."""
    fitting = (cut for cut in _choices(kin, brief, least, most, said) if least <= len(cut) <= most)
    known = {one.casefold() for one in said}
    return next((one for one in fitting if one.casefold() not in known), "")


def text_of(brief: Brief, extra: Sequence[str] = ()) -> list[str]:
    """Return sentences: the brief's, then `extra`, then the brand's."""
    closing = [f"{brief.brand}.", *brief.about] if brief.brand else list(brief.about)
    return [*brief.sentences, *extra, *closing]


def hashtags_of(brief: Brief, most: int) -> list[str]:
    """Return at most `most` hashtags: the brand, the things in the brief, then its single words."""
    things = [_WORD.findall(thing) for thing in _things(brief.parts)]
    of_the_brand = [_WORD.findall(thing) for thing in _things(brief.about)]
    words = [[word] for part in brief.parts for word in _content(_DONE.sub(" ", part))]
    tags: dict[str, str] = {}
    for tag in map(_tag, [_WORD.findall(brief.brand), *things, *words, *of_the_brand]):
        plain = tag.casefold()
        if 4 <= len(tag) <= 30 and not any(plain[1:] in known for known in tags):
            tags[plain] = tag
    heads = (_tag(thing[-1:]) for thing in things)  # 'bakers' of 'two bakers', where there is room
    tags |= {tag.casefold(): tag for tag in heads if len(tag) >= 4}
    return list(tags.values())[:most]


def _things(parts: Iterable[str]) -> list[str]:
    """Return pairs of adjacent words that name a thing: the last two before a function word."""
    found = []
    for part in parts:
        cut = _OBJECT.sub("|", part)  # a word before an article is a verb, not a thing
        runs = _GAP.split(" ".join(word if _counts(word) else "|" for word in cut.split()))
        found += [" ".join(run.split()[-2:]) for run in runs if len(run.split()) > 1]
    return list(dict.fromkeys(found))


def _choices(kin: str, brief: Brief, least: int, most: int, said: Sequence[str]) -> Iterator[str]:
    if kin == "call_to_action":
        yield from _calls(brief, most)
    elif kin in {"headline", "title"}:
        yield from _headlines(brief, most)
    elif kin == "scene":
        yield from _scenes(brief, most)
    else:
        yield from _lines(brief, least, most, said)


def _headlines(brief: Brief, most: int) -> Iterator[str]:
    yield from (one.rstrip(".") for one in brief.sentences if len(one.split()) <= _HEADLINE)
    parts = [part for part in brief.parts if len(part.split()) > 2]
    yield from (_upper(cut_to(part, most, 8)) for part in parts)
    yield from (cut_to(line, most, 8) for line in brief.about)
    yield from (_upper(cut_to(part, most)) for part in brief.parts)


def _lines(brief: Brief, least: int, most: int, said: Sequence[str]) -> Iterator[str]:
    """Yield as many whole sentences as fit from each sentence on, first the rest of a headline's sentence."""
    rest = [part for part in brief.sentences[0].split(": ")[1:] if part] if brief.sentences else []
    if rest and len(rest[-1]) >= least:
        yield _upper(rest[-1])
    every = text_of(brief)
    sentences = [one for one in every if one.rstrip(".") not in said] or every
    for start in range(len(sentences)):
        joined = ""
        for sentence in sentences[start:]:
            if len(joined) + len(sentence) + 1 > most:
                break
            joined = f"{joined} {sentence}".strip()
        yield joined
    yield from (f"{cut_to(sentence, most - 1)}." for sentence in sentences)


def _scenes(brief: Brief, most: int) -> Iterator[str]:
    moments = [piece for part in brief.parts for piece in part.split(" and ") if len(piece.split()) > 2]
    moments = moments or brief.parts or [brief.words]
    details = _things(brief.parts) or moments
    for number, frame in enumerate(_FRAMES * 2):
        moment, detail = (row[number // 2 % len(row)] for row in (moments, details))
        framed = frame.format(moment=_upper(moment) if frame.startswith("{") else moment, detail=detail)
        yield cut_to(framed, most)


def _calls(brief: Brief, most: int) -> Iterator[str]:
    asked = " ".join(brief.sentences).casefold()
    if len(asked.split()) > 4 and len(_ENGLISH & set(asked.split())) < 2:  # another language: its own words
        yield from (_upper(cut_to(part, most)) for part in reversed(brief.parts))
        return
    yield from (call for pattern, call in _CALLS if re.search(pattern, asked))
    yield from ("See it for yourself", "Find out more", "Take a look", "Read more", "Say hello")


def _content(part: str) -> list[str]:
    return [word for word in _WORD.findall(part) if _counts(word)]


def _counts(word: str) -> bool:
    plain = word.casefold().strip("'’\"“”()")
    return len(plain) > 2 and plain not in PLAIN and not plain[:1].isdigit()


def _tag(words: Sequence[str]) -> str:
    plain = unicodedata.normalize("NFKD", "".join(word[:1].upper() + word[1:] for word in words))
    return "#" + "".join(letter for letter in plain if letter.isascii() and letter.isalnum())


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
