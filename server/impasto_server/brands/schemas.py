"""Request and response bodies of brands."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from impasto_server.assets.schemas import Asset
from impasto_server.http.schemas import Page, PlainText, RequestModel, ResponseModel

ColorRole = Literal["primary", "background", "support", "accent", "text", "other"]
FontRole = Literal["headline", "text"]
TextUse = Literal["all_text", "headlines", "shapes"]
ROLES: tuple[ColorRole, ...] = ("primary", "background", "support", "accent", "text", "other")


def _stripped(value: Any) -> Any:
    return " ".join(value.split()) if isinstance(value, str) else value


def _lower(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


def _distinct(values: list[str]) -> list[str]:
    """Drop empty lines and repeats, whatever their case."""
    kept: dict[str, str] = {}
    for value in filter(None, values):
        kept.setdefault(value.casefold(), value)
    return list(kept.values())


MAX_FAMILY = 80
MAX_FONT_FILES = 12
Hex = Annotated[
    str,
    BeforeValidator(_lower),
    StringConstraints(pattern=r"^#[0-9a-f]{6}$"),
    Field(examples=["#de8b3a"]),
]
Label = Annotated[PlainText, BeforeValidator(_stripped), Field(max_length=80)]
Line = Annotated[PlainText, BeforeValidator(_stripped), Field(max_length=300)]
Labels = Annotated[list[Label], Field(max_length=200), AfterValidator(_distinct)]
Lines = Annotated[list[Line], Field(max_length=30), AfterValidator(_distinct)]
AssetId = Annotated[str, StringConstraints(max_length=36)]
BrandName = Annotated[
    PlainText, BeforeValidator(_stripped), Field(min_length=1, max_length=80, pattern=r"[^\s\x00]")
]


class BrandColor(RequestModel):
    """A colour and what it is for."""

    hex: Hex
    role: ColorRole = "other"
    name: Label = ""


class BrandFont(RequestModel):
    """A font family and what it is for."""

    family: Annotated[Label, Field(min_length=1)]
    role: FontRole = "headline"


class BrandFontFile(RequestModel):
    """A font file of one's own, which `POST /brands/fonts` has stored. `weight` is that of CSS."""

    asset_id: AssetId
    family: Annotated[Label, Field(min_length=1)]
    weight: int = Field(default=400, ge=1, le=1000)
    italic: bool = False


class BrandLogo(RequestModel):
    """The logo: images for light and for dark backgrounds, as ids of assets, and the room that it needs."""

    light: AssetId | None = None
    dark: AssetId | None = None
    clear_space: float = Field(default=0.5, ge=0, le=3, description="On every side, in logo heights")
    min_width: int = Field(default=96, ge=1, le=4000, description="Least width in pixels")


class BrandVoice(RequestModel):
    """The voice of a brand."""

    tone: Labels = Field(default_factory=list)
    dos: Lines = Field(default_factory=list)
    donts: Lines = Field(default_factory=list)
    banned_words: Labels = Field(default_factory=list)
    sample_lines: Lines = Field(default_factory=list)
    languages: Labels = Field(default_factory=list)


class BrandContent(RequestModel):
    """The content of a version of a brand."""

    name: BrandName
    description: Annotated[PlainText, Field(max_length=4000)] = ""
    logo: BrandLogo = Field(default_factory=BrandLogo)
    colors: list[BrandColor] = Field(default_factory=list, max_length=24)
    fonts: list[BrandFont] = Field(default_factory=list, max_length=4)
    font_files: list[BrandFontFile] = Field(
        default_factory=list, max_length=MAX_FONT_FILES, description="Files of fonts that are not built in"
    )
    voice: BrandVoice = Field(default_factory=BrandVoice)
    legal_line: Line = ""


class BrandPublish(RequestModel):
    """A new version. `note` describes the change."""

    note: PlainText = Field(default="", max_length=500)


class UploadedFont(ResponseModel):
    """A stored font file, to be added to a brand; one that no brand has is deleted after a day."""

    file: BrandFontFile
    variable: bool
    characters: int = Field(description="How many characters the font has")
    url: str = Field(description="The file. The URL is signed and expires after a few hours")


class ContrastPair(ResponseModel):
    """Text in one colour of the brand on another, with the WCAG 2.2 contrast ratio and what it allows."""

    foreground: str
    background: str
    ratio: float
    use: TextUse


class BrandChange(ResponseModel):
    """One difference between two versions, as a sentence. `field` is a path such as `colors.primary`."""

    field: str
    sentence: str
    before: Any
    after: Any


class BrandSummary(ResponseModel):
    """A brand in a list. `content` is the draft."""

    id: str
    content: BrandContent
    example: bool = Field(description="The built-in example, which everyone may use and no one can change")
    is_default: bool = Field(description="New launches start with it")
    version: int | None = Field(description="The newest published version")
    revision: int
    changes: int = Field(description="Differences between the draft and the newest published version")
    logo: Asset | None = Field(description="The logo for light backgrounds, else that for dark ones")
    agents: int = Field(description="How many of your agents have it as their brand")
    created_at: datetime
    updated_at: datetime


class BrandDetail(BrandSummary):
    """A brand with its newest published version and what the draft changes in it."""

    published: BrandContent | None
    draft_changes: list[BrandChange]
    contrast: list[ContrastPair]
    logo_dark: Asset | None
    font_urls: dict[str, str] = Field(description="Signed URLs of the draft's font files, by `asset_id`")
    logo_missing: list[Literal["light", "dark"]] = Field(
        description="Logos whose asset was deleted from the library"
    )


class BrandDraftSaved(ResponseModel):
    """The result of saving a draft."""

    revision: int
    changes: list[BrandChange]
    contrast: list[ContrastPair]
    saved_at: datetime


class BrandVersion(ResponseModel):
    """A published version."""

    number: int
    note: str
    summary: str = Field(description="What changed since the version before, in one sentence")
    created_at: datetime


class BrandVersionDetail(BrandVersion):
    """A published version with its content."""

    content: BrandContent


class BrandDiff(ResponseModel):
    """The differences between two versions."""

    changes: list[BrandChange]


class BrandPage(Page[BrandSummary]):
    """A page of brands, newest first; the example is the last."""


class BrandVersionPage(Page[BrandVersion]):
    """A page of versions, newest first."""
