"""Parse a brief into sentences and parts, and check whether a sentence adds claims to it.

A model of a hundred million weights invents facts: a date, a discount, a second product. Its output is taken
from the brief where possible, and a sentence of the model's own passes only if it claims nothing new.
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
_OF_THE_BRAND = (
    "Tone: ",
    "Never use these words: ",
    "Do: ",
    "Do not: ",
    "Lines in the brand's voice: ",
)
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
"""Words without a claim: any sentence may contain them."""
_NEGATIONS = ("no", "not", "never", "without", "don't", "doesn't", "isn't")


@dataclass(frozen=True, slots=True)
class Brief:
    """The subject of a text, and the brand that it is for."""

    sentences: tuple[str, ...]
    brand: str = ""
    about: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Everything that a text may claim, in one string."""
        return " ".join((*self.sentences, self.brand, *self.about))

    @property
    def parts(self) -> list[str]:
        """The phrases between commas, colons and dashes, in order."""
        cut = [part for sentence in self.sentences for part in _PART.split(sentence.rstrip(".!?… "))]
        return [part for part in (_AND.sub("", part) for part in cut) if part]

    def grounds(self, sentence: str) -> bool:
        """Return whether a sentence adds no thing, number, name or negation to the brief."""
        said = {_stem(word) for word in _WORD.findall(self.words.casefold())}
        plain = sentence.casefold()
        if not set(_NUMBER.findall(sentence)) <= set(_NUMBER.findall(self.words)):
            return False
        if any(pair not in self.words.casefold() for pair in _denied(plain)):
            return False
        claims = [word for word in _WORD.findall(plain) if word not in PLAIN]
        return bool(claims) and all(_stem(word) in said for word in claims)

    def lacks(self, sentence: str) -> bool:
        """Return whether a sentence is not just one of the brief's in other words."""
        own = _stems(sentence)
        return all(len(own & _stems(one)) < 0.5 * len(own | _stems(one)) for one in self.sentences)


def read(prompt: str, system: str = "") -> Brief:
    """Return the brief in a prompt, with the brand named in the system prompt."""
    named = _BRAND.search(system)
    lines = system[named.end() :].splitlines() if named else []
    about = [line for line in lines if line.strip() and not line.startswith(_OF_THE_BRAND)][:1]
    return Brief(
        tuple(map(_whole, sentences_of(_ORDER.sub("", prompt.strip(), count=1)))),
        named[1] if named else "",
        tuple(map(_whole, sentences_of(" ".join(about)))),
    )


def cut_to(text: str, max_characters: int, max_words: int = 99) -> str:
    """Return the text, or the longest beginning of it that ends well within the limits."""
    text = text.strip().rstrip(".,;:… ")
    words = text.split()
    if len(text) <= max_characters and len(words) <= max_words:
        return text
    kept = words[:max_words]
    while kept and len(" ".join(kept)) > max_characters:
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
    """Return every negation with the word after it."""
    neighbours = pairwise([*_WORD.findall(plain), ""])
    return [f"{one} {other}" for one, other in neighbours if one in _NEGATIONS]


def sentences_of(text: str) -> list[str]:
    """Return the text's sentences, each on one line."""
    return [piece for piece in (" ".join(one.split()) for one in _SENTENCE.split(text)) if piece]


def _whole(sentence: str) -> str:
    sentence = sentence.strip(' -–•*"“”')
    sentence = sentence[:1].upper() + sentence[1:]
    return sentence if sentence.endswith((".", "!", "?", "…")) else f"{sentence.rstrip(',;:')}."


def _stem(word: str) -> str:
    """Return the word without its inflection, so that 'roasteries' equals 'roastery'."""
    word = word.split("'", maxsplit=1)[0].split("’", maxsplit=1)[0]
    for ending in ("ies", "ing", "ed", "es", "s", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
