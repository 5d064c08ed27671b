"""The language of a text, by its script, its sequences of letters and its most frequent words."""

# ruff: noqa: E501 - the frequent words of a language stand together

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_OTHER_CODES = {"nb": "no"}
"""What the classifier calls a language."""
_SCRIPTS: tuple[tuple[str, str], ...] = (
    ("ja", "\u3040-\u30ff"),
    ("ko", "\uac00-\ud7af\u1100-\u11ff"),
    ("zh", "\u3400-\u9fff\uf900-\ufaff"),
    ("ar", "\u0600-\u06ff\u0750-\u077f"),
    ("hi", "\u0900-\u097f"),
    ("he", "\u0590-\u05ff"),
    ("th", "\u0e00-\u0e7f"),
    ("ru", "\u0400-\u04ff"),
    ("el", "\u0370-\u03ff"),
    ("bn", "\u0980-\u09ff"),
    ("ta", "\u0b80-\u0bff"),
    ("te", "\u0c00-\u0c7f"),
)
_FREQUENT: Mapping[str, frozenset[str]] = {
    code: frozenset(words.split())
    for code, words in {
        "en": "the and of for to with our we you is are in on at by from your that this it its new launch ads "
        "who what how make create write about all open until per month first us not no visuals a an",
        "de": "in um rund der die das und für mit unser unsere unseren unserem ein eine einen im am auf zu zur zum von aus "
        "ist sind wir sie ihr nicht bei ab neue neuer neues neuen über kampagne anzeige anzeigen bilder den dem",
        "pt": "o os um uma e para com nosso nossa nossos nossas do da dos das no na em por que não é são mais "
        "você seu sua ao à campanha anúncio anúncios novo nova",
        "es": "el los un una y para con nuestro nuestra nuestros nuestras del en por que no es son más usted su "
        "al campaña anuncio anuncios nuevo nueva de la las",
        "fr": "le les un une et pour avec notre nos du des en dans que ne pas est sont plus vous votre au aux "
        "campagne annonce annonces nouveau nouvelle nouvelles de la à sur d'un d'une",
        "it": "in il la lo gli un una e per con nostro nostra nostri nostre del della dei delle nel nella che non è "
        "sono più di campagna nuovo nuova alla al da",
        "nl": "in de het een en voor met ons onze van in op dat niet is zijn wij bij nieuwe campagne aan uit naar",
        "pl": "i w na z do dla nasz nasza nasze naszej naszego naszych o że nie jest są nowy nowa nowej nowego nowych "
        "kampania od po oraz bez",
        "sv": "och för med vår vårt våra en ett av på som inte är vi till ny nya kampanj i från det",
        "da": "og for med vores en et af på som ikke er vi til ny nye kampagne i fra det",
        "tr": "ev her küçük büyük ve için ile bir bu yeni bizim kampanya de da çok en olan ne",
        "fi": "ja on ei että jotka ovat uusi uuden uudelle meidän mutta kanssa varten kampanja kampanjan mainos mainoksia kuvia luo tee "
        "kirjoita joka jossa ilman asti alkaen myös kello klo",
        "cs": "a pro s na v z že je jsou náš naše naši naší nový nová novou kampaň reklamu reklama reklamy vytvoř připrav do od nebo "
        "bez ve ze každý každé kde který",
        "sk": "a pre s na v že je sú náš naša našu nový nová novú kampaň reklama do od alebo bez zo každý ktorý",
        "hr": "i za s na u je su naš naša našu novi nova novu kampanja oglas od do ili kod bez koji",
        "sl": "in za s na v je so naš naša našo nova novo kampanja oglas od do ali pri brez ki",
        "nb": "og for med vår vårt våre en et av på som ikke er vi til ny nye kampanje annonse i fra det",
        "hu": "a az és új egy hogy nem kampány hirdetés mi meg fel",
        "ro": "pentru și cu noua noul nostru noastră campanie din la în nu este",
        "et": "ja on ei meie uus uue kampaania reklaam",
    }.items()
}
_GERMAN_NOUN = re.compile(
    r"\b[A-ZÄÖÜ][a-zäöüß]{3,}(?:ungen|ung|heit|keit|schaft|erei|kanzlei|pumpen?|technik|betriebe?|werkstatt|steuer|"
    r"bäckerei|versicherung|werkzeuge?|gerät|geräte|maschinen?)\b"
)
"""Endings of German nouns, which tell the language of a brief that is a noun alone."""
_OTHER_CYRILLIC: tuple[tuple[str, str], ...] = (
    ("uk", r"[іїєґ]"),
    ("sr", r"[ђјљњћџ]"),
    ("bg", r"ъ(?![еёюя])|щ(?:а|е) |\b(?:се|ще|нашата|нашия|нашето|вашата|новата|новия|това|всеки|след)\b"),
)
"""Letters and words of languages that share a script with Russian."""
_ONLY: tuple[tuple[str, str], ...] = (
    ("de", "ß"),
    ("pt", "ãõ"),
    ("es", "ñ¿¡"),
    ("pl", "łąęśżźń"),
    ("sv", "å"),
    ("cs", "řěů"),
    ("sk", "ľĺŕ"),
    ("hu", "őű"),
    ("ro", "țș"),
    ("et", "õ"),
    ("tr", "ğış"),
    ("tr", "ı"),
    ("fr", "œ"),
    ("de", "ü"),
)
"""Letters that only some languages have. Those of several are counted for the most frequent one."""
_WEIGHT = 10.0
"""What a frequent word or a letter of a language adds to the logarithm of its likelihood."""
_CLEAR = 3
"""By how many words and kinds of letters a language leads if the classifier is not asked."""
_MIN_LOG_ODDS = 14.5
"""The least natural logarithm of the odds of another language over English.

Most briefs without a sentence are English: a list of names must not be taken for another language.
"""


