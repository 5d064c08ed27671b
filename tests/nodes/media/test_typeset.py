import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from impasto_nodes.media.image.legibility import ensured, is_partly_illegible, worst_contrast
from impasto_nodes.media.text import fonts, typeset
from impasto_nodes.media.text.typeset import Face

words = st.text(st.characters(codec="latin-1", categories=("L", "N", "P", "Zs")), min_size=1, max_size=80)


@given(words, st.integers(60, 900), st.integers(30, 500))
@settings(max_examples=40, deadline=None)
def test_text_always_fits_its_box(text, width, height):
    block = typeset.fit(text, Face(), (width, height), largest=120, smallest=8)
    assert block.height <= max(height, 8)
    assert len(block.lines) == 1 or block.width <= width


@given(st.lists(st.text("abcdefghij", min_size=1, max_size=9), min_size=1, max_size=14))
@settings(max_examples=40, deadline=None)
def test_wrapping_keeps_every_word_in_order(several):
    font = fonts.load("Manrope", "bold", 30)
    lines = typeset.wrap(" ".join(several), font, 300)
    assert " ".join(lines).split() == several
    assert all(font.getlength(line) <= 300 for line in lines)


def test_lines_are_even():
    font = fonts.load("Manrope", "bold", 30)
    lines = typeset.wrap("Golden hour has a new temperature now", font, 420)
    widths = [font.getlength(line) for line in lines]
    assert max(widths) / min(widths) < 1.6


def test_text_that_does_not_fit_ends_in_an_ellipsis():
    block = typeset.fit("one two three four five six " * 20, Face(), (160, 50), largest=40, smallest=14)
    assert block.lines[-1].endswith("…")


def test_a_word_wider_than_the_box_is_broken_not_lost():
    font = fonts.load("Manrope", "bold", 40)
    lines = typeset.wrap("Donaudampfschifffahrt", font, 150)
    assert "".join(lines) == "Donaudampfschifffahrt"


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("新作展示会を3月15日（土）午後2時から開催します", ("3月15日（土）", "午後2時")),
        ("開業記念、2026年3月15日より全品30%引き、1,200円から", ("2026年3月15日", "30%", "1,200円")),
        ("新店开业，2026年3月15日起限时优惠，每位１２０元", ("2026年3月15日", "１２０元")),
    ],
)
def test_number_and_unit_are_not_separated(text, whole):
    font = fonts.load("Noto Sans JP", "bold", 30)
    for limit in range(230, 600, 15):
        lines = typeset.wrap(text, font, limit)
        assert "".join(lines) == text
        assert all(any(each in line for line in lines) for each in whole), lines


@pytest.mark.parametrize(
    ("text", "tied"),
    [
        (
            "Votre vieux livre mérite mieux : confiez-le à « Maison Perrin » avant l'été !",
            ("mieux :", "« Maison", "Perrin »", "été !"),
        ),
        (
            "Les reliures dès 1 250 €, soit -20 % en juin ; qui dit mieux ?",
            ("1 250 €,", "-20 %", "juin ;", "mieux ?"),
        ),
        ("Größe 12 000 m² für nur 99 €. Jetzt ansehen", ("12 000", "99 €.")),
    ],
)
def test_mark_and_unit_after_a_space_begin_no_line(text, tied):
    font = fonts.load("Manrope", "bold", 30)
    for limit in range(200, 900, 15):
        lines = typeset.wrap(text, font, limit)
        assert " ".join(lines) == text
        assert all(any(each in line for line in lines) for each in tied), lines


@pytest.mark.parametrize(
    ("text", "tied"),
    [
        ("Świeżo palona kawa w Twoim domu i z dostawą", ("w Twoim", "i z dostawą")),
        ("Čerstvá káva k snídani a v kanceláři", ("k snídani", "a v kanceláři")),
        ("Кофе в зёрнах и с доставкой", ("в зёрнах", "и с доставкой")),
        ("Take a break, I promise", ("a break,", "I promise")),
    ],
)
def test_no_line_ends_in_a_word_of_one_letter(text, tied):
    font = fonts.load("Manrope", "bold", 40)
    widest = max(font.getlength(each) for each in tied)
    for width in range(round(widest) + 1, round(font.getlength(text)), 7):
        lines = typeset.wrap(text, font, width)
        assert all(any(each in line for line in lines) for each in tied), lines


def test_the_letter_after_an_apostrophe_is_no_word():
    assert typeset._pieces("Ada's café d’a mère") == ["Ada's ", "café ", "d’a ", "mère"]


