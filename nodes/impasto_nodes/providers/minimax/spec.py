"""MiniMax: video from its Hailuo models."""

from pathlib import Path

from impasto_nodes.providers.catalog import read_models
from impasto_nodes.providers.protocols import VideoProvider
from impasto_nodes.providers.spec import CredentialField, ProviderSpec


def _video() -> VideoProvider:
    from impasto_nodes.providers.minimax.video import MiniMaxVideo

    return MiniMaxVideo()


SPEC = ProviderSpec(
    id="minimax",
    title="MiniMax",
    rank=67,
    credentials=(CredentialField(variable="MINIMAX_API_KEY"),),
    video=_video,
    models=read_models(Path(__file__).with_name("models.json")),
)
