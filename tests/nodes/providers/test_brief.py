"""A brief read for what it says, and what can be written from it without making anything up."""

import pytest

from impasto_nodes.providers.local.brief import cut_to, read
from impasto_nodes.providers.local.extractive_text import hashtags_of, line_for, text_of

BRAND = "Write an ad.\nYou write for Northbound Coffee.\nCoffee for people who go out early.\nTone: Warm."
BAKERS = read("Hiring: two bakers who like early mornings and loud radio.", BRAND)


def test_the_brand_is_heard_from_the_words_around_the_prompt() -> None:
    assert (BAKERS.brand, BAKERS.about) == ("Northbound Coffee", ("Coffee for people who go out early.",))
    assert read("Soap").brand == ""
    assert read("Soap", "Write.\nYou write for Acme.\nTone: dry.").about == ()


def test_an_order_is_not_what_is_said() -> None:
    assert read("Launch visuals for our can: late light").sentences == ("Our can: late light.",)
    assert read("Write a post about soap").sentences == ("Soap.",)


@pytest.mark.parametrize(
    "sentence",
    [
        "Two bakers who love to work late nights.",  # turns it round
        "Apply before October 15th.",  # a date
        "Bakers get 20% off.",  # a number
        "Early mornings, no radio.",  # a 'no' that was not said
        "They're the best in the business.",  # praise out of nowhere
        "",
    ],
)
def test_what_the_brief_does_not_say_is_not_grounded(sentence: str) -> None:
    assert not BAKERS.grounds(sentence)


@pytest.mark.parametrize("sentence", ["We like early mornings with a loud radio.", "Are you a baker?"])
def test_the_briefs_own_words_in_another_order_are_grounded(sentence: str) -> None:
    assert BAKERS.grounds(sentence)


def test_a_denial_is_kept_as_it_was_said() -> None:
    brief = read("Five-minute sessions, no voice, only light and rain.")
    assert brief.grounds("Light, rain and no voice.")
    assert not brief.grounds("A voice and no light.")


def test_a_cut_ends_where_it_reads_whole() -> None:
    stale = "A reusable water bottle that tells you when the water is stale."
    assert cut_to(stale, 60) == "A reusable water bottle"
    assert cut_to("We open our first roastery to visitors on the last Saturday of the month.", 60) == (
        "We open our first roastery to visitors"
    )
    assert cut_to("Short enough.", 60) == "Short enough"


@pytest.mark.parametrize(
    ("prompt", "headline", "call"),
    [
        (
            "Summer sale: 30% off all linen until Sunday.",
            "Summer sale: 30% off all linen until Sunday",
            "Shop",
        ),
        (
            "A meditation app for nurses on night shifts.",
            "A meditation app for nurses on night shifts",
            "Try",
        ),
        (
            "Episode 12: a lighthouse keeper on silence, storms, and letters by hand and by night.",
            "A l",
            "List",
        ),
        (
            "Neue Schuhe aus Plastik, ab Montag im Laden.",
            "Neue Schuhe aus Plastik, ab Montag im Laden",
            "Ab M",
        ),
    ],
)
def test_headlines_and_calls_fit_what_is_offered(prompt: str, headline: str, call: str) -> None:
    brief = read(prompt, BRAND)
    assert line_for("headline", brief, 8, 60, []).startswith(headline)
    assert line_for("call_to_action", brief, 4, 30, []).startswith(call)


def test_no_line_is_said_twice_in_one_answer() -> None:
    said: list[str] = []
    for _ in range(3):
        said.append(line_for("headline", BAKERS, 8, 70, said))
    assert len(set(said)) == 3
    assert all(said)


def test_hashtags_repeat_no_word_and_name_nothing_that_is_only_done() -> None:
    brief = read("We open our first roastery to visitors on the last Saturday.", "")
    assert hashtags_of(brief, 6) == ["#FirstRoastery", "#LastSaturday", "#Visitors", "#Roastery", "#Saturday"]
    brewed = read("Late-summer light.", "You write for Northbound.\nSlow-steeped coffee.")
    assert hashtags_of(brewed, 3) == ["#Northbound", "#LateSummerLight", "#SlowSteepedCoffee"]


def test_hashtags_name_things() -> None:
    tags = hashtags_of(BAKERS, 6)
    assert tags[:4] == ["#NorthboundCoffee", "#TwoBakers", "#EarlyMornings", "#LoudRadio"]
    assert len({tag.casefold() for tag in tags}) == len(tags) == 6


def test_a_text_is_the_brief_what_was_added_and_the_brand() -> None:
    assert " ".join(text_of(read("Soap.", BRAND), ["It floats."])) == (
        "Soap. It floats. Northbound Coffee. Coffee for people who go out early."
    )
