"""The lines of a script, and the voices of their speakers."""

import pytest

from impasto_nodes.ai.audio.dialogue import NoSpeaker, lines_of
from impasto_nodes.providers.protocols import DialogueLine


@pytest.mark.parametrize(
    ("script", "voices", "lines"),
    [
        (
            "Anna: Hi\nthere\n\n Ben :  Yes: no",
            {"ANNA ": " v1 ", "Ben": " "},
            [("v1", "Hi there"), ("Ben", "Yes: no")],
        ),
        ("A: one\nA: two\n [sighs] \nmore", {}, [("A", "one"), ("A", "two [sighs] more")]),
        (f"{'n' * 40}: long", {}, [("n" * 40, "long")]),
        ("A: at 10:30", {}, [("A", "at 10:30")]),
    ],
)
def test_lines_of_a_script_have_the_voices_of_their_speakers(
    script: str, voices: dict[str, str], lines: list[tuple[str, str]]
) -> None:
    assert lines_of(script, voices) == tuple(DialogueLine(*line) for line in lines)


@pytest.mark.parametrize(
    "script", ["Hello there", f"{'n' * 41}: long", "[laughs]: yes", "A:no space", "o" * 61]
)
def test_a_script_begins_with_a_speaker(script: str) -> None:
    with pytest.raises(NoSpeaker) as caught:
        lines_of(f"\n {script}\nAnna: Hi", {})
    assert caught.value.code == "no_speaker"
    assert f'"{script[:60]}"' in caught.value.message
