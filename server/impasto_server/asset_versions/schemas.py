"""Request and response bodies of versions."""

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from impasto_server.assets.schemas import Asset
from impasto_server.http.schemas import RequestModel, ResponseModel

Format = Literal["1:1", "4:5", "9:16", "16:9"]
FORMATS: tuple[Format, ...] = ("1:1", "4:5", "9:16", "16:9")
_Pixels = Annotated[int, Field(ge=0, le=100_000)]
# The path of a step in flows inside flows, and a port.
_FieldId = Annotated[str, StringConstraints(max_length=1000)]
_AssetId = Annotated[str, StringConstraints(max_length=36)]
_Words = Annotated[str, StringConstraints(max_length=500)]


class Crop(RequestModel):
    """The part of the image that is kept, in pixels of the image as it is displayed."""

    x: _Pixels
    y: _Pixels
    width: Annotated[int, Field(ge=16, le=100_000)]
    height: Annotated[int, Field(ge=16, le=100_000)]


class LayoutChange(RequestModel):
    """What changes in the composition. Texts and images are by the ids of the layout's fields."""

    aspect_ratio: Format | None = None
    texts: Annotated[dict[_FieldId, _Words], Field(max_length=20)] = Field(default_factory=dict)
    images: Annotated[
        dict[_FieldId, Annotated[str, StringConstraints(max_length=36)]], Field(max_length=5)
    ] = Field(default_factory=dict)


class VersionRequest(RequestModel):
    """A new version: a crop, another layout, or `restore`: an older version that is used again."""

    crop: Crop | None = None
    layout: LayoutChange | None = None
    restore: _AssetId | None = None

    @model_validator(mode="after")
    def _is_one_change(self) -> Self:
        if sum(each is not None for each in (self.crop, self.layout, self.restore)) != 1:
            raise ValueError("must have one of 'crop', 'layout' and 'restore'")
        return self


class TextField(ResponseModel):
    """Words of the layout that can be changed."""

    id: str
    label: str
    value: str
    max_length: int


class ImageField(ResponseModel):
    """An image of the layout that can be replaced."""

    id: str
    label: str
    asset_id: str


class Layout(ResponseModel):
    """What can be changed in an image whose composition is made here."""

    aspect_ratio: str | None = Field(description="Its format now; null if it cannot be composed for others")
    aspect_ratios: list[Format] = Field(description="The formats that it can be composed for")
    texts: list[TextField]
    images: list[ImageField]


class AssetVersions(ResponseModel):
    """All versions of an asset, oldest first, and what can be changed in the newest one."""

    items: list[Asset]
    can_crop: bool
    can_undo: bool = Field(description="The newest version is a change, which deleting it undoes")
    layout: Layout | None = Field(description="Null if the composition is not made here, or its run is gone")
