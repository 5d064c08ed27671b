"""fal: images and video from the models that it hosts."""

from pathlib import Path

from impasto import Context
from impasto_nodes.providers.catalog import read_models
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.protocols import ImageProvider, Kind, VideoProvider
from impasto_nodes.providers.spec import CredentialField, Option, ProviderSpec


def _image() -> ImageProvider:
    from impasto_nodes.providers.fal.image import FalImage

    return FalImage()


def _video() -> VideoProvider:
    from impasto_nodes.providers.fal.video import FalVideo

    return FalVideo()


async def _list_models(kind: Kind, context: Context) -> list[Option]:
    from impasto_nodes.providers.fal.platform import list_models

    return await list_models(kind, context)


async def _list_model_settings(model: str, context: Context) -> list[Option]:
    if "/" not in model:  # fal's models are named owner/model
        return []
    from impasto_nodes.providers.credentials import access_to
    from impasto_nodes.providers.fal.inputs import inputs_of

    return (await inputs_of(model, await access_to("fal", context))).setting_options()


async def _refresh_models(context: Context) -> list[Model]:
    from impasto_nodes.providers.fal.refresh import refresh_models

    return await refresh_models(context)


async def _ping(context: Context) -> None:
    from impasto_nodes.providers.fal.platform import ping

    await ping(context)


SPEC = ProviderSpec(
    id="fal",
    title="fal",
    rank=95,
    credentials=(CredentialField(variable="FAL_KEY"),),
    image=_image,
    video=_video,
    list_models=_list_models,
    list_model_settings=_list_model_settings,
    ping=_ping,
    refresh_models=_refresh_models,
    models=read_models(Path(__file__).with_name("models.json")),
)
