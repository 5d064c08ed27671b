"""The differences between two versions of a brand, as sentences in the order of the brand's page."""

from typing import Any

import pytest

from impasto_server.brands.diff import changes_between, summary_of
from impasto_server.brands.schemas import BrandContent

RED, BLUE = {"hex": "#d92d20", "role": "primary"}, {"hex": "#1e3a8a", "role": "primary"}
INTER = {"asset_id": "a1", "family": "Inter", "weight": 700, "italic": False}


def changes(before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, str]]:
    contents = [BrandContent.model_validate({"name": "Fjell", **each}) for each in (before, after)]
    return [(change.field, change.sentence) for change in changes_between(*contents)]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({}, {}, []),
        ({}, {"name": "Fjord"}, [("name", "Name changed from 'Fjell' to 'Fjord'.")]),
        ({}, {"description": "Outdoor wear"}, [("description", "Description added: 'Outdoor wear'.")]),
        ({"legal_line": "© Fjell"}, {}, [("legal_line", "Legal line removed.")]),
        ({}, {"description": "x" * 60}, [("description", f"Description added: '{'x' * 60}'.")]),
        ({}, {"description": "x" * 59 + " yz"}, [("description", f"Description added: '{'x' * 59}…'.")]),
        ({}, {"logo": {"light": "a1"}}, [("logo.light", "Logo for light backgrounds added.")]),
        ({"logo": {"light": "a1"}}, {"logo": {"light": "a2"}},
         [("logo.light", "Logo for light backgrounds replaced.")]),
        ({"logo": {"dark": "a1"}}, {}, [("logo.dark", "Logo for dark backgrounds removed.")]),
        ({"logo": {"clear_space": 0.5}}, {"logo": {"clear_space": 1}},
         [("logo.clear_space", "Clear space changed from 0.5 to 1 logo heights.")]),
        ({"logo": {"min_width": 100}}, {"logo": {"min_width": 120}},
         [("logo.min_width", "Least width changed from 100 to 120 pixels.")]),
        ({"colors": [RED]}, {"colors": [BLUE]},
         [("colors.primary", "Primary colour changed from #d92d20 to #1e3a8a.")]),
        ({}, {"colors": [RED]}, [("colors.primary", "Primary colour #d92d20 added.")]),
        ({"colors": [RED, BLUE]}, {"colors": [BLUE]},
         [("colors.primary", "Primary colour #d92d20 removed.")]),
        ({"colors": [RED, BLUE]}, {"colors": [BLUE, RED]},
         [("colors", "The order of the colours changed.")]),
        ({"colors": [RED]}, {"colors": [{**RED, "role": "accent"}]},
         [("colors.primary", "Primary colour #d92d20 removed."),
          ("colors.accent", "Accent colour #d92d20 added.")]),
        ({"colors": [RED]}, {"colors": [{**RED, "name": "Rust"}]},
         [("colors.primary", "#d92d20 is now called 'Rust'.")]),
        ({"colors": [{**RED, "name": "Rust"}]}, {"colors": [RED]},
         [("colors.primary", "#d92d20 is no longer called 'Rust'.")]),
        ({"fonts": [{"family": "Inter", "role": "text"}]}, {"fonts": [{"family": "Lora", "role": "text"}]},
         [("fonts.text", "Text font changed from Inter to Lora.")]),
        ({"font_files": [INTER]}, {"font_files": [{**INTER, "italic": True}]},
         [("fonts.files", "Font file 'Inter 700' removed."),
          ("fonts.files", "Font file 'Inter 700 italic' added.")]),
        ({"voice": {"banned_words": ["cheap"]}}, {"voice": {"banned_words": ["cheap", "deal"]}},
         [("voice.banned_words", "Banned word 'deal' added.")]),
        ({"voice": {"tone": ["calm", "warm"]}}, {"voice": {"tone": ["warm"]}},
         [("voice.tone", "Tone 'calm' removed.")]),
        ({"voice": {"tone": ["calm", "warm"]}}, {"voice": {"tone": ["warm", "calm"]}},
         [("voice.tone", "The order of 'Tone' changed.")]),
    ],
)  # fmt: skip
def test_each_difference_is_a_sentence(
    before: dict[str, Any], after: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert changes(before, after) == expected


def test_differences_keep_the_values_before_and_after() -> None:
    black = {"hex": "#000000", "role": "text"}
    before = BrandContent.model_validate(
        {
            "name": "Fjell", "description": "Skin care",
            "logo": {"light": "a1", "clear_space": 0.5, "min_width": 96},
            "colors": [{**RED, "name": "Rust"}, black],
            "fonts": [{"family": "Inter", "role": "text"}], "font_files": [INTER],
            "voice": {"tone": ["calm", "warm"], "dos": ["Show hands"]},
        }
    )  # fmt: skip
    after = BrandContent.model_validate(
        {
            "name": "Fjord", "logo": {"dark": "a2", "clear_space": 1, "min_width": 120},
            "colors": [black, {**RED, "name": "Red"}],
            "fonts": [{"family": "Lora", "role": "text"}],
            "voice": {"tone": ["warm", "calm"], "dos": ["Show faces"]}, "legal_line": "©",
        }
    )  # fmt: skip
    assert [(change.field, change.before, change.after) for change in changes_between(before, after)] == [
        ("name", "Fjell", "Fjord"),
        ("description", "Skin care", ""),
        ("logo.light", "a1", None),
        ("logo.dark", None, "a2"),
        ("logo.clear_space", 0.5, 1.0),
        ("logo.min_width", 96, 120),
        ("colors.primary", "Rust", "Red"),
        ("fonts.text", "Inter", "Lora"),
        ("fonts.files", "Inter 700", None),
        ("voice.tone", ["calm", "warm"], ["warm", "calm"]),
        ("voice.dos", "Show hands", None),
        ("voice.dos", None, "Show faces"),
        ("legal_line", "", "©"),
        ("colors", ["#d92d20", "#000000"], ["#000000", "#d92d20"]),
    ]
    changed = changes_between(BrandContent.model_validate({"name": "F", "colors": [RED]}),
                              BrandContent.model_validate({"name": "F", "colors": [BLUE]}))  # fmt: skip
    assert [(change.before, change.after) for change in changed] == [("#d92d20", "#1e3a8a")]


def test_summary_is_the_first_change_and_the_number_of_the_others() -> None:
    names = ["Fjord", "Fjord", "Fjord"]
    afters: list[dict[str, Any]] = [{}, {"legal_line": "©"}, {"legal_line": "©", "colors": [RED]}]
    found = []
    for name, after in zip(names, afters, strict=True):
        contents = [BrandContent(name="Fjell"), BrandContent.model_validate({"name": name, **after})]
        found.append(summary_of(changes_between(*contents)))
    first = "Name changed from 'Fjell' to 'Fjord'"
    assert found == [f"{first}.", f"{first}, and 1 more change.", f"{first}, and 2 more changes."]
    assert summary_of([]) == ""
