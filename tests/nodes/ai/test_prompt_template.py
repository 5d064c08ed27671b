from impasto import Brand
from impasto_nodes.ai.prompt_template import LANGUAGES, in_language, render, with_brand_look, with_brand_voice

BRAND = Brand(
    brand_name="Northbound Coffee",
    description="Cold brew for slow mornings.",
    palette=("#2b2018", "#de8c3c"),
    tone="warm, dry",
    banned_words=("cheap",),
    dos=("Write short sentences.",),
    donts=("Shout.",),
)


def test_placeholders_are_replaced_and_missing_ones_removed() -> None:
    assert render(
        "Write for {{ audience }} in {{tone}}. {{nothing}}", {"audience": "runners", "tone": "calm"}
    ) == ("Write for runners in calm.")
    assert render("{{a}}", {"a": "{{b}}", "b": "no"}) == "{{b}}"
    assert render("For {{who|our guests}}, {{ who }}", {}) == "For our guests,"
    assert render("For {{who|our guests}}", {"who": "Ines"}) == "For Ines"


def test_prompt_states_the_brand_voice() -> None:
    said = with_brand_voice("Write an ad.", BRAND)
    for part in (
        "Write an ad.",
        "Northbound Coffee",
        "slow mornings",
        "Tone: warm, dry.",
        "Never use these words: cheap.",
        "Do: Write short sentences.",
        "Do not: Shout.",
    ):
        assert part in said
    assert with_brand_voice("Write an ad.", None) == "Write an ad."
    assert with_brand_voice("", Brand()) == ""


def test_prompt_states_the_brand_look() -> None:
    said = with_brand_look("A frosted can", BRAND)
    assert said.startswith("A frosted can\n")
    assert "#2b2018, #de8c3c" in said
    assert with_brand_look("A frosted can", None) == "A frosted can"


def test_prompt_states_the_language_unless_the_brief_has_one() -> None:
    assert in_language("Write an ad.", "German") == "Write an ad.\nWrite in German."
    assert in_language("", "German") == "Write in German."
    assert in_language("Write an ad.", LANGUAGES[0]) == "Write an ad."
