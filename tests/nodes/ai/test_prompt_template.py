"""Prompts: placeholders, the voice and the look of a brand, and the language."""

import pytest

from impasto import Brand
from impasto_nodes.ai.prompt_template import (
    LANGUAGES,
    EmptyPrompt,
    image_prompt,
    in_language,
    render,
    require_words,
    with_brand_look,
    with_brand_voice,
)


def test_placeholders_are_replaced_and_missing_ones_removed() -> None:
    assert render(
        "Write for {{ audience }} in {{tone}}. {{nothing}}", {"audience": "runners", "tone": "calm"}
    ) == ("Write for runners in calm.")
    assert render("{{a}}", {"a": "{{b}}", "b": "no"}) == "{{b}}"
    assert render("For {{who|our guests}}, {{ who }}", {}) == "For our guests,"
    assert render("For {{who|our guests}}", {"who": "Ines"}) == "For Ines"
    assert render("For {{who|our guests}}", {"who": ""}) == "For our guests"
    assert render(" {{a.b}} {{a.b|x}} ", {"a.b": "no"}) == "{{a.b}} {{a.b|x}}"


BRAND = Brand(
    brand_name="Fjell",
    description="Soap.",
    palette=("#112233", "#445566"),
    tone="calm",
    banned_words=("cheap", "free"),
    example_lines=("One.", "Two."),
    dos=("Be short.",),
    donts=("Shout.", "Rush."),
)


def test_the_voice_of_a_brand_is_a_line_for_each_fact() -> None:
    assert with_brand_voice("Write.", BRAND).splitlines() == [
        "Write.",
        "You write for Fjell.",
        "Soap.",
        "Tone: calm.",
        "Never use these words: cheap, free.",
        "Do: Be short.",
        "Do not: Shout. / Rush.",
        "Lines in the brand's voice: One. / Two.",
    ]
    assert with_brand_voice("Write an ad.", None) == "Write an ad."
    assert with_brand_voice("", Brand()) == ""
    assert with_brand_voice(" Write. ", Brand(description=" Soap. ")) == "Write.\nSoap."


def test_the_look_of_a_brand_is_part_of_the_prompt_where_the_provider_does_not_read_it() -> None:
    look = ["A can", "Colours: #112233, #445566.", "Mood: calm.", "For Fjell: Soap."]
    assert with_brand_look("A can", BRAND).splitlines() == look
    assert with_brand_look("", Brand(tone="calm")) == "Mood: calm."
    assert with_brand_look("A can", Brand(brand_name="Fjell")) == "A can"
    assert with_brand_look("A can", Brand(description="Soap.")) == "A can\nFor a brand: Soap."
    assert with_brand_look("A can", None) == "A can"
    assert image_prompt("A can", BRAND, "openai").splitlines() == look
    assert image_prompt("A can", BRAND, "local") == "A can"


def test_a_prompt_needs_a_letter_or_a_digit() -> None:
    require_words("… 7", "Write.")
    for prompt in ("", " … !"):
        with pytest.raises(EmptyPrompt, match=r"Write\.") as caught:
            require_words(prompt, "Write.")
        assert caught.value.code == "required_input"


def test_prompt_states_the_language_unless_the_brief_has_one() -> None:
    assert in_language("Write an ad.", "German") == "Write an ad.\nWrite in German."
    assert in_language("", "German") == "Write in German."
    assert in_language("Write an ad.", LANGUAGES[0]) == "Write an ad."
