"""Noun phrases of a brief in the nominative, from the case that the order before them requires."""

import pytest

from impasto_nodes.providers.local.writing.base_forms import (
    czech,
    finnish,
    german,
    greek,
    polish,
    russian,
)


@pytest.mark.parametrize(
    ("preposition", "phrase", "nominative"),
    [
        # A thing after «для», «о», «про» or another noun.
        ("для", "нашего нового магазина в Твери", "наш новый магазин в Твери"),
        ("для", "магазина «Уют»", "магазин «Уют»"),
        ("для", "музея, театра", "музей, театра"),
        ("для", "автосервиса", "автосервис"),
        ("для", "мини-отеля в Сочи", "мини-отель в Сочи"),
        ("для", "мини-бара", "мини-бар"),
        ("для", "кинотеатра", "кинотеатр"),
        ("для", "дома", "дом"),
        ("для", "продукта", "продукт"),
        ("для", "нашего чайника", "наш чайник"),
        ("для", "нашего домика", "наш домик"),
        ("о", "нашем музее", "наш музей"),
        ("о", "детском лагере", "детский лагерь"),
        ("о", "новом фестивале", "новый фестиваль"),
        ("о", "яблочном рынке", "яблочный рынок"),
        ("о", "газированном напитке", "газированный напиток"),
        # Feminine nouns, hard and soft, and those that are adjectives.
        ("для", "веломастерской", "веломастерская"),
        ("для", "парикмахерской на Мира", "парикмахерская на Мира"),
        ("для", "столовой", "столовая"),
        ("про", "столовую", "столовая"),
        ("про", "нашу новую столовую", "наша новая столовая"),
        ("про", "чайную лавку «Листья»", "чайная лавка «Листья»"),
        ("о", "нашей пекарне", "наша пекарня"),
        ("для", "нашей пекарни", "наша пекарня"),
        ("про", "нашу пекарню", "наша пекарня"),
        ("о", "кофейне", "кофейня"),
        ("о", "винодельне", "винодельня"),
        ("о", "пиццерии", "пиццерия"),
        ("о", "нашей аптеке", "наша аптека"),
        ("для", "обуви ручной работы", "обувь ручной работы"),
        ("о", "детской мебели", "детская мебель"),
        ("object", "детскую мебель", "детская мебель"),
        # Neuter nouns.
        ("о", "нашем агентстве", "наше агентство"),
        ("для", "нашего кафе", "наше кафе"),
        ("для", "нового приложения", "новое приложение"),
        ("о", "новом приложении", "новое приложение"),
        ("для", "яблочного вина", "яблочное вино"),
        ("для", "свежего молока", "свежее молоко"),
        ("object", "наше вино", "наше вино"),
        # Adjectives: hard, soft, with the stress on the ending, after a sibilant.
        ("для", "летнего лагеря", "летний лагерь"),
        ("для", "летней школы", "летняя школа"),
        ("про", "летнюю школу", "летняя школа"),
        ("для", "летнего кафе", "летнее кафе"),
        ("для", "русского музея", "русский музей"),
        ("для", "ночного клуба", "ночной клуб"),
        ("для", "зубного кабинета", "зубной кабинет"),
        ("для", "морского тура", "морской тур"),
        ("для", "передового цеха", "передовой цех"),
        ("для", "винного бара", "винный бар"),
        ("для", "большого зала", "большой зал"),
        ("для", "большого кафе", "большое кафе"),
        ("для", "хорошего кафе", "хорошее кафе"),
        ("для", "хорошего ресторана", "хороший ресторан"),
        ("для", "свежей пиццерии", "свежая пиццерия"),
        ("для", "горячей пекарни", "горячая пекарня"),
        ("для", "нашего нового большого уютного магазина", "наш новый большой уютный магазин"),
        # Possessives.
        ("для", "моего магазина", "мой магазин"),
        ("для", "моей пекарни", "моя пекарня"),
        ("для", "моего кафе", "моё кафе"),
        # A noun that is in no list is known by its ending and by the word that describes it.
        ("object", "нашу лодку", "наша лодка"),
        ("object", "нашу баню", "наша баня"),
        ("object", "нашу сеть", "наша сеть"),
        ("object", "новую лодку", "новая лодка"),
        ("object", "новый роман", "новый роман"),
        ("object", "наш роман", "наш роман"),
        ("object", "новый календарь", "новый календарь"),
        ("object", "новое масло", "новое масло"),
        ("object", "наше масло", "наше масло"),
        ("для", "нашей экспедиции", "наша экспедиция"),
        ("для", "детской площадки", "детская площадка"),
        ("для", "нашей крепости", "наша крепость"),
        ("для", "новой дороги", "новая дорога"),
        ("для", "нашей газеты", "наша газета"),
        ("для", "нового товарищества", "новое товарищество"),
        ("для", "нашего издания", "наше издание"),
        ("для", "нового события", "новое событие"),
        ("для", "нового репетитора", "новый репетитор"),
        ("для", "нового учебника", "новый учебник"),
        # Plurals are the same in the accusative.
        ("про", "наши курсы", "наши курсы"),
        ("object", "новые курсы танцев", "новые курсы танцев"),
        # A person by trade and name.
        ("для", "сантехника Петрова в Омске", "сантехник Петров в Омске"),
        ("genitive", "сантехника Петрова", "сантехник Петров"),
        ("для", "сантехника в Омске", "сантехник в Омске"),
        ("для", "нашего сантехника", "наш сантехник"),
        # Capital letters stay.
        ("для", "Нового рынка", "Новый рынок"),
        ("для", "Сада", "Сад"),
        ("для", "Музея", "Музей"),
        ("для", "Чайной", "Чайная"),
    ],
)
def test_a_russian_phrase_in_the_nominative(preposition: str, phrase: str, nominative: str) -> None:
    assert russian.nominative(preposition, phrase) == nominative


