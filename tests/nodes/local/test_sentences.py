"""Sentences end at full stops, and not at the dots of abbreviations, ordinals and initials."""

import time

import pytest

from impasto_nodes.providers.local.writing.arrange import line_for, text_of
from impasto_nodes.providers.local.writing.brief import read
from impasto_nodes.providers.local.writing.sentences import clauses_in, sentences_of, split_parts, unquoted


@pytest.mark.parametrize(
    "sentence",
    [
        "Wir eröffnen am 3. Mai in Köln.",
        "Tag der offenen Tür am 3. und 4. Oktober.",
        "Wir feiern unseren 50. Geburtstag.",
        "Die Praxis liegt im 2. Stock, Bahnhofstr. 12.",
        "Kurse für Kinder, z. B. Töpfern, ab ca. 6 Jahren.",
        "Bestattungen Krüger, geb. 1921, berät Sie bzw. Ihre Familie.",
        "Call Dr. A. Okafor on No. 5 Elm Street.",
        "We open on Jan. 5 at 9 a.m. in Leeds.",
        "Seals for pumps, e.g. gear pumps, from 3.5 bar to 1,200.75 bar.",
        "Read more at www.weber-hydraulik.de or mail info@weber.de today.",
        "A loja fica na Av. Paulista e abre na seg. 12.",
        "A Dra. Sousa recebe, p. ex. crianças, no St. Antonio.",
        "डॉ. शर्मा की फीस रु. 500 है।",
        "يستقبلكم د. أحمد في ص.ب. 12 دبي.",
        "Die 12. und letzte Folge ist da.",
        "Silvester am 31. Dezember im Hafen.",
        "Der 3. Kölner Weinmarkt beginnt.",
        "3. Platz für unser Bier.",
        "Wir sind die Nummer eins und als 2. iOS-App dabei.",
        "A play by J. R. R. Tolkien for children.",
        "Visit (Dr. Kim) or „Dr. Rad“ today.",
        "Our shop on St. James Street is open.",
        "Phones repaired by Weber Co. iPhones too.",
    ],
)
def test_sentence_is_not_cut(sentence: str) -> None:
    assert sentences_of(sentence) == [sentence]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wir öffnen um 9. Kommen Sie vorbei!", ["Wir öffnen um 9.", "Kommen Sie vorbei!"]),
        ("We have parks, cafes etc. Come and see.", ["We have parks, cafes etc.", "Come and see."]),
        ("Founded in 1998. Still here.", ["Founded in 1998.", "Still here."]),
        ("新装開店です。日曜まで。", ["新装開店です。", "日曜まで。"]),
        ("One\nTwo", ["One", "Two"]),
        ("  One.  \n\n Two. ", ["One.", "Two."]),
        ("Ask for the Dr.\nOpen today", ["Ask for the Dr.", "Open today"]),
        ("Geöffnet seit 1998. Kommen Sie vorbei!", ["Geöffnet seit 1998.", "Kommen Sie vorbei!"]),
        ("Preise ab 100. Fragen Sie uns!", ["Preise ab 100.", "Fragen Sie uns!"]),
        ("Mamy już sto. Zapraszamy!", ["Mamy już sto.", "Zapraszamy!"]),
        ("In der Hauptstr. Besuchen Sie uns!", ["In der Hauptstr.", "Besuchen Sie uns!"]),
        ("Open until late. 7 days a week.", ["Open until late.", "7 days a week."]),
        ("Fresh bread! now at noon.", ["Fresh bread!", "now at noon."]),
        ("Open today . come in.", ["Open today .", "come in."]),
        ("", []),
    ],
)
def test_text_is_split_into_sentences(text: str, expected: list[str]) -> None:
    assert sentences_of(text) == expected


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        ("Bread, cakes", [["Bread", "cakes"]]),
        ("Bread, cakes – tea, coffee", [["Bread", "cakes"], ["tea", "coffee"]]),
        ("Bread: cakes; tea", [["Bread"], ["cakes"], ["tea"]]),
        ("手作り、急須：釉薬，茶", [["手作り", "急須"], ["釉薬", "茶"]]),
        ("خبز، شاي: قهوة", [["خبز", "شاي"], ["قهوة"]]),
        ("Bread", [["Bread"]]),
    ],
)
def test_the_parts_of_a_clause_stand_between_commas(sentence: str, clauses: list[list[str]]) -> None:
    pieces = split_parts(sentence)
    assert [[pieces[at] for at in places] for places in clauses_in(pieces)] == clauses


def test_hours_and_times_are_not_split() -> None:
    assert split_parts("Geöffnet 10 – 18 Uhr") == ["Geöffnet 10 – 18 Uhr"]
    assert split_parts("Open 9 - 5") == ["Open 9 - 5"]
    assert split_parts("Kita Sonnenhof – Platz für 40")[::2] == ["Kita Sonnenhof", "Platz für 40"]


def test_range_of_numbers_is_not_cut() -> None:
    brief = read("Hydraulic pumps from 3.5 bar to 350 bar, repaired in 48 hours")
    assert line_for("headline", brief, 1, 26, []) == "Hydraulic pumps"


def test_caption_repeats_a_sentence_rather_than_continuing_its_headline() -> None:
    text = "A mosque community in Bradford invites neighbours to an open day on 4 June, with tea and a tour."
    assert text in text_of(read(text), "instagram caption")
    headline = line_for("headline", read(text), 1, 60, [])
    assert not headline.casefold().startswith("with ")


def test_single_german_noun_is_german() -> None:
    assert read("Hydraulikpumpen").language == "de"
    assert read("Dachdeckerei Yilmaz").language == "de"
    assert read("Ramen bar").language == "en"


def test_date_of_a_german_brief_stays_whole() -> None:
    brief = read("Werbung für unseren Kindergarten. Tag der offenen Tür am 3. Mai, ab 10 Uhr.")
    assert "Tag der offenen Tür am 3. Mai, ab 10 Uhr." in brief.sentences


@pytest.mark.parametrize("text", ["a. " * 100_000, "a" * 100_000 + "! b"])
def test_time_is_linear_in_a_text(text: str) -> None:
    started = time.process_time()
    sentences_of(text)
    assert time.process_time() - started < 3


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("– Bread from rye", "Bread from rye"),
        ("* Bread -", "Bread"),
        ('"Bread"', "Bread"),
        ("“Bread and salt”", "Bread and salt"),
        ("„Brot und Salz“", "Brot und Salz"),
        ("• „Brot“", "Brot"),
        ("“ Bread ”", "Bread"),
        ("“We bake", "We bake"),
        ("We salt”", "We salt"),
        ("Wir salzen“", "Wir salzen"),
        ("“Bread” is a shop", "“Bread” is a shop"),
        ("A shop called “Bread”", "A shop called “Bread”"),
        ("Ein Laden namens „Brot“", "Ein Laden namens „Brot“"),
        ("“Bread” and “Salt”", "“Bread” and “Salt”"),
        ('"', ""),
        ("", ""),
    ],
)
def test_quotation_marks_around_a_sentence_go_and_those_of_a_name_stay(sentence: str, expected: str) -> None:
    assert unquoted(sentence) == expected
