"""What this machine offers: its rank, its voice, and the settings of its images."""

from typing import Any

import jsonschema_rs
import pytest

from impasto_nodes.providers.local.clip import LocalVideo
from impasto_nodes.providers.local.image import LocalImage
from impasto_nodes.providers.local.image_renderer.styles import STYLES
from impasto_nodes.providers.local.spec import SPEC
from impasto_nodes.providers.registry import specs

SETTINGS = SPEC.model_settings["image"]


def test_machine_comes_last_and_reads_the_brand_itself() -> None:
    assert (SPEC.id, SPEC.title, SPEC.address, SPEC.key) == ("local", "This machine", "none", None)
    assert [*specs()][-1] == "local"
    assert SPEC.reads_brand
    assert SPEC.image is not None
    assert isinstance(SPEC.image(), LocalImage)
    assert SPEC.video is not None
    assert isinstance(SPEC.video(), LocalVideo)


@pytest.mark.anyio
async def test_one_voice_is_listed_under_the_machines_title() -> None:
    assert SPEC.list_voices is not None
    voice = {"value": "heart", "label": "Heart", "group": "This machine", "provider": "local"}
    assert await SPEC.list_voices(None) == [voice]
    assert SPEC.voices == ("heart",)


def test_every_style_can_be_chosen() -> None:
    assert sorted(SETTINGS["style"]["enum"]) == sorted(STYLES)


@pytest.mark.parametrize(
    ("name", "value", "is_valid"),
    [
        ("headline", "a" * 64, True),
        ("headline", "a" * 65, False),
        ("headline", 5, False),
        ("line", "a" * 80, True),
        ("line", "a" * 81, False),
        ("position", 0, True),
        ("position", -1, False),
        ("position", 1.5, False),
        ("style", "neon", False),
    ],
    ids=str,
)
def test_settings_of_an_image_have_limits(name: str, value: Any, is_valid: bool) -> None:
    assert jsonschema_rs.is_valid(SETTINGS[name], value) is is_valid


def test_operator_may_download_and_uses_every_core_by_default() -> None:
    assert {one.name: one.default for one in SPEC.settings} == {
        "IMPASTO_LOCAL_MODEL": "",
        "IMPASTO_LOCAL_CAPTIONS_MODEL": "",
        "IMPASTO_LOCAL_DOWNLOAD": "1",
        "IMPASTO_LOCAL_THREADS": "0",
        "IMPASTO_MODEL_HUB": "https://huggingface.co",
        "IMPASTO_MODELS_DIR": "",
    }
