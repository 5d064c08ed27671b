"""What of a brief is an instruction, and the subject and the content that remain without it."""

import pytest

from impasto_nodes.providers.local.writing.brief import read


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


@pytest.mark.parametrize(
    ("audience", "sentence"),
    [
        ("Make ads for families.", "For families."),
        ("Make ads about families.", None),
    ],
)
def test_an_order_after_the_subject_adds_whom_it_is_for(audience: str, sentence: str | None) -> None:
    assert read(f"Our soap is here. {audience}").sentences[1:] == ((sentence,) if sentence else ())


@pytest.mark.parametrize(
    ("prompt", "sentences"),
    [
        ("Make ads. We bake bread. Make posts about rolls for tourists.", ("Make ads.", "We bake bread.")),
        ("Square. No text.", ("Square. No text.",)),
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
