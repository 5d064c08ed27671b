"""The nominative of Russian noun phrases."""

import re

_ADJECTIVE = re.compile(
    r"(?P<stem>\w{2,})(?P<ending>ого|его|ому|ему|ой|ей|ую|юю|ом|ем|ая|яя|ое|ее|ый|ий)$", re.IGNORECASE
)
_POSSESSIVE = re.compile(
    r"(?P<stem>наш|ваш|мо|тво|сво)(?P<ending>ей|его|ему|ем|ём|у|ю|а|я|е|ё|й)?$", re.IGNORECASE
)
_PLURALS = re.compile(r"(?:наши|ваши|мои|свои|\w{3,}(?:ые|ие))$", re.IGNORECASE)
_STRESSED = re.compile(
    r"^(?:больш|городск|морск|мужск|молод|прост|друг|жив|золот|лесн|речн|ручн|цветн|родн|дорог|сух|втор|ночн|зубн|груз+ов|игров|делов|мясн|передов)$"
)
"""Stems whose masculine form ends in -ой."""
_NEW = re.compile(r"(?:^|\w)нов$")
_FEMININE = (
    *(
        [
            "клиник",
            "аптек",
            "стоматологи",
            "пекарн",
            "кофейн",
            "кондитерск",
            "парикмахерск",
            "мастерск",
            "школ",
            "студи",
            "галере",
            "библиотек",
            "лаборатори",
            "компани",
            "фирм",
            "гостиниц",
        ]
    ),
    *(
        [
            "фабрик",
            "сыроварн",
            "пивоварн",
            "винодельн",
            "выставк",
            "ярмарк",
            "ферм",
            "лавк",
            "книг",
            "коллекци",
            "платформ",
            "программ",
            "услуг",
            "лекци",
            "экскурси",
            "прачечн",
            "столов",
            "булочн",
            "закусочн",
        ]
    ),
    *(
        [
            "ламп",
            "сумк",
            "обув",
            "мебел",
            "посуд",
            "керамик",
            "косметик",
            "книжк",
            "палатк",
            "мельниц",
            "обжарк",
            "пиццери",
            "чайн",
        ]
    ),
)
_MASCULINE = [
    "салон",
    "магазин",
    "центр",
    "сад",
    "автосервис",
    "сервис",
    "отель",
    "отел",
    "ресторан",
    "бар",
    "клуб",
    "театр",
    "музе",
    "хор",
    "фестивал",
    "концерт",
    "курс",
    "велосипед",
    "шлем",
    "сайт",
    "спектакл",
    "зал",
    "завод",
    "цех",
    "парк",
    "рынк",
    "фонд",
    "журнал",
    "подкаст",
    "канал",
    "кабинет",
    "продукт",
    "напитк",
    "чайник",
    "тур",
    "квест",
    "портал",
    "хостел",
    "дом",
    "домик",
    "кружок",
    "чай",
    "кофе",
    "сыр",
    "хлеб",
    "сервиз",
    "рюкзак",
    "питомник",
    "лагер",
]
_NEUTER = [
    "агентств",
    "ателье",
    "бюро",
    "кафе",
    "издательств",
    "хозяйств",
    "общежити",
    "мероприяти",
    "приложени",
    "открыти",
    "вин",
    "пив",
    "молок",
    "мыл",
    "агентство",
    "кино",
    "производств",
    "сообществ",
    "предприяти",
    "украшени",
]
_FLEETING = {"рынк": "рынок", "напитк": "напиток"}
_SOFT_MASCULINE = {
    "отел": "отель",
    "фестивал": "фестиваль",
    "спектакл": "спектакль",
    "лагер": "лагерь",
    "музе": "музей",
    "чай": "чай",
}
_MAX_ADJECTIVES = 4
_SHORT = 3
_PERSON = re.compile(
    r"(?P<trade>\w{2,}(?:ник|щик|чик|тер|тёр|лог|ист))а(?:\s(?P<name>[А-ЯЁ]\w+(?:ов|ев|ин))а)?(?!\s[А-ЯЁ])(?=[\s,.:]|$)"
)
"""A trade in the genitive, and a name after it."""


def nominative(preposition: str, phrase: str) -> str:
    """Return a Russian phrase in the nominative, "" if its form is not certain."""
    if person := _person(preposition, phrase):
        return person
    accusative = preposition in {"object", "про"}
    words = phrase.split()
    if accusative and _PLURALS.match(words[0]):
        return phrase
    for at, word in enumerate(words[: _MAX_ADJECTIVES + 1]):
        bare = word.rstrip(",.:;")
        is_described = (
            bare == word and word.endswith(("ую", "юю")) and "".join(words[at + 1 : at + 2]).isalpha()
        )
        noun, gender = ("", "") if is_described else _noun(bare, words[:at], accusative=accusative)
        if noun:
            before = [_agreeing(one, gender) for one in words[:at]]
            return " ".join([*before, f"{noun}{word[len(bare) :]}", *words[at + 1 :]]) if all(before) else ""
        if not (_POSSESSIVE.match(bare) or _ADJECTIVE.match(bare)):
            return ""
    return ""


