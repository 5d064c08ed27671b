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
    ("prompt", "sentences"),
    [
        ("Make ads. We bake bread. Make posts about rolls for tourists.", ("Make ads.", "We bake bread.")),
        ("Square. No text.", ("Square. No text.",)),
        ("Tone: dry", ("Tone: dry.",)),
        ("No text,  calm  tone", ("No text, calm tone.",)),
        ("Soap. Tone: dry", ("Soap.",)),
        ("Use the photos of our shop. Soap from Leeds.", ("Soap from Leeds.",)),
        ("Soap – no text", ("Soap.",)),
        ("Write a post about soap, friendly and warm tone, from Leeds", ("Soap, from Leeds.",)),
        ("“Bread” is a shop", ("“Bread” is a shop.",)),
        ("Ein Laden namens „Brot und Salz“", ("Ein Laden namens „Brot und Salz“.",)),
        ("Bilder zum neuen Weinfest in Trier", ("Weinfest in Trier.",)),
        ("Bilder vom Weinfest, quadratisch", ("Weinfest.",)),
        ("Campanha do vinho verde", ("O vinho verde.",)),
        ("Campanha das nossas aulas", ("As nossas aulas.",)),
        ("Anuncios del taller en Gijón", ("El taller en Gijón.",)),
        ("Publicité du café à Nantes", ("Le café à Nantes.",)),
        ("Affiche de la boulangerie et des cafés", ("La boulangerie et des cafés.",)),
        ("Affiche de l'Atelier Noir et des cafés", ("L'Atelier Noir et des cafés.",)),
        ("Reklamy o naszej piekarni Młyn", ("Młyn.",)),
        ("Kampania na otwarcie sklepu", ("Kampania na otwarcie sklepu.",)),
        ("حملة للعيادة", ("العيادة.",)),
        ("给孩子的书", ("给孩子的书。",)),
        ("手工茶壶，请制作广告。", ("手工茶壶。",)),
        ("手工茶壶，紫砂材质，制作广告", ("手工茶壶，紫砂材质。",)),
        ("手作りの急須、広告を作ってください。", ("手作りの急須。",)),
        ("手作りの急須、信楽の土、ポスターをお願いします", ("手作りの急須、信楽の土。",)),
        ("税理士事務所、フリーランス向けの広告", ("税理士事務所、フリーランス。",)),
        ("请为杭州的茶馆制作广告", ("杭州的茶馆。",)),
        ("Реклама магазина Лада", ("Магазин Лада.",)),
        ("Реклама кафе", ("Реклама кафе.",)),
        ("Реклама сантехника Петрова в Омске", ("Сантехник Петров в Омске.",)),
        ("Διαφήμιση της νέας μας ταβέρνας στον Βόλο", ("Η νέα μας ταβέρνα στον Βόλο.",)),
        ("Kampaň naší nové kavárny v Brně", ("Naše nová kavárna v Brně.",)),
        ("Kampaň", ("Kampaň.",)),
        ("Reklamy dla małej rodzinnej piekarni Młyn", ("Młyn.",)),
        (
            "Reklamy dla małej starej rodzinnej piekarni Młyn",
            ("Dla małej starej rodzinnej piekarni Młyn.",),
        ),
        ("Реклама", ("Реклама.",)),
        ("दिल्ली के क्लिनिक के लिए अभियान, शांत लहजे में", ("दिल्ली के क्लिनिक।",)),
        ("...", ("...",)),
    ],
)
def test_a_brief_keeps_the_subject_and_the_content(prompt: str, sentences: tuple[str, ...]) -> None:
    assert read(prompt).sentences == sentences


def test_a_hindi_subject_before_a_postposition_is_oblique() -> None:
    assert read("दिल्ली के क्लिनिक के लिए अभियान").is_oblique
    assert not read("दिल्ली का क्लिनिक").is_oblique
    assert not read("京都の歯科医院の広告").is_oblique


