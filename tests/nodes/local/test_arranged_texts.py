"""Texts that are arranged from a brief: scripts, captions, posts, newsletters and product pages."""

import pytest
from tests.nodes.local.arranged_lines import ACME, BOTTLE, NORTHBOUND

from impasto_nodes.providers.local.writing.arrange import line_for, text_of
from impasto_nodes.providers.local.writing.brief import read

ROOM = "A teaser for our escape room in Ghent. Three rooms, one hour, no way out. Book with friends."


@pytest.mark.parametrize(
    ("task", "text"),
    [
        (
            "Write the spoken script of a reel.",
            "Our escape room in Ghent. Three rooms, one hour, no way out. Book with friends. Find out more.",
        ),
        (
            "Write a LinkedIn post.",
            "Our escape room in Ghent. Three rooms, one hour, no way out. Book with friends.\n\n"
            "Find out more.\n\n#EscapeRoom #Ghent #Rooms",
        ),
        (
            "Write an Instagram caption.",
            "Our escape room in Ghent\n\n"
            "Three rooms, one hour, no way out. Book with friends. Find out more.\n\n"
            "#EscapeRoom #Ghent #Rooms #Hour",
        ),
        (
            "Write a newsletter.",
            "Hello,\n\nOur escape room in Ghent. Three rooms, one hour, no way out. Book with friends.\n\n"
            "Find out more and get in touch.",
        ),
        (
            "Write a product page.",
            "Our escape room in Ghent\n\n– Three rooms\n– One hour\n– No way out\n– Book with friends\n\n"
            "Find out more.",
        ),
        (
            "Write a text.",
            "Our escape room in Ghent. Three rooms, one hour, no way out. Book with friends. Find out more.",
        ),
    ],
)
def test_a_text_has_the_form_of_its_channel(task: str, text: str) -> None:
    assert text_of(read(ROOM), task) == text


def test_a_product_page_without_details_has_the_sentences() -> None:
    text = text_of(read("Our soap.", ACME), "Write a product page.")
    assert text == "Our soap\n\nOur soap. Soap for all of us.\n\nFind out more."


def test_a_caption_of_one_sentence_does_not_repeat_its_headline() -> None:
    text = text_of(read("Summer sale: 30% off all linen until Sunday."), "Write an Instagram caption.")
    assert text == "Summer sale: 30% off all linen until Sunday\n\nSee the offer.\n\n#SummerSale #Sale"


def test_an_amount_names_nothing_where_the_brief_opens_with_a_statement() -> None:
    brief = read("Hausverwaltung in Dresden sucht Hausmeister, 38 Stunden, Wohnung inklusive.")
    assert text_of(brief, "Write a product page.") == (
        "Hausverwaltung in Dresden sucht Hausmeister\n\n– 38 Stunden\n– Wohnung inklusive\n\nJetzt bewerben."
    )
    assert text_of(brief, "Write an Instagram caption.") == (
        "Hausverwaltung in Dresden sucht Hausmeister\n\n38 Stunden, Wohnung inklusive. Jetzt bewerben.\n\n"
        "#Hausverwaltung #Dresden #Hausmeister #Stunden"
    )
    said: list[str] = []
    for _ in range(4):
        said.append(line_for("headline", brief, 1, 60, said))
    assert said == [
        "Hausverwaltung in Dresden sucht Hausmeister",
        "Wohnung inklusive",
        "38 Stunden, Wohnung inklusive",
        "Jetzt bewerben",
    ]


def test_further_statements_are_points_of_a_product_page() -> None:
    brief = read("Hausverwaltung in Dresden sucht Hausmeister, 38 Stunden, wir zahlen gut.")
    assert text_of(brief, "Write a product page.") == (
        "Hausverwaltung in Dresden sucht Hausmeister\n\n– 38 Stunden\n– Wir zahlen gut\n\nJetzt bewerben."
    )