def test_words_that_are_tied_but_wider_than_the_box_are_not_cut():
    font = fonts.load("Manrope", "bold", 40)
    lines = typeset.wrap("« Extraordinaire »", font, font.getlength("Extraordinaire") + 2)
    assert lines == ["«", "Extraordinaire", "»"]


def test_emoji_are_left_out_rather_than_drawn_as_boxes():
    font = fonts.load("Manrope", "bold", 30)
    assert fonts.drawable("Sale 🎉 now", font) == "Sale now"


def test_an_unknown_family_falls_back():
    assert fonts.load("No Such Family", "black", 20).getlength("Hello") > 10


FAMILIES = (
    "Manrope",
    "Hanken Grotesk",
    "Red Hat Display",
    "Source Serif Pro",
    "Heebo",
    "Noto Sans Arabic",
    "Noto Sans Devanagari",
    "Noto Sans Thai",
    "Noto Sans JP",
    "Noto Sans KR",
    "Noto Sans SC",
    "Amatic SC",
    "Fredoka One",
)


def test_the_families_that_documents_name_are_bundled():
    assert fonts.families() == list(FAMILIES)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("weight", ["light", "regular", "bold", "black", "italic"])
def test_a_bundled_family_draws_latin_in_every_weight(family, weight):
    font = fonts.load(family, weight, 40)
    assert fonts.covers(font, "Golden hour, 1234")
    assert fonts.find(family.lower().replace(" ", "-"), weight) == fonts.find(family, weight)


def test_a_bundled_family_has_its_weights():
    def advance(family, weight):
        return fonts.load(family, weight, 60).getlength("Golden hour")

    for family in ("Manrope", "Hanken Grotesk", "Red Hat Display", "Source Serif Pro", "Heebo"):
        assert advance(family, "light") < advance(family, "bold") < advance(family, "black")
    files = [fonts.find("Source Serif Pro", weight).name for weight in ("light", "italic")]
    assert files == ["SourceSerif4[opsz,wght].ttf", "SourceSerif4-Italic[opsz,wght].ttf"]


def test_the_font_in_this_repository_has_its_licence_beside_it():
    path = fonts.find("Amatic SC")
    assert "SIL OPEN FONT LICENSE" in path.with_name("AmaticSC-OFL.txt").read_text()


@pytest.mark.parametrize("wanted", [None, (255, 255, 255), (0, 0, 0), (128, 128, 128), (222, 79, 42)])
@pytest.mark.parametrize("ground", ["black", "white", "grey", "noise", "checks"])
def test_contrast_is_ensured_on_any_ground(ground, wanted):
    image = Image.effect_noise((300, 300), 90).convert("RGB")
    if ground == "checks":
        image = Image.new("RGB", (2, 2), "white")
        image.putpixel((0, 0), (0, 0, 0))
        image = image.resize((300, 300), Image.Resampling.NEAREST)
    elif ground != "noise":
        image = Image.new("RGB", (300, 300), ground)
    box = (40, 100, 260, 180)
    shaded, color = ensured(image, box, wanted)
    assert worst_contrast(shaded, box, color) >= 4.4


SCRIPTS = {
    "Arabic": "قهوة باردة في الطريق",
    "Hebrew": "קפה קר בדרך הביתה",
    "Devanagari": "घर के रास्ते में ठंडी कॉफ़ी",
    "Thai": "กาแฟเย็นระหว่างทาง",
    "Cyrillic": "Холодный кофе",
    "Greek": "Κρύος καφές",
    "two at once": "Cold brew قهوة",
}


@pytest.mark.parametrize("text", SCRIPTS.values(), ids=SCRIPTS)
@pytest.mark.parametrize("weight", ["light", "black"])
def test_other_scripts_are_drawn_whole(text, weight):
    assert fonts.missing(text, "Manrope", weight) == ""
    block = typeset.fit(text, Face("Manrope", weight, -0.03), (900, 300), largest=60)
    assert " ".join(block.lines) == text
    image = Image.new("RGB", (900, 300))
    typeset.draw(image, block, (20, 20), (255, 255, 255))
    assert image.getbbox() is not None


def test_letters_that_join_stay_joined():
    """Set apart letter by letter they would be other, longer words."""
    joined = typeset.fit("سلام", Face("Manrope", "black", -0.03), (900, 300), largest=60)
    font = joined.font
    assert joined.face.tracking == 0
    assert joined.width == round(font.getlength("سلام"))
    assert joined.width < sum(font.getlength(letter) for letter in "سلام") * 0.8


