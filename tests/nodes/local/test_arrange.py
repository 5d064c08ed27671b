"""Lines that are made of several phrases of a brief."""

import pytest

from impasto_nodes.providers.local.writing.arrange import line_for, text_of
from impasto_nodes.providers.local.writing.brief import Brief, read

ACME = "You write for Acme.\nSoap for all of us.\nTone: dry."


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


def _lines(kind: str, brief: Brief, count: int, min_length: int = 4, max_length: int = 60) -> list[str]:
    """Return lines for as many fields of one kind, as they are asked for one after the other."""
    said: list[str] = []
    for _ in range(count):
        said.append(line_for(kind, brief, min_length, max_length, said))
    return said


BOTTLE = read("Ads for our reusable water bottle from Leeds, light and strong, 20% off until Sunday", ACME)


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
        *("offer", "details", "solemn", "clause", "traits", "no spaces", "oblique"),
        *("label", "places", "episode", "clauses", "plain", "short", "head last"),
    ],
)
def test_headlines_say_the_subject_the_details_then_what_is_generic(
    brief: Brief, headlines: list[str]
) -> None:
    assert _lines("headline", brief, len(headlines)) == headlines


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
    assert _lines("offer", brief, len(offers)) == offers


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
    assert _lines("scene", brief, len(scenes)) == scenes


def test_a_title_is_the_name_of_the_subject() -> None:
    assert _lines("title", BOTTLE, 2) == ["Our reusable water bottle from Leeds", "Light and strong"]


def test_buttons_suit_the_trade_first() -> None:
    calls = _lines("call_to_action", BOTTLE, 6)
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
    calls = _lines("call_to_action", brief, 5)
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
    assert _lines(kind, read("A soap", ACME), 3, 20, 200) == texts


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
    assert _lines("offer", brief, 2) == ["20% off", "Free delivery"]


def test_a_name_in_a_headline_leaves_room_for_the_longest_words_around_it() -> None:
    brief = read("Hand-thrown stoneware teapots from Aberdeen")
    assert (
        line_for("headline", brief, 58, 60, [])
        == "Hand-thrown stoneware teapots from Aberdeen: find out more"
    )
    brief = read("Hand-thrown stoneware teapots from Inverness")
    assert line_for("headline", brief, 45, 60, []) == "Hand-thrown stoneware teapots: see the details"


def test_after_twenty_four_scenes_two_stand_together() -> None:
    scenes = _lines("scene", read("Our tea, green, black, white, red, sweet"), 25, 4, 120)
    assert scenes[23] == "Last frame: our tea, red"
    assert scenes[24] == "Wide view: our tea, green. Close-up: our tea, black"


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


def test_a_headline_that_repeats_none_comes_first() -> None:
    assert line_for("headline", BOTTLE, 4, 60, ["Reusable water bottle"]) == "Light and strong"


TEAPOTS = "Hand-thrown stoneware teapots with bamboo handles near Leeds"
"""Sixty characters, eight words."""


def test_the_headline_of_a_caption_has_sixty_characters_at_most() -> None:
    caption = text_of(read(f"{TEAPOTS}."), "Write an Instagram caption.")
    assert caption.startswith(f"{TEAPOTS}\n\nFind out more.\n\n#HandThrownStonewareTeapots")
    caption = text_of(read(f"{TEAPOTS}!!"), "Write an Instagram caption.")
    assert caption.startswith(f"{TEAPOTS}!!\n\nAsk us for the details.\n\n#HandThrownStonewareTeapots")


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
