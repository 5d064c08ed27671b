"""Texts arranged from many briefs: in the brief's language, of its own nouns, with nothing cut or pasted."""

import re
import time
import unicodedata
from collections.abc import Mapping
from typing import Any

import jsonschema_rs
import pytest
from tests.fixtures.briefs import CASES
from tests.nodes.local.arranged_lines import lines_for

from impasto_nodes.ai.presets import PRESETS
from impasto_nodes.providers.local.errors import TextTooShort
from impasto_nodes.providers.local.text_generation.fields import FieldWriter
from impasto_nodes.providers.local.writing.arrange import line_for, text_of
from impasto_nodes.providers.local.writing.brief import read
from impasto_nodes.providers.local.writing.hashtags import hashtags_of
from impasto_nodes.providers.local.writing.languages import language_of

EVERY_BRIEF = pytest.mark.parametrize(("language", "brief"), CASES)
_ORDERS = re.compile(
    r"\b(?:launch our|launch visuals|create|write a|promote the|pictures for|ads about|make quiet)\b"
    r"|\b(?:campaign for|campanha|anúncios|crie|divulgue|kampagne|anzeigen für|erstelle|plakat zum)\b"
    r"|\b(?:campaña|anuncios|campagne|campagna|crea|annunci|maak|advertenties|zrób|reklamy|kampania|skapa|kampanj"
    r"|annonser|annoncer|lav|kampanya|reklam|hazırla)\b"
    r"|\b(?:сделайте|создай|реклам\w+|афиша|нужны|объявление|ролик"
    r"|vytvoř|reklama|připravte|plakát|napište text|inzerát)\b"
    r"|\b(?:καμπάνια|φτιάξε|διαφημίσεις|αφίσα|γράψε|βίντεο|παρουσιάστε|luo|mainoksia|juliste|kirjoita|mainos)\b|광고|포스터|만들어|广告|制作|推广"
    r"|してください|のキャンペーン|ポスター|حملة|إعلان|نريد|منشور|अभियान|विज्ञापन|पोस्टर|वीडियो",
    re.IGNORECASE,
)
_DIRECTIONS = re.compile(
    r"\btone\b|freundlicher ton|\btom calmo|no text|square|quadratisch|quadradas|\btono\b|\bton calme"
    r"|\btono allegro|rustige toon|spokojnym tonie|20 sekunder|спокойный тон|квадратных"
    r"|30 секунд|klidný tón|čtvercových|na 30 sekund"
    r"|ήρεμο τόνο|τετράγωνες|χωρίς emoji|bez emoji|sävyllä|neliönmuotoista|ilman emojeja"
    r"|トーン|正方形|بنبرة|लहजे",
    re.IGNORECASE,
)
_INFLECTED = {"ru", "cs", "el", "fi"}
"""Languages whose orders name the subject in another case than headlines do."""
_TASKS = (
    "Write a LinkedIn post about the prompt.",
    "Write an Instagram caption about the prompt.",
    "Write a Newsletter opening about the prompt.",
    "Write a Product page about the prompt.",
    "Write the spoken script of a short reel.",
)


async def _no_model(schema: Mapping[str, Any]) -> Any:
    raise AssertionError(f"a model was asked for {schema}")


async def _written(brief: str) -> dict[str, Any]:
    return {name: await FieldWriter(read(brief), _no_model).fill(PRESETS[name]) for name in PRESETS}


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for part in value.values() for text in _texts(part)]
    if isinstance(value, list):
        return [text for part in value for text in _texts(part)]
    return [value] if isinstance(value, str) else []


@pytest.mark.anyio
@EVERY_BRIEF
async def test_texts_are_about_the_brief_in_its_language(language: str, brief: str) -> None:
    assert language_of(brief) == language
    data = await _written(brief)
    for name, found in data.items():
        assert not list(jsonschema_rs.Draft202012Validator(PRESETS[name]).iter_errors(found)), name
    texts = _texts(data) + [text_of(read(brief), task) for task in _TASKS]
    for text in texts:
        assert text.strip()
        assert not _ORDERS.search(text), text
        assert not _DIRECTIONS.search(text), text
        assert language not in {"ja", "ko", "zh", "ar", "hi"} or _script(text) in _scripts(language)
    assert len({text_of(read(brief), task) for task in _TASKS}) == len(_TASKS)