def test_right_to_left_text_is_aligned_to_the_right():
    block = typeset.fit("قهوة باردة في طريق\nإلى", Face(), (400, 300), largest=40)
    canvas = Image.new("RGB", (440, 300))
    typeset.draw(canvas, block, (20, 20), (255, 255, 255))
    rows = [
        canvas.crop((0, 20 + n * block.line_height, 440, 20 + (n + 1) * block.line_height))
        for n in range(len(block.lines))
    ]
    ends = [row.getbbox()[2] for row in rows]
    assert max(ends) - min(ends) < 12
    assert fonts.is_right_to_left("12 قهوة")
    assert not fonts.is_right_to_left("Cold قهوة")


def test_variable_font_gives_each_weight():
    light, black = (fonts.load("Heebo", weight, 60).getlength("קפה") for weight in ("light", "black"))
    assert black > light


def test_text_crossed_by_a_thin_line_is_shaded():
    """Its average with the ground around it is no trouble; the line itself is."""
    image = Image.new("RGB", (400, 400), "#de8b3a")
    for top in (60, 100):
        image.paste((43, 32, 24), (20, top, 380, top + 6))
    box = (20, 20, 380, 140)
    assert is_partly_illegible(image, box, (24, 20, 17))
    shaded, color = ensured(image, box, (24, 20, 17))
    assert not is_partly_illegible(shaded, box, color)
    assert worst_contrast(shaded, box, color) >= 4.4
    plain = Image.new("RGB", (400, 400), "#f0d9b0")
    assert ensured(plain, box)[0].tobytes() == plain.tobytes()


def test_a_script_without_spaces_is_broken_between_letters_and_marks_stay_where_they_belong():
    font = fonts.load("Manrope", "bold", 40)
    text = "新しいコールドブリュー、「本日」発売中。"
    lines = typeset.wrap(text, font, font.getlength("新") * 6)
    assert "".join(lines) == text
    assert 3 <= len(lines) <= 5
    assert not any(line[0] in "、。」ー" or line[-1] == "「" for line in lines)


def test_a_script_without_spaces_is_set_as_large_as_others(monkeypatch):
    monkeypatch.setattr(fonts, "_draws", lambda path, letter: True)
    block = typeset.fit("新しい味の珈琲を毎朝の駅で" * 2, Face(), (600, 400), largest=90)
    assert block.size > 50
    assert len(block.lines) > 2


def test_emoji_beside_another_script_cost_only_themselves():
    for text in (SCRIPTS["Arabic"], SCRIPTS["Hebrew"], SCRIPTS["Thai"]):
        block = typeset.fit(f"{text} 🎉", Face("Manrope", "bold"), (900, 300), largest=60)
        assert " ".join(block.lines) == text


def test_any_font_of_the_system_serves_a_script_that_no_known_one_draws(monkeypatch):
    thai = fonts.find("Noto Sans Thai")
    monkeypatch.setattr(fonts, "families", lambda: ["Manrope"])
    monkeypatch.setattr(fonts, "_FALLBACKS", ())
    monkeypatch.setattr(fonts, "_system_files", lambda: {"unheardof": thai})
    fonts._of_the_system.cache_clear()
    assert fonts.missing(SCRIPTS["Thai"], "Manrope") == ""
    assert fonts.missing("𓀀", "Manrope") == "𓀀"
    fonts._of_the_system.cache_clear()


def test_a_very_long_text_takes_no_more_time_a_word_than_a_page():
    def setting(words):
        began = time.process_time()
        block = typeset.fit("word and more " * words, Face(), (900, 1600), largest=90)
        return (time.process_time() - began) / words, block.lines[-1]

    setting(500)  # the font is read once
    page, book = setting(500), setting(4_000)
    assert book[1].endswith("…")
    assert book[0] < 3 * page[0]


def test_words_on_a_dark_scene_with_a_light_thing_stay_light():
    """A pale haze over a dark image looks like a fault; a darker edge looks like light falling off."""
    image = Image.new("RGB", (400, 400), "#3a2a1e")
    image.paste((240, 240, 238), (150, 70, 230, 400))
    shaded, color = ensured(image, (30, 30, 300, 110))
    assert sum(color) > 600
    assert worst_contrast(shaded, (30, 30, 300, 110), color) >= 4.4
