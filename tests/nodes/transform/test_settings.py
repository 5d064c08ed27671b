"""The settings of each node: saved flows rely on their defaults, and forms on their limits."""

from typing import Any

import impasto_nodes.transform as nodes
from impasto.sdk.node_type import node_type_of

# For each setting: the default, the least and the largest value, and the step of a number.
Limits = tuple[Any, float | None, float | None, float | None]
SETTINGS: dict[str, dict[str, Limits]] = {
    "burn_captions": {
        "place": ("bottom", None, None, None),
        "look": ("panel", None, None, None),
        "size": (0.05, 0.02, 0.12, 0.005),
        "upper_case": (False, None, None, None),
    },
    "compose": {
        "template": ("", None, None, None),
    },
    "compose_ads": {
        "sizes": ("Instagram", None, None, None),
    },
    "contact_sheet": {
        "columns": (0, 0, 12, None),
        "width": (1600, 320, 6000, 10),
        "gap": (0.015, 0, 0.1, 0.005),
        "cell": ("as the first", None, None, None),
    },
    "convert": {
        "format": ("JPEG", None, None, None),
        "quality": (88, 1, 100, None),
    },
    "join_clips": {
        "transition": ("cross-fade", None, None, None),
        "transition_seconds": (0.5, 0.1, 3, 0.1),
        "aspect_ratio": ("as the first clip", None, None, None),
        "fit": ("fill", None, None, None),
        "clip_sound": ("keep", None, None, None),
        "length": ("as long as the clips", None, None, None),
    },
    "mix_audio": {
        "music_level": (-6.0, -40, 6, 1),
        "ducking": (12.0, 0, 30, 1),
        "length": ("as long as the voice", None, None, None),
        "lead_in": (0.0, 0, 10, 0.5),
        "loudness": (-14.0, -30, -8, 0.5),
        "bed": (False, None, None, None),
    },
    "overlay_logo": {
        "position": ("bottom right", None, None, None),
        "size": (0.18, 0.04, 0.6, 0.01),
        "margin": (0.05, 0, 0.2, 0.01),
        "opacity": (1.0, 0.1, 1, 0.05),
    },
    "overlay_text": {
        "position": ("auto", None, None, None),
        "size": (0.1, 0.02, 0.3, 0.01),
        "font": ("", None, None, None),
        "weight": ("black", None, None, None),
        "colour": ("", None, None, None),
        "upper_case": (False, None, None, None),
        "margin": (0.07, 0, 0.2, 0.01),
        "measure": (0.86, 0.2, 1, 0.05),
    },
    "pace_voice": {
        "seconds": (0.0, 0, 120, 1),
    },
    "palette": {
        "count": (5, 2, 12, None),
    },
    "pick": {
        "path": ("", None, None, None),
        "most": (20, 1, 100, None),
    },
    "place_product": {
        "size": (0.55, 0.1, 1, 0.05),
        "across": (0.5, 0, 1, 0.05),
        "floor": (0.8, 0.2, 1, 0.05),
        "shadow": (0.55, 0, 1, 0.05),
    },
    "remove_background": {
        "ground": ("", None, None, None),
        "trim": (False, None, None, None),
    },
    "resize_crop": {
        "sizes": ("own size", None, None, None),
        "width": (1080, 16, 8000, None),
        "height": (1080, 16, 8000, None),
        "fit": ("smart", None, None, None),
    },
    "still_to_video": {
        "duration": (5.0, 0.5, 120, 0.5),
        "move": ("push in", None, None, None),
        "aspect_ratio": ("as the picture", None, None, None),
        "height": (720, None, None, None),
    },
    "subject_mask": {
        "part": ("subject", None, None, None),
        "grow": (0.0, -5, 5, 0.1),
        "feather": (0.0, 0, 5, 0.1),
    },
}
# The settings that stand on the node itself, and those that stand behind "Advanced".
MAIN = {
    "burn_captions": ["place"],
    "compose": ["template"],
    "compose_ads": ["sizes"],
    "contact_sheet": ["columns"],
    "convert": ["format"],
    "join_clips": ["transition"],
    "mix_audio": ["ducking"],
    "overlay_logo": ["position"],
    "pace_voice": ["seconds"],
    "palette": ["count"],
    "pick": ["path"],
    "place_product": ["size"],
    "resize_crop": ["sizes"],
    "still_to_video": ["duration"],
}
ADVANCED = {
    "burn_captions": ["upper_case"],
    "contact_sheet": ["gap"],
    "mix_audio": ["loudness", "bed"],
    "overlay_logo": ["margin", "opacity"],
    "overlay_text": ["margin", "measure"],
    "pick": ["most"],
    "still_to_video": ["height"],
}
TYPES = {
    found.id: found
    for value in vars(nodes).values()
    if callable(value) and (found := node_type_of(value)) is not None
}


def test_settings_of_a_node_have_their_defaults_and_limits() -> None:
    found = {
        name: {each.name: (each.default, each.ui.ge, each.ui.le, each.ui.step) for each in kind.settings}
        for name, kind in TYPES.items()
    }
    assert found == SETTINGS


def test_most_important_settings_stand_on_the_node_and_rare_ones_behind_advanced() -> None:
    main = {name: [each.name for each in kind.settings if each.ui.main] for name, kind in TYPES.items()}
    rare = {name: [each.name for each in kind.settings if each.ui.advanced] for name, kind in TYPES.items()}
    assert {name: shown for name, shown in main.items() if shown} == MAIN
    assert {name: hidden for name, hidden in rare.items() if hidden} == ADVANCED


def test_transforms_are_repeatable_and_free() -> None:
    assert [name for name, kind in TYPES.items() if kind.generative or kind.deprecated] == []
    assert {kind.category for kind in TYPES.values()} == {"transform_assets"}


def test_a_template_has_at_most_50_000_characters() -> None:
    [template] = [each for each in TYPES["compose"].settings if each.name == "template"]
    assert template.ui.max_length == 50_000


def test_a_still_is_shown_at_one_of_four_heights() -> None:
    [height] = [each for each in TYPES["still_to_video"].settings if each.name == "height"]
    assert height.ui.choices == [360, 480, 720, 1080]


def test_inputs_that_may_be_missing_have_their_defaults() -> None:
    found = {
        name: {port.name: port.default for port in kind.inputs if not port.required}
        for name, kind in TYPES.items()
    }
    assert {name: defaults for name, defaults in found.items() if defaults} == {
        "burn_captions": {"cues": None, "srt": None, "brand": None},
        "compose": {"data": None},
        "compose_ads": {"offer": "", "calls": None, "brand": None, "product": None},
        "contact_sheet": {"labels": [], "title": "", "brand": None},
        "join_clips": {"audio": None},
        "mix_audio": {"music": None},
        "overlay_logo": {"logo": None, "brand": None},
        "overlay_text": {"brand": None},
        "pace_voice": {"brief": ""},
        "still_to_video": {"audio": None},
    }
