"""Phrases of a brief are shortened without being cut in the middle."""

import pytest

from impasto_nodes.providers.local.writing.brief import shortened
from impasto_nodes.providers.local.writing.grammars import grammar_of


def test_noun_phrase_is_not_cut_in_the_middle() -> None:
    english = grammar_of("en")
    stale = "a reusable water bottle that tells you when the water is stale"
    assert shortened(stale, 60, 9, english) == "a reusable water bottle"
    assert shortened("short enough", 60, 9, english) == "short enough"
    assert shortened("extraordinarily long compound", 10, 9, english) == ""
    assert shortened("bread from a stone oven", 6, 9, english) == "bread"
    assert shortened("o vinho da Quinta do Ribeiro", 24, 9, grammar_of("pt")) == "o vinho"
    assert shortened("京都の歯科医院", 5, 9, grammar_of("ja")) == "歯科医院"


@pytest.mark.parametrize(
    ("phrase", "max_characters", "max_words", "expected"),
    [
        ("bread from a stone oven", 23, 9, "bread from a stone oven"),
        ("bread from a stone oven", 22, 9, "bread"),
        ("bread from a stone oven", 60, 5, "bread from a stone oven"),
        ("bread from a stone oven", 60, 4, "bread"),
        ("bread from a stone oven", 4, 9, ""),
        ("bread and salt from Leeds", 20, 9, "bread and salt"),
        ("our for", 5, 9, ""),
        ("cups, from Leeds", 6, 9, "cups"),
        ("cakes that we bake with love for Leeds", 30, 9, "cakes"),
        ("the Bank of England in London", 20, 9, "the Bank of England"),
        ("pumps for 3 to 5 bar", 15, 9, "pumps"),
        ("cakes we dream about", 60, 9, "cakes we dream about"),
        ("2 big jars for 3 people", 12, 9, "2 big jars"),
        ("3 to 5 bar pumps", 5, 9, ""),
        ("pumps from 3 bar to 5 bar", 18, 9, "pumps"),
        ("bread from", 5, 9, "bread"),
    ],
)
def test_a_noun_phrase_is_shortened_to_the_limits(
    phrase: str, max_characters: int, max_words: int, expected: str
) -> None:
    assert shortened(phrase, max_characters, max_words, grammar_of("en")) == expected


@pytest.mark.parametrize(
    ("code", "phrase", "max_characters", "expected"),
    [
        ("ja", "京都の歯科医院", 7, "京都の歯科医院"),
        ("ja", "京都の歯科医院", 6, "歯科医院"),
        ("ja", "京都の歯科医院", 4, "歯科医院"),
        ("ja", "京都の歯科医院", 3, ""),
        ("zh", "杭州的茶馆", 4, "茶馆"),
        ("hi", "बच्चों के लिए हेलमेट", 12, "हेलमेट"),
        ("hi", "दिल्ली का क्लिनिक", 10, "क्लिनिक"),
        ("hi", "नासिक के पुराने बाग की सैर", 20, "पुराने बाग की सैर"),
    ],
)
def test_a_noun_phrase_whose_head_is_last_is_shortened_from_the_front(
    code: str, phrase: str, max_characters: int, expected: str
) -> None:
    assert shortened(phrase, max_characters, 9, grammar_of(code)) == expected


@pytest.mark.parametrize(
    ("phrase", "max_characters", "expected"),
    [
        ("o Clube da cidade nova", 12, "o Clube"),
        ("a Quinta do Ribeiro", 10, ""),
        ("a Quinta do Ribeiro em Faro", 20, "a Quinta do Ribeiro"),
    ],
)
def test_a_portuguese_name_is_not_cut_at_its_preposition(
    phrase: str, max_characters: int, expected: str
) -> None:
    assert shortened(phrase, max_characters, 9, grammar_of("pt")) == expected


@pytest.mark.parametrize(
    ("phrase", "language", "max_length", "kept"),
    [
        ("Holidays for 3 small groups to 5 islands", "en", 30, "Holidays for 3 small groups"),
        ("Holidays for 3 groups to 5 islands", "en", 30, "Holidays"),
        ("Pumps from 3 bar to 350 bar in Leeds", "en", 24, "Pumps"),
        ("Pumps from 3 bar to 350", "en", 18, "Pumps"),
        ("3 bar to 350 bar in Leeds", "en", 10, ""),
        ("our in Leeds", "en", 8, ""),
        ("a Quinta do Ribeiro em Lisboa", "pt", 19, "a Quinta do Ribeiro"),
        ("a Quinta do Ribeiro em Lisboa", "pt", 12, ""),
        ("a Quinta do Ribeiro", "pt", 12, ""),
        ("a Quinta do ribeiro em Lisboa", "pt", 12, "a Quinta"),
        ("a quinta do Ribeiro em Lisboa", "pt", 12, "a quinta"),
        ("a Quinta em Ribeiro", "pt", 12, "a Quinta"),
        ("Pumps from 3 bar to high bar in Leeds", "en", 24, "Pumps from 3 bar"),
        ("Quinta do Ribeiro em Lisboa", "pt", 17, "Quinta do Ribeiro"),
        ("Quinta do Ribeiro em Lisboa", "pt", 16, "Quinta"),
        ("quinta do Ribeiro em Lisboa", "pt", 12, "quinta"),
        ("A Quinta Velha do Ribeiro em Lisboa", "pt", 20, ""),
        ("A Quinta Velha em Ribeiro", "pt", 17, "A Quinta Velha"),
        ("our bakery that opens in Leeds", "en", 29, "our bakery"),
        ("our bakery in Leeds that opens", "en", 25, "our bakery in Leeds"),
        ("bread that we bake in Leeds", "en", 26, "bread"),
        ("bread, with salt", "en", 12, "bread"),
        ("bread in Leeds", "en", 5, "bread"),
        ("bread in Leeds", "en", 4, ""),
        ("bread in", "en", 20, "bread in"),
        ("杭州的老茶馆", "zh", 5, "老茶馆"),
        ("杭州的老茶馆", "zh", 3, "老茶馆"),
        ("杭州的老茶馆", "zh", 2, ""),
        ("京都の古い茶碗", "ja", 4, "古い茶碗"),
        ("서울의 작은 카페", "ko", 5, "카페"),
        ("İzmir'deki küçük fırın", "tr", 13, ""),
        ("one two three four five six seven eight", "en", 90, ""),
        ("one two three four five six seven", "en", 90, "one two three four five six seven"),
        ("kirjakauppa Turussa", "fi", 13, "kirjakauppa"),
        ("Bread of the mill", "en", 9, "Bread"),
        ("Bank of England in York", "en", 15, "Bank of England"),
        ("Bank of England in York", "en", 14, "Bank"),
    ],
)
def test_a_phrase_is_shortened_to_a_whole_one_of_seven_words(
    phrase: str, language: str, max_length: int, kept: str
) -> None:
    assert shortened(phrase, max_length, 7, grammar_of(language)) == kept
