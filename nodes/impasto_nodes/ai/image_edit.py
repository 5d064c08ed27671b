"""The image edit node."""

from collections.abc import Mapping
from typing import Annotated, Any

from impasto import Brand, Context, Image, Port, Setting, Text, node
from impasto_nodes.ai.choices import OwnSettings, Seed, check_for
from impasto_nodes.ai.prompt_template import picture_prompt
from impasto_nodes.providers.choose import choose
from impasto_nodes.providers.image import ImageRequest
from impasto_nodes.providers.models import find, model_options, nearest_ratio, provider_choices
from impasto_nodes.providers.registry import image_provider
from impasto_nodes.providers.validation import expected_model

_EDITORS = {"replicate": "black-forest-labs/flux-kontext-pro"}
"""Where the best model for changing a picture is not the best one for making one."""


async def list_models(query: str = "", context: Context | None = None) -> list[dict[str, str]]:
    """The picture models that can start from a picture."""
    return [option for option in model_options("image", query) if _takes_picture(option)]


def estimate(settings: Mapping[str, Any], inputs: Mapping[str, Any]) -> dict[str, float]:
    """One picture at the model's list price."""
    model = expected_model("image", settings)
    return {"usd": model.usd if model else 0.0, "seconds": 8.0}


@node(
    id="image_edit",
    title="Image edit",
    category="advanced_models",
    generative=True,
    retries=2,
    timeout=1200,
    check=check_for("image"),
    cost=estimate,
)
async def image_edit(
    picture: Annotated[Image, Port(help="The picture to change.")],
    prompt: Annotated[Text, Port(help="What to change.")],
    brand: Annotated[Brand | None, Port(help="Colours and mood.")] = None,
    *,
    provider: Annotated[str, Setting(choices=provider_choices("image"), widget="select")] = "auto",
    model: Annotated[str, Setting(options="list_models", widget="select", placeholder="Best available")] = "",
    seed: Seed = None,
    more: OwnSettings = None,
    context: Context,
) -> Annotated[Image, Port(title="Image")]:
    """Changes a picture as you say.

    The shape stays as near to the original's as the model allows.
    """
    choice = await choose("image", provider, model, context)
    used = model or _EDITORS.get(choice.provider, choice.model)
    listed = find("image", choice.provider, used)
    request = ImageRequest(
        model=used,
        prompt=picture_prompt(prompt, brand, choice.provider),
        aspect_ratio=nearest_ratio(picture.width, picture.height, listed.ratios if listed else ()),
        seed=seed,
        picture=picture,
        brand=brand,
        more=more or {},
    )
    result = await image_provider(choice.provider).generate(request, context)
    context.charge(result.usd, images=1)
    return result.images[0]


def _takes_picture(option: Mapping[str, str]) -> bool:
    model = find("image", option["provider"], option["value"])
    return model is not None and model.takes_picture
