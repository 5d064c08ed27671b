"""Lines that are arranged from a brief: titles, offers, scenes, buttons, texts of a line."""

import pytest
from tests.nodes.local.arranged_lines import ACME, BAKERS, BOTTLE, NORTHBOUND, lines_for

from impasto_nodes.providers.local.writing.arrange import line_for
from impasto_nodes.providers.local.writing.brief import Brief, read


@pytest.mark.parametrize(
    ("brief", "offer"),
    [
        (
            "Taller de cerámica en Oaxaca. Materiales incluidos. Cupo de 6 personas. Sábados.",
            "Materiales incluidos · Cupo de 6 personas",
        ),
        (
            "Ceramics workshop in Leeds, clay and glazes, tea from Darjeeling, aprons.",
            "Clay and glazes, tea from Darjeeling",
        ),
        (
            "Kochkurs in Graz, Zutaten inklusive, Schürze dabei, sechs Plätze.",
            "Zutaten inklusive, Schürze dabei",
        ),
    ],
    ids=["sentences", "parts", "nouns"],
)
def test_no_comma_stands_before_what_was_a_sentence(brief: str, offer: str) -> None:
    assert line_for("offer", read(brief), 4, 60, []) == offer


@pytest.mark.parametrize(
    ("brief", "offers"),
    [
        (
            BOTTLE,
            [
                "20% off until Sunday",
                "Light and strong",
                "Soap for all of us",
                "We are happy to answer your questions",
                "Ask us for the details",
                "Find out more and get in touch",
            ],
        ),
        (
            read("Bicycle helmets for children, light and easy to close, tested twice, sold in Leeds"),
            ["Light and easy to close, tested twice", "Light and easy to close"],
        ),
        (
            read("Bicycle helmets for children, tested twice, sold in Leeds"),
            ["Tested twice", "We are happy to answer your questions"],
        ),
        (
            read("We are a dental clinic in York. We welcome nervous patients."),
            ["We are a dental clinic in York", "We welcome nervous patients"],
        ),
        (
            read("We open our first roastery to visitors."),
            ["We open our first roastery to visitors", "We are happy to answer your questions"],
        ),
        (read("We bake bread."), ["We are happy to answer your questions", "Ask us for the details"]),
        (read("A soap"), ["We are happy to answer your questions", "Ask us for the details"]),
        (
            read("Teteras de cerámica en Toledo, azules y verdes, envío gratis."),
            ["Envío gratis", "Azules y verdes", "Con gusto respondemos a todas las preguntas"],
        ),
    ],
    ids=["price", "details", "two details", "clauses", "topic", "clause", "subject", "Spanish"],
)
def test_an_offer_is_a_price_else_details_else_the_brand(brief: Brief, offers: list[str]) -> None:
    assert lines_for("offer", brief, len(offers)) == offers


@pytest.mark.parametrize(
    ("brief", "scenes"),
    [
        (
            read("Bicycle helmets for children, light and easy to close, tested twice, sold in Leeds"),
            [
                "Wide view: Bicycle helmets for children, light",
                "Close-up: Bicycle helmets for children, tested twice",
                "Seen from above: Bicycle helmets for children, sold in Leeds",
                "In late light: Bicycle helmets for children, light",
                "A detail: Bicycle helmets for children, tested twice",
                "Last frame: Bicycle helmets for children, sold in Leeds",
            ],
        ),
        (
            read("Our soap"),
            [
                "Wide view: our soap",
                "Close-up: our soap",
                "Seen from above: our soap",
                "In late light: our soap",
                "A detail: our soap",
                "Last frame: our soap",
                "Wide view: our soap. Close-up: our soap",
                "Close-up: our soap. Seen from above: our soap",
            ],
        ),
        (
            read("Ein Rucksack: leicht, wasserdicht."),
            ["Weite Einstellung: ein Rucksack, leicht", "Nahaufnahme: ein Rucksack, wasserdicht"],
        ),
        (
            read("She sings and dances daily. He plays the piano. Why we love it."),
            [
                "Wide view: She sings",
                "Close-up: dances daily",
                "Seen from above: He plays the piano",
                "In late light: She sings",
            ],
        ),
        (
            read("How we roast."),
            ["Wide view: How we roast", "Close-up: How we roast"],
        ),
    ],
    ids=["details", "subject", "label", "acts", "reason"],
)
def test_scenes_show_the_subject_with_one_detail_or_what_happens(brief: Brief, scenes: list[str]) -> None:
    assert lines_for("scene", brief, len(scenes)) == scenes


