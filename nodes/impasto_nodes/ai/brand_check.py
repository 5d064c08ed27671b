"""The brand check node."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NamedTuple

from impasto import SKIP, Brand, Context, Image, Json, NodeError, Port, Setting, Text, node
from impasto import Any as AnyValue
from impasto_nodes.ai.brand_checks import tone
from impasto_nodes.ai.brand_checks.contrast import check_contrast
from impasto_nodes.ai.brand_checks.logo import check_logo
from impasto_nodes.ai.brand_checks.names import check_names
from impasto_nodes.ai.brand_checks.palette import check_palette
from impasto_nodes.ai.brand_checks.summary import checks_of, summarize, verdict
from impasto_nodes.ai.brand_checks.vector_text import NotAnSvg, VectorText, check_fonts, read_svg
from impasto_nodes.ai.brand_checks.wording import check_words
from impasto_nodes.ai.language_model import list_models
from impasto_nodes.providers.registry import provider_choices
from impasto_nodes.providers.validation import problems_with

__all__ = ["brand_check", "list_models"]


_SVG = "image/svg+xml"
_OF_PIXELS = ("palette", "contrast", "logo")


class Checked(NamedTuple):
    """The report, and the checked value on one of two outputs."""

    report: Annotated[Json, Port(title="Report", meaning="brand_check")]
    passed: Annotated[
        AnyValue,
        Port(title="Passed", help="What was checked, if no check failed. Closed otherwise."),
    ]
    failed: Annotated[
        AnyValue, Port(title="Failed", help="What was checked, when it does not fit. Closed otherwise.")
    ]


class NothingToCheck(NodeError):
    """Neither image nor text is connected."""

    def __init__(self) -> None:
        super().__init__("Connect an image or a text to check.", code="required_input")


def find_problems(settings: Mapping[str, Any], configured: frozenset[str] | None) -> Iterator[dict[str, str]]:
    """Yield the problems of the settings that are known before a run."""
    if settings.get("check_tone", True):
        yield from problems_with("text", settings, configured)


@node(
    id="brand_check",
    title="Brand check",
    category="advanced_models",
    keywords=("review", "approve", "guidelines", "compliance", "quality", "score", "on-brand"),
    retries=2,
    timeout=300,
    check=find_problems,
)
async def brand_check(
    brand: Annotated[Brand, Port(help="What to check against.")],
    picture: Annotated[Image | None, Port(title="Image", help="An image to check.")] = None,
    text: Annotated[Text | None, Port(help="A text to check.")] = None,
    *,
    palette_distance: Annotated[
        float,
        Setting(
            ge=0,
            le=100,
            step=1,
            widget="slider",
            help="How far colours may be from the palette. 10 is another colour.",
        ),
    ] = 12.0,
    contrast: Annotated[
        float, Setting(ge=1, le=21, step=0.5, widget="slider", title="Least contrast", unit=":1")
    ] = 3.0,
    logo: Annotated[bool, Setting(title="Logo must be there")] = False,
    clear_space: Annotated[
        float,
        Setting(
            ge=0,
            le=3,
            step=0.05,
            advanced=True,
            unit="logo heights",
            help="For brands that state none of their own.",
        ),
    ] = 0.25,
    check_tone: Annotated[bool, Setting(title="Judge the tone")] = True,
    provider: Annotated[
        str, Setting(choices=provider_choices("text"), widget="select", advanced=True)
    ] = "auto",
    model: Annotated[
        str, Setting(options="list_models", widget="select", advanced=True, placeholder="Best available")
    ] = "",
    context: Context,
) -> Checked:
    """Checks an image or a text against a brand.

    Colours by their share of the area, contrast, logo and its clear space, fonts of an SVG, banned words,
    names of other brands in the library, tone. What was checked goes on through Passed or through Failed; the
    other way is closed. The report's `summary` says what each check looked at, or why it could not judge; its
    `passed` is true, false, or "not checked" if no check could.
    """
    if picture is None and text is None:
        raise NothingToCheck
    report: dict[str, Any] = {}
    words = text
    if picture is not None and picture.media_type == _SVG:
        found = _read_svg(await context.read(picture))
        report |= {name: _not_checked("An SVG is not drawn by this check.") for name in _OF_PIXELS}
        report["fonts"] = check_fonts(found, brand.fonts)
        words = f"{text or ''} {found.text}".strip() or None
    elif picture is not None:
        marks = [mark for mark in (brand.logo, brand.logo_dark) if mark is not None] if logo else []
        seen = [await context.read(one) for one in (picture, *marks)]
        space = brand.clear_space or clear_space
        report |= await asyncio.to_thread(_look, seen, brand, palette_distance, contrast, logo, space)
    if words is not None:
        report["words"] = check_words(words, brand.banned_words, brand.languages)
        report["names"] = check_names(words, brand.brand_name, brand.other_names)
    else:
        report |= {name: _not_checked("Words inside an image are not read.") for name in ("words", "names")}
    if words is not None and check_tone:
        report["tone"] = await tone.check_tone(words, brand, provider, model, context)
    elif words is not None:
        report["tone"] = _not_checked("The setting 'Judge the tone' is off.")
    return _sorted(report, text if picture is None else picture)


def _read_svg(data: bytes) -> VectorText:
    try:
        return read_svg(data)
    except NotAnSvg as error:
        raise NodeError(f"The image cannot be checked. {error}", code="unreadable_image") from error


def _not_checked(why: str) -> dict[str, Any]:
    return {"checked": False, "why": why}


def _look(
    seen: list[bytes], brand: Brand, distance: float, contrast: float, logo: bool, space: float
) -> dict[str, Any]:
    from impasto_nodes.media.image.image_file import decode

    image, *marks = map(decode, seen)
    report = {
        "palette": check_palette(image, brand.palette, distance),
        "contrast": check_contrast(image, contrast),
        "logo": _not_checked("The setting 'Logo must be there' is off."),
        "fonts": _not_checked("The letters of an image are pixels, which do not say their font."),
    }
    if logo and not marks:
        report["logo"] = _not_checked("The brand has no logo.")
    elif logo:
        found = [check_logo(image, mark, space) for mark in marks]
        report["logo"] = max(found, key=lambda part: (part["passed"], part["score"]))
    return report


def _sorted(report: dict[str, Any], subject: Any) -> Checked:
    failures = [name for name, part in report.items() if part.get("passed") is False]
    full = {
        "passed": verdict(report),
        "failures": failures,
        "summary": summarize(report),
        "checks": checks_of(report),
        **report,
    }
    return Checked(full, SKIP, subject) if failures else Checked(full, subject, SKIP)
