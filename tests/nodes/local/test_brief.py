"""What a brief says: its sentences, the things that it names, and what is no part of it."""

import pytest

from impasto_nodes.providers.local.writing.brief import read, shortened
from impasto_nodes.providers.local.writing.grammars import grammar_of


@pytest.mark.parametrize(
    ("prompt", "sentences", "phrases", "clauses"),
    [
        ("Kahvilamme on avoinna.", ("Kahvilamme on avoinna.",), ("Kahvilamme",), ("Kahvilamme on avoinna",)),
        (
            "Wir eröffnen unsere Bäckerei in Kiel.",
            ("Wir eröffnen unsere Bäckerei in Kiel.",),
            ("Bäckerei",),
            ("Wir eröffnen unsere Bäckerei in Kiel",),
        ),
        (
            "We open our bakery to visitors.",
            ("We open our bakery to visitors.",),
            ("our bakery",),
            ("We open our bakery to visitors",),
        ),
        ("We open the bakery.", ("We open the bakery.",), (), ("We open the bakery",)),
        (
            "Мы открываем нашу новую пекарню в Казани.",
            ("Мы открываем нашу новую пекарню в Казани.",),
            ("наша новая пекарня",),
            ("Мы открываем нашу новую пекарню в Казани",),
        ),
        (
            "Otevíráme naši kavárnu v Brně.",
            ("Otevíráme naši kavárnu v Brně.",),
            ("naše kavárna",),
            ("Otevíráme naši kavárnu v Brně",),
        ),
        (
            "Ανοίγουμε το νέο μας βιβλίο.",
            ("Ανοίγουμε το νέο μας βιβλίο.",),
            ("το νέο μας βιβλίο",),
            ("Ανοίγουμε το νέο μας βιβλίο",),
        ),
        (
            "A poster for our bakery. Ads for people in Leeds.",
            ("Our bakery.", "For people in Leeds."),
            ("our bakery",),
            (),
        ),
        ("A poster for our bakery. Make posters about bread.", ("Our bakery.",), ("our bakery",), ()),
        (
            "A poster for our bakery. Make posters.",
            ("Our bakery.", "Make posters."),
            ("our bakery",),
            ("Make posters",),
        ),
        ("Posters for our bakery", ("Our bakery.",), ("our bakery",), ()),
        ("Make posters.", ("Make posters.",), (), ("Make posters",)),
        ("Keep it short, bread from Leeds.", ("Bread from Leeds.",), ("bread from Leeds",), ()),
        ("Tone: dry", ("Tone: dry.",), (), ()),
        ("Tone: dry. Bread from Leeds.", ("Bread from Leeds.",), ("Bread from Leeds",), ()),
        ("Sale: bread, cakes", ("Sale: bread, cakes.",), ("Sale", "bread", "cakes"), ()),
        ("Summer sale: bread", ("Summer sale: bread.",), ("Summer sale", "bread"), ()),
        ("Our summer sale: bread", ("Our summer sale: bread.",), ("Our summer sale", "bread"), ()),
        ("24 teas, cakes", ("24 teas, cakes.",), ("24 teas", "cakes"), ()),
        ("24 teas: cakes", ("24 teas: cakes.",), ("24 teas", "cakes"), ()),
        ("Tea, which we love, and cakes", ("Tea, which we love, and cakes.",), ("Tea", "cakes"), ()),
        ("Which we love, tea", ("Which we love, tea.",), ("tea",), ("Which we love",)),
        ("Bread, but not on Sunday, cakes", ("Bread, but not on Sunday, cakes.",), ("Bread", "cakes"), ()),
        ("We bake, who likes it, bread", ("We bake, who likes it, bread.",), ("bread",), ("We bake",)),
        ("Campagna del nostro forno a Roma", ("Il nostro forno a Roma.",), ("il nostro forno a Roma",), ()),
        (
            "Campagna della pizzeria Da Mario a Roma",
            ("La pizzeria Da Mario a Roma.",),
            ("la pizzeria Da Mario a Roma",),
            (),
        ),
        ("Campagna dell'albergo Sole a Roma", ("L'albergo Sole a Roma.",), ("l'albergo Sole a Roma",), ()),
        ("Campanha do café Sol em Lisboa", ("O café Sol em Lisboa.",), ("o café Sol em Lisboa",), ()),
        ("Campanha da clínica Sol", ("A clínica Sol.",), ("a clínica Sol",), ()),
        ("Anuncios del café Sol en Toledo", ("El café Sol en Toledo.",), ("el café Sol en Toledo",), ()),
        ("Annonces du café Soleil à Lyon", ("Le café Soleil à Lyon.",), ("le café Soleil à Lyon",), ()),
        ("Annonces de la boulangerie Dupont", ("La boulangerie Dupont.",), ("la boulangerie Dupont",), ()),
        ("Annonces de l'hôtel Soleil à Lyon", ("L'hôtel Soleil à Lyon.",), ("l'hôtel Soleil à Lyon",), ()),
        ("Annonces d'une boulangerie à Lyon", ("Une boulangerie à Lyon.",), ("une boulangerie à Lyon",), ()),
        (
            "Annonces de notre boulangerie à Lyon",
            ("Notre boulangerie à Lyon.",),
            ("notre boulangerie à Lyon",),
            (),
        ),
        (
            "Zrób reklamy dla piekarni Żółty Młyn w Gdyni",
            ("Żółty Młyn w Gdyni.",),
            ("Żółty Młyn w Gdyni",),
            (),
        ),
        (
            "Zrób reklamy naszej piekarni w Gdyni",
            ("Nasza piekarnia w Gdyni.",),
            ("nasza piekarnia w Gdyni",),
            (),
        ),
        (
            "Zrób reklamy dla naszej piekarni w Gdyni",
            ("Nasza piekarnia w Gdyni.",),
            ("nasza piekarnia w Gdyni",),
            (),
        ),
        ("Zrób reklamy o naszej odzieży", ("O naszej odzieży.",), ("o naszej odzieży",), ()),
        ("Promuj piekarnię Młyn", ("Młyn.",), ("Młyn",), ()),
        ("Reklama dla firmy w Gdyni", ("Dla firmy w Gdyni.",), ("dla firmy w Gdyni",), ()),
        ("Reklamy piekarni Młyn w Gdyni", ("Młyn w Gdyni.",), ("Młyn w Gdyni",), ()),
        ("Werbung unserer Bäckerei in Kiel", ("Unsere Bäckerei in Kiel.",), ("unsere Bäckerei in Kiel",), ()),
        (
            "Anzeigen für den neuen Helm aus Kork",
            ("Der neue Helm aus Kork.",),
            ("der neue Helm aus Kork",),
            (),
        ),
        ("Anzeigen zu dem neuen Weinfest in Trier", ("Weinfest in Trier.",), ("Weinfest in Trier",), ()),
        ("Bewirb unseren neuen Helm", ("Unser neuer Helm.",), ("unser neuer Helm",), ()),
        (
            "Реклама нашего стула «Ель» в Омске",
            ("Реклама нашего стула «Ель» в Омске.",),
            ("Реклама нашего стула «Ель» в Омске",),
            (),
        ),
        (
            "Реклама сантехника Петрова в Омске",
            ("Сантехник Петров в Омске.",),
            ("сантехник Петров в Омске",),
            (),
        ),
        (
            "Zrób reklamy dla starej małej dobrej cichej Lipy",
            ("Dla starej małej dobrej cichej Lipy.",),
            ("dla starej małej dobrej cichej Lipy",),
            (),
        ),
        ("Zrób reklamy dla starej małej dobrej Lipy", ("Lipy.",), ("Lipy",), ()),
        ("Реклама для стартапа «Ель» в Омске", ("«Ель» в Омске.",), ("«Ель» в Омске",), ()),
        ("Реклама для стартапа в Перми", ("Для стартапа в Перми.",), ("для стартапа в Перми",), ()),
        ("Реклама Петрова", ("Реклама Петрова.",), ("Реклама Петрова",), ()),
        ("हाथ से बनी चायदानियों के लिए विज्ञापन", ("हाथ से बनी चायदानियों।",), ("हाथ से बनी चायदानियों",), ()),
        ("हमारी चाय। चायदानियों के लिए विज्ञापन", ("हमारी चाय।",), ("हमारी चाय",), ()),
        (
            "حملة لمكتبة النور في عمّان، والكتب القديمة",
            ("مكتبة النور في عمّان، والكتب القديمة.",),
            ("مكتبة النور في عمّان", "الكتب القديمة"),
            (),
        ),
        ("京都の歯科医院の広告", ("京都の歯科医院。",), ("京都の歯科医院",), ()),
        ("神田の茶碗、春の広告を作ってください", ("神田の茶碗、春。",), ("神田の茶碗", "春"), ()),
        (
            "茶碗を焼きます。神田で開きます。",
            ("茶碗を焼きます。", "神田で開きます。"),
            ("茶碗",),
            ("茶碗を焼きます", "神田で開きます"),
        ),
        ("为杭州的茶馆制作广告", ("杭州的茶馆。",), ("杭州的茶馆",), ()),
        ("请为茶馆制作广告", ("茶馆。",), ("茶馆",), ()),
        ("茶馆，请制作广告", ("茶馆。",), ("茶馆",), ()),
        (
            "Bread and rolls, warm, friendly tone",
            ("Bread and rolls, warm.",),
            ("Bread and rolls", "warm"),
            (),
        ),
        ("• Bread from rye", ("Bread from rye.",), ("Bread from rye",), ()),
        (
            '"Bread from rye" is our shop',
            ('"Bread from rye" is our shop.',),
            ("our shop",),
            ('"Bread from rye" is our shop',),
        ),
    ],
)
def test_a_brief_is_read_into_sentences_phrases_and_clauses(
    prompt: str, sentences: tuple[str, ...], phrases: tuple[str, ...], clauses: tuple[str, ...]
) -> None:
    brief = read(prompt)
    assert (brief.sentences, brief.phrases, brief.clauses) == (sentences, phrases, clauses)


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


def test_the_first_line_on_a_brand_that_is_no_rule_is_about_it() -> None:
    system = "You write for Acme.\nTone: dry.\n\nSoap for all of us. Since 1921.\nMade in Leeds."
    assert read("Our soap", system).about == ("Soap for all of us.", "Since 1921.")


def test_only_a_subject_before_a_postposition_is_oblique() -> None:
    assert read("हाथ से बनी चायदानियों के लिए विज्ञापन").is_oblique
    assert not read("हमारी चाय। चायदानियों के लिए विज्ञापन").is_oblique
    assert not read("京都の歯科医院の広告").is_oblique


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