@pytest.mark.parametrize(
    ("preposition", "phrase"),
    [
        ("для", "стартапа в Перми"),
        ("о", "нашем стартапе"),
        ("для", "нашего стула"),
        ("для", "нашей бани"),
        ("для", "наших курсов"),
        ("object", "роман"),
        ("object", "новый Роман"),
        ("object", "новую"),
        ("object", "новую, уютную пекарню"),
        ("object", "моё 24"),
        ("для", "нового"),
        ("для", "амбара"),
        ("genitive", "стоматолога Ивановой"),
        ("для", "сантехника Петрова Олега"),
        ("про", "нашего сантехника"),
        ("для", "самого нового большого красивого уютного магазина"),
    ],
)
def test_a_russian_phrase_whose_nominative_is_not_certain_has_none(preposition: str, phrase: str) -> None:
    assert russian.nominative(preposition, phrase) == ""


@pytest.mark.parametrize(
    ("preposition", "phrase", "nominative"),
    [
        ("pro", "naši novou kavárnu", "naše nová kavárna"),
        ("pro", "Naši kavárnu v Brně", "Naše kavárna v Brně"),
        ("pro", "mou restauraci", "moje restaurace"),
        ("pro", "moji restauraci", "moje restaurace"),
        ("pro", "svou kavárnu", "kavárna"),
        ("pro", "svoji kavárnu", "kavárna"),
        ("pro", "tu kavárnu", "ta kavárna"),
        ("pro", "naši kuchyni, Brno", "naše kuchyně, Brno"),
        ("pro", "naši duši", "naše duše"),
        ("pro", "naši vůni", "naše vůně"),
        ("pro", "naši novou galerii", "naše nová galerie"),
        ("pro", "novou, útulnou kavárnu", "nová, útulná kavárna"),
        ("pro", "novou Kavárnu", "nová Kavárna"),
        ("pro", "pekárnu", "pekárna"),
        ("pro", "obchod", "obchod"),
        ("pro", "moderní pekárnu", "moderní pekárna"),
        ("pro", "velkou světlou teplou útulnou kavárnu v Brně", "velká světlá teplá útulná kavárna v Brně"),
        ("pro", "moderní e-mailovou kampaň", "moderní e-mailová kampaň"),
        ("pro", "cestující", "cestující"),
        ("pro", "malé – kavárny", "malé – kavárny"),
        ("na", "velkou výstavu", "velká výstava"),
        ("object", "náš obchod", "náš obchod"),
        ("object", "můj nový obchod v Brně", "můj nový obchod v Brně"),
        ("genitive", "naší nové kavárny v Brně", "naše nová kavárna v Brně"),
        ("genitive", "naší kavárny, Brno", "naše kavárna, Brno"),
        ("genitive", "naší jarní výstavy", "naše jarní výstava"),
        ("genitive", "naší restaurace", "naše restaurace"),
        ("genitive", "naší nové velké světlé kavárny v Brně", "naše nová velká světlá kavárna v Brně"),
        ("o", "naší nové kavárně", "naše nová kavárna"),
        ("o", "naší restauraci", "naše restaurace"),
        ("o", "naší práci", "naše práce"),
        ("o", "naší galerii", "naše galerie"),
        ("o", "naší škole", "naše škola"),
        ("o", "naší opeře", "naše opera"),
        ("o", "naší budově", "naše budova"),
    ],
)
def test_a_czech_phrase_in_the_nominative(preposition: str, phrase: str, nominative: str) -> None:
    assert czech.nominative(preposition, phrase) == nominative


