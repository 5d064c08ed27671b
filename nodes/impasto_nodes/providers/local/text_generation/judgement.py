"""Judges the drafts of local language models of any size; faulty drafts are not shown.

The rules find what small models do to a brief: another language, invented figures, the prompt given back,
parts of a chat template, words about themselves, one sentence over and over.
"""

# ruff: noqa: E501 - the words of a rule stand on one line

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from impasto_nodes.providers.local.notices import LANGUAGE_NAMES
from impasto_nodes.providers.local.text_generation.vocabulary import unknown_share
from impasto_nodes.providers.local.writing.brief import read
from impasto_nodes.providers.local.writing.languages import language_of

_WORD = re.compile(r"[^\W\d_]{4,}")
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
_NUMBERED = re.compile(r"^[ \t]*\d{1,2}[.)]\s", re.MULTILINE)
_LEFTOVERS = re.compile(
    r"<\|?/?(?:im_|end|start|assistant|user|system|s>|think)|\[/?INST\]|```|\{\{|^#{2,}\s", re.MULTILINE
)
_OF_ITSELF = re.compile(
    r"\bas an? (?:AI|language model)\b|\bals (?:KI|Sprachmodell)\b|\bcomo (?:uma?|un) (?:IA|modelo de)\b"
    r"|\b(?:the|this|your) (?:prompt|brief)\b|\brewritten\b|\bI(?:'m sorry| cannot| can't)\b|言語モデル|نموذج لغوي|भाषा मॉडल",
    re.IGNORECASE,
)
_ABOUT_THE_ANSWER = re.compile(
    r"(?:sure|certainly|of course|absolutely|gerne|natürlich|claro|bien sûr|もちろん(?:です)?|بالتأكيد|ज़रूर)[!.,。！]?"
    r"|(?:(?:sure|certainly|gerne|claro|bien sûr)[!,.] )?(?:here(?:'s| is| are)|hier (?:ist|sind)|aqui (?:está|estão)|aquí (?:está|tiene)"
    r"|voici|以下|إليك|यह रहा)\b[^\n]{0,120}[:：]"
    r"|(?:let me know|feel free|i hope)\b.{0,120}",
    re.IGNORECASE,
)
_WANTED = re.compile(rf"\b(?:in|into|auf|em|en)\s+({'|'.join(LANGUAGE_NAMES.values())})\b", re.IGNORECASE)
# Of the different longer words: names and technical terms are not in word lists.
_MAX_UNKNOWN = 0.2
_LONG_TEXT = 40
_MIN_WORDS_OF_LANGUAGE, _MIN_WORDS_TO_REPEAT = 6, 12
_LATIN = frozenset({"en", "de", "pt", "es", "fr", "it", "nl", "pl", "sv", "da", "tr", "fi", "cs", ""})


@dataclass(frozen=True, slots=True)
class Task:
    """The brief and the instructions that a text is judged by."""

    brief: str
    system: str = ""

    @property
    def is_question(self) -> bool:
        """Whether the brief asks something: the answer may say what the brief does not."""
        return self.brief.rstrip().endswith(("?", "？", "؟"))

    @property
    def language(self) -> str:
        """The language that is asked for: the one that the instructions name, else that of the brief."""
        named = _WANTED.findall(f"{self.system}\n{self.brief}")
        if named:
            return next(
                code for code, name in LANGUAGE_NAMES.items() if name.casefold() == named[-1].casefold()
            )
        return language_of(self.brief)


def faults(text: str, task: Task) -> list[str]:
    """Return the faults of a text, as clauses for a log; empty for a usable text."""
    if not _words(text) and not _FIGURE.search(text):
        return ["has no words"]
    return [fault for fault, is_at_fault in _RULES if is_at_fault(text, task)]


def faults_of_data(data: Any, task: Task) -> list[str]:
    """Return the faults of the texts in structured data: as a whole, and of each longer one."""
    texts = [text for text in texts_in(data) if text.strip()]
    found = faults("\n".join(texts), task) if texts else []
    longer = [text for text in texts if len(text) > _LONG_TEXT]
    found += [fault for text in longer for fault in faults(text, task) if fault not in found]
    if len({text.casefold() for text in texts}) < len(texts):
        found.append("says the same twice")
    return found