def test_a_title_is_the_name_of_the_subject() -> None:
    assert lines_for("title", BOTTLE, 2) == ["Our reusable water bottle from Leeds", "Light and strong"]


def test_buttons_suit_the_trade_first() -> None:
    calls = lines_for("call_to_action", BOTTLE, 6)
    assert calls == [
        "See the offer",
        "Shop the sale",
        "Save now",
        "Find out more",
        "Get in touch",
        "See the details",
    ]


def test_calls_of_a_sad_brief_are_solemn_ones_only() -> None:
    brief = read("We are a funeral home in York. Visit us.")
    calls = lines_for("call_to_action", brief, 5)
    assert calls == ["Talk to us", "Call us at any time", "Ask us for advice", "Get in touch", "Talk to us"]


@pytest.mark.parametrize(
    ("min_length", "max_length", "headline"),
    [(6, 6, "A soap"), (1, 6, "A soap"), (1, 5, ""), (7, 12, "Get in touch"), (12, 12, "Get in touch")],
)
def test_a_line_as_long_as_the_limit_is_kept(min_length: int, max_length: int, headline: str) -> None:
    assert line_for("headline", read("A soap"), min_length, max_length, []) == headline


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        (
            "caption",
            [
                "A soap. Soap for all of us. Find out more.",
                "A soap. Soap for all of us. Find out more. Find out more and get in touch.",
                "A soap. Soap for all of us. Find out more. Find out more and get in touch."
                " We are happy to answer your questions.",
            ],
        ),
        (
            "text",
            [
                "A soap. Soap for all of us.",
                "A soap. Soap for all of us. Find out more and get in touch.",
                "A soap. Soap for all of us. Find out more and get in touch."
                " We are happy to answer your questions.",
            ],
        ),
    ],
)
def test_texts_of_one_answer_grow_by_invitations_so_that_none_is_said_twice(
    kind: str, texts: list[str]
) -> None:
    assert lines_for(kind, read("A soap", ACME), 3, 20, 200) == texts


def test_a_text_begins_with_a_sentence_that_was_not_said() -> None:
    brief = read("We bake bread. Our bakery opens at six. Come by.")
    said = ["We bake bread."]
    assert line_for("text", brief, 4, 60, said) == "Our bakery opens at six. Come by."
    assert line_for("text", brief, 4, 20, said) == "Come by."
    assert line_for("text", brief, 4, 60, []) == "We bake bread. Our bakery opens at six. Come by."


def test_a_text_that_must_be_longer_is_filled_with_invitations() -> None:
    brief = read("We bake bread.")
    assert line_for("text", brief, 14, 60, []) == "We bake bread."
    assert line_for("text", brief, 15, 60, []) == "We bake bread. Find out more and get in touch."
    assert line_for("text", brief, 47, 53, []) == "We bake bread. We are happy to answer your questions."
    assert line_for("text", brief, 15, 45, []) == "We bake bread. Ask us for the details."
    assert line_for("text", brief, 54, 60, []) == ""
    assert line_for("text", brief, 31, 31, []) == ""


def test_a_text_has_as_many_sentences_as_fit() -> None:
    brief = read("We bake bread. Our bakery opens at six.")
    assert line_for("text", brief, 4, 39, []) == "We bake bread. Our bakery opens at six."
    assert line_for("text", brief, 4, 38, []) == "We bake bread."
    assert line_for("text", brief, 4, 14, []) == "We bake bread."
    assert line_for("text", brief, 4, 13, []) == ""


def test_an_offer_of_two_prices_is_the_first() -> None:
    brief = read("Rose sale: 20% off, free delivery.")
    assert lines_for("offer", brief, 2) == ["20% off", "Free delivery"]


def test_after_twenty_four_scenes_two_stand_together() -> None:
    scenes = lines_for("scene", read("Our tea, green, black, white, red, sweet"), 25, 4, 120)
    assert scenes[23] == "Last frame: our tea, red"
    assert scenes[24] == "Wide view: our tea, green. Close-up: our tea, black"


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
    brief = read(prompt, NORTHBOUND)
    assert line_for("headline", brief, 8, 60, []).startswith(headline)
    assert line_for("call_to_action", brief, 4, 30, []).startswith(call)


def test_no_line_is_said_twice_in_one_answer() -> None:
    said = lines_for("headline", BAKERS, 3, 8, 70)
    assert len(set(said)) == 3
    assert all(said)
