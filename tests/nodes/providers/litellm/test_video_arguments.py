"""A clip's request as litellm's arguments, refused before anything is sent."""

import base64
from typing import Any

import pytest
from tests.fakes.media import png, stored_image
from tests.fakes.reports import seen_by
from tests.nodes.providers.own_providers import Install, unused

from impasto.testing import FakeContext
from impasto_nodes.providers.errors import (
    BadRequest,
    ProviderError,
    Unsupported,
    UnsupportedDuration,
    UnsupportedRatio,
)
from impasto_nodes.providers.litellm.video.arguments import arguments_of
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.protocols import VideoRequest
from impasto_nodes.providers.spec import CredentialField, ProviderSpec

pytestmark = pytest.mark.anyio


def video(name: str, **facts: Any) -> Model:
    return Model(kind="video", name=name, title=name.title(), **facts)


@pytest.fixture(autouse=True)
def models(install_only: Install) -> None:
    found = (
        video("any"),
        video("strict", ratios=("16:9", "4:5"), durations=(5, 7.5), settings={"style": {}}),
        video("animator", needs_image=True),
    )
    key = (CredentialField(variable="ACME_KEY"),)
    acme = ProviderSpec(id="acme", title="Acme", credentials=key, models=found, video=unused)
    install_only(acme, ProviderSpec(id="runwayml", title="Runway", credentials=key, video=unused))


async def arguments(model: str, provider: str = "acme", **facts: Any) -> dict[str, Any]:
    context = FakeContext()
    if facts.pop("with_image", False):
        facts["image"] = await stored_image(context.assets)
    return await arguments_of(provider, VideoRequest(model=model, prompt="A can", **facts), seen_by(context))


@pytest.mark.parametrize(
    ("model", "facts", "sent"),
    [
        ("any", {}, {"size": "1280x720", "seconds": "5"}),
        ("unlisted", {"aspect_ratio": "1:1", "duration": 9}, {"size": "960x960", "seconds": "9"}),
        ("strict", {"duration": 7.5}, {"size": "1280x720", "seconds": "7.5"}),
        (
            "strict",
            {"model_settings": {"style": 1}},
            {"size": "1280x720", "seconds": "5", "extra_body": {"style": 1}},
        ),
    ],
)
async def test_shape_length_and_settings_are_sent(
    model: str, facts: dict[str, Any], sent: dict[str, Any]
) -> None:
    assert await arguments(model, **facts) == {"prompt": "A can"} | sent


@pytest.mark.parametrize(
    ("model", "facts", "error"),
    [
        ("any", {"aspect_ratio": "4:5"}, UnsupportedRatio),
        ("strict", {"aspect_ratio": "1:1"}, UnsupportedRatio),
        ("strict", {"aspect_ratio": "4:5"}, UnsupportedRatio),
        ("unlisted", {"aspect_ratio": "4:5"}, UnsupportedRatio),
        ("strict", {"duration": 6}, UnsupportedDuration),
        ("animator", {}, Unsupported),
        ("strict", {"model_settings": {"tone": 1}}, BadRequest),
        ("unlisted", {"model_settings": {"style": 1}}, BadRequest),
    ],
)
async def test_what_the_model_does_not_make_is_refused(
    model: str, facts: dict[str, Any], error: type[ProviderError]
) -> None:
    with pytest.raises(error) as refused:
        await arguments(model, **facts)
    assert refused.value.provider == "acme"
    if error is not BadRequest:
        name = model if model == "unlisted" else model.title()
        assert name in refused.value.message
    if error is UnsupportedRatio:
        shapes = {"strict": "16:9 or 4:5"}.get(model, "16:9, 9:16, 4:3, 3:4, 1:1 or 21:9")
        assert f"Choose {shapes}, or another model." in refused.value.message


async def test_first_frame_is_a_file_or_for_runway_a_data_url() -> None:
    file = (await arguments("animator", with_image=True))["input_reference"]
    assert file.name == "image.png"
    assert file.read() == png()
    url = (await arguments("x", "runwayml", with_image=True))["input_reference"]
    assert url == f"data:image/png;base64,{base64.b64encode(png()).decode()}"
