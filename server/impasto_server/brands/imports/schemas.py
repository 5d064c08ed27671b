"""Request and response bodies of imports of brands."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from impasto_server.brands.schemas import BrandFontFile, ColorRole, FontRole
from impasto_server.http.schemas import RequestModel, ResponseModel

FoundField = Literal[
    "name",
    "description",
    "color",
    "font",
    "font_file",
    "logo",
    "tone",
    "dos",
    "donts",
    "banned_words",
    "sample_lines",
    "languages",
    "legal_line",
]
LogoRole = Literal["light", "dark"]


class WebsiteImport(RequestModel):
    """The website to read."""

    url: Annotated[str, StringConstraints(strip_whitespace=True, min_length=3, max_length=2000)] = Field(
        examples=["https://example.com"]
    )


class BrandFinding(ResponseModel):
    """One value that was found. Nothing is saved: approve values by creating or saving a brand with them."""

    field: FoundField
    value: str = Field(description="Text, hex colour or font family; of a logo, a PNG as data URL")
    role: ColorRole | FontRole | LogoRole | None = Field(
        description="Proposed role of a colour, font or logo"
    )
    name: str = Field(description="What the colour is called there, if it has a name")
    found: str = Field(description="Where it was found, in words")
    suggested: bool = Field(description="Whether it is likely to be right")
    font_file: BrandFontFile | None = Field(
        default=None,
        description="Of a font file, the stored file. One that no brand has is deleted after a day",
    )


class BrandImport(ResponseModel):
    """The findings by field, the likeliest first, and the parts that could not be read."""

    source: str = Field(description="The URL or the name of the file")
    findings: list[BrandFinding]
    notes: list[str] = Field(description="What was not read, and why, in sentences")
