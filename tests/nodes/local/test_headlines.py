"""Headlines that are arranged from a brief."""

import pytest
from tests.nodes.local.arranged_lines import ACME, BOTTLE, lines_for

from impasto_nodes.providers.local.writing.arrange import line_for
from impasto_nodes.providers.local.writing.brief import Brief, read


@pytest.mark.parametrize(
    ("brief", "headlines"),
    [
        (
            BOTTLE,
            [
                "Our reusable water bottle from Leeds",
                "Light and strong",
                "20% off until Sunday",
                "Get to know our reusable water bottle",
                "Our reusable water bottle: find out more",
                "Our reusable water bottle: see the details",
                "More about our reusable water bottle",
                "Our reusable water bottle: ask us",
                "Get to know Acme",
                "Acme: find out more",
                "Acme: see the details",
                "More about Acme",
                "Acme: ask us",
                "Reusable water bottle from Leeds",
                "Our reusable water bottle",
                "See the offer",
                "Shop the sale",
                "Save now",
                "Find out more",
                "Get in touch",
                "See the details",
                "Ask us about it",
                "Take a closer look",
                "Find out more and get in touch",
                "We are happy to answer your questions",
                "Ask us for the details",
            ],
        ),
        (
            read("Bicycle helmets for children, light and easy to close, tested twice, sold in Leeds"),
            [
                "Bicycle helmets for children",
                "Light and easy to close",
                "Tested twice",
                "Sold in Leeds",
                "Bicycle helmets for children: find out more",
                "Bicycle helmets for children: see the details",
                "Bicycle helmets for children: ask us",
                "Light and easy to close, tested twice",
                "Tested twice, sold in Leeds",
                "Bicycle helmets",
                "Find out more",
            ],
        ),
        (
            read("We are a funeral home in York. Make quiet posts for families who plan ahead.", ACME),
            [
                "We are a funeral home in York",
                "For families who plan ahead",
                "A funeral home",
                "Funeral home",
                "Talk to us",
                "Call us at any time",
            ],
        ),
        (
            read("We open our roastery, 3 rooms, 2 large gardens, made in Leeds"),
            [
                "We open our roastery",
                "Made in Leeds",
                "3 rooms, 2 large gardens",
                "2 large gardens, made in Leeds",
            ],
        ),
        (
            read("We open our first roastery to visitors on the last Saturday of the month."),
            [
                "Our first roastery",
                "We open our first roastery to visitors",
                "Get to know our first roastery",
                "Our first roastery: find out more",
            ],
        ),
        (
            read("Ein Rucksack: leicht, wasserdicht, mit viel Platz."),
            [
                "Ein Rucksack: leicht, wasserdicht, mit viel Platz",
                "Ein Rucksack: jetzt entdecken",
                "Ein Rucksack: alle Details",
                "Ein Rucksack: mehr erfahren",
                "Ein Rucksack: sprechen Sie uns an",
                "Ein Rucksack: fragen Sie uns",
                "Ein Rucksack",
                "Mit viel Platz",
                "Leicht, wasserdicht",
            ],
        ),
        (
            read("手作りの急須、一つずつ違う釉薬。"),
            [
                "手作りの急須、一つずつ違う釉薬",
                "手作りの急須のご紹介",
                "手作りの急須：詳しくはこちら",
                "手作りの急須についてのご案内",
                "手作りの急須：お気軽にご相談ください",
                "手作りの急須の詳細",
                "手作りの急須",
                "一つずつ違う釉薬",
            ],
        ),
        (
            read("हाथ से बनी चायदानियों के लिए विज्ञापन", ACME),
            [
                "हाथ से बनी चायदानियाँ",
                "मिलिए हाथ से बनी चायदानियों से",
                "हाथ से बनी चायदानियों पर एक नज़र",
                "हाथ से बनी चायदानियों के बारे में जानिए",
                "हाथ से बनी चायदानियों को करीब से देखिए",
                "जानिए: Acme",
            ],
        ),
        (
            read("Summer sale: 30% off all linen. We open at six."),
            [
                "Summer sale: 30% off all linen",
                "We open at six",
                "Summer sale: find out more",
                "Summer sale: see the details",
                "Summer sale: ask us",
                "Summer sale",
                "30% off all linen",
                "See the offer",
            ],
        ),
        (
            read("Summer sale: Leeds, York."),
            [
                "Summer sale: Leeds, York",
                "Summer sale: find out more",
                "Summer sale: see the details",
                "Summer sale: ask us",
                "Leeds: find out more",
                "Leeds: see the details",
                "Leeds: ask us",
                "York: find out more",
                "York: see the details",
                "York: ask us",
                "Summer sale",
                "Leeds, York",
                "Leeds",
                "York",
                "See the offer",
            ],
        ),
        (
            read("Episode 12: the storms of Skye"),
            [
                "Episode 12: the storms of Skye",
                "Episode 12: find out more",
                "Episode 12: see the details",
                "Episode 12: ask us",
                "The storms of Skye: find out more",
                "The storms of Skye: see the details",
                "The storms of Skye: ask us",
                "Episode 12",
                "The storms of Skye",
                "Listen now",
            ],
        ),
        (
            read(
                "We bake bread. We sell rolls to people in Leeds who get up early and like it."
                " Our ovens, warm butter for everybody."
            ),
            ["We bake bread", "Our ovens", "Warm butter for everybody", "Get to know our ovens"],
        ),
        (
            read("Bicycle helmets, tested twice"),
            [
                "Bicycle helmets, tested twice",
                "Bicycle helmets: find out more",
                "Bicycle helmets: see the details",
                "Bicycle helmets: ask us",
                "Bicycle helmets",
                "Tested twice",
                "Find out more",
            ],
        ),
        (
            read("Bread from rye flour"),
            [
                "Bread from rye flour",
                "Bread from rye flour: find out more",
                "Bread from rye flour: see the details",
                "Bread from rye flour: ask us",
                "Find out more",
            ],
        ),
        (
            read("नासिक के पुराने बाग की सैर, शाम को"),
            [
                "नासिक के पुराने बाग की सैर, शाम को",
                "जानिए: पुराने बाग की सैर",
                "पुराने बाग की सैर: पूरी जानकारी",
                "पुराने बाग की सैर: हमसे पूछिए",
                "पुराने बाग की सैर: हमसे बात कीजिए",
                "पुराने बाग की सैर: और जानिए",
                "नासिक के पुराने बाग की सैर",
                "शाम को",
                "और जानें",
            ],
        ),
    ],
    ids=[
        *("offer", "details", "solemn", "amounts", "clause", "traits", "no spaces", "oblique"),
        *("label", "places", "episode", "clauses", "plain", "short", "head last"),
    ],
)
def test_headlines_say_the_subject_the_details_then_what_is_generic(
    brief: Brief, headlines: list[str]
) -> None:
    assert lines_for("headline", brief, len(headlines)) == headlines