SCRIPT = (
    "We bake bread.",
    "Our bakery opens at six.",
    "Come by.",
    "Plan your visit.",
    "Find out more and get in touch.",
    "We are happy to answer your questions.",
    "Ask us for the details.",
)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (5, SCRIPT[:2]),
        (6, SCRIPT[:3]),
        (8, SCRIPT[:4]),
        (11, SCRIPT[:4]),
        (12, (*SCRIPT[:4], SCRIPT[6])),
        (13, SCRIPT[:5]),
        (30, SCRIPT),
    ],
)
def test_a_script_is_as_long_as_its_time_allows(seconds: int, said: tuple[str, ...]) -> None:
    brief = read("We bake bread. Our bakery opens at six. Come by.")
    assert text_of(brief, f"Write the spoken script, {seconds} seconds") == " ".join(said)
    assert text_of(brief, f"Write a text, {seconds} seconds") == " ".join(SCRIPT[:4])


def test_the_first_sentence_of_a_script_is_said_however_short_its_time() -> None:
    sentence = "We bake bread of rye, wheat, spelt and oats in a stone oven from 1912 on the market square."
    assert text_of(read(sentence), "Write the spoken script, 5 seconds") == sentence


@pytest.mark.parametrize(
    ("seconds", "invitations"),
    [(8, ""), (12, "詳しくはお気軽にお問い合わせください。")],
)
def test_a_japanese_script_is_measured_in_characters(seconds: int, invitations: str) -> None:
    text = text_of(read("京都の歯科医院の広告、初回無料。"), f"Write the spoken script, {seconds} seconds")
    assert text == f"京都の歯科医院、初回無料。ご予約はこちら。{invitations}"


def test_the_time_of_a_script_is_the_briefs() -> None:
    brief = read("A 30-second teaser for our escape room in Ghent.")
    assert text_of(brief, "Write the spoken script of a reel.") == (
        "Our escape room in Ghent. Find out more. We are happy to answer your questions."
        " Ask us for the details."
    )
    assert text_of(brief, "Write a text.") == "Our escape room in Ghent. Find out more."


TEAPOTS = "Hand-thrown stoneware teapots with bamboo handles near Leeds"
"""Sixty characters, eight words."""


def test_the_headline_of_a_caption_has_sixty_characters_at_most() -> None:
    caption = text_of(read(f"{TEAPOTS}."), "Write an Instagram caption.")
    assert caption.startswith(f"{TEAPOTS}\n\nFind out more.\n\n#HandThrownStonewareTeapots")
    caption = text_of(read(f"{TEAPOTS}!"), "Write an Instagram caption.")
    assert caption.startswith(f"{TEAPOTS}!\n\nAsk us for the details.\n\n#HandThrownStonewareTeapots")


def test_a_headline_that_a_sentence_continues_is_no_line_of_its_own() -> None:
    system = "You write for Acme.\nNever use these words: подробностях."
    sentence = "Скидка 20 % на все розы до воскресенья в садовом центре."
    closing = "Мы с радостью ответим на ваши вопросы."
    caption = text_of(read(sentence, system), "Write an Instagram caption.")
    assert caption == f"{sentence}\n\n{closing}\n\n#Acme #Скидка"


def test_a_caption_goes_on_after_its_headline() -> None:
    assert text_of(BOTTLE, "Write an Instagram caption.") == (
        "Our reusable water bottle from Leeds\n\n"
        "Light and strong, 20% off until Sunday. Soap for all of us. See the offer.\n\n"
        "#Acme #ReusableWaterBottle #Leeds #Light"
    )


def test_the_name_on_a_product_page_has_sixty_characters_at_most() -> None:
    name = "Hand-thrown stoneware teapots and saucers from Aberdeenshire"
    assert text_of(read(f"{name}."), "Write a product page.").startswith(f"{name}\n\n")
    page = text_of(read(f"{name}s."), "Write a product page.")
    assert page.startswith("Hand-thrown stoneware teapots and saucers\n\n")


def test_text_has_the_brief_the_brand_and_a_call_to_action() -> None:
    assert text_of(read("Soap.", NORTHBOUND)) == "Soap. Coffee for people who go out early. Find out more."
