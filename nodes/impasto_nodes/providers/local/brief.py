"""A brief read for what it says: its sentences, its parts, and what the brand says of itself.

A model of a hundred million weights makes things up: a date, a discount, a second product. So what it is
asked for is taken from the brief where the brief has it, and a sentence of its own is let through only if
it says nothing that the brief or the brand does not.
"""

import re
from dataclasses import dataclass
from itertools import pairwise

from impasto_nodes.providers.local.stream_filter import whole_words

_SENTENCE = re.compile(r"(?<=[.!?…])\s+|\n+")
_PART = re.compile(r"\s*[:;—–]\s+|,\s+|\s+-\s+")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_AND = re.compile(r"^(?:and|or|und|oder)\s+", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_BRAND = re.compile(r"^You write for (.+)\.$", re.MULTILINE)
_OF_THE_BRAND = ("Tone: ", "Never use these words: ", "Lines in the brand's voice: ")
_ORDER = re.compile(
    r"^(?:please\s+)?(?:create|make|write|generate|design|draft|produce)?\s*"
    r"(?:(?:an?|the|some|me)\s+)*(?:launch\s+)?"
    r"(?:visuals|pictures|images|copy|posts?|ads?|texts?|captions?|scripts?)\s+(?:for|about|on|of)\s+",
    re.IGNORECASE,
)
_PLAIN = """
a about across after all also am an and any are around as at be because been before between but by come
could day do during each even every for from get give go good had has have he her here hers him his home how
i if in instead into is it its just keep know let like little look made make many may me meet more most much
my new now of off on one only or other our out over own place ready see she should so some something still
such take than that the their them then there these they thing this those time to today too until up upon us
use very want was way we well were what when where which while who why will with would you your yours it's
that's you're we're they're let's here's und der die das ein eine aus mit auf ist im ab zu zum zur von
"""
PLAIN = frozenset(_PLAIN.split())
"""Words that claim nothing: a sentence may have them whatever it is about."""
_NEGATIONS = ("no", "not", "never", "without", "don't", "doesn't", "isn't")


@dataclass(frozen=True, slots=True)
class Brief:
    """What is to be written about, and for whom."""

    sentences: tuple[str, ...]
    brand: str = ""
    about: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """All that may be said, in one string."""
        return " ".join((*self.sentences, self.brand, *self.about))

    @property
    def parts(self) -> list[str]:
        """What stands between the commas and colons, in order."""
        cut = [part for sentence in self.sentences for part in _PART.split(sentence.rstrip(".!?… "))]
        return [part for part in (_AND.sub("", part) for part in cut) if part]

    def grounds(self, sentence: str) -> bool:
        """Whether a sentence says nothing but what is said here: no new thing, number, name or 'no'."""
        said = {_stem(word) for word in _WORD.findall(self.words.casefold())}
        plain = sentence.casefold()
        if not set(_NUMBER.findall(sentence)) <= set(_NUMBER.findall(self.words)):
            return False
        if any(pair not in self.words.casefold() for pair in _denied(plain)):
            return False
        claims = [word for word in _WORD.findall(plain) if word not in PLAIN]
        return bool(claims) and all(_stem(word) in said for word in claims)

    def lacks(self, sentence: str) -> bool:
        """Whether a sentence adds something: it is not one of the brief's in other words."""
        own = _stems(sentence)
        return all(len(own & _stems(one)) < 0.5 * len(own | _stems(one)) for one in self.sentences)


def read(prompt: str, system: str = "") -> Brief:
    """The brief in a prompt, and the brand in the words around it."""
    named = _BRAND.search(system)
    lines = system[named.end() :].splitlines() if named else []
    about = [line for line in lines if line.strip() and not line.startswith(_OF_THE_BRAND)][:1]
    return Brief(
        tuple(map(_whole, sentences_of(_ORDER.sub("", prompt.strip(), count=1)))),
        named[1] if named else "",
        tuple(map(_whole, sentences_of(" ".join(about)))),
    )


def cut_to(text: str, longest: int, most_words: int = 99) -> str:
    """The text, or as much of its beginning as reads whole within the limits."""
    text = text.strip().rstrip(".,;:… ")
    words = text.split()
    if len(text) <= longest and len(words) <= most_words:
        return text
    kept = words[:most_words]
    while kept and len(" ".join(kept)) > longest:
        kept.pop()
    for stops in (_RELATIVE, _PREPOSITIONS):
        places = [at for at, word in enumerate(kept) if at > 1 and word.casefold() in stops]
        if places:
            return whole_words(" ".join(kept[: places[0 if stops is _RELATIVE else -1]]))
    return whole_words(" ".join(kept))


_RELATIVE = frozenset({"that", "which", "who", "when", "where", "because", "while"})
_PREP = "on in for to with of before after until from by at and or than über für mit ab im"
_PREPOSITIONS = frozenset(_PREP.split())


def _stems(text: str) -> set[str]:
    return {_stem(word) for word in _WORD.findall(text.casefold()) if word not in PLAIN}


def _denied(plain: str) -> list[str]:
    """Every 'no' with the word that it is said of."""
    neighbours = pairwise([*_WORD.findall(plain), ""])
    return [f"{one} {other}" for one, other in neighbours if one in _NEGATIONS]


def sentences_of(text: str) -> list[str]:
    """Its sentences, each on one line."""
    return [piece for piece in (" ".join(one.split()) for one in _SENTENCE.split(text)) if piece]


def _whole(sentence: str) -> str:
    sentence = sentence.strip(' -–•*"“”')
    sentence = sentence[:1].upper() + sentence[1:]
    return sentence if sentence.endswith((".", "!", "?", "…")) else f"{sentence.rstrip(',;:')}."


def _stem(word: str) -> str:
    """The word without what grammar added: enough to know 'roasteries' by 'roastery'."""
    word = word.split("'", maxsplit=1)[0].split("’", maxsplit=1)[0]
    for ending in ("ies", "ing", "ed", "es", "s", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
