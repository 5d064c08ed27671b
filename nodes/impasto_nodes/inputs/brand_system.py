"""Brand system: the look and voice of a brand as one value, for every step that generates something."""

import asyncio
import dataclasses
from typing import Annotated

from impasto import Brand, Image, NodeError, Setting, node
from impasto_nodes.media.image.color import from_hex, is_hex, to_hex


@node(
    id="brand_system",
    title="Brand system",
    category="inputs",
    keywords=("brand", "logo", "colors", "fonts", "tone of voice", "identity"),
)
async def brand_system(
    *,
    brand_name: Annotated[str, Setting(title="Brand name", max_length=80, main=True)] = "",
    description: Annotated[
        str,
        Setting(title="Description", widget="long_text", help="What it makes, for whom.", max_length=4_000),
    ] = "",
    palette: Annotated[
        list[str],
        Setting(
            title="Palette", widget="colour", help="Colours like #de4f2a, the main one first.", main=True
        ),
    ] = [],  # noqa: B006
    fonts: Annotated[
        list[str],
        Setting(
            title="Fonts", widget="list", options="list_fonts", help="Families, the one for headlines first."
        ),
    ] = [],  # noqa: B006
    logo: Annotated[Image | None, Setting(title="Logo", widget="picture")] = None,
    tone: Annotated[
        str, Setting(title="Tone of voice", placeholder="Warm, dry, never loud", max_length=500)
    ] = "",
    banned_words: Annotated[
        list[str], Setting(title="Banned words", widget="list", help="Never used in texts.")
    ] = [],  # noqa: B006
    example_lines: Annotated[
        list[str], Setting(title="Example lines", widget="list", help="Lines that sound right.")
    ] = [],  # noqa: B006
    brand: Annotated[
        Brand | None,
        Setting(
            title="Brand",
            widget="brand",
            help="A saved brand, or a whole other one, in place of the settings below.",
            input=True,
            order=-1,  # it replaces those below
        ),
    ] = None,
) -> Brand:
    """The brand: name, description, palette, fonts, logo, tone, banned words and example lines.

    Connect it to every node that writes, draws or checks. A launch may answer with a brand of its own.
    """
    given = brand or Brand(
        brand_name=brand_name,
        description=description,
        palette=tuple(palette),
        fonts=tuple(fonts),
        logo=logo,
        tone=tone,
        banned_words=tuple(banned_words),
        example_lines=tuple(example_lines),
    )
    if given.saved:
        raise NodeError(
            "This brand is saved on a server, which sets its values when it starts the run. "
            "Enter the brand's values here to run the flow elsewhere.",
            code="saved_brand",
        )
    return dataclasses.replace(
        given,
        brand_name=" ".join(given.brand_name.split()),
        description=given.description.strip(),
        palette=_colors(given.palette),
        fonts=_kept(given.fonts),
        tone=given.tone.strip(),
        banned_words=_kept(given.banned_words),
        example_lines=_kept(given.example_lines),
        dos=_kept(given.dos),
        donts=_kept(given.donts),
        languages=_kept(given.languages),
        legal_line=" ".join(given.legal_line.split()),
    )


def _colors(palette: tuple[str, ...]) -> tuple[str, ...]:
    wrong = [text for text in palette if text.strip() and not is_hex(text)]
    if wrong:
        raise NodeError(f"'{wrong[0]}' is not a colour. Write it like #de4f2a.", code="bad_colour")
    return tuple(to_hex(from_hex(text)) for text in palette if text.strip())


def _kept(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(line.strip() for line in lines if line.strip())


async def list_fonts(query: str, context: object) -> list[dict[str, str]]:
    """The font families that can be set here, each with a sample of its letters."""
    from impasto_nodes.media.text import fonts
    from impasto_nodes.media.text.font_samples import sample_of

    del context
    names = [name for name in fonts.families() if query.lower() in name.lower()]
    samples = await asyncio.to_thread(lambda: [sample_of(name) for name in names])
    return [
        {"value": name, "label": name, "sample": sample} for name, sample in zip(names, samples, strict=True)
    ]
