"""The image generation node."""

from collections.abc import Mapping
from typing import Annotated, Any

from impasto import Brand, Context, Image, Port, Setting, Text, node
from impasto_nodes.ai.choices import ImageModelSettings, Seed, check_for, models_for
from impasto_nodes.ai.prompt_template import image_prompt
from impasto_nodes.providers.discovery import choose
from impasto_nodes.providers.protocols import ImageRequest
from impasto_nodes.providers.registry import image_provider, provider_choices
from impasto_nodes.providers.spec import RATIOS
from impasto_nodes.providers.validation import expected_cost


def estimate(
    settings: Mapping[str, Any], inputs: Mapping[str, Any], configured: frozenset[str]
) -> dict[str, Any]:
    """Estimate the list price of the images, and how many steps that take single images will run."""
    number, ratio = settings["n_images"], settings["aspect_ratio"]
    cost = expected_cost("image", settings, configured, lambda model: number * model.price_usd)
    prompt = inputs.get("prompt")
    expected = {**cost, "seconds": 2.0 + 4.0 * number, "items": number}
    from impasto_nodes.providers.local.notices import DRAWN, image_notices, wish_notices

    if cost["provider"] != "local":
        wishes = wish_notices(prompt, number, ratio) if isinstance(prompt, str) else ()
        return {**expected, "notices": [*cost.get("notices", ()), *wishes]}
    if not isinstance(prompt, str):
        return {**expected, "notices": [DRAWN]}
    return {**expected, "notices": list(image_notices(prompt, number, ratio))}


@node(
    id="image_generation",
    title="Image generation",
    category="ai_models",
    keywords=("text to image", "picture", "photo", "draw", "flux", "dall-e", "illustration", "t2i", "render"),
    generative=True,
    retries=2,
    timeout=1200,
    check=check_for("image"),
    cost=estimate,
)
async def image_generation(
    prompt: Annotated[Text, Port(help="What to show.")],
    brand: Annotated[Brand | None, Port(help="Colours and mood.")] = None,
    picture: Annotated[Image | None, Port(title="Image", help="An image to start from.")] = None,
    *,
    provider: Annotated[str, Setting(choices=provider_choices("image"), widget="select")] = "auto",
    model: Annotated[
        str, Setting(options=models_for("image"), widget="select", placeholder="Best available")
    ] = "",
    n_images: Annotated[int, Setting(ge=1, le=8, widget="slider", title="Number of images")] = 1,
    aspect_ratio: Annotated[str, Setting(choices=RATIOS, widget="segmented")] = "1:1",
    negative_prompt: Annotated[str, Setting(advanced=True, title="Leave out")] = "",
    seed: Seed = None,
    more: ImageModelSettings = None,
    context: Context,
) -> Annotated[list[Image], Port(title="Images")]:
    """Makes images from a prompt."""
    earlier = context.kept()
    kept: list[Image | None] = earlier or [None] * n_images
    places = [place for place, one in enumerate(kept) if one is None]
    for place, one in enumerate(kept):
        if one is not None:
            context.preview(one, place=place)
    choice = await choose("image", provider, model, context)
    request = ImageRequest(
        model=choice.model,
        prompt=image_prompt(prompt, brand, choice.provider),
        n_images=len(places),
        aspect_ratio=aspect_ratio,
        # Regenerating an image must not return the image of the same seed.
        seed=seed if earlier is None else None,
        negative_prompt=negative_prompt,
        image=picture,
        brand=brand,
        model_settings=more or {},
        places=places,
        beside=[one for one in kept if one is not None],
    )
    context.record_generation(provider=choice.provider, model=choice.model, prompt=request.prompt)
    result = await image_provider(choice.provider).generate(request, context)
    if not result.is_charged:
        context.charge(result.usd, images=len(result.images))
    made = iter(result.images)
    return [one or next(made) for one in kept]
