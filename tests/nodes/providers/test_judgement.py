"""The judgement of local language models' drafts: faulty ones are not shown."""

import time

import pytest

from impasto_nodes.providers.local.text_generation.judgement import (
    Task,
    faults,
    faults_of_data,
    is_shown,
    texts_in,
)

PUMP = Task(
    "Neue Hydraulikpumpe für Bagger, 350 bar, ab März lieferbar.",
    "Write a post.\nYou write for Kern Hydraulik.\nNever use these words: billig, revolutionär.",
)
RAMEN = Task("ラーメン店の新メニュー「柚子塩」、7月1日発売", "Write a caption.")
CAFE = Task("مقهى جديد في الرياض يفتح يوم الجمعة", "Write a post.")
SCHOOL = Task("Opening of our kindergarten, 12 May", "Write a post.\nWrite in German.")
SOAP = Task("A refillable soap", "Write ad copy.")


@pytest.mark.parametrize(
    ("task", "text"),
    [
        (PUMP, "Unsere neue Hydraulikpumpe bringt 350 bar in Ihren Bagger, lieferbar ab März."),
        (
            PUMP,
            "Mehr Druck für Ihren Bagger: Die Pumpe von Kern Hydraulik liefert 350 bar. Leise und robust.",
        ),
        (RAMEN, "柚子塩ラーメン、7月1日に新登場。さっぱりとした一杯をどうぞ。"),
        (CAFE, "يفتح مقهى جديد أبوابه في الرياض هذه الجمعة."),
        (SCHOOL, "Am 12. Mai öffnet unser Kindergarten seine Türen für alle Familien."),
        (SOAP, "One bottle, endless refills: our refillable soap keeps plastic out of your bathroom."),
        (
            Task("A sale of 30 shirts", "Name three reasons."),
            "1. Soft shirts.\n2. A fair sale.\n3. Only 30 of them.",
        ),
        (Task("खादी की नई साड़ी, ₹१२००", "Write a post."), "खादी की नई साड़ी, अब केवल ₹1200 में, आपके लिए।"),
    ],
)
def test_text_about_the_brief_in_its_language_has_no_faults(task: Task, text: str) -> None:
    assert faults(text, task) == []


@pytest.mark.parametrize(
    ("task", "text", "fault"),
    [
        (PUMP, "The new hydraulic pump is strong and will make your work easy.", "is in another language"),
        (
            PUMP,
            "Mit 500 bar ist die Hydraulikpumpe für Bagger stark.",
            "has figures that are not in the brief",
        ),
        (PUMP, "Neue Hydraulikpumpe für Bagger, 350 bar, ab März lieferbar", "only repeats the brief"),
        (PUMP, "Sonne und Meer, weiße Strände und lange Nächte am Wasser.", "is not about the brief"),
        (PUMP, "Die Hydraulikpumpe für Bagger ist billig.", "has a word that the brand bans"),
        (
            PUMP,
            "Die neue Hydraulikpumpflecht ist auch hydraulikmampfgebühle für Bagger.",
            "has words that do not exist",
        ),
        (PUMP, "Die Hydraulikpumpe für Bagger, die ...", "is not finished"),
        (RAMEN, "New yuzu ramen from July 1 for everyone who loves lemon.", "is in another language"),
        (CAFE, "مطعم كبير للسمك على البحر", "is not about the brief"),
        (SCHOOL, "On 12 May our kindergarten opens its doors to families.", "is in another language"),
        (SOAP, "As an AI language model I like refillable soap.", "is about itself"),
        (SOAP, "<|im_start|>assistant A refillable soap for all of us.", "has parts of a chat template"),
        (
            SOAP,
            "Soap soap soap refillable soap soap soap refillable soap soap soap soap soap.",
            "repeats itself",
        ),
        (SOAP, " \n", "has no words"),
    ],
)
def test_fault_of_a_small_model_is_named(task: Task, text: str, fault: str) -> None:
    assert fault in faults(text, task)


@pytest.mark.parametrize(
    ("task", "language"),
    [
        (Task("Our soap", "Write in German."), "de"),
        (Task("Our soap, in Dutch", "Write in German."), "nl"),
        (Task("Our soap", "Schreibe auf FRENCH."), "fr"),
        (Task("Unsere Seife", "Write."), "de"),
        (Task("Soap from Germany"), "en"),
    ],
)
def test_the_language_is_the_last_that_is_named_else_the_briefs(task: Task, language: str) -> None:
    assert task.language == language


@pytest.mark.parametrize("mark", ["?", "？", "؟ "])
def test_an_answer_may_have_figures_that_the_question_does_not_have(mark: str) -> None:
    assert faults("It opened in 1998.", Task(f"When did the shop open{mark}")) == []
    assert faults("It opened in 1998.", Task("The shop opened")) == ["has figures that are not in the brief"]


