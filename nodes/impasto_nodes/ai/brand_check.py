"""The brand check node."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NamedTuple

from impasto import SKIP, Brand, Context, Image, Json, NodeError, Port, Setting, Text, node
from impasto import Any as AnyValue
from impasto_nodes.ai.brand_checks import tone
from impasto_nodes.ai.brand_checks.contrast import check_contrast
from impasto_nodes.ai.brand_checks.logo import check_logo
from impasto_nodes.ai.brand_checks.palette import check_palette
from impasto_nodes.ai.brand_checks.summary import checks_of, summarize, verdict
from impasto_nodes.ai.brand_checks.wording import check_words
from impasto_nodes.ai.language_model import list_models
from impasto_nodes.providers.registry import provider_choices
from impasto_nodes.providers.validation import problems_with

__all__ = ["brand_check", "list_models"]


class Checked(NamedTuple):
    """The report, and what was checked on one of two ways out."""

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
    """What is wrong with the settings before a run."""
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
    picture: Annotated[Image | None, Port(help="An image to check.")] = None,
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
    clear_space: Annotated[float, Setting(ge=0, le=3, step=0.05, advanced=True, unit="logo heights")] = 0.25,
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

    Palette, contrast, logo and its clear space, banned words, tone. What was checked goes on through
    Passed or through Failed; the other way is closed. The report's `summary` says what each check looked at,
    or why it could not judge; its `passed` is true, false, or "not checked" if no check could.
    """
    if picture is None and text is None:
        raise NothingToCheck
    report: dict[str, Any] = {}
    if picture is not None:
        mark = brand.logo if logo else None
        seen = [await context.read(one) if one is not None else None for one in (picture, mark)]
        report |= await asyncio.to_thread(_look, seen, brand, palette_distance, contrast, logo, clear_space)
    if text is not None:
        report["words"] = check_words(text, brand.banned_words, brand.languages)
        if check_tone:
            report["tone"] = await tone.check_tone(text, brand, provider, model, context)
    return _sorted(report, text if picture is None else picture)


def _look(
    seen: list[bytes | None], brand: Brand, distance: float, contrast: float, logo: bool, space: float
) -> dict[str, Any]:
    from impasto_nodes.media.image.image_file import decode

    picture, mark = (decode(data) if data else None for data in seen)
    report = {
        "palette": check_palette(picture, brand.palette, distance),
        "contrast": check_contrast(picture, contrast),
    }
    if logo:
        missing = {"checked": False, "why": "The brand has no logo."}
        report["logo"] = check_logo(picture, mark, space) if mark is not None else missing
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
