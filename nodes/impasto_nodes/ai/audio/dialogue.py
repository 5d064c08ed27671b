"""The dialogue node."""

import re
from collections.abc import Mapping
from typing import Annotated, Any

from impasto import Audio, Context, NodeError, Port, Setting, Text, node
from impasto_nodes.ai.choices import Seed, check_for, models_for
from impasto_nodes.ai.prompt_template import require_words
from impasto_nodes.providers.discovery import choose
from impasto_nodes.providers.protocols import DialogueLine, DialogueRequest
from impasto_nodes.providers.registry import dialogue_provider, provider_choices
from impasto_nodes.providers.validation import expected_cost

_SPOKEN_LINE = re.compile(r"\s*([^\s:\[][^:\n]{0,39}?)\s*:\s+(\S.*)")


class NoSpeaker(NodeError):
    """The first line of a script names no speaker."""

    def __init__(self, line: str) -> None:
        message = (
            f'Write "Name: words" in each line of the script. The first line has no name: "{line[:60]}".'
        )
        super().__init__(message, code="no_speaker")


def lines_of(script: str, voices: Mapping[str, str]) -> tuple[DialogueLine, ...]:
    """Return the lines of a script in which each speaker's words follow the name and a colon.

    A line without a name continues the one before. `voices` has the voice of each speaker, by name in any
    case; a speaker who is not in it has the voice of that name. Raises `NoSpeaker`.
    """
    chosen = {name.casefold().strip(): voice.strip() for name, voice in voices.items() if voice.strip()}
    spoken: list[tuple[str, list[str]]] = []
    for line in filter(str.strip, script.splitlines()):
        if found := _SPOKEN_LINE.fullmatch(line):
            speaker = found[1]
            spoken.append((chosen.get(speaker.casefold(), speaker), [found[2].strip()]))
        elif spoken:
            spoken[-1][1].append(line.strip())
        else:
            raise NoSpeaker(line.strip())
    return tuple(DialogueLine(voice, " ".join(words)) for voice, words in spoken)


def estimate(
    settings: Mapping[str, Any], inputs: Mapping[str, Any], configured: frozenset[str]
) -> dict[str, Any]:
    """Estimate the list price of the script's characters; 600 if the script is not known."""
    characters = len(inputs.get("script") or "") or 600
    cost = expected_cost("dialogue", settings, configured, lambda model: characters / 1000 * model.price_usd)
    return {**cost, "seconds": 8.0}


@node(
    id="dialogue",
    title="Dialogue",
    category="advanced_models",
    keywords=("conversation", "podcast", "voices", "speakers", "interview", "script", "elevenlabs"),
    generative=True,
    retries=2,
    timeout=600,
    check=check_for("dialogue"),
    cost=estimate,
)
async def dialogue(
    script: Annotated[Text, Port(help='One line for each turn: "Anna: Is it cold?"')],
    *,
    provider: Annotated[str, Setting(choices=provider_choices("dialogue"), widget="select")] = "auto",
    model: Annotated[
        str, Setting(options=models_for("dialogue"), widget="select", placeholder="Best available")
    ] = "",
    voices: Annotated[
        dict[str, str] | None,
        Setting(
            widget="key_value",
            help="The voice of each speaker. A speaker who is not listed has the voice of that name.",
        ),
    ] = None,
    stability: Annotated[
        float,
        Setting(ge=0, le=1, step=0.5, widget="slider", help="High: even. Low: lively."),
    ] = 0.5,
    seed: Seed = None,
    context: Context,
) -> Annotated[Audio, Port(title="Audio")]:
    """Speaks a script with a voice for each speaker, as one recording.

    Words in brackets direct the voice: [laughs], [whispers]. A provider speaks: connect ElevenLabs under
    Account > Connections.
    """
    require_words(script, "There is nothing to say: the script holds no words.")
    lines = lines_of(script, voices or {})
    choice = await choose("dialogue", provider, model, context)
    request = DialogueRequest(model=choice.model, lines=lines, stability=stability, seed=seed)
    context.record_generation(provider=choice.provider, model=choice.model, prompt=script)
    result = await dialogue_provider(choice.provider).speak(request, context)
    if not result.is_charged:
        context.charge(result.usd, characters=request.characters)
    return result.audio