def language_of(text: str) -> str:
    """Return the ISO 639-1 code of the language that most of `text` is written in; "" if it is not known.

    Scripts tell most languages apart. Of Latin letters, the classifier's likelihood counts (sequences of
    letters, after M. Lui, T. Baldwin, "langid.py: An Off-the-shelf Language Identification Tool", ACL 2012),
    and the words that a language uses most.
    """
    letters = "".join(filter(str.isalpha, text))
    for code, block in _SCRIPTS:
        count = len(re.findall(f"[{block}]", text))
        # Japanese mixes its own letters with Chinese ones, so a few of its own decide.
        if count and count >= len(letters) * (0.05 if code == "ja" else 0.3):
            return _cyrillic_language(text) if code == "ru" else code
    evidence = _evidence(text)
    first, second, *_ = sorted(evidence, key=lambda code: evidence[code], reverse=True)
    if evidence[first] - evidence[second] >= _CLEAR:  # the model need not be read
        return first
    scores = {code: odds + _WEIGHT * evidence[code] for code, odds in _log_odds_over_english(text).items()}
    best = max(scores, key=lambda code: scores[code])
    if scores[best] - scores["en"] >= _MIN_LOG_ODDS:
        return best
    return "en" if letters.isascii() or evidence["en"] else ""


def load() -> None:
    """Read the classifier's model, which takes most of a second at the first use."""
    _classifier()


@cache
def _classifier() -> "LanguageIdentifier":
    from py3langid import langid  # and numpy: most flows need neither

    classifier = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE)
    classifier.set_languages([_OTHER_CODES.get(code, code) for code in _FREQUENT])
    return classifier


def _log_odds_over_english(text: str) -> dict[str, float]:
    """Return the natural logarithm of each language's likelihood divided by that of English."""
    codes = {other: code for code, other in _OTHER_CODES.items()}
    scores = {codes.get(code, code): score for code, score in _classifier().rank(text)}
    return {code: score - scores["en"] for code, score in scores.items()}


def _evidence(text: str) -> dict[str, int]:
    """Return how many words and kinds of letters of a text each language uses often."""
    words = [word.casefold() for word in _WORD.findall(text)]
    found = {code: sum(word in known for word in words) for code, known in _FREQUENT.items()}
    plain = text.lower()  # `casefold` writes ß as ss
    for code, signs in _ONLY:
        found[code] += any(letter in plain for letter in signs)
    found["de"] += bool(_GERMAN_NOUN.search(text))
    return found


def _cyrillic_language(text: str) -> str:
    plain = text.casefold()
    return next((code for code, pattern in _OTHER_CYRILLIC if re.search(pattern, plain)), "ru")
