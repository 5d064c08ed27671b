"""Reading a brief: the subject is separated from the order and the directions."""

import pytest

from impasto_nodes.providers.local.writing.arrange import line_for, text_of
from impasto_nodes.providers.local.writing.brief import read, shortened
from impasto_nodes.providers.local.writing.grammars import grammar_of
from impasto_nodes.providers.local.writing.hashtags import hashtags_of

BRAND = "Write an ad.\nYou write for Northbound Coffee.\nCoffee for people who go out early.\nTone: Warm."
BAKERS = read("Hiring: two bakers who like early mornings and loud radio.", BRAND)


def test_brand_is_read_from_the_system_prompt() -> None:
    assert (BAKERS.brand, BAKERS.about) == ("Northbound Coffee", ("Coffee for people who go out early.",))
    assert read("Soap").brand == ""
    assert read("Soap", "Write.\nYou write for Acme.\nTone: dry.").about == ()


def test_a_description_in_another_language_is_left_out() -> None:
    assert (
        read("Unsere Seife aus Kiel, ohne Duft", "Write.\nYou write for Acme.\nSoap for all of us.").about
        == ()
    )


def test_instructions_are_not_part_of_the_message() -> None:
    assert read("Launch visuals for our can: late light").sentences == ("Our can: late light.",)
    assert read("Write a post about soap").sentences == ("Soap.",)
    assert read("Ads for soap, no text, calm tone. 6 square pictures.").sentences == ("Soap.",)


def test_a_brief_of_directions_only_is_kept_as_it_is() -> None:
    assert read("No text.").sentences == ("No text.",)
    assert read("").sentences == ()


def test_a_later_order_names_the_audience() -> None:
    brief = read("We are a tax advice firm in Bristol. Make ads for freelancers who hate receipts.")
    assert brief.sentences[1] == "For freelancers who hate receipts."


def test_the_length_of_a_video_is_read_in_any_language() -> None:
    assert read("A 30-second teaser for our escape room").seconds == 30
    assert read("Teaser für unser Café, 15 Sekunden").seconds == 15
    assert read("カフェの動画、20秒").seconds == 20
    assert read("Open 24 hours, 7 days").seconds == 0


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
    ("prompt", "headline", "call"),
    [
        (
            "Summer sale: 30% off all linen until Sunday.",
            "Summer sale: 30% off all linen until Sunday",
            "See",
        ),
        (
            "A meditation app for nurses on night shifts.",
            "A meditation app for nurses on night shifts",
            "Try",
        ),
        ("Episode 12: a lighthouse keeper on silence, storms, and letters by hand.", "Episode 12", "List"),
        ("Neue Schuhe aus Plastik, ab Montag im Laden.", "Neue Schuhe aus Plastik", "Mehr"),
    ],
)
def test_headlines_and_calls_to_action_fit_the_offer(prompt: str, headline: str, call: str) -> None:
    brief = read(prompt, BRAND)
    assert line_for("headline", brief, 8, 60, []).startswith(headline)
    assert line_for("call_to_action", brief, 4, 30, []).startswith(call)


def test_no_line_is_said_twice_in_one_answer() -> None:
    said: list[str] = []
    for _ in range(3):
        said.append(line_for("headline", BAKERS, 8, 70, said))
    assert len(set(said)) == 3
    assert all(said)


def test_hashtags_are_nouns() -> None:
    assert hashtags_of(BAKERS, 6)[:3] == ["#NorthboundCoffee", "#Hiring", "#Bakers"]
    brief = read("We open our first roastery to visitors on the last Saturday.", "")
    assert hashtags_of(brief, 6) == ["#Roastery"]


def test_text_has_the_brief_the_brand_and_a_call_to_action() -> None:
    assert text_of(read("Soap.", BRAND)) == "Soap. Coffee for people who go out early. Find out more."