@pytest.mark.parametrize(
    ("audience", "sentence"),
    [
        ("Make ads for families.", "For families."),
        ("Make ads about families.", None),
    ],
)
def test_an_order_after_the_subject_adds_whom_it_is_for(audience: str, sentence: str | None) -> None:
    assert read(f"Our soap is here. {audience}").sentences[1:] == ((sentence,) if sentence else ())


def test_banned_words_are_listed_in_the_system_prompt() -> None:
    brief = read("Soap", "You write for Acme.\nNever use these words: cheap, best , , art.")
    assert brief.banned == ("cheap", "best", "art")
    assert not brief.allows("The BEST soap")
    assert brief.allows("Bested by none, artful")
    assert read("Soap").banned == ()


def test_the_first_line_of_a_brand_that_is_no_rule_describes_it() -> None:
    system = "You write for Acme.\n\nTone: dry.\nDo: be kind.\nSoap for all of us. Made in Leeds.\nTwo of us."
    assert read("Our soap", system).about == ("Soap for all of us.", "Made in Leeds.")
    assert read("Our soap", "Soap for all of us.").about == ()


def test_four_thousand_characters_of_a_prompt_are_read() -> None:
    prompt = "Our soap. " * 400 + "Our bread."
    assert "Our bread." not in read(prompt).sentences
    assert "Our bread." in read(prompt[10:]).sentences


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
    ("prompt", "subject"),
    [
        ("Advertising for our bakery in Leeds", "our bakery in Leeds"),
        ("Advertising our bakery in Leeds", "our bakery in Leeds"),
        ("Advertising agencies in Leeds", "Advertising agencies in Leeds"),
        ("Reklame für unseren Laden", "unser Laden"),
        ("Inserat unserer Bäckerei in Kiel", "unsere Bäckerei in Kiel"),
        ("Anzeige unserer neuen Bäckerei in Kiel", "Bäckerei in Kiel"),
        ("Werbung unseres Cafés, Kiel", "unser Café"),
        ("Publicidade da nossa padaria", "a nossa padaria"),
        ("Propaganda para a nossa padaria", "a nossa padaria"),
        ("Publicidad de nuestra panadería", "nuestra panadería"),
        ("Publicité de notre boulangerie", "notre boulangerie"),
        ("Annonce d'une boulangerie à Nantes", "une boulangerie à Nantes"),
        ("Pub pour notre boulangerie", "notre boulangerie"),
        ("Pubblicità della nostra panetteria", "la nostra panetteria"),
        ("Annuncio del nostro studio", "il nostro studio"),
        ("Annuncio dell'Officina Verde e della scuola", "l'Officina Verde e della scuola"),
        ("Reclame van onze bakkerij", "onze bakkerij"),
        ("Reklama naszej piekarni w Gdańsku", "nasza piekarnia w Gdańsku"),
        ("Reklama piekarni Żółty Młyn w Gdyni", "Żółty Młyn w Gdyni"),
        ("Reklama nowych butów", "dla nowych butów"),
        ("Reklama dla piekarni w Gdyni", "dla piekarni w Gdyni"),
        ("Reklam för vårt bageri", "vårt bageri"),
        ("Reklame af vores bageri", "vores bageri"),
        ("İzmir'deki fırınımızın reklamı", "İzmir'deki fırınımız"),
        ("Çınar Kliniği'nin reklamı", "Çınar Kliniği"),
        ("Leipomomme mainos", "Leipomomme"),
        ("Реклама нашей пекарни", "наша пекарня"),
        ("Inzerát naší pekárny", "naše pekárna"),
        ("Διαφήμιση του φούρνου μας", "ο φούρνος μας"),
        ("パン屋のCM", "パン屋"),
        ("우리 빵집 광고", "우리 빵집"),
        ("我们面包店的广告", "我们面包店"),
        ("إعلان مخبزنا في دبي", "مخبزنا في دبي"),
        ("हमारी बेकरी का विज्ञापन", "हमारी बेकरी"),
    ],
)
def test_the_word_for_an_ad_is_an_order_in_every_language(prompt: str, subject: str) -> None:
    assert read(prompt).phrases[0] == subject
