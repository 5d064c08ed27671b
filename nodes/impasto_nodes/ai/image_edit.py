"""The image edit node."""

from collections.abc import Mapping
from typing import Annotated, Any

from impasto import Brand, Context, Image, Mask, Port, Setting, Text, node
from impasto_nodes.ai.choices import ImageModelSettings, Seed, check_for
from impasto_nodes.ai.masked_edit import MaskedEdit, mask_refusals
from impasto_nodes.ai.prompt_template import image_prompt
from impasto_nodes.providers.discovery import choose, model_options
from impasto_nodes.providers.protocols import ImageRequest
from impasto_nodes.providers.registry import find_model, image_provider, nearest_ratio, provider_choices
from impasto_nodes.providers.validation import expected_cost


async def list_models(query: str, context: Context | None) -> list[dict[str, Any]]:
    """Return the image models that can start from an image."""
    options = await model_options("image", query, context)
    return [option for option in options if _takes_image(option)]


def estimate(
    settings: Mapping[str, Any], inputs: Mapping[str, Any], configured: frozenset[str]
) -> dict[str, Any]:
    """Estimate the list price of one image."""
    from impasto_nodes.providers.local.notices import DRAWN, FILLED

    masked = bool(settings.get("mask")) or "mask" in inputs
    cost = expected_cost(
        "image", settings, configured, lambda model: model.price_usd, editing=True, masked=masked
    )
    expected = {**cost, "seconds": 8.0}
    if cost["provider"] != "local":
        return expected
    return {**expected, "notices": [FILLED if masked else DRAWN]}


@node(
    id="image_edit",
    title="Image edit",
    category="advanced_models",
    keywords=(
        "inpaint",
        "mask",
        "retouch",
        "change",
        "remove object",
        "img2img",
        "image to image",
        "variation",
    ),
    generative=True,
    retries=2,
    timeout=1200,
    check=check_for("image"),
    cost=estimate,
)
async def image_edit(
    picture: Annotated[Image, Port(title="Image", help="The image to change.")],
    prompt: Annotated[Text, Port(help="What to change.")],
    brand: Annotated[Brand | None, Port(help="Colours and mood.")] = None,
    *,
    mask: Annotated[
        Mask | None,
        Setting(widget="mask", main=True, help="What may change. Without a mask, the whole image may."),
    ] = None,
    provider: Annotated[str, Setting(choices=provider_choices("image"), widget="select")] = "auto",
    model: Annotated[str, Setting(options="list_models", widget="select", placeholder="Best available")] = "",
    seed: Seed = None,
    more: ImageModelSettings = None,
    context: Context,
) -> Annotated[Image, Port(title="Image")]:
    """Changes an image as you say, or the part of it that a mask covers.

    Without a mask, the shape stays as near to the original's as the model allows. With one, the result has
    the original's size, and what the mask does not cover keeps every pixel.
    """
    choice = await choose("image", provider, model, context, editing=True, masked=mask is not None)
    listed = find_model("image", choice.provider, choice.model)
    ratio = nearest_ratio(picture.width, picture.height, listed.ratios if listed else ())
    edit = await MaskedEdit.of(picture, mask, ratio, context) if mask else None
    request = ImageRequest(
        model=choice.model,
        prompt=image_prompt(prompt, brand, choice.provider),
        aspect_ratio=ratio,
        seed=seed,
        image=picture,
        brand=brand,
        model_settings=more or {},
        masked=edit.masked if edit else None,
    )
    context.record_generation(provider=choice.provider, model=choice.model, prompt=request.prompt)
    with mask_refusals(masked=edit is not None):
        result = await image_provider(choice.provider).generate(request, context)
    if not result.is_charged:
        context.charge(result.usd, images=1)
    return await edit.finish(result.images[0], context) if edit else result.images[0]


def _takes_image(option: Mapping[str, Any]) -> bool:
    model = find_model("image", option["provider"], option["value"])
    return model is not None and model.takes_image
