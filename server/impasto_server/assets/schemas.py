"""Response bodies of assets."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from impasto_server.content_credentials.claims import AiMade
from impasto_server.content_credentials.schemas import AssetCredentials
from impasto_server.http.schemas import Money, Page, PlainText, RequestModel, ResponseModel

AssetSource = Literal["run", "upload", "font"]
CredentialsLocation = Literal["embedded", "sidecar"]
AssetKind = Literal["image", "video", "audio", "text", "data", "file"]


def _stripped(value: Any) -> Any:
    return " ".join(value.split()) if isinstance(value, str) else value


AssetIds = Annotated[list[Annotated[str, StringConstraints(max_length=36)]], Field(max_length=500)]
TagName = Annotated[
    PlainText, BeforeValidator(_stripped), Field(min_length=1, max_length=40, pattern=r"[^\s\x00]")
]
MAX_TAGS = 20
TagNames = Annotated[list[TagName], Field(max_length=MAX_TAGS)]


class MadeBy(ResponseModel):
    """What generated an asset, as its node reported it."""

    provider: str | None = None
    model: str | None = None
    prompt: str | None = None
    seed: int | None = None
    settings: dict[str, Any] = Field(default_factory=dict)

    @classmethod
    def from_untrusted(cls, reported: object) -> "MadeBy | None":
        """Return the valid fields of what a node or a file reports, or None if that is no object or empty."""
        if not isinstance(reported, dict) or not reported:
            return None
        texts = {name: reported.get(name) for name in ("provider", "model", "prompt")}
        seed, settings = reported.get("seed"), reported.get("settings")
        return cls(
            **{name: value if isinstance(value, str) else None for name, value in texts.items()},
            seed=seed if type(seed) is int else None,
            settings=settings if isinstance(settings, dict) else {},
        )


class Asset(ResponseModel):
    """An asset. Its URLs are signed and expire after a few hours."""

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
    export_url: str | None = Field(
        default=None, description="The file with a visible AI mark, if it is to be exported so"
    )
    credentials_url: str | None = Field(
        default=None, description="The content credentials as a file, if they are a sidecar"
    )
    source: AssetSource
    run_id: str | None
    step: str | None
    flow_id: str | None
    flow_name: str | None
    version: int | Literal["draft"] | None
    node_type: str | None
    made_by: MadeBy | None
    cost_usd: Money | None
    credentials: CredentialsLocation | None = Field(
        default=None, description="Where the file's content credentials are; null if it has none"
    )
    ai_made: AiMade | None = Field(default=None, description="Whether AI made the file; null if unknown")
    input_asset_ids: list[str]
    brief: str | None = Field(default=None, description="The start of the prompt of its launch")
    number: int | None = Field(default=None, description="Its number among the results of its run")
    intermediate: bool = Field(default=False, description="Made on the way to a result")
    excerpt: str | None = Field(default=None, description="The start of a text result")
    favourite: bool = False
    tags: list[str] = Field(default_factory=list)
    replaces_id: str | None = Field(default=None, description="The asset that this is a new version of")
    replaced_by_id: str | None = Field(default=None, description="The new version of this asset")
    created_at: datetime


class AssetPage(Page[Asset]):
    """A page of assets, newest first."""


class AssetEdits(RequestModel):
    """Changes of one or several assets. What is left out stays as it is."""

    asset_ids: Annotated[AssetIds, Field(min_length=1)]
    favourite: bool | None = None
    add_tags: TagNames = Field(default_factory=list)
    remove_tags: TagNames = Field(default_factory=list)


class Tag(ResponseModel):
    """A tag, and how many of your assets have it."""

    name: str
    assets: int


class TagPage(Page[Tag]):
    """A page of tags, in alphabetical order."""


class Match(ResponseModel):
    """An image of your library that shows the same as a file, as far as that is certain."""

    asset: Asset
    certainty: float = Field(
        ge=0.5, le=1, description="1 for the same image, 0.5 for the least similar shown"
    )


class Trace(ResponseModel):
    """What generated a file, from the library or from its embedded metadata; its credentials; its likes.

    `matches` are images of your library, for a file that neither the library nor its metadata names.
    """

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
        default=None, description="The inputs of the launch, if the run is yours"
    )
    can_open: bool = False
    credentials: AssetCredentials | None = Field(default=None, description="Null if the file has none")
    watermark: bool = Field(
        default=False, description="The image has the invisible watermark of images that AI made with Impasto"
    )
    matches: list[Match] = Field(default_factory=list)
