"""Where sentences end, and where the parts between commas, colons and dashes do."""

import re
from itertools import pairwise

from impasto_nodes.providers.local.writing.grammar import words

_ENDING = re.compile(r"(?<=[.!?…؟])\s+|(?<=[。！？।])\s*|\n+")
BULLETS = " -–•*"
"""What may stand before a sentence in a list."""
_QUOTES = (('"', '"'), ("“", "”"), ("„", "“"))
_SEPARATOR = re.compile(
    r"(\s*[:;：；]\s+|(?<!\d)(?<!\d\s)\s*[–—]\s+|\s*[–—]\s+(?!\d)|\s*：\s*|,\s+|،\s*|、|，|\s+-\s+(?!\d))"
)
_COMMAS = {",", "،", "、", "，"}
_NEVER_LAST = words(
    "dr mr mrs ms prof dipl ing hr fr frau sr sra srta dra eng exmo exma mme mlle nr ca bzw ggf evtl inkl "
    "exkl zzgl tel vgl sog geb gest usf vs approx dept est av núm num pág p.ex z.b u.a d.h i.d.r e.g i.e cf "
    "bd डॉ श्री रु प्रो د أ م ص.ب"
)
"""Abbreviations that stand before what they belong to."""
_BEFORE_NUMBERS = words(
    "no st str jan feb mar apr jun jul aug sep sept oct okt nov dec dez set out abr fev ago ene dic fig vol "
    "kap cap art abs seg ter qua qui sex"
)
"""Abbreviations that stand before a number, or are words of their own."""
_SAINTS = words("st sta sto ste")
_BEFORE_ORDINALS = words(
    "der die das den dem des am vom zum zur im beim ab bis seit und oder unser unsere unserem unseren "
    "unserer ihr ihre ein eine einen einem einer jeden jede jedem"
)
_AFTER_ORDINALS = words(
    "januar jänner februar märz april mai juni juli august september oktober november dezember und oder bis "
    "advent stock etage obergeschoss geburtstag jahrestag jubiläum jahrhundert klasse platz tag woche monat"
)


def sentences_of(text: str) -> list[str]:
    """Return the text's sentences, each on one line.

    The dot of an abbreviation, of an initial or of an ordinal number ends none.
    """
    sentences: list[list[str]] = []
    for line in text.split("\n"):
        goes_on = False
        for piece in (" ".join(one.split()) for one in _ENDING.split(line)):
            if not piece:
                continue
            # The last two pieces have the two words before the dot.
            if goes_on and _continues(" ".join(sentences[-1][-2:]), piece):
                sentences[-1].append(piece)
            else:
                sentences.append([piece])
            goes_on = True
    return [" ".join(pieces) for pieces in sentences]


def split_parts(sentence: str) -> list[str]:
    """Return the parts of a sentence between commas, colons and dashes; separators stand between them."""
    return _SEPARATOR.split(sentence)


def unquoted(sentence: str) -> str:
    """Return the sentence without bullets and without quotation marks around all of it.

    A mark that is not closed, or was not opened, goes too: the other one is in another sentence.
    """
    inner = sentence.strip(BULLETS)
    for opening, closing in _QUOTES:
        if inner.startswith(opening) and closing not in inner[1:-1]:
            return inner.removeprefix(opening).removesuffix(closing).strip(BULLETS)
        if inner.endswith(closing) and opening not in inner[:-1]:
            return inner.removesuffix(closing).strip(BULLETS)
    return inner


def clauses_in(pieces: list[str]) -> list[range]:
    """Return where the parts of each clause, between which only commas stand, are in `split_parts`' list."""
    starts = [0, *(at + 1 for at in range(1, len(pieces), 2) if pieces[at].strip() not in _COMMAS)]
    return [range(start, end, 2) for start, end in pairwise([*starts, len(pieces) + 1])]


def _continues(before: str, after: str) -> bool:
    """Return whether the dot at the end of `before` ends no sentence."""
    said = before.rsplit(maxsplit=1)[-1].removesuffix(".")
    if not said or not before.endswith("."):
        return False
    word = said.strip("(\"'„“»«").casefold()
    following = after.split(maxsplit=1)[0].strip(".,;:!?)\"'“”»«").casefold()
    if word.isdigit():
        return len(word) < 3 and _is_ordinal(before, following, after)
    if word in _NEVER_LAST or (len(word) == 1 and word.isalpha()):
        return True
    if word in _SAINTS and after[:1].isupper() and said[:1].isupper():
        return True
    return after[:1].islower() or (after[:1].isdigit() and (word in _BEFORE_NUMBERS or word.endswith("str")))


def _is_ordinal(before: str, following: str, after: str) -> bool:
    said = before.split()
    previous = said[-2].casefold() if len(said) > 1 else ""
    return after[:1].islower() or following in _AFTER_ORDINALS or previous in _BEFORE_ORDINALS