@pytest.mark.anyio
@EVERY_BRIEF
async def test_lines_differ_and_none_is_cut(language: str, brief: str) -> None:
    data = await _written(brief)
    ad, grammar = data["ad_copy"], read(brief).grammar
    assert len(set(ad.values())) == 3
    headlines = data["headlines"]["headlines"]
    assert len({one.casefold() for one in headlines}) == len(headlines)
    assert len({shot["scene"] for shot in data["shot_list"]["shots"]}) == 3
    for line in (*headlines, ad["headline"], ad["call_to_action"]):
        if line.casefold() in brief.casefold():
            continue
        last = line.split()[-1].casefold()
        assert not (grammar.has_spaces and not grammar.is_head_last and last in grammar.cuts), line
        assert not re.match(rf"(?:{grammar.determiner or '(?!)'})$", f"{last} "), line
        assert not line.endswith((",", ":", "-"))


@pytest.mark.anyio
@EVERY_BRIEF
async def test_ads_of_a_set_differ_and_their_buttons_too(language: str, brief: str) -> None:
    ads = await FieldWriter(read(brief), _no_model).fill(PRESETS["ad_set"])
    headlines, calls = ads["headlines"], ads["calls_to_action"]
    assert len({one.casefold() for one in headlines}) == 4
    assert len({one.casefold() for one in calls}) == 4
    assert not {one.casefold() for one in headlines} & {one.casefold() for one in (*calls, ads["offer"])}
    assert (
        ads["offer"].casefold() not in headlines[0].casefold() or ads["offer"].casefold() in brief.casefold()
    )
    for line in (ads["offer"], *headlines, *calls):
        assert line[0] not in ".,:;!?。、।،؛"
        assert not _ORDERS.search(line), line


@EVERY_BRIEF
def test_no_paragraph_begins_with_a_mark_or_repeats_the_one_above(language: str, brief: str) -> None:
    for task in _TASKS:
        paragraphs = [one for one in text_of(read(brief), task).splitlines() if one]
        assert len(set(paragraphs)) == len(paragraphs)
        assert not [one for one in paragraphs if one[0] in ".,:;!?。、।،؛"]


@EVERY_BRIEF
def test_the_first_headline_and_every_hashtag_are_the_briefs_own_words(language: str, brief: str) -> None:
    known = read(brief)
    plain = _letters(brief + "الا")
    headline = line_for("headline", known, 4, 60, [])
    first = [word for word in headline.split() if word.casefold() not in {"der", "o", "a", "el", "le"}]
    if language == "de":
        first = [word for word in first if word[:1].isupper()]
    own = [_letters(part) for word in first for part in re.split("[、・]", word)]
    if language in _INFLECTED:
        own = [_stem(word) for word in own if word not in {"η", "ο", "οι", "το"}]
    assert all(word.removeprefix("ال") in plain for word in own), headline
    tags = hashtags_of(known, 6)
    assert tags
    assert len({tag.casefold() for tag in tags}) == len(tags)
    for tag in tags:
        assert tag.count("#") == 1
        own = [_letters(word).removeprefix("ال") for word in _words_of(tag)]
        if language in _INFLECTED:
            own = [_stem(word) for word in own]
        assert all(word in plain for word in own), tag


def _stem(word: str) -> str:
    """A word without the end that its case changes."""
    return word[: max(2, len(word) - (3 if len(word) < 10 else 6))]


def _words_of(tag: str) -> list[str]:
    starts = "".join(letter if letter in "_#" or not letter.isupper() else f" {letter}" for letter in tag)
    return re.split("[ _]", starts.strip(" #").replace("# ", ""))


def _scripts(language: str) -> set[str]:
    return {"ja", "zh"} if language == "zh" else {language}