def _person(preposition: str, phrase: str) -> str:
    """Return a person by trade and name in the nominative: feminine words have another ending there."""
    found = _PERSON.match(phrase)
    if preposition not in {"для", "genitive"} or found is None:
        return ""
    return f"{found['trade']}{' ' if found['name'] else ''}{found['name'] or ''}{phrase[found.end() :]}"


def _noun(word: str, before: list[str], *, accusative: bool) -> tuple[str, str]:
    """Return the nominative of a noun and its gender; empty strings if the word decides neither."""
    plain = word.casefold()
    for stem in _FEMININE:
        if found := re.search(rf"{_anchored(stem)}(?P<ending>ы|и|е|у|ю|а|я|ь|ой|ую|ая)$", plain):
            return f"{word[: found.start('ending')]}{_feminine_ending(stem, found['ending'])}", "f"
    for stem in _MASCULINE:
        if re.search(rf"{_anchored(stem)}(?:а|я|у|ю|е|ь|й)?$", plain):
            start = plain.rindex(stem)
            base = _FLEETING.get(stem) or _SOFT_MASCULINE.get(stem) or stem
            return f"{word[:start]}{base if start or word[0].islower() else base.capitalize()}", "m"
    for stem in _NEUTER:
        if found := re.search(rf"{_anchored(stem)}(?P<ending>а|я|у|ю|е|и|о)?$", plain):
            return (
                f"{word[: found.start()]}{_neuter(word[found.start() :], stem, found['ending'] or '')}",
                "n",
            )
    return _by_ending(word, before, accusative=accusative)


def _anchored(stem: str) -> str:
    """Return the pattern of a stem; a short one is no end of another word."""
    return rf"(?:^|-|^(?:авто|вело|фото|арт|мини|эко)){stem}" if len(stem) <= _SHORT else stem


def _feminine_ending(stem: str, ending: str) -> str:
    if ending in {"ой", "ую", "ая"}:
        return "ая"
    if stem in {"обув", "мебел"}:
        return "ь"
    soft = stem[-1] in "ие" or stem.endswith(("арн", "ейн", "ельн")) or ending in {"ю", "я"}
    return "я" if soft else "а"


def _neuter(word: str, stem: str, ending: str) -> str:
    base = word[: len(word) - len(ending)] if ending else word
    if stem in {"ателье", "бюро", "кафе", "кино", "агентство"}:
        return word
    return f"{base}{'е' if stem.endswith('и') else 'о'}"


def _by_ending(word: str, before: list[str], *, accusative: bool) -> tuple[str, str]:
    """Return the nominative by endings that only one declension has."""
    if word[:1].isupper() or not before:
        return "", ""
    determiner = before[-1].casefold()
    if accusative:
        if determiner.endswith(("ую", "юю", "шу")) and word.endswith(("у", "ю", "ь")):
            return {"у": word[:-1] + "а", "ю": word[:-1] + "я", "ь": word}[word[-1]], "f"
        if re.search(r"(?:[ыи]й|наш|мой|свой)$", determiner):
            return word, "m"
        return (word, "n") if re.search(r"(?:[ео]е|ше)$", determiner) else ("", "")
    return _from_genitive(word, determiner)


def _from_genitive(word: str, determiner: str) -> tuple[str, str]:
    endings: tuple[tuple[str, str], ...] = ()
    gender = "f" if determiner.endswith(("ой", "ей")) else "n" if determiner.endswith(("ого", "его")) else ""
    if gender == "f":
        endings = (
            *(("ии", "ия"), ("ости", "ость"), ("ки", "ка")),
            *(("ги", "га"), ("хи", "ха"), ("ы", "а")),
        )
    elif gender == "n":
        endings = (("ства", "ство"), ("ния", "ние"), ("тия", "тие"))
    for ending, base in endings:
        if word.endswith(ending):
            return word.removesuffix(ending) + base, gender
    is_masculine = re.search(r"(?:тёр|тер|ор|ент|инг|ион|изм|аж|ов?щик|ник)а$", word)
    return (word[:-1], "m") if gender == "n" and is_masculine else ("", "")


def _agreeing(word: str, gender: str) -> str:
    """Return an adjective or a possessive in the nominative of a gender."""
    if found := _POSSESSIVE.match(word):
        vowel_stem = not found["stem"].casefold().endswith("ш")
        return (
            found["stem"]
            + {
                "m": "й" if vowel_stem else "",
                "f": "я" if vowel_stem else "а",
                "n": "ё" if vowel_stem else "е",
            }[gender]
        )
    found = _ADJECTIVE.match(word)
    if found is None:
        return ""
    stem = found["stem"]
    last = stem[-1].casefold()
    is_soft = (
        found["ending"].casefold() in {"его", "ему", "ей", "юю", "ем", "яя", "ее"} and last not in "жшчщц"
    )
    if gender == "f":
        return stem + ("яя" if is_soft else "ая")
    if gender == "n":
        return stem + ("ее" if is_soft or (last in "жшчщц" and stem.casefold() != "больш") else "ое")
    if _STRESSED.match(stem.casefold()) and not _NEW.search(stem.casefold()):
        return f"{stem}ой"
    return stem + ("ий" if is_soft or last in "гкхжшчщ" else "ый")
