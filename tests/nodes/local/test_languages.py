"""The language of a brief, of few words and of names."""

import pytest

from impasto_nodes.providers.local.writing import languages
from impasto_nodes.providers.local.writing.languages import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Coffee", "en"),
        ("2026", "en"),
        ("", "en"),
        ("Naša kavana u Istri", "hr"),
        ("Naše kavárna", "cs"),
        ("Chleb z pieca", "pl"),
        ("Leipomo Mäkinen", "fi"),
        ("Valoa kynttilästä kodeille", "fi"),
        ("Hyvää päivää", "fi"),
        ("Bäckerei", "de"),
        ("Straße", "de"),
        ("Für Gäste", "de"),
        ("Café", ""),
        ("Schäfer", ""),
        ("Pizzeria Schäfer", "de"),
        ("Smörgåsbord", "sv"),
        ("Мост", "ru"),
        ("Кав'ярня «Їжак»", "uk"),
        ("Съвсем млад", "bg"),
        ("Κήπος", "el"),
        ("ร้านกาแฟ", "th"),
        ("בית קפה", "he"),
        ("커피", "ko"),
        ("咖啡", "zh"),
        ("コーヒー", "ja"),
    ],
)
def test_a_few_words_tell_the_language(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Дом Bauhaus", "ru"),  # three letters of ten
        ("Visit our Дом", "en"),
        ("茶" * 19 + "の", "ja"),  # one letter of twenty
        ("茶" * 20 + "の", "zh"),
    ],
)
def test_a_name_in_another_script_does_not_change_the_language(text: str, language: str) -> None:
    assert language_of(text) == language


BRIEFS = {
    "cs": "Autoškola: řidičák rychle",
    "da": "Frisør uden tidsbestilling",
    "de": "Hausverwaltung in Dresden sucht Hausmeister, 38 Stunden, Wohnung inklusive.",
    "en": "Garage: full service £149",
    "es": "Floristería Bilbao, entrega hoy mismo",
    "fi": "Putkimies Tampere, päivystys",
    "fr": "Plombier Toulouse, intervention sous deux heures",
    "hr": "Nova kavana u Zagrebu",
    "hu": "Pékség Szeged: friss kenyér minden reggel",
    "it": "Idraulico Roma, intervento entro due ore",
    "nb": "Vår nye app for yoga og pilates",
    "nl": "Kapper zonder afspraak",
    "pl": "Fryzjer bez kolejki",
    "pt": "Oficina: revisão 60 euros",
    "ro": "Instalator București non-stop",
    "sk": "Nová kaviareň v Košiciach",
    "sl": "Nova kavarna v Ljubljani",
    "sv": "Frisör utan tidsbokning",
    "tr": "Tesisatçı Ankara, iki saat içinde",
}


@pytest.mark.parametrize("language", BRIEFS)
def test_brief_in_catchwords_has_its_language(language: str) -> None:
    assert language_of(BRIEFS[language]) == language


@pytest.mark.parametrize(
    "text",
    [
        "Trattoria Da Mario in Leeds opens Sunday",
        "Café Olé: tapas in Manchester",
        "Sushi, sake, karaoke",
        "summer sale",
        "Our new Fjällräven Kånken backpacks are here",
        "Ad for Boulangerie Dupont et Fils, Seattle",
        "iPhone 15 Pro Max",
        "Launch of our Bäckerei in Berlin",
    ],
)
def test_english_brief_with_foreign_names_is_english(text: str) -> None:
    assert language_of(text) == "en"


def test_most_of_a_text_decides_its_language() -> None:
    german = "Wir backen jeden Morgen frisches Brot. "
    assert language_of(f"{german * 3}Sourdough bread, fresh every day.") == "de"
    assert language_of(f"{german}{'We bake fresh bread every single morning. ' * 3}") == "en"


def test_language_is_found_by_its_words_without_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def read() -> None:
        raise AssertionError("the model was read")

    monkeypatch.setattr(languages, "_classifier", read)
    assert language_of("Wir backen für Sie mit dem Mehl der Mühle") == "de"
    assert language_of("We bake for you with the flour of the mill") == "en"


def test_language_of_a_text_without_known_sequences_of_letters_is_found_by_its_letters() -> None:
    assert language_of("ğ ş ı ü ö ç") == "tr"
    assert language_of("Tea") == "en"