def test_a_name_in_a_headline_leaves_room_for_the_longest_words_around_it() -> None:
    brief = read("Hand-thrown stoneware teapots from Aberdeen")
    assert (
        line_for("headline", brief, 58, 60, [])
        == "Hand-thrown stoneware teapots from Aberdeen: find out more"
    )
    brief = read("Hand-thrown stoneware teapots from Inverness")
    assert line_for("headline", brief, 45, 60, []) == "Hand-thrown stoneware teapots: see the details"


def test_a_headline_that_repeats_none_comes_first() -> None:
    assert line_for("headline", BOTTLE, 4, 60, ["Reusable water bottle"]) == "Light and strong"


@pytest.mark.parametrize(
    ("brief", "headline"),
    [
        ("Handmade teapots and cups from our studio near Leeds", None),
        (
            "Handmade teapots and cups from our studio near old Leeds",
            "Handmade teapots and cups from our studio",
        ),
        ("手作りの急須、一つずつ違う釉薬、信楽の土の茶碗と", None),
        ("手作りの急須、一つずつ違う釉薬、信楽の土の茶碗と壺", "手作りの急須"),
    ],
)
def test_a_first_sentence_of_nine_words_or_twenty_four_characters_is_a_headline(
    brief: str, headline: str | None
) -> None:
    assert line_for("headline", read(brief), 4, 60, []) == (headline or brief)


def test_the_subject_comes_before_the_other_sentences() -> None:
    brief = read("We open our first roastery to visitors. Come early!")
    assert line_for("headline", brief, 1, 20, []) == "Our first roastery"


def test_the_other_sentences_come_before_the_other_things() -> None:
    brief = read("Summer sale: 30% off all linen. We open at six.")
    assert line_for("headline", brief, 12, 20, []) == "We open at six"
    assert line_for("headline", brief, 16, 20, []) == "30% off all linen"


def test_a_sentence_is_a_headline_of_many_words_if_it_fits_exactly() -> None:
    sentence = "We bake bread of rye and of oats in one oven"
    assert line_for("headline", read(f"{sentence}."), len(sentence), len(sentence), []) == sentence
