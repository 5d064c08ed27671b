"""What a model of clips does not make is refused before anything is sent."""

from typing import Any

import pytest
from tests.nodes.providers.own_providers import Install, unused

from impasto import Image
from impasto_nodes.providers.errors import (
    BadRequest,
    ProviderError,
    Unsupported,
    UnsupportedDuration,
    UnsupportedRatio,
)
from impasto_nodes.providers.jobs.clip_request import list_usd, require_supported, settings_of
from impasto_nodes.providers.models import ClipPrice, Model
from impasto_nodes.providers.protocols import VideoRequest
from impasto_nodes.providers.spec import CredentialField, ProviderSpec

PICTURE = Image(asset_id="a")


def video(name: str, **facts: Any) -> Model:
    return Model(kind="video", name=name, title=name.title(), **facts)


@pytest.fixture(autouse=True)
def models(install_only: Install) -> None:
    found = [
        video("plain"),
        video("shaped", ratios=("16:9",), durations=(5,)),
        video("animator", ratios=("16:9",), needs_image=True, price_usd=0.1, image_price_usd=0.02),
        video(
            "priced",
            durations=(5,),
            settings={"resolution": {"default": "720p"}, "audio": {}},
            clip_prices=(ClipPrice("720p", 0.1), ClipPrice("1080p", 2, 10)),
            image_price_usd=0.25,
        ),
        video("unpriced", is_priced=False),
    ]
    key = (CredentialField(variable="ACME_KEY"),)
    install_only(
        ProviderSpec(id="acme", title="Acme", credentials=key, models=tuple(found), video=unused),
    )


def request(model: str, **facts: Any) -> VideoRequest:
    return VideoRequest(model=model, prompt="A can", **facts)


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        (request("plain", duration=7, aspect_ratio="4:5"), None),
        (request("unlisted", duration=7, aspect_ratio="4:5"), None),
        (request("shaped"), None),
        (request("shaped", duration=7), UnsupportedDuration),
        (request("shaped", aspect_ratio="4:5"), UnsupportedRatio),
        (request("shaped", aspect_ratio="4:5", image=PICTURE), None),
        (request("animator"), Unsupported),
        (request("animator", aspect_ratio="4:5", image=PICTURE), None),
        (request("priced"), None),
        (request("priced", model_settings={"resolution": "1080p"}), UnsupportedDuration),
        (request("priced", duration=10, model_settings={"resolution": "1080p"}), None),
    ],
)
def test_clip_that_the_model_does_not_make_is_refused(
    asked: VideoRequest, error: type[ProviderError] | None
) -> None:
    if error is None:
        require_supported("acme", asked)
    else:
        with pytest.raises(error) as refused:
            require_supported("acme", asked)
        assert refused.value.provider == "acme"
        assert asked.model.title() in refused.value.message


@pytest.mark.parametrize(
    ("model", "settings", "detail"),
    [
        ("priced", {"audio": True, "resolution": "720p"}, ""),
        (
            "priced",
            {"style": 1, "loud": 2},
            "unknown settings ['loud', 'style']; the known ones are ['audio', 'resolution']",
        ),
        ("unlisted", {"style": 1}, ""),
        ("unlisted", {"audio": True}, "unknown settings ['audio']; the known ones are ['seed', 'style']"),
    ],
)
def test_only_settings_of_the_model_are_sent(model: str, settings: dict[str, Any], detail: str) -> None:
    asked = request(model, model_settings=settings)
    if not detail:
        assert settings_of("acme", asked, ["style", "seed"]) == settings
    else:
        with pytest.raises(BadRequest) as refused:
            settings_of("acme", asked, ["style", "seed"])
        assert refused.value.detail == detail


@pytest.mark.parametrize(
    ("asked", "usd"),
    [
        (request("plain"), 0),
        (request("animator", duration=4), 0.42),
        (request("priced", duration=4), 0.4),
        (request("priced", duration=4, image=PICTURE), 0.65),
        (request("priced", duration=10, model_settings={"resolution": "1080p"}), 2),
        (request("priced", duration=5, model_settings={"resolution": "1080p"}), 1),
        (request("priced", duration=5, model_settings={"resolution": "4K"}), 0.5),
        (request("priced", duration=10, model_settings={"resolution": "4K"}), 2),
        (request("unpriced"), None),
        (request("unlisted"), None),
    ],
)
def test_price_of_a_clip_follows_its_length_resolution_and_image(
    asked: VideoRequest, usd: float | None
) -> None:
    found = list_usd("acme", asked)
    assert found is None if usd is None else found == pytest.approx(usd)
