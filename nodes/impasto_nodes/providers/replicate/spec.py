"""Replicate: images and video from the models that it hosts."""

from impasto import Context
from impasto_nodes.providers.protocols import ImageProvider, VideoProvider
from impasto_nodes.providers.spec import RATIOS, CredentialField, Model, Option, ProviderSpec

_GOOGLE_RATIOS = ("1:1", "3:4", "4:3", "9:16", "16:9")
_CLIP_RATIOS = ("16:9", "9:16", "1:1")


def _image() -> ImageProvider:
    from impasto_nodes.providers.replicate.image import ReplicateImage

    return ReplicateImage()


def _video() -> VideoProvider:
    from impasto_nodes.providers.replicate.video import ReplicateVideo

    return ReplicateVideo()


async def _list_model_settings(model: str, context: Context) -> list[Option]:
    if "/" not in model:  # Replicate's models are named owner/model
        return []
    from impasto_nodes.providers.replicate.requests import list_model_settings

    return await list_model_settings(model, context)


async def _ping(context: Context) -> None:
    from impasto_nodes.providers.replicate.requests import ping

    await ping(context)


SPEC = ProviderSpec(
    id="replicate",
    title="Replicate",
    rank=90,
    credentials=(CredentialField(variable="REPLICATE_API_TOKEN"),),
    image=_image,
    video=_video,
    list_model_settings=_list_model_settings,
    ping=_ping,
    models=(
        Model("image", "black-forest-labs/flux-1.1-pro", "flux-1.1-pro", 0.04, RATIOS),
        Model("image", "black-forest-labs/flux-schnell", "flux-schnell", 0.003, RATIOS, takes_image=False),
        Model(
            "image", "black-forest-labs/flux-kontext-pro", "flux-kontext-pro", 0.04, RATIOS, edits_images=True
        ),
        Model("image", "google/imagen-4", "imagen-4", 0.04, _GOOGLE_RATIOS, takes_image=False),
        Model("image", "ideogram-ai/ideogram-v3-turbo", "ideogram-v3-turbo", 0.03),
        Model("video", "kwaivgi/kling-v2.1", "kling-2.1", 0.05, _CLIP_RATIOS, (5, 10), needs_image=True),
        Model("video", "minimax/hailuo-02", "hailuo-02", 0.045, (), (6, 10)),
        Model(
            "video",
            "bytedance/seedance-1-lite",
            "seedance-1-lite",
            0.036,
            (*_CLIP_RATIOS, "4:3", "3:4", "21:9"),
            (5, 10),
        ),
        Model("video", "google/veo-3-fast", "veo-3-fast", 0.15, ("16:9", "9:16"), (4, 6, 8)),
    ),
)
