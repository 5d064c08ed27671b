"""The language of a brief, of few words and of names."""

import pytest

from impasto_nodes.providers.local.writing.languages import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Coffee", "en"),
        ("2026", "en"),
        ("", "en"),
        ("Naš čaj iz Istre", "hr"),
        ("Náš čaj", "cs"),
        ("Chleb z pieca", "pl"),
        ("Leipomo Mäkinen", "fi"),
        ("Valoa kynttilästä kodeille", "fi"),
        ("Hyvää päivää", "fi"),
        ("Bäckerei", "de"),
        ("Straße", "de"),
        ("Für Gäste", "de"),
        ("Café", ""),
        ("Schäfer", ""),
        ("Pizzeria Schäfer", ""),
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
