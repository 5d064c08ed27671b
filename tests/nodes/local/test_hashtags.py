"""Hashtags of a brief: its brand, the things in it, the words that name them."""

import pytest
from tests.nodes.local.arranged_lines import BAKERS

from impasto_nodes.providers.local.writing.brief import read
from impasto_nodes.providers.local.writing.hashtags import hashtags_of


@pytest.mark.parametrize(
    ("brief", "tags"),
    [
        ("Ads for our tea cups", ["#TeaCups", "#Cups"]),
        ("Green tea, black tea, cakes", ["#GreenTea", "#BlackTea", "#Cakes"]),
        ("Our shop in Leeds, teapots and cups", ["#Shop", "#Leeds", "#Teapots", "#Cups"]),
        ("Our shop in Leeds, teapots from Fes", ["#Shop", "#Leeds"]),
        ("Our studio for making soap", ["#Studio", "#MakingSoap", "#Soap"]),
        ("A baking course in Leeds", ["#BakingCourse", "#Leeds", "#Course"]),
        ("Bread baking in Leeds", ["#Bread", "#Leeds"]),
        (
            "Our internationally acclaimed handmade furniture collection",
            ["#HandmadeFurnitureCollection", "#Collection"],
        ),
        ("Rain-proof cargo bikes that fold and lock", ["#RainProofCargoBikes", "#Bikes"]),
        ("The choir of Leeds Grammar School", ["#Choir", "#LeedsGrammarSchool"]),
        ("Our bakery Blue Mill", ["#Bakery", "#BlueMill"]),
        ("Our 24 teas", ["#Teas"]),
        ("Our 3-day course in Leeds", ["#Course", "#Leeds"]),
        ("Coffee to go in Leeds", ["#Coffee", "#Leeds"]),
        ("Bread baking", ["#Bread"]),
        ("Anzeigen für frisches Brot", ["#Brot"]),
        ("دراجة للأطفال في دبي", ["#دراجة", "#دبي"]),
        ("Our bikes: cargo bikes, folding bikes", ["#Bikes"]),
        ("We bake bread at night.", ["#BakeBread", "#Night", "#Bread"]),
        ("Clínica dentária infantil em Lisboa", ["#ClínicaDentária", "#Lisboa", "#Clínica"]),
        ("Реклама для нашей вечерней столовой", ["#ВечерняяСтоловая", "#Столовая"]),
        ("Мы печём хлеб в Казани", ["#Хлеб"]),
        ("Детский сад «Солнышко» в Омске, тихий и светлый", ["#ДетскийСад"]),
        ("Реклама для нашей новой пекарни в Казани, тёплая", ["#Пекарня"]),
        ("Городской театр кукол в Омске", ["#ГородскойТеатр", "#Театр"]),
        ("Театр кукол в Омске", ["#Театр"]),
        ("Nová dětská kavárna v Brně, klidná", ["#DětskáKavárna", "#Kavárna"]),
        ("Φεστιβάλ νέων στην Πάτρα", ["#ΦεστιβάλΝέων", "#Φεστιβάλ"]),
        ("Το μουσικό φεστιβάλ νέων στην Πάτρα", ["#ΜουσικόΦεστιβάλ", "#Φεστιβάλ"]),
        ("Anzeigen für „Brot und Salz“ in Köln", ["#Brot", "#Salz", "#Köln"]),
        ("Software für Handwerker, leicht", ["#Software", "#Handwerker"]),
        ("Hausboot auf der Müritz, Hunde willkommen", ["#Hausboot", "#Müritz", "#Hunde"]),
        (
            "Campanha para a clínica dentária Sorriso Claro em Lisboa: implantes e branqueamento",
            ["#ClínicaDentária", "#SorrisoClaro", "#Lisboa", "#Implantes", "#Branqueamento", "#Clínica"],
        ),
        (
            "Campagna per il nostro nuovo studio dentistico a Roma, impianti",
            ["#StudioDentistico", "#Roma", "#Impianti", "#Studio"],
        ),
        ("Реклама нашего городского театра", ["#ГородскойТеатр", "#Театр"]),
        ("Реклама для нашей новой пекарни в Казани, хлеб и пироги", ["#Пекарня", "#Хлеб"]),
        ("Объявление для сантехника Петрова в Омске", ["#Сантехник", "#Петров"]),
        ("Kampaň pro naši novou kavárnu v Brně, koláče a káva", ["#Kavárna", "#Koláče"]),
        ("Διαφήμιση για τον νέο μας φούρνο στον Βόλο, ψωμί και γλυκά", ["#Φούρνος", "#Ψωμί"]),
        (
            "Mainos pienelle kirjakaupallemme Turussa, kirjoja ja kahvia",
            ["#PieniKirjakauppamme", "#Kirjoja", "#Kahvia", "#Kirjakauppamme"],
        ),
        ("İzmir'deki 'Çınar' Kliniği için kampanya", ["#İzmir", "#ÇınarKliniği"]),
        ("서울의 카페를 위한 광고", ["#서울", "#카페"]),
        ("부산에서 요가 수업", ["#부산", "#요가수업"]),
        ("为杭州的茶馆“听雨轩”制作广告", ["#杭州", "#茶馆", "#听雨轩"]),
        ("حملة لعيادة الأسنان في الرياض، زراعة", ["#عيادة_الأسنان", "#الرياض"]),
        ("हमारी नई कार्गो बाइक के लिए विज्ञापन", ["#कार्गो_बाइक"]),
        ("दिल्ली की चाय", ["#दिल्ली", "#चाय"]),
    ],
)
def test_hashtags_name_the_things_in_a_brief(brief: str, tags: list[str]) -> None:
    assert hashtags_of(read(brief), 6) == tags


