"""What a brief says: its brand, the things that it names, and the clauses that it states."""

import pytest
from tests.nodes.local.arranged_lines import BAKERS

from impasto_nodes.providers.local.writing.brief import read


def test_brand_is_read_from_the_system_prompt() -> None:
    assert (BAKERS.brand, BAKERS.about) == ("Northbound Coffee", ("Coffee for people who go out early.",))
    assert read("Soap").brand == ""
    assert read("Soap", "Write.\nYou write for Acme.\nTone: dry.").about == ()


def test_a_description_in_another_language_is_left_out() -> None:
    assert (
        read("Unsere Seife aus Kiel, ohne Duft", "Write.\nYou write for Acme.\nSoap for all of us.").about
        == ()
    )


def test_the_first_line_on_a_brand_that_is_no_rule_describes_it() -> None:
    system = "You write for Acme.\n\nTone: dry.\nDo: be kind.\nSoap for all of us. Made in Leeds.\nTwo of us."
    assert read("Our soap", system).about == ("Soap for all of us.", "Made in Leeds.")
    system = "You write for Acme.\nTone: dry.\n\nSoap for all of us. Since 1921.\nMade in Leeds."
    assert read("Our soap", system).about == ("Soap for all of us.", "Since 1921.")
    assert read("Our soap", "Soap for all of us.").about == ()


def test_banned_words_are_listed_in_the_system_prompt() -> None:
    brief = read("Soap", "You write for Acme.\nNever use these words: cheap, best , , art.")
    assert brief.banned == ("cheap", "best", "art")
    assert not brief.allows("The BEST soap")
    assert brief.allows("Bested by none, artful")
    assert read("Soap").banned == ()


def test_the_length_of_a_video_is_read_in_any_language() -> None:
    assert read("A 30-second teaser for our escape room").seconds == 30
    assert read("Teaser für unser Café, 15 Sekunden").seconds == 15
    assert read("カフェの動画、20秒").seconds == 20
    assert read("Open 24 hours, 7 days").seconds == 0


def test_four_thousand_characters_of_a_prompt_are_read() -> None:
    prompt = "Our soap. " * 400 + "Our bread."
    assert "Our bread." not in read(prompt).sentences
    assert "Our bread." in read(prompt[10:]).sentences