def _script(text: str) -> str:
    found = language_of(text.replace("_", " "))
    return "ja" if found == "zh" else found  # a short Japanese line may hold Chinese letters only


def _letters(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFC", text.casefold()) if letter.isalnum())


@pytest.mark.parametrize(
    ("brief", "sentences"),
    [
        (
            "6 square pictures of our rugs from Fes. Tone: dry. A 20-second teaser. No exclamation marks.",
            ("Our rugs from Fes.",),
        ),
        (
            "京都の和菓子店「松月堂」の新作、桜餅を紹介するキャンペーン。4月10日まで受付中。",
            ("京都の和菓子店「松月堂」の新作、桜餅。", "4月10日まで受付中。"),
        ),
        ("أطلق حملة لمكتبة النور في عمّان.", ("مكتبة النور في عمّان.",)),
        ("Zrób reklamy dla piekarni Żółty Młyn w Gdyni.", ("Żółty Młyn w Gdyni.",)),
        ("Çınar Veteriner Kliniği için kampanya", ("Çınar Veteriner Kliniği.",)),
        ("요가 스튜디오 '숨'을 위한 광고", ("요가 스튜디오 '숨'.",)),
        ("为杭州的茶馆“听雨轩”制作广告", ("杭州的茶馆“听雨轩”。",)),
    ],
)
def test_orders_and_labelled_directions_are_no_part_of_the_text(
    brief: str, sentences: tuple[str, ...]
) -> None:
    assert read(brief).sentences == sentences


@pytest.mark.parametrize(
    ("brief", "sentences"),
    [
        (
            "A repair café in Ghent opens a workshop for cargo bikes; friendly, practical tone",
            ("A repair café in Ghent opens a workshop for cargo bikes.",),
        ),
        (
            "A repair café opens a workshop – warm, dry and practical tone.",
            ("A repair café opens a workshop.",),
        ),
        (
            "Ein Fahrradladen in Gent eröffnet. Freundlicher, sachlicher Ton.",
            ("Ein Fahrradladen in Gent eröffnet.",),
        ),
        ("Un taller abre en Gante; tono cercano, práctico", ("Un taller abre en Gante.",)),
        ("Un atelier ouvre à Gand. Ton chaleureux, direct.", ("Un atelier ouvre à Gand.",)),
        ("Bread, cakes, warm tone", ("Bread, cakes.",)),
        ("We bake bread; rolls, free parking, warm tone", ("We bake bread; rolls, free parking.",)),
        ("We bake bread. Parking, terrace, no text.", ("We bake bread.", "Parking, terrace.")),
    ],
)
def test_a_direction_may_list_several_traits_and_takes_no_content_with_it(
    brief: str, sentences: tuple[str, ...]
) -> None:
    assert read(brief).sentences == sentences


def test_a_part_that_limits_another_is_no_headline() -> None:
    brief = read("Die Metzgerei Brunner in Passau: frische Weißwürste ab 6 Uhr, solange der Vorrat reicht.")
    said: list[str] = []
    for _ in range(6):
        said.append(line_for("headline", brief, 4, 60, said))
    assert not [line for line in said if "solange" in line.casefold()]


def test_hashtags_keep_hyphens_together_and_names_without_suffixes() -> None:
    assert hashtags_of(read("Our hand-knotted wool rugs from Fes"), 1) == ["#HandKnottedWoolRugs"]
    assert hashtags_of(read("İzmir'deki Çınar Kliniği için kampanya"), 2) == ["#İzmir", "#ÇınarKliniği"]
    assert hashtags_of(read("부산 서면에 문을 연 요가 스튜디오 광고"), 1) == ["#부산서면"]


def test_umlauts_and_scripts_stay_in_hashtags() -> None:
    assert "#WeingutÖhler" in hashtags_of(read("Weinprobe im Weingut Öhler: fünf Rieslinge."), 6)
    assert hashtags_of(read("京都の歯科医院の広告"), 2) == ["#京都", "#歯科医院"]
    assert hashtags_of(read("神田の「松本総合法律事務所」の広告"), 2) == ["#神田", "#松本総合法律事務所"]


@pytest.mark.parametrize(
    ("brief", "first"),
    [
        ("Anzeigen für unseren neuen Helm aus Kork", "Unser neuer Helm aus Kork"),
        ("Anzeigen für den neuen Helm aus Kork", "Der neue Helm aus Kork"),
        ("Plakat zum Frühlingskonzert unseres Chors", "Frühlingskonzert unseres Chors"),
        ("Campanha do vinho da Quinta do Ribeiro", "O vinho da Quinta do Ribeiro"),
        ("حملة للعيادة الجديدة في دبي", "العيادة الجديدة في دبي"),
        ("Launch our new cargo bike.", "Our new cargo bike"),
        ("Bilder für die Praxis Dr. Müller in Köln", "Die Praxis Dr. Müller in Köln"),
        ("Реклама для нашей новой клиники «Улыбка» в Казани", "Наша новая клиника «Улыбка» в Казани"),
        ("Реклама нашего городского театра", "Наш городской театр"),
        ("Текст о детском саде «Солнышко»", "Детский сад «Солнышко»"),
        ("Рекламируйте нашу вечернюю школу танцев", "Наша вечерняя школа танцев"),
        ("Объявление для сантехника Петрова в Омске", "Сантехник Петров в Омске"),
        ("Мы открываем нашу первую обжарку для гостей в последнюю субботу месяца.", "Наша первая обжарка"),
        ("Reklama na naši rodinnou restauraci v Písku", "Naše rodinná restaurace v Písku"),
        ("Kampaň pro náš nový obchod v Brně", "Náš nový obchod v Brně"),
        ("Napište text o naší nové kavárně v Liberci", "Naše nová kavárna v Liberci"),
        ("Διαφήμιση για τον νέο μας φούρνο στον Βόλο", "Ο νέος μας φούρνος στον Βόλο"),
        ("Αφίσα για τη χορωδία μας", "Η χορωδία μας"),
        ("Mainos pienelle kirjakaupallemme Turussa", "Pieni kirjakauppamme Turussa"),
        ("Luo kampanja uudelle hammasklinikalle", "Uusi hammasklinikka"),
    ],
)
def test_the_subject_stands_in_its_base_form(brief: str, first: str) -> None:
    assert line_for("headline", read(brief), 4, 60, []) == first


@pytest.mark.parametrize(
    ("brief", "sentence"),
    [
        ("Реклама для стартапа «Лампа» в Перми", "«Лампа» в Перми."),
        ("Реклама для стартапа в Перми", "Для стартапа в Перми."),
        ("Inzerát pro instalatéra Dvořáka", "Pro instalatéra Dvořáka."),
        ("Mainos Orvokille", "Orvokille."),
    ],
)
def test_a_subject_whose_base_form_is_not_certain_keeps_its_case(brief: str, sentence: str) -> None:
    assert read(brief).sentences == (sentence,)


@pytest.mark.parametrize(
    ("brief", "language"),
    [
        ("Кампанія для нашої клініки у Львові", "uk"),
        ("Кампания за нашата нова клиника в Пловдив", "bg"),
        ("Кампања за нашу нову клинику", "sr"),
        ("Kampaň pre našu novú kaviareň v Nitre", "sk"),
        ("Kampanja za našu novu kliniku u Zagrebu", "hr"),
        ("Kampanje for vår nye klinikk i Bergen", "nb"),
        ("Kampány az új fogászati klinikánknak", "hu"),
    ],
)
def test_a_language_is_not_taken_for_its_neighbour(brief: str, language: str) -> None:
    assert read(brief).language == language
    assert read(brief).grammar.calls == {}


@pytest.mark.parametrize("text", ["öä" * 50_000, "ja " + "yö" * 50_000 + "'x"])
def test_the_language_of_a_long_text_takes_time_linear_in_its_length(text: str) -> None:
    started = time.process_time()
    language_of(text)
    assert time.process_time() - started < 3


@pytest.mark.parametrize("kind", ["headline", "title"])
@pytest.mark.parametrize(
    ("text", "traits"),
    [
        ("Dětské helmy: lehké, bezpečné, snadno se zapínají.", ("Lehké", "Bezpečné")),
        ("Ein Rucksack: leicht, wasserdicht, mit viel Platz.", ("Leicht", "Wasserdicht")),
    ],
)
def test_a_trait_of_one_word_is_no_headline_of_its_own(text: str, traits: tuple[str, ...], kind: str) -> None:
    lines = lines_for(kind, read(text), 8)
    assert not [line for line in lines if line.partition(":")[0] in traits], lines


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("brief", "headlines", "offer"),
    [
        (
            "Kampagne für unsere Praxis Linde in Köln: Implantate an einem Tag, Angstpatienten willkommen.",
            ("Unsere Praxis Linde in Köln", "Angstpatienten willkommen"),
            "Implantate an einem Tag",
        ),
        (
            "神田の松本法律事務所の広告。相続と事業承継の相談、初回30分無料。",
            ("神田の松本法律事務所", "相続と事業承継の相談"),
            "初回30分無料",
        ),
    ],
)
async def test_ads_spread_what_the_brief_says_over_headlines_and_offer(
    brief: str, headlines: tuple[str, ...], offer: str
) -> None:
    ads = await FieldWriter(read(brief), _no_model).fill(PRESETS["ad_set"])
    assert (tuple(ads["headlines"][:2]), ads["offer"]) == (headlines, offer)
    assert not [line for line in ads["headlines"] if offer in line], "the offer stands below each headline"
    buttons = {call.casefold() for call in ads["calls_to_action"]}
    assert not [line for line in ads["headlines"] if line.casefold().rpartition(": ")[2] in buttons]