@pytest.mark.parametrize(
    ("task", "text", "found"),
    [
        # Twelve words are judged for repetition, with fewer than 45 % different ones.
        (SOAP, "Soap refillable " * 5 + "soap", []),
        (SOAP, "Soap refillable " * 6, ["repeats itself"]),
        # Six words tell a language of the same script; two of another one.
        (PUMP, "New pump for us all.", ["is not about the brief"]),
        (PUMP, "The new pump is for us.", ["is in another language", "is not about the brief"]),
        (PUMP, "Bagger", []),
        (RAMEN, "Ramen", ["is not about the brief"]),
        (RAMEN, "Yuzu ramen", ["is in another language", "is not about the brief"]),
        # Half as long again as the brief is more than the brief.
        (Task("A refillable soap."), "A refillable soap!", ["only repeats the brief"]),
        (Task("Refillable soap"), "Refillable soap, made", ["only repeats the brief"]),
        (Task("Refillable soap"), "Refillable soap, made by", []),
        (Task("Rose soaps"), "Rose soaps, new", []),
        (SOAP, "2026", ["has figures that are not in the brief"]),
        (SOAP, "Refillable soap, ", ["is not finished"]),
        (SOAP, "Refillable soap…", ["is not finished"]),
        (SOAP, "Refillable soap keeps plastic away from your bathroom today. " * 2 + "Refillable soap", []),
        # Inflected words and pairs of dense letters are those of the brief.
        (Task("A clock, a watch"), "Clocks, watches", []),
        (Task("抹茶と急須"), "急須や、抹茶も。", []),
        # One word of five may be unknown.
        (SOAP, "Zorbel blorgs refillable soap bottle keeps plastic away from bathroom", []),
        (
            SOAP,
            "Zorbel blorgs refillable soap bottle keeps plastic away from",
            ["has words that do not exist"],
        ),
        (RAMEN, "海辺の散歩と発売", ["is not about the brief"]),
        (Task("Soap from 1,200 bars"), "Of 1200 soap bars, pick one.", []),
    ],
)
def test_a_rule_begins_where_a_text_is_long_enough(task: Task, text: str, found: list[str]) -> None:
    assert faults(text, task) == found


def test_each_longer_text_of_data_is_judged_alone() -> None:
    short = "The barber of the town sings by the sea."
    assert faults_of_data({"a": "Our refillable soap lasts.", "b": short}, SOAP) == []
    assert faults_of_data({"a": "Our refillable soap lasts.", "b": f"{short}."}, SOAP) == [
        "is not about the brief"
    ]
    good = {"headline": "Soap that stays", "body": "Our refillable soap keeps plastic out of your bathroom."}
    assert faults_of_data(good, SOAP) == []
    assert faults_of_data({**good, "body": "The role of the barber in a town by the sea."}, SOAP)
    assert "says the same twice" in faults_of_data({**good, "cta": "SOAP THAT STAYS"}, SOAP)
    assert faults_of_data({"seconds": 3}, SOAP) == []


def test_a_fault_of_data_is_named_once() -> None:
    soap = "Our refillable soap keeps 99 bottles out of your bathroom"
    data = {"list": [f"{soap}.", f"{soap}!"]}
    assert faults_of_data(data, SOAP) == ["has figures that are not in the brief"]
    assert faults_of_data({"a": "Refillable soap", "b": ["", " "]}, SOAP) == []
    assert faults_of_data({"a": "Soap", "b": "soap"}, Task("Our refillable bar")) == [
        "is not about the brief",
        "says the same twice",
    ]


def test_a_sentence_with_a_fault_is_not_shown() -> None:
    assert is_shown("Our soap is refillable.", SOAP)
    assert not is_shown("```", SOAP)
    assert not is_shown("As an AI language model I like soap.", SOAP)
    assert not is_shown("It costs 99 euros.", SOAP)
    assert not is_shown("Die Hydraulikpumpflecht ist hydraulikmampfgebühle.", PUMP)
    assert is_shown(" \n", SOAP)


def test_texts_of_data_are_found_in_order() -> None:
    data = {"a": "One", "b": [{"c": "Two"}, "Three", 4], "d": None}
    assert texts_in(data) == ["One", "Two", "Three"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Sure!",
        "Gerne!",
        "Here is a caption for your post:",
        "Sure, here is the text:\n",
        "Let me know if it fits.",
    ],
)
def test_words_about_the_answer_are_not_shown(sentence: str) -> None:
    assert not is_shown(sentence, SOAP)
    assert is_shown("Here is to soap that lasts.", SOAP)


def test_blank_lines_are_judged_in_linear_time() -> None:
    started = time.process_time()
    faults("\n" * 100_000 + "350 bar", PUMP)
    assert time.process_time() - started < 3