def test_there_are_no_more_hashtags_than_asked_for() -> None:
    brief = read("Our shop in Leeds, teapots and cups")
    assert [len(hashtags_of(brief, most)) for most in range(6)] == [0, 1, 2, 3, 4, 4]


@pytest.mark.parametrize(
    ("brand", "tags"),
    [
        ("Q", ["#Teapots"]),
        ("AB", ["#AB", "#Teapots"]),
        ("1998", ["#Teapots"]),
        ("A" * 29, ["#" + "A" * 29, "#Teapots"]),
        ("A" * 30, ["#Teapots"]),
        ("northbound tea company", ["#NorthboundTeaCompany", "#Teapots"]),
        ("A4", ["#A4", "#Teapots"]),
        ("Tea", ["#Tea"]),
    ],
)
def test_a_brand_is_the_first_hashtag_unless_it_is_too_short_too_long_or_a_number(
    brand: str, tags: list[str]
) -> None:
    assert hashtags_of(read("Teapots", f"You write for {brand}."), 6) == tags


def test_a_word_of_the_brand_is_no_hashtag_of_its_own() -> None:
    assert hashtags_of(read("Our teapots and cups", "You write for Red Teapots."), 6) == [
        "#RedTeapots",
        "#Cups",
    ]


def test_a_banned_word_is_no_hashtag() -> None:
    system = "You write for Acme.\nNever use these words: teapots."
    assert hashtags_of(read("Cups and teapots", system), 6) == ["#Acme", "#Cups"]


def test_a_brief_without_words_has_no_hashtags() -> None:
    assert hashtags_of(read(""), 6) == []
    assert hashtags_of(read("2026"), 6) == []


def test_hashtags_are_nouns() -> None:
    assert hashtags_of(BAKERS, 6)[:3] == ["#NorthboundCoffee", "#Hiring", "#Bakers"]
    brief = read("We open our first roastery to visitors on the last Saturday.", "")
    assert hashtags_of(brief, 6) == ["#Roastery"]