@pytest.mark.parametrize(
    ("preposition", "phrase"),
    [
        ("pro", "našeho kuchaře"),
        ("pro", "mého bratra"),
        ("pro", "nového kuchaře"),
        ("pro", "učitele"),
        ("pro", "Brno"),
        ("pro", "naši"),
        ("pro", "velkou novou světlou teplou útulnou kavárnu v Brně"),
        ("genitive", "nové kavárny"),
        ("genitive", "naší velké nové"),
        ("genitive", "naší velké nové světlé teplé útulné kavárny"),
        ("o", "nové kavárně"),
        ("o", "naší výstavě"),
        ("o", "naší věci"),
        ("o", "naší nové, kavárně"),
        ("o", "naší jarní, výstavě"),
        ("v", "naší kavárně"),
    ],
)
def test_a_czech_phrase_whose_nominative_is_not_certain_has_none(preposition: str, phrase: str) -> None:
    assert czech.nominative(preposition, phrase) == ""


@pytest.mark.parametrize(
    ("phrase", "nominative"),
    [
        ("uudelle kahvilalle", "uusi kahvila"),
        ("meidän kahvilalle", "meidän kahvila"),
        ("omalle kahvilalle", "oma kahvila"),
        ("oma kahvilalle", "oma kahvila"),
        ("meidän uudelle kahvilallemme Turussa", "meidän uusi kahvilamme Turussa"),
        ("kahvilallemme Oulussa", "kahvilamme Oulussa"),
        ("Kahvilalle", "Kahvila"),
        ("kirjakaupalle", "kirjakauppa"),
        ("kirjakaupallemme", "kirjakauppamme"),
        ("kirjakaupalleni", "kirjakauppani"),
        ("kirjakaupallenne", "kirjakauppanne"),
        ("uudesta kurssista", "uusi kurssi"),
        ("uudesta näyttelystä, Turku", "uusi näyttely, Turku"),
        ("lämpimälle saunalle", "lämmin sauna"),
        ("Lämpimälle saunalle", "Lämmin sauna"),
        ("suomalaiselle kahvilalle", "suomalainen kahvila"),
        ("vanhalle kahvilalle", "vanha kahvila"),
        ("makealle juomalle", "makea juoma"),
        ("kauniille pienelle uudelle lämpimälle kahvilalle", "kaunis pieni uusi lämmin kahvila"),
        ("Kahvila Ainolle Turussa", "Kahvila Aino Turussa"),
        ("Kahvila Ainolle, Turku", "Kahvila Aino, Turku"),
        ("Kahvila Marille", "Kahvila Mari"),
        ("Ravintola Mäkiselle, Turku", "Ravintola Mäkinen, Turku"),
        ("Ravintola Virtaselle", "Ravintola Virtanen"),
    ],
)
def test_a_finnish_phrase_in_the_nominative(phrase: str, nominative: str) -> None:
    assert finnish.nominative("case", phrase) == nominative