def is_shown(sentence: str, task: Task) -> bool:
    """Return whether one sentence of a text that began well may be shown: it is a part of the text itself."""
    if _ABOUT_THE_ANSWER.fullmatch(sentence.strip()):
        return False
    return not any(
        is_at_fault(sentence, task)
        for is_at_fault in (_has_leftovers, _is_about_itself, _invents, _has_unknown_words)
    )


def texts_in(data: Any) -> list[str]:
    """Return the texts in structured data, in order."""
    if isinstance(data, dict):
        return [text for value in data.values() for text in texts_in(value)]
    if isinstance(data, list):
        return [text for value in data for text in texts_in(value)]
    return [data] if isinstance(data, str) else []


def _has_unknown_words(text: str, task: Task) -> bool:
    return (
        not task.is_question
        and unknown_share(text, f"{task.brief}\n{task.system}", task.language) > _MAX_UNKNOWN
    )


def _words(text: str) -> list[str]:
    """Return the longer words by their first letters, which inflections keep, and pairs of dense letters."""
    plain = text.casefold()
    words = [word[:5] for word in _WORD.findall(plain) if not _DENSE.search(word)]
    return words + [run[at : at + 2] for run in _DENSE.findall(plain) for at in range(len(run) - 1)]


def _is_off_topic(text: str, task: Task) -> bool:
    """A translation shares few words with its brief: it is not judged."""
    said, asked = set(_words(text)), set(_words(task.brief))
    if not said or not asked or task.is_question or task.language != language_of(task.brief):
        return False
    return len(asked & said) < min(2, len(asked), len(said))


def _repeats_itself(text: str, task: Task) -> bool:
    said = _words(text)
    return len(said) >= _MIN_WORDS_TO_REPEAT and len(set(said)) < 0.45 * len(said)


def _is_banned(text: str, task: Task) -> bool:
    return not read(task.brief, task.system).allows(text)


def _is_unfinished(text: str, task: Task) -> bool:
    return text.rstrip().endswith(("...", "…", ",", ":"))


def _has_leftovers(text: str, task: Task) -> bool:
    return _LEFTOVERS.search(text) is not None


def _is_about_itself(text: str, task: Task) -> bool:
    return _OF_ITSELF.search(text) is not None


def _invents(text: str, task: Task) -> bool:
    """Return whether a text has figures that neither the brief nor the instructions contain."""
    known = _figures(f"{task.brief}\n{task.system}")
    return not task.is_question and not set(_figures(_NUMBERED.sub("", text))) <= set(known)


def _figures(text: str) -> list[str]:
    return [re.sub(r"\D", "", "".join(_plain(each))) for each in _FIGURE.findall(text)]


def _plain(figure: str) -> Iterator[str]:
    """Yield the digits of any script as those of ASCII."""
    for letter in figure:
        yield str(int(letter)) if letter.isdecimal() else letter


def _is_in_another_language(text: str, task: Task) -> bool:
    found, wanted = language_of(text), task.language
    if found == wanted or not wanted:
        return False
    if found in _LATIN and wanted in _LATIN:
        return len(text.split()) >= _MIN_WORDS_OF_LANGUAGE and bool(found)
    return len(_words(text)) > 1


def _gives_back(text: str, task: Task) -> bool:
    plain, asked = (" ".join(each.casefold().split()).rstrip(".!?。") for each in (text, task.brief))
    return bool(asked) and asked in plain and len(plain) < 1.5 * len(asked)


_RULES: tuple[tuple[str, Callable[[str, Task], bool]], ...] = (
    ("has parts of a chat template", _has_leftovers),
    ("is about itself", _is_about_itself),
    ("has figures that are not in the brief", _invents),
    ("is in another language", _is_in_another_language),
    ("has words that do not exist", _has_unknown_words),
    ("is not finished", _is_unfinished),
    ("only repeats the brief", _gives_back),
    ("has a word that the brand bans", _is_banned),
    ("repeats itself", _repeats_itself),
    ("is not about the brief", _is_off_topic),
)
