"""Assets on the wire."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from impasto_server.http.pagination import Page
from impasto_server.http.schemas import Money, ResponseModel

AssetSource = Literal["run", "upload"]
AssetKind = Literal["image", "video", "audio", "text", "data", "file"]


class MadeBy(ResponseModel):
    """What produced an asset, as its node told it."""

    provider: str | None = None
    model: str | None = None
    prompt: str | None = None
    seed: int | None = None
    settings: dict[str, Any] = Field(default_factory=dict)

    @classmethod
    def told(cls, said: dict[str, Any] | None) -> "MadeBy | None":
        """Return what a node said, or a file says, of itself; what has the wrong shape is left out."""
        if not said:
            return None
        words = {name: said.get(name) for name in ("provider", "model", "prompt")}
        seed, settings = said.get("seed"), said.get("settings")
        return cls(
            **{name: value if isinstance(value, str) else None for name, value in words.items()},
            seed=seed if type(seed) is int else None,
            settings=settings if isinstance(settings, dict) else {},
        )


class Asset(ResponseModel):
    """A file; `url` is signed and good for a few hours."""

    id: str
    kind: AssetKind
    media_type: str
    name: str
    bytes: int
    sha256: str
    width: int | None
    height: int | None
    seconds: float | None
    url: str
    thumbnail_url: str | None
    source: AssetSource
    run_id: str | None
    step: str | None
    flow_id: str | None
    flow_name: str | None
    version: int | Literal["draft"] | None
    node_type: str | None
    made_by: MadeBy | None
    cost_usd: Money | None
    input_asset_ids: list[str]
    created_at: datetime


class AssetPage(Page[Asset]):
    """Assets, newest first."""


class Trace(ResponseModel):
    """What made a file, as its embedded metadata (or the library) tells it."""

    found: bool
    asset_id: str | None = None
    flow_id: str | None = None
    flow_name: str | None = None
    version: int | Literal["draft"] | None = None
    run_id: str | None = None
    step: str | None = None
    node_type: str | None = None
    made_by: MadeBy | None = None
    inputs: dict[str, Any] | None = Field(
        default=None, description="The launch's inputs, when the run is one's own"
    )
    can_open: bool = False
