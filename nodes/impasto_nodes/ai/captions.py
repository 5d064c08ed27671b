"""The captions node."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from impasto import Audio, Context, Json, NodeError, Port, Setting, Text, Video, node
from impasto_nodes.ai.choices import models_for
from impasto_nodes.media.captions.segmentation import Cue, as_srt, cues_along
from impasto_nodes.providers.discovery import choose
from impasto_nodes.providers.protocols import CaptionsRequest
from impasto_nodes.providers.registry import captions_provider, provider_choices
from impasto_nodes.providers.validation import expected_cost, expected_provider, problems_with


class Captioned(NamedTuple):
    """What is said, and when."""

    cues: Annotated[Json, Port(title="Captions", help="A list of {start, end, text}, in seconds.")]
    text: Annotated[Text, Port(title="Text")]
    srt: Annotated[Text, Port(title="SubRip", help="The captions as an .srt file's text.")]


class NothingToHear(NodeError):
    """Neither audio nor video is connected."""

    def __init__(self) -> None:
        super().__init__("Connect audio or video to caption.", code="required_input")


def find_problems(settings: Mapping[str, Any], configured: frozenset[str] | None) -> Iterator[dict[str, str]]:
    """Yield the problems that are known before a run. This machine needs a model only if no text is given."""
    yield from problems_with("captions", settings, configured)
    if configured is not None and expected_provider("captions", settings, configured) == "local":
        from impasto_nodes.providers.local.captions import missing

        yield from ({**problem, "severity": "warning"} for problem in missing())


def estimate(
    settings: Mapping[str, Any], inputs: Mapping[str, Any], configured: frozenset[str]
) -> dict[str, Any]:
    """Estimate the list price of the recording, half a minute if unknown; 0 if the text is given."""
    is_given = bool((inputs.get("text") or "").strip())
    if is_given and settings.get("provider", "auto") in {"auto", "local"}:
        return {"usd": 0.0, "seconds": 4.0, "provider": "local"}
    source = inputs.get("audio") or inputs.get("video")
    minutes = (getattr(source, "seconds", None) or 30.0) / 60
    cost = expected_cost("captions", settings, configured, lambda model: minutes * model.price_usd)
    return {**cost, "seconds": 4.0}


@node(
    id="captions",
    title="Captions",
    category="advanced_models",
    keywords=(
        "subtitle",
        "subtitles",
        "srt",
        "transcribe",
        "transcript",
        "stt",
        "speech to text",
        "whisper",
        "timing",
    ),
    retries=2,
    timeout=3600,
    check=find_problems,
    cost=estimate,
)
async def captions(
    audio: Annotated[Audio | None, Port(help="Speech to write down.")] = None,
    video: Annotated[Video | None, Port(help="A clip with speech.")] = None,
    text: Annotated[Text, Port(help="The spoken words, if you have them: then no provider is needed.")] = "",
    *,
    provider: Annotated[str, Setting(choices=provider_choices("captions"), widget="select")] = "auto",
    model: Annotated[
        str, Setting(options=models_for("captions"), widget="select", placeholder="Best available")
    ] = "",
    language: Annotated[
        str, Setting(max_length=8, advanced=True, placeholder="en", help="Empty: detected.")
    ] = "",
    context: Context,
) -> Captioned:
    """Writes down what is said, and when.

    With the spoken text connected it is laid along the recording by its length, on this machine. Without it
    a provider listens, or a caption model that was downloaded to this machine.
    """
    source = audio if audio is not None else video
    if source is None:
        raise NothingToHear
    if text.strip() and provider in {"auto", "local"}:
        return _captioned(cues_along(text, *await _timing(source, context)))
    choice = await choose("captions", provider, model, context)
    context.record_generation(provider=choice.provider, model=choice.model)
    result = await captions_provider(choice.provider).transcribe(
        CaptionsRequest(choice.model, source, language), context
    )
    if not result.is_charged:
        context.charge(result.usd)
    context.record_generation(provider=result.provider, model=result.model)
    return _captioned(result.cues)


async def _timing(source: Audio | Video, context: Context) -> tuple[float, list[tuple[float, float]]]:
    """Return the length of a recording in seconds, and the parts in which something is heard."""
    from impasto_nodes.media.audio.audio_file import load
    from impasto_nodes.media.audio.pacing import speech_parts
    from impasto_nodes.media.errors import MediaError
    from impasto_nodes.media.probe import probe

    def heard(path: Path) -> list[tuple[float, float]]:
        try:
            return speech_parts(load(path))
        except MediaError:  # only its length is known
            return []

    async with context.open(source) as path:
        seconds = source.seconds or (await asyncio.to_thread(probe, path)).seconds or 0.0
        return seconds, await asyncio.to_thread(heard, path)


def _captioned(cues: tuple[Cue, ...]) -> Captioned:
    return Captioned([asdict(cue) for cue in cues], " ".join(cue.text for cue in cues), as_srt(cues))