def test_a_caption_does_not_say_its_first_line_twice() -> None:
    caption = text_of(read("Скидка 20 % на все розы до воскресенья в садовом центре."), _TASKS[1])
    assert caption.count("Скидка 20 % на все розы") == 1


def test_brand_is_named_and_its_banned_words_are_not_used() -> None:
    system = "Write.\nYou write for Acme.\nNever use these words: introducing, closer.\nTone: dry."
    brief, said = read("Launch our new cargo bike.", system), list[str]()
    for _ in range(6):
        said.append(line_for("headline", brief, 4, 60, said))
    assert "Introducing Acme" not in said
    assert not [line for line in said if "introducing" in line.casefold() or "closer" in line.casefold()]
    assert hashtags_of(brief, 1) == ["#Acme"]


def test_sad_briefs_get_no_cheerful_call_to_action() -> None:
    for brief in ("We are a new funeral home in York.", "Somos uma agência funerária em Coimbra."):
        lines = [
            line_for("call_to_action", read(brief), 4, 30, []),
            line_for("headline", read(brief), 4, 60, []),
        ]
        assert not re.search(
            "first|try|discover|introducing|descubra|conheça", " ".join(lines), re.IGNORECASE
        )


def test_a_language_without_phrases_keeps_to_the_briefs_own_sentences() -> None:
    brief = read("Нова стоматологічна клініка у Львові, без черг.")
    assert brief.language == "uk"
    assert text_of(brief, "Write the spoken script.").startswith("Нова стоматологічна клініка у Львові")
    assert not re.search("[A-Za-z]", line_for("call_to_action", brief, 4, 60, []))


@pytest.mark.anyio
async def test_a_text_that_must_be_longer_than_possible_is_refused_with_the_way_out() -> None:
    schema = {
        "type": "object",
        "properties": {"body": {"type": "string", "minLength": 380, "maxLength": 390}},
    }
    with pytest.raises(TextTooShort, match="connect a language model"):
        await FieldWriter(read("Soap"), _no_model).fill(schema)


@pytest.mark.anyio
async def test_shots_share_the_length_that_the_brief_names() -> None:
    data = await FieldWriter(read("A 30-second teaser for our escape room"), _no_model).fill(
        PRESETS["shot_list"]
    )
    assert sum(shot["seconds"] for shot in data["shots"]) == 30