@pytest.mark.parametrize(
    "phrase",
    [
        "Kahvila Ellalle",  # Ella: a double consonant may be a single one in the nominative
        "Kahvila Pekalle",
        "Kahvila Oulu",
        "Kahvila",
        "Orvokille",
        "talolle",
        "Oulun uudelle kahvilalle",
        "vanhalle",
        "kummalliselle",
        "korkealle tornille",
        "uusi kahvila",
        "Kahvila oululaisille",
        "kauniille pienelle uudelle lämpimälle vanhalle kahvilalle",
    ],
)
def test_a_finnish_phrase_whose_nominative_is_not_certain_has_none(phrase: str) -> None:
    assert finnish.nominative("case", phrase) == ""


@pytest.mark.parametrize(
    ("preposition", "phrase", "nominative"),
    [
        ("της", "νέας μας ταβέρνας στον Βόλο", "η νέα μας ταβέρνα στον Βόλο"),
        ("της", "νέας ταβέρνας, στον Βόλο", "η νέα ταβέρνα, στον Βόλο"),
        ("της", "ταβέρνας Ποσειδώνας", "η ταβέρνα Ποσειδώνας"),
        ("της", "νέας μας ταβέρνας", "η νέα μας ταβέρνα"),
        ("για", "το νέο μας βιβλίο", "το νέο μας βιβλίο"),
        ("για", "την έκθεση", "η έκθεση"),
        ("για", "τις σχολικές τσάντες", "οι σχολικές τσάντες"),
        ("για", "τον φούρνο, στον Βόλο", "ο φούρνος, στον Βόλο"),
        ("για", "τον φούρνο Ανατολή", "ο φούρνος Ανατολή"),
        ("για", "τον μικρό μας", "ο μικρός μας"),
        ("για", "τον νέο σεφ της ταβέρνας", "ο νέος σεφ της ταβέρνας"),
        ("για", "τον νέο «Νερό και Φως»", "ο νέος «Νερό και Φως»"),
        ("για", "έναν πιο μεγάλο χώρο", "ένας πιο μεγάλος χώρος"),
        ("για", "εκδήλωση στον κήπο", "εκδήλωση στον κήπο"),
        ("για", "εκδήλωση", "εκδήλωση"),
        ("για", "τον σεφ", ""),
        ("για", "φούρνο στην πόλη", ""),
        ("της", "Μαρίας", ""),
    ],
)
def test_a_greek_phrase_in_the_nominative(preposition: str, phrase: str, nominative: str) -> None:
    assert greek.nominative(preposition, phrase) == nominative


@pytest.mark.parametrize(
    ("phrase", "nominative"),
    [
        ("den neuen Helm aus Kork", "der neue Helm aus Kork"),
        ("diesen alten Ofen", "dieser alte Ofen"),
        ("jeden Freitag", "jeder Freitag"),
        ("einen neuen Helm", "ein neuer Helm"),
        ("keinen Laden", "kein Laden"),
        ("meinen kleinen Laden", "mein kleiner Laden"),
        ("ihren neuen Laden", "ihr neuer Laden"),
        ("euren Laden", "euer Laden"),
        ("unseren neuen, leichten Helm", "unser neuer, leichter Helm"),
        ("den leichten und sicheren Helm", "der leichte und sichere Helm"),
        ("unseren Riesling trocken aus Nierstein", "unser Riesling trocken aus Nierstein"),
        ("die neuen Lampen", "die neuen Lampen"),
        ("neuen Wein", "neuen Wein"),
        ("Helme", "Helme"),
    ],
)
def test_a_german_phrase_in_the_nominative(phrase: str, nominative: str) -> None:
    assert german.nominative(phrase) == nominative


