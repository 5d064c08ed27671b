"""Replicate: images and video from the models that it hosts."""

from pathlib import Path

from impasto import Context
from impasto_nodes.providers.catalog import read_models
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.protocols import ImageProvider, VideoProvider
from impasto_nodes.providers.spec import CredentialField, Option, ProviderSpec


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


async def _refresh_models(context: Context) -> list[Model]:
    from impasto_nodes.providers.replicate.schemas import refresh_models

    return await refresh_models(context)


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
    refresh_models=_refresh_models,
    models=read_models(Path(__file__).with_name("models.json")),
)
