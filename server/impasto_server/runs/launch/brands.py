"""The saved brands of a launch: looked up once, and stored with the run, which is so reproducible."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.brands import references
from impasto_server.brands.references import Resolution
from impasto_server.flows.subflows import Subflows
from impasto_server.runs.errors import InputsInvalid
from impasto_server.runs.models import RunRow
from impasto_server.runs.schemas import RunBrand

MAX_BRANDS = 100
"""Each costs queries, and a body has room for tens of thousands of references."""

StoredBrands = list[dict[str, Any]]
"""The form of `RunRow.brands`: a `RunBrand` each, with its `reference` and the `value` that replaces it.

`reads_recorded` is missing in runs from before their steps recorded what they read of a brand.
"""


async def brands_of_document(
    session: AsyncSession, user_id: str, document: Mapping[str, Any], subflows: Subflows
) -> StoredBrands:
    """Return the brands in an agent's document and the agents that it runs, as far as the user may use them.

    A reference to another user's brand, or to a deleted one, stands for no brand. Raises `InputsInvalid` if
    the logo of a brand was deleted, or if there are more than `MAX_BRANDS`.
    """
    found = references.references_in([document, *subflows.values()])
    if not found:
        return []
    _require_few(found, "")
    resolution = await references.resolve(session, user_id, found)
    _require_logos(resolution, "")
    return _stored(resolution, None)


async def brands_of_inputs(session: AsyncSession, user_id: str, inputs: Mapping[str, Any]) -> StoredBrands:
    """Return the brands in a launch's inputs.

    Raises `InputsInvalid` for brands that the user may not use, or whose logo was deleted, and for more than
    `MAX_BRANDS`.
    """
    stored: StoredBrands = []
    for name, value in inputs.items():
        found = references.references_in(value)
        if not found:
            continue
        _require_few([*stored, *found], name)
        resolution = await references.resolve(session, user_id, found)
        if resolution.unknown:
            reference = resolution.unknown[0][:100]
            raise _invalid(name, "unknown_brand", f"There is no published brand {reference}.")
        _require_logos(resolution, name)
        stored += _stored(resolution, name)
    return stored


async def brands_at(
    session: AsyncSession, user_id: str, earlier: RunRow, brand_id: str, version: int
) -> StoredBrands:
    """Return the brands of an earlier run, one of them at another version.

    Raises `InputsInvalid` if a logo of that version was deleted.
    """
    reference = f"{brand_id}@{version}"
    resolution = await references.resolve(session, user_id, [reference])
    _require_logos(resolution, "")
    changed = {
        "version": version,
        "name": resolution.used[reference].name,
        "value": resolution.values[reference],
        "reads_recorded": True,
    }
    return [{**each, **changed} if each["brand_id"] == brand_id else each for each in earlier.brands or ()]


def resolved(row: RunRow, value: Any) -> Any:
    """Return a document or inputs of a run with the values of its brands in place of references."""
    known = {each["reference"]: each["value"] for each in row.brands or ()}
    return Resolution(values=known).apply(value) if references.references_in(value) else value


def described(row: RunRow) -> list[RunBrand]:
    """Return the brands of a run in the form of the API."""
    names = RunBrand.model_fields
    return [RunBrand(**{name: each[name] for name in names}) for each in row.brands or ()]


def _stored(resolution: Resolution, name: str | None) -> StoredBrands:
    return [
        {
            "reference": reference,
            "brand_id": used.brand_id,
            "version": used.version,
            "name": used.name,
            "input": name,
            "value": resolution.values[reference],
            "reads_recorded": True,
        }
        for reference, used in resolution.used.items()
    ]


def _require_few(found: Sequence[object], name: str) -> None:
    if len(found) > MAX_BRANDS:
        raise _invalid(name, "too_many_brands", f"A launch uses at most {MAX_BRANDS} brands.")


def _require_logos(resolution: Resolution, name: str) -> None:
    for brand in resolution.without_logo:
        message = f"A logo of the brand '{brand}' was deleted from the library. Choose another one in Brands."
        raise _invalid(name, "brand_logo_missing", message)


def _invalid(name: str, code: str, message: str) -> InputsInvalid:
    path = f"inputs.{name}" if name else "inputs"
    errors: Sequence[dict[str, Any]] = [{"path": path, "code": code, "message": message}]
    return InputsInvalid(list(errors))
