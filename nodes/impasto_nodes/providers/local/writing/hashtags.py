"""Hashtags of a brief: its brand, the things in it, and their last or first words."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import dropwhile, pairwise

from impasto_nodes.providers.local.writing.brief import Brief, parts_of, upper_first
from impasto_nodes.providers.local.writing.grammar import Grammar

_MAX_TAG, _MAX_TAG_WORDS = 30, 3
_HEAD_LAST = {"en", "de", "tr", "ko", "fi"}
"""Languages whose hashtags end with the last word of a phrase."""
_MIN_WITH_PARTICLE = 2
"""How many syllables a Korean word has at most if its last one is part of it."""
_WORD = re.compile(r"[^\W_]+(?:[\u0900-\u0903\u093a-\u094f\u0610-\u061a\u064b-\u065f][^\W_]*)*")
_KANJI = re.compile(
    r"(?<![0-9０-９\u3400-\u9fff々])[\u3400-\u9fff々]{2,10}(?=[のをはがにでとへもや、。「」『』\s\u30a0-\u30ff]|$)|[\u30a0-\u30ff]{3,12}|[A-Za-z0-9]{3,}"
)
_CHINESE_NOUN = re.compile(
    r"(?<![\u3400-\u9fff])[\u3400-\u9fff]{2,6}?(?=的|$|[^\u3400-\u9fff])|(?<=的)[\u3400-\u9fff]{2,6}(?![\u3400-\u9fff])"
)


def hashtags_of(brief: Brief, max_tags: int) -> list[str]:
    """Return at most `max_tags` hashtags: the brand, the things in the brief, then its single words."""
    named = (brief.opening, *brief.phrases) if brief.opening else brief.phrases
    subject, *details = named or brief.sentences or ("",)
    things = _things([subject, *(one for one in details if _lists_things(one, brief.grammar))], brief)
    tags: dict[str, str] = {}
    for words in (_WORD.findall(brief.brand), *things):
        tag = _tag(words)
        plain = tag.casefold()[1:]
        if (
            2 < len(tag) <= _MAX_TAG
            and not plain.isdigit()
            and not any(plain in one or one in plain for one in tags)
        ):
            tags[plain] = tag
    singles = (
        _tag([_head(words, brief.grammar)])
        for words in things
        if len(words) > 1 and "_" not in _tag(words) and not _is_name(words, brief.grammar)
    )
    tags |= {tag.casefold()[1:]: tag for tag in singles if 4 < len(tag) <= _MAX_TAG}
    return [tag for tag in tags.values() if brief.allows(tag[1:])][:max_tags]


def _head(words: Sequence[str], grammar: Grammar) -> str:
    """Return the word that the others describe."""
    if grammar.code in _HEAD_LAST:
        return words[-1]
    return words[_described(words, grammar)]


def _described(words: Sequence[str], grammar: Grammar) -> int:
    """Return the place of the first word that describes no other one."""
    if not grammar.modifier:
        return 0
    plain = (at for at, word in enumerate(words) if not re.search(grammar.modifier, word.lower()))
    return next(plain, len(words) - 1)


def _is_name(words: Sequence[str], grammar: Grammar) -> bool:
    """Return whether words are one name, which no tag splits."""
    return not grammar.has_capital_nouns and all(word[:1].isupper() for word in words)


def _things(names: Iterable[str], brief: Brief) -> list[list[str]]:
    """Return runs of words that name a thing, three words at most."""
    grammar, found = brief.grammar, []
    for number, name in enumerate(names):
        if grammar.code == "zh":
            found += [[word] for word in _CHINESE_NOUN.findall(name) if word not in grammar.stop]
            continue
        if not grammar.has_spaces:
            found += [[word] for word in _KANJI.findall(name) if word not in grammar.stop]
            continue
        for part in (_uninflected(_without_relative(one), grammar) for one in parts_of(name)):
            run: list[str] = []
            if number and _describes_only(part, grammar):
                continue
            for word, after in pairwise((*part.split(), "", "")):
                letters = _letters_of(word, grammar)
                is_verb = bool(run) and word.endswith("ing") and not _counts(after, grammar)
                is_verb = is_verb or (grammar.base_form is not None and grammar.states(word))
                is_thing = bool(letters) and _counts(word, grammar) and not is_verb
                if run and (not is_thing or (word[:1].isupper() and run[-1].islower())):
                    found.append(_named(run, grammar))
                    run = []
                run += letters if is_thing else []
                if run and _ends_name(word, grammar):
                    found.append(run[-_MAX_TAG_WORDS:])
                    run = []
    return found


def _describes_only(part: str, grammar: Grammar) -> bool:
    """Return whether a part has words that describe a noun, and no noun."""
    if not grammar.modifier:
        return False
    return all(re.search(grammar.modifier, word.lower()) for word in _WORD.findall(part))


def _uninflected(part: str, grammar: Grammar) -> str:
    """Return a part up to the first word in a case that no hashtag has."""
    words = part.split()
    if grammar.base_form is None:
        return part
    if grammar.cut_endings:
        return " ".join(word for word in words if not re.search(grammar.cut_endings, word))
    end = next((at for at, word in enumerate(words) if at and word.casefold() in grammar.cuts), len(words))
    return " ".join(words[:end])


def _named(run: list[str], grammar: Grammar) -> list[str]:
    """Return the words of a run that name its thing."""
    if grammar.code in _HEAD_LAST:
        return run[-_MAX_TAG_WORDS:]
    if grammar.modifier and (grammar.code != "el" or _described(run, grammar)):
        end = _described(run, grammar) + 1
        return run[max(0, end - _MAX_TAG_WORDS) : end]
    return run[:2]


def _letters_of(word: str, grammar: Grammar) -> list[str]:
    """Return the words in a word as a hashtag writes them: parts around a hyphen together, no particles."""
    if grammar.code == "tr":  # a suffix of a name stands after an apostrophe
        word = re.sub("['’].*", "", word.strip("'’\""))
    if grammar.code == "ko" and len(word) > _MIN_WITH_PARTICLE:
        word = re.sub(r"(?:에서|으로|에|을|를|의)$", "", word)
    letters = _WORD.findall(word)
    if re.fullmatch(r"[^\W\d_]+(?:-[^\W\d_]+)+[,.;:!?]*", word):
        return ["".join(map(upper_first, letters))]
    return letters


def _ends_name(word: str, grammar: Grammar) -> bool:
    """Return whether a suffix shows that the next word begins another name."""
    if grammar.code == "tr":
        return re.search(r"\w['’]\w", word) is not None
    return grammar.code == "ko" and re.search(r"(?:에서|에|의)$", word) is not None


def _lists_things(phrase: str, grammar: Grammar) -> bool:
    """Return whether a detail names things, rather than describing the subject."""
    words = list(dropwhile(lambda word: not _counts(word, grammar), _without_relative(phrase).split()))
    if grammar.code == "de" or not grammar.has_spaces:
        return True
    if grammar.code in {"ar", "hi"}:  # these grammars cannot tell an adjective from a noun
        return False
    joins = {"and", "e", "y", "et", "&", "और", "и", "a", "και", "ja"}
    return bool(words) and all(_counts(word, grammar) or word in joins for word in words)


def _without_relative(part: str) -> str:
    return re.sub(r"\s(?:who|that|which|whose|where|when|que|qui|जो|الذي|التي)\s.*", "", part)


def _counts(word: str, grammar: Grammar) -> bool:
    plain = word.casefold().strip("'’\"“”„()«».,!?…।؟")
    if not plain:
        return False
    if grammar.code == "de" and not word.strip('„“"(')[:1].isupper():
        return False
    if plain.startswith("لل"):  # a preposition and its article in one word
        return False
    return (
        len(plain) > (1 if grammar.code == "ko" else 2)
        and plain not in grammar.stop
        and plain not in grammar.cuts
        and not plain[0].isdigit()
    )


def _is_right_to_left(words: Sequence[str]) -> bool:
    return any(unicodedata.bidirectional(word[0]) in {"R", "AL"} for word in words)


def _tag(words: Sequence[str]) -> str:
    joiner = "_" if _is_right_to_left(words) or any("\u0900" <= word[0] <= "\u097f" for word in words) else ""
    return "#" + joiner.join(upper_first(word) for word in words)
