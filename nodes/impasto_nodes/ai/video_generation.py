"""The video generation node."""

from collections.abc import Mapping
from typing import Annotated, Any

from impasto import Brand, Context, Image, NodeError, Port, Setting, Text, Video, node
from impasto_nodes.ai.choices import Seed, VideoModelSettings, check_for, models_for
from impasto_nodes.ai.prompt_template import image_prompt
from impasto_nodes.providers.clip_price import clip_usd
from impasto_nodes.providers.discovery import choose
from impasto_nodes.providers.protocols import VideoRequest
from impasto_nodes.providers.registry import (
    duration_options,
    provider_choices,
    video_provider,
)
from impasto_nodes.providers.validation import expected_cost

_RATIOS = ("16:9", "9:16", "1:1", "4:5", "4:3", "3:4", "21:9")


class NothingToAnimate(NodeError):
    """Neither prompt nor image is connected."""

    def __init__(self) -> None:
        super().__init__("Connect a prompt or an image to make a clip of.", code="required_input")


async def list_durations(query: str, context: Context | None) -> list[dict[str, Any]]:
    """List the lengths that each listed model makes, shortest first."""
    return duration_options()


def estimate(
    settings: Mapping[str, Any], inputs: Mapping[str, Any], configured: frozenset[str]
) -> dict[str, Any]:
    """Estimate the list price of the clip's seconds."""
    seconds = settings["duration"]
    more, has_image = settings.get("more") or {}, bool(inputs.get("picture"))
    cost = expected_cost(
        "video", settings, configured, lambda model: clip_usd(model, seconds, more, has_image=has_image)
    )
    expected = {**cost, "seconds": 2.0 + seconds if cost["usd"] == 0 else 60.0}
    prompt = inputs.get("prompt")
    if cost["provider"] != "local" or not isinstance(prompt, str):
        return expected
    from impasto_nodes.providers.local.notices import video_notices

    return {**expected, "notices": list(video_notices(prompt, seconds))}


@node(
    id="video_generation",
    title="Video generation",
    category="ai_models",
    keywords=("text to video", "image to video", "animate", "clip", "film", "movie", "t2v", "i2v"),
    generative=True,
    retries=2,
    timeout=1800,
    check=check_for("video"),
    cost=estimate,
)
async def video_generation(
    prompt: Annotated[Text, Port(help="What happens.")] = "",
    picture: Annotated[Image | None, Port(title="Image", help="The first frame.")] = None,
    brand: Annotated[Brand | None, Port(help="Colours and mood.")] = None,
    *,
    provider: Annotated[str, Setting(choices=provider_choices("video"), widget="select")] = "auto",
    model: Annotated[
        str, Setting(options=models_for("video"), widget="select", placeholder="Best available")
    ] = "",
    duration: Annotated[
        float, Setting(ge=1, le=30, step=1, unit="s", widget="number", options="list_durations")
    ] = 5,
    aspect_ratio: Annotated[str, Setting(choices=_RATIOS, widget="segmented")] = "16:9",
    seed: Seed = None,
    more: VideoModelSettings = None,
    context: Context,
) -> Annotated[Video, Port(title="Video")]:
    """Makes a clip from a prompt or an image."""
    if not prompt.strip() and picture is None:
        raise NothingToAnimate
    choice = await choose("video", provider, model, context, seconds=duration)
    request = VideoRequest(
        model=choice.model,
        prompt=image_prompt(prompt, brand, choice.provider),
        duration=duration,
        aspect_ratio=aspect_ratio,
        seed=seed,
        image=picture,
        brand=brand,
        model_settings=more or {},
    )
    context.record_generation(provider=choice.provider, model=choice.model, prompt=request.prompt)
    result = await video_provider(choice.provider).generate(request, context)
    if not result.is_charged:
        context.charge(result.usd, seconds=duration)
    return result.video
