"""The nominative of Finnish noun phrases."""

import re

_NOUNS = {
    **{
        noun: (noun, noun)
        for noun in [
            "kahvila",
            "leipomo",
            "ravintola",
            "koulu",
            "hotelli",
            "museo",
            "teatteri",
            "kuoro",
            "studio",
            "kampaamo",
            "korjaamo",
            "paja",
            "palvelu",
            "pyörä",
            "kypärä",
            "kurssi",
            "festivaali",
            "näyttely",
            "puutarha",
            "panimo",
            "paahtimo",
            "galleria",
            "myymälä",
            "kylpylä",
            "seura",
            "kerho",
            "leiri",
            "risteily",
            "vuokraamo",
            "kirja",
            "kokoelma",
            "mallisto",
            "juoma",
            "ohjelma",
            "ohjelmisto",
            "tapahtuma",
            "asema",
            "sali",
            "sauna",
            "majoitus",
            "ateljee",
            "neuvola",
            "viinitila",
            "tila",
            "tori",
            "halli",
            "parturi",
            "satama",
            "konditoria",
            "apu",
            "retki",
            "lamppu",
        ]
    },
    "klinikka": ("klinika", "klinikka"),
    "kauppa": ("kaupa", "kauppa"),
    "päiväkoti": ("päiväkodi", "päiväkoti"),
    "koti": ("kodi", "koti"),
    "puoti": ("puodi", "puoti"),
    "apteekki": ("apteeki", "apteekki"),
    "konsertti": ("konserti", "konsertti"),
    "toimisto": ("toimisto", "toimisto"),
    "yritys": ("yritykse", "yritykse"),
    "sovellus": ("sovellukse", "sovellukse"),
    "yhdistys": ("yhdistykse", "yhdistykse"),
    "tuote": ("tuottee", "tuottee"),
    "liike": ("liikkee", "liikkee"),
    "huolto": ("huollo", "huolto"),
    "verstas": ("verstaa", "verstaa"),
    "tehdas": ("tehtaa", "tehtaa"),
    "lehti": ("lehde", "lehte"),
    "hoitola": ("hoitola", "hoitola"),
    "vastaanotto": ("vastaanoto", "vastaanotto"),
    "salonki": ("salongi", "salonki"),
    "teekannu": ("teekannu", "teekannu"),
    "lamppu": ("lampu", "lamppu"),
    "retki": ("retke", "retke"),
    "apu": ("avu", "apu"),
    "majoitus": ("majoitukse", "majoitukse"),
}
"""Nouns by their nominative: the stem of the case and the stem before a possessive suffix."""
_ADJECTIVES = {
    "uude": "uusi",
    "piene": "pieni",
    "suure": "suuri",
    "nuore": "nuori",
    "lämpimä": "lämmin",
    "kaunii": "kaunis",
    "ensimmäise": "ensimmäinen",
}
_CASE = r"(?:lle|st[aä])"
_MAX_ADJECTIVES = 4


def nominative(preposition: str, phrase: str) -> str:
    """Return a Finnish phrase in the nominative, "" if its form is not certain."""
    words = phrase.split()
    if words[1:] and not re.search(_CASE, words[0]) and words[1][:1].isupper():
        name = _name(words[1].rstrip(",.:;"))
        return (
            " ".join([words[0], name + words[1][len(words[1].rstrip(",.:;")) :], *words[2:]]) if name else ""
        )
    kept: list[str] = []
    for at, word in enumerate(words[: _MAX_ADJECTIVES + 1]):
        bare = word.rstrip(",.:;")
        if bare.casefold() in {"meidän", "oma"}:
            kept.append(word)
            continue
        if noun := _noun(bare):
            return " ".join([*kept, f"{noun}{word[len(bare) :]}", *words[at + 1 :]])
        adjective = _adjective(bare)
        if not adjective:
            return ""
        kept.append(adjective)
    return ""


def _noun(word: str) -> str:
    found = re.fullmatch(rf"(?P<stem>.+?){_CASE}(?P<owner>mme|ni|nne)?", word)
    if found is None:
        return ""
    for noun, (stem, owned) in _NOUNS.items():
        if found["stem"].casefold().endswith(stem):
            start = found["stem"][: len(found["stem"]) - len(stem)]
            base = f"{owned}{found['owner']}" if found["owner"] else noun
            return f"{start}{base}" if start else _cased(base, word)
    return ""


def _name(word: str) -> str:
    """Return a name without its case; "" where its consonants may have changed with it."""
    found = re.fullmatch(rf"(.+?){_CASE}", word)
    if found is None:
        return ""
    if found[1].endswith("se"):
        return f"{found[1][:-2]}nen"
    return found[1] if re.search(r"[lnrsmhjv](?<!ll|nn|rr|mm)[aeiouyäö]$", found[1]) else ""


def _adjective(word: str) -> str:
    found = re.fullmatch(rf"(.+?){_CASE}", word)
    if found is None:
        return ""
    stem = found[1].casefold()
    if stem in _ADJECTIVES:
        return _cased(_ADJECTIVES[stem], word)
    if stem.endswith("ise"):
        return f"{found[1][:-3]}inen"
    return found[1] if re.search(r"(?:e[aä]|va|vä|vanha|hyvä|ihana|oma)$", stem) else ""


def _cased(base: str, word: str) -> str:
    return base.capitalize() if word[:1].isupper() else base