@pytest.mark.parametrize(
    ("prompt", "phrases", "clauses", "is_named"),
    [
        (
            "Ads for our tea shop in Leeds: green tea, cakes, which we bake, and a garden",
            ("our tea shop in Leeds", "green tea", "cakes", "a garden"),
            (),
            True,
        ),
        ("Our tea shop is open. Ads for families.", ("Our tea shop",), ("Our tea shop is open",), True),
        ("Notre atelier est ouvert.", ("Notre atelier",), ("Notre atelier est ouvert",), True),
        ("Nuestra tienda es nueva.", ("Nuestra tienda",), ("Nuestra tienda es nueva",), True),
        ("Notre atelier et son jardin.", ("Notre atelier et son jardin",), (), True),
        ("Episode 12: storms, and letters", ("Episode 12", "storms", "letters"), (), False),
        ("24 teas from Assam, green, black", ("24 teas from Assam", "green", "black"), (), False),
        ("Trail shoes for women: light, dry", ("Trail shoes for women", "light", "dry"), (), True),
        ("Summer sale, roses", ("Summer sale", "roses"), (), True),
        ("Concert 19:30", ("Concert 19:30",), (), True),
        ("Episode 12: storms", ("Episode 12", "storms"), (), False),
        ("6 teas from Assam", ("6 teas from Assam",), (), False),
        ("* Bread\n* Salt", ("Bread", "Salt"), (), True),
        ("bread, salt, bread", ("bread", "salt"), (), True),
        (
            "We bake bread, cakes, but no rolls. Our ovens are old.",
            ("cakes",),
            ("We bake bread", "Our ovens are old"),
            False,
        ),
        (
            "We bake bread for our neighbours in Leeds.",
            ("our neighbours",),
            ("We bake bread for our neighbours in Leeds",),
            True,
        ),
        ("We love Leeds", (), ("We love Leeds",), False),
        (
            "We love our small old green shop",
            ("our small old green shop",),
            ("We love our small old green shop",),
            True,
        ),
        ("We love our very small old green shop", (), ("We love our very small old green shop",), False),
        ("Βλέπουμε τη νέα μας.", (), ("Βλέπουμε τη νέα μας",), False),
        (
            "Anzeigen für neue Helme, die jeder tragen kann, aus Kork",
            ("neue Helme", "aus Kork"),
            ("die jeder tragen kann",),
            True,
        ),
        (
            "Wir öffnen unseren Laden jetzt um neun.",
            ("Laden",),
            ("Wir öffnen unseren Laden jetzt um neun",),
            False,
        ),
        ("Reklamy dla piekarni", ("dla piekarni",), (), False),
        ("Reklamy dla piekarni w Gdyni, Młyn", ("dla piekarni w Gdyni", "Młyn"), (), True),
        ("حملة لعيادة الأسنان، والهدايا، والدين", ("عيادة الأسنان", "الهدايا", "والدين"), (), True),
        ("请为我们的茶馆制作广告。手工茶，周日开门。", ("我们的茶馆", "手工茶", "周日开门"), (), True),
        ("山梨のワイナリーの画像を6枚作ってください。", ("山梨のワイナリー",), (), True),
        ("私たちの工房で急須を作ります。", ("私たちの工房",), ("私たちの工房で急須を作ります",), True),
        ("抹茶ラテ、週末に、甘くて、おいしい。", ("抹茶ラテ", "おいしい"), (), True),
        (
            "Мы открываем нашу первую обжарку для гостей.",
            ("наша первая обжарка",),
            ("Мы открываем нашу первую обжарку для гостей",),
            True,
        ),
        ("Avaamme kahvilamme tänään.", ("kahvilamme",), ("Avaamme kahvilamme tänään",), True),
        (
            "Βλέπουμε τη νέα μας έκθεση σήμερα.",
            ("η νέα μας έκθεση",),
            ("Βλέπουμε τη νέα μας έκθεση σήμερα",),
            True,
        ),
        ("", (), (), False),
    ],
)
def test_a_brief_has_phrases_and_clauses(
    prompt: str, phrases: tuple[str, ...], clauses: tuple[str, ...], is_named: bool
) -> None:
    brief = read(prompt)
    assert (brief.phrases, brief.clauses, brief.is_named) == (phrases, clauses, is_named)


@pytest.mark.parametrize(
    ("prompt", "is_named"),
    [
        ("Kahvilamme on avoinna.", True),
        ("We open our bakery to visitors.", True),
        ("A poster for our bakery. Ads for people in Leeds.", True),
        ("Our summer sale: bread", True),
        ("Tea, which we love, and cakes", True),
        ("Bread from rye", True),
        ("Annonces du café Soleil à Lyon", True),
        ("हाथ से बनी चायदानियों के लिए विज्ञापन", True),
        ("Wir eröffnen unsere Bäckerei in Kiel.", False),
        ("We open the bakery.", False),
        ("Summer sale: bread", False),
        ("Sale: bread, cakes", False),
        ("24 teas, cakes", False),
        ("3 teas, cakes", False),
        ("Brunch 9:30", True),
        ("We bake, who likes it, bread", False),
        ("Zrób reklamy o naszej odzieży", False),
        ("Реклама для стартапа в Перми", False),
        ("Ads for we bake bread", False),
    ],
)
def test_a_sentence_may_be_built_around_the_first_thing_of_a_brief_if_it_is_one(
    prompt: str, is_named: bool
) -> None:
    assert read(prompt).is_named is is_named


def test_only_a_subject_before_a_postposition_is_oblique() -> None:
    assert read("दिल्ली के क्लिनिक के लिए अभियान").is_oblique
    assert read("हाथ से बनी चायदानियों के लिए विज्ञापन").is_oblique
    assert not read("दिल्ली का क्लिनिक").is_oblique
    assert not read("हमारी चाय। चायदानियों के लिए विज्ञापन").is_oblique
    assert not read("京都の歯科医院の広告").is_oblique
