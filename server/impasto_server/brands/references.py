"""References to saved brands inside JSON values, and the values that replace them before a run.

A reference is a brand value with `saved`: the id of a brand, or `id@version`. It stands in the settings of a
flow document or in the inputs of a launch.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from impasto import Brand
from impasto_server.assets.references import references as asset_references
from impasto_server.brands import presenter, repository
from impasto_server.brands.example import EXAMPLE, EXAMPLE_ID, EXAMPLE_VERSION
from impasto_server.brands.schemas import ROLES, BrandContent, BrandFontFile

_KEYS = frozenset({"$type", *(each.name for each in fields(Brand))})
_MAX_NAMES = 200
_EMPTY: dict[str, Any] = {"$type": "Brand"}


@dataclass(frozen=True)
class UsedBrand:
    """A version of a brand whose values a run has."""

    brand_id: str
    version: int
    name: str


@dataclass
class Resolution:
    """The brands that one user's references stand for.

    `unknown` are references to nothing that the user may use: another user's brand, a deleted one, one that
    was never published. `without_logo` are names of brands whose logo was deleted from the library.
    """

    values: dict[str, dict[str, Any]] = field(default_factory=dict)
    used: dict[str, UsedBrand] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    without_logo: list[str] = field(default_factory=list)

    def apply(self, value: Any) -> Any:
        """Return the value with brands in place of references; an unknown one becomes an empty brand."""
        return _replaced(value, lambda reference: self.values.get(reference, _EMPTY))


def references_in(value: Any) -> list[str]:
    """Return the references to saved brands in a value, without duplicates, in order."""
    # Most documents have none, and some have 100,000 values to walk over.
    if b'"saved"' not in orjson.dumps(value):
        return []
    return list(dict.fromkeys(reference["saved"] for reference in find(value)))


async def resolve(session: AsyncSession, user_id: str, references: list[str]) -> Resolution:
    """Look up references as a user who launches: brands of others are unknown."""
    resolution = Resolution()
    names = await _names(session, user_id) if references else {}
    for reference in references:
        found = await _content(session, user_id, reference)
        if found is None:
            resolution.unknown.append(reference)
            continue
        used, content = found
        resolution.used[reference] = used
        value = await _value(session, user_id, used.brand_id, content, resolution)
        others = [name for brand_id, name in names.items() if brand_id != used.brand_id]
        resolution.values[reference] = {**value, "other_names": others}
    return resolution


async def names_of(session: AsyncSession, user_id: str, references: list[str]) -> dict[str, str]:
    """Return the names of brands by reference: "" for one that is not the user's. The example is left out."""
    names: dict[str, str] = {}
    for reference in references:
        brand_id, _, pinned = reference.partition("@")
        if brand_id == EXAMPLE_ID:
            continue
        row = await repository.find(session, user_id, brand_id)
        name = str(row.draft["name"]) if row else ""
        names[reference] = f"{name} (version {pinned})" if name and pinned else name
    return names


async def _content(
    session: AsyncSession, user_id: str, reference: str
) -> tuple[UsedBrand, BrandContent] | None:
    brand_id, _, pinned = reference.partition("@")
    number = int(pinned) if pinned.isascii() and pinned.isdigit() and len(pinned) < 10 else None
    if pinned and number is None:
        return None
    if brand_id == EXAMPLE_ID:
        known = number in (None, EXAMPLE_VERSION)
        return (UsedBrand(EXAMPLE_ID, EXAMPLE_VERSION, EXAMPLE.name), EXAMPLE) if known else None
    row = await repository.find(session, user_id, brand_id)
    if row is None or row.version is None:
        return None
    entry = await repository.version(session, row.id, number or row.version)
    if entry is None:
        return None
    content = BrandContent.model_validate(entry.content)
    return UsedBrand(row.id, entry.number, content.name), content


async def own_content(session: AsyncSession, user_id: str, reference: str) -> BrandContent | None:
    """Return the published content that a reference to an own brand stands for, or None."""
    if reference.partition("@")[0] == EXAMPLE_ID:
        return None
    found = await _content(session, user_id, reference)
    return found[1] if found else None


async def _names(session: AsyncSession, user_id: str) -> dict[str, str]:
    """Return the names of the brands in the user's library and of the example, by id."""
    drafts = await repository.drafts(session, user_id, _MAX_NAMES)
    return {EXAMPLE_ID: EXAMPLE.name, **{brand_id: str(draft["name"]) for brand_id, draft in drafts}}


async def _value(
    session: AsyncSession, user_id: str, brand_id: str, content: BrandContent, resolution: Resolution
) -> dict[str, Any]:
    wanted = presenter.file_ids(content)
    files = await asset_references(session, user_id, wanted) if wanted else {}
    if any(asset_id not in files for asset_id in presenter.logo_ids(content)):
        resolution.without_logo.append(content.name)
    return value_of(brand_id, content, files)


def value_of(brand_id: str, content: BrandContent, files: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the brand value that nodes get; `files` are media references by the ids of assets."""
    voice = content.voice
    colors = sorted(content.colors, key=lambda color: ROLES.index(color.role))
    fonts = sorted(content.fonts, key=lambda font: font.role != "headline")
    return {
        "$type": "Brand",
        "brand_name": content.name,
        "description": content.description,
        "palette": [color.hex for color in colors],
        "fonts": list(dict.fromkeys(font.family for font in fonts)),
        "logo": files.get(content.logo.light or ""),
        "logo_dark": files.get(content.logo.dark or ""),
        "clear_space": content.logo.clear_space,
        "tone": ", ".join(voice.tone),
        "banned_words": voice.banned_words,
        "example_lines": voice.sample_lines,
        "dos": voice.dos,
        "donts": voice.donts,
        "languages": voice.languages,
        "legal_line": content.legal_line,
        "font_files": [
            {**files[file.asset_id], "name": font_file_name(file, files[file.asset_id])}
            for file in content.font_files
            if file.asset_id in files
        ],
        "source": brand_id,
    }


def font_file_name(file: BrandFontFile, reference: Mapping[str, Any]) -> str:
    """Return the name by which nodes know family, weight and style: `Acme Sans-700italic.ttf`."""
    extension = "otf" if reference.get("media_type") == "font/otf" else "ttf"
    return f"{file.family}-{file.weight}{'italic' if file.italic else ''}.{extension}"


def is_reference(item: dict[str, Any]) -> bool:
    """Whether an object is a reference to a saved brand."""
    saved = item.get("saved")
    return (
        isinstance(saved, str)
        and saved != ""
        and item.get("$type", "Brand") == "Brand"
        and item.keys() <= _KEYS
    )


def find(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the references to saved brands in a value, each as often as it is there."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            if is_reference(item):
                yield item
            else:
                pending.extend(reversed(item.values()))
        elif isinstance(item, list):
            pending.extend(reversed(item))


def _replaced(value: Any, replacement: Callable[[str], dict[str, Any]]) -> Any:
    if isinstance(value, dict):
        if is_reference(value):
            return replacement(value["saved"])
        return {key: _replaced(item, replacement) for key, item in value.items()}
    return [_replaced(item, replacement) for item in value] if isinstance(value, list) else value