@pytest.mark.parametrize(
    ("phrase", "nouns"),
    [
        ("dem neuen Weinfest in Trier", "Weinfest in Trier"),
        ("dem Weinfest", "Weinfest"),
        ("Weinfest", "Weinfest"),
        ("neuen eBook-Readern", "eBook-Readern"),
        ("neuen", "neuen"),
    ],
)
def test_a_german_phrase_without_articles_and_adjectives(phrase: str, nouns: str) -> None:
    assert german.without_modifiers(phrase) == nouns


@pytest.mark.parametrize(
    ("phrase", "nominative"),
    [
        ("unserer Bäckerei in Kiel", "unsere Bäckerei in Kiel"),
        ("unserer neuen Bäckerei in Kiel", "Bäckerei in Kiel"),
        ("Meiner Bäckerei", "Meine Bäckerei"),
        ("unseres Ladens, Kiel", "unser Laden, Kiel"),
    ],
)
def test_a_german_phrase_from_the_genitive(phrase: str, nominative: str) -> None:
    assert german.from_genitive(phrase) == nominative


@pytest.mark.parametrize(
    ("phrase", "nominative"),
    [
        ("φούρνου μας", "ο φούρνος μας"),
        ("μουσείου, Βόλος", "το μουσείο, Βόλος"),
        ("εργαστηρίου", "το εργαστήριο"),
        ("δρόμου", ""),
    ],
)
def test_a_greek_phrase_after_an_article_of_two_genders(phrase: str, nominative: str) -> None:
    assert greek.nominative("του", phrase) == nominative


@pytest.mark.parametrize(
    ("preposition", "phrase", "nominative"),
    [
        ("dla", "naszej piekarni w Gdańsku", "nasza piekarnia w Gdańsku"),
        ("dla", "naszej nowej szkoły, Gdynia", "nasza nowa szkoła, Gdynia"),
        ("dla", "naszej wielkiej galerii", "nasza wielka galeria"),
        ("dla", "Naszej restauracji", "Nasza restauracja"),
        ("dla", "mojej kliniki", "moja klinika"),
        ("dla", "naszej winnicy", "nasza winnica"),
        ("dla", "naszej drogi", "nasza droga"),
        ("o", "naszej kawiarni", "nasza kawiarnia"),
        ("dla", "naszego nowego sklepu w Gdyni", "nasz nowy sklep w Gdyni"),
        ("dla", "naszego wielkiego warsztatu", "nasz wielki warsztat"),
        ("dla", "mojego sklepiku", "mój sklepik"),
        ("dla", "naszego nowego, małego, białego, cichego klubu", "nasz nowy, mały, biały, cichy klub"),
    ],
)
def test_a_polish_phrase_in_the_nominative(preposition: str, phrase: str, nominative: str) -> None:
    assert polish.nominative(preposition, phrase) == nominative


@pytest.mark.parametrize(
    ("preposition", "phrase"),
    [
        ("dla", "piekarni"),
        ("dla", "naszych butów"),
        ("dla", "naszej taniej piekarni"),
        ("dla", "naszej odzieży"),
        ("dla", "naszej nocy"),
        ("o", "naszej szkoły"),
        ("dla", "naszego ogrodu"),
        ("dla", "naszego rynku"),
        ("dla", "naszego biura"),
        ("dla", "naszej"),
        ("dla", "naszego nowego małego białego cichego dobrego klubu"),
    ],
)
def test_a_polish_phrase_whose_nominative_is_not_certain_has_none(preposition: str, phrase: str) -> None:
    assert polish.nominative(preposition, phrase) == ""
