"""What the requests of adapters say of themselves."""

import pytest

from impasto import Audio
from impasto_nodes.providers.protocols import CaptionsRequest, DialogueLine, DialogueRequest


@pytest.mark.parametrize(
    ("media_type", "name"),
    [
        ("audio/mpeg", "recording.mp3"),
        ("audio/wav", "recording.wav"),
        ("video/webm", "recording.webm"),
        ("video/x-own", "recording.mp4"),
    ],
)
def test_recording_is_named_by_its_format(media_type: str, name: str) -> None:
    assert CaptionsRequest("m", Audio(asset_id="a", media_type=media_type)).file_name == name


def test_characters_of_a_dialogue_are_those_that_are_spoken() -> None:
    lines = (DialogueLine("Adam", "Is it cold?"), DialogueLine("Rachel", "Ice."))
    assert DialogueRequest(model="m", lines=lines).characters == 15
