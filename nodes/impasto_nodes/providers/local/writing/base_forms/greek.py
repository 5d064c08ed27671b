"""The nominative of Greek noun phrases."""

_UNCHANGED = {"το", "τα", "ένα", "μια", "μία", "κάθε"}
_FEMININE = {"τη": "η", "την": "η", "τις": "οι"}
_MASCULINE = {"τον": "ο", "έναν": "ένας"}
_ENDINGS = {"ο": "ος", "ό": "ός", "η": "ης", "ή": "ής", "α": "ας", "ά": "άς"}
_PRONOUNS = {"μας", "μου", "σας"}
_INDECLINABLE = {"πιο", "πολύ"}
_FROM_GENITIVE = {
    "είου": ("το", "είο"),
    "ορίου": ("το", "όριο"),
    "ηρίου": ("το", "ήριο"),
    "κέντρου": ("το", "κέντρο"),
    "θεάτρου": ("το", "θέατρο"),
    "καταστήματος": ("το", "κατάστημα"),
    "φούρνου": ("ο", "φούρνος"),
}
"""Endings after «του», which masculine and neuter words share: those of one gender alone."""
_MAX_WORDS = 5


def nominative(preposition: str, phrase: str) -> str:
    """Return a Greek phrase in the nominative, "" if its form is not certain."""
    words = phrase.split()
    first = words[0].lower()
    if preposition == "της":
        return _from_feminine_genitive(words)
    if preposition == "του":
        return _from_genitive(words)
    if first in _UNCHANGED:
        return phrase
    if first in _FEMININE:
        return " ".join([_FEMININE[first], *words[1:]])
    if first in _MASCULINE:
        return _masculine(_MASCULINE[first], words[1:])
    # Without an article most feminine and neuter words keep their form; -ο may be either gender.
    return (
        phrase
        if words[0].endswith(
            ("η", "ή", "μα", "ι", "ί", "ία", "ια", "εις", "ες", "ήριο", "όριο", "είο", "άδικο")
        )
        else ""
    )


def _masculine(article: str, words: list[str]) -> str:
    kept = [article]
    for at, word in enumerate(words[:_MAX_WORDS]):
        bare = word.rstrip(",.:;")
        if bare.lower() in _PRONOUNS or bare in _INDECLINABLE:
            kept.append(word)
        elif word[:1] == "«" or bare[-1:] not in _ENDINGS:
            return " ".join([*kept, *words[at:]]) if at else ""
        else:
            kept.append(f"{bare[:-1]}{_ENDINGS[bare[-1]]}{word[len(bare) :]}")
            if bare != word or not _is_adjective(bare):
                return " ".join([*kept, *words[at + 1 :]])
    return " ".join([*kept, *words[_MAX_WORDS:]])


def _is_adjective(word: str) -> bool:
    return word.endswith(
        (
            "ικό",
            "νέο",
            "καινούριο",
            "καινούργιο",
            "μικρό",
            "μεγάλο",
            "παλιό",
            "πρώτο",
            "ωραίο",
            "τοπικό",
            "ινο",
        )
    )


def _from_genitive(words: list[str]) -> str:
    bare = words[0].rstrip(",.:;")
    for ending, (article, base) in _FROM_GENITIVE.items():
        if bare.endswith(ending):
            noun = f"{bare.removesuffix(ending)}{base}{words[0][len(bare) :]}"
            return " ".join([article, noun, *words[1:]])
    return ""


def _from_feminine_genitive(words: list[str]) -> str:
    kept = ["η"]
    for at, word in enumerate(words[:_MAX_WORDS]):
        bare = word.rstrip(",.:;")
        if bare.lower() in _PRONOUNS:
            kept.append(word)
        elif bare.endswith("ς") and not word[:1].isupper():
            kept.append(f"{bare[:-1]}{word[len(bare) :]}")
        else:
            return " ".join([*kept, *words[at:]]) if at else ""
    return " ".join([*kept, *words[_MAX_WORDS:]])
