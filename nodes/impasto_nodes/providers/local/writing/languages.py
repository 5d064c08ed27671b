"""The language of a text, by its script and its most frequent words."""

# ruff: noqa: E501 - the frequent words of a language stand together

import re
from collections.abc import Mapping

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
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
        "pl": "i w na z do dla nasz nasza nasze o że nie jest są nowy nowa kampania od po oraz",
        "sv": "och för med vår vårt våra en ett av på som inte är vi till ny nya kampanj i från det",
        "da": "og for med vores en et af på som ikke er vi til ny nye kampagne i fra det",
        "tr": "ev her küçük büyük ve için ile bir bu yeni bizim kampanya de da çok en olan ne",
        "fi": "ja on ei se että uusi meidän kampanja mutta kanssa varten",
        "cs": "a pro s na v z že je jsou náš naše nový nová kampaň do od nebo",
    }.items()
}
_GERMAN_NOUN = re.compile(
    r"\b[A-ZÄÖÜ][a-zäöüß]{3,}(?:ungen|ung|heit|keit|schaft|erei|kanzlei|pumpen?|technik|betriebe?|werkstatt|steuer|"
    r"bäckerei|versicherung|werkzeuge?|gerät|geräte|maschinen?)\b"
)
"""Endings of German nouns, which tell the language of a brief that is a noun alone."""
_ONLY: tuple[tuple[str, str], ...] = (
    ("de", "ß"),
    ("pt", "ãõ"),
    ("es", "ñ¿¡"),
    ("pl", "łąęśżźń"),
    ("sv", "å"),
    ("cs", "řěů"),
    ("tr", "ğış"),
    ("tr", "ı"),
    ("fr", "œ"),
    ("de", "ü"),
)
"""Letters that count for a language if the frequent words do not decide, surest first."""


def language_of(text: str) -> str:
    """Return the ISO 639-1 code of the language that most of `text` is written in; "" if it is not known."""
    letters = sum(letter.isalpha() for letter in text)
    for code, block in _SCRIPTS:
        count = len(re.findall(f"[{block}]", text))
        # Japanese mixes its own letters with Chinese ones, so a few of its own decide.
        if count and count >= letters * (0.05 if code == "ja" else 0.3):
            return code
    words = [word.casefold() for word in _WORD.findall(text)]
    scores = {code: sum(word in known for word in words) for code, known in _FREQUENT.items()}
    for code, signs in _ONLY:
        scores[code] += any(letter in text.casefold() for letter in signs)
    scores["de"] += bool(scores["de"]) and any(letter in text.casefold() for letter in "äö")
    best = max(scores, key=lambda code: scores[code])
    if scores[best]:
        return best
    if _GERMAN_NOUN.search(text):
        return "de"
    return "en" if text.isascii() else ""
