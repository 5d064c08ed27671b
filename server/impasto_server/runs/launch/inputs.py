"""Validation of a launch's inputs against the agent's form."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets.references import MEDIA, asset_ids_in, references
from impasto_server.runs.errors import InputsInvalid

_MAX_ASSETS = 1000


async def resolve_inputs(session: AsyncSession, user_id: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inputs with complete media references. Raises `InputsInvalid` for unknown assets."""
    asset_ids = asset_ids_in(inputs)
    if len(asset_ids) > _MAX_ASSETS:
        raise InputsInvalid([_error("", "too_many", f"A launch takes at most {_MAX_ASSETS} files.")])
    known = await references(session, user_id, asset_ids)
    missing = [asset_id for asset_id in asset_ids if asset_id not in known]
    if missing:
        names = {asset_id: name for name, value in inputs.items() for asset_id in asset_ids_in(value)}
        raise InputsInvalid(
            [
                _error(names.get(asset_id, ""), "unknown_asset", f"There is no asset {asset_id[:100]}.")
                for asset_id in missing
            ]
        )
    return {name: _with_references(value, known) for name, value in inputs.items()}


async def resolve_known_inputs(
    session: AsyncSession, user_id: str, inputs: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the inputs without those that name unknown assets: a form that is being filled in has such."""
    known = await references(session, user_id, asset_ids_in(inputs)[:_MAX_ASSETS])
    resolved: dict[str, Any] = {}
    for name, value in inputs.items():
        with suppress(KeyError):
            resolved[name] = _with_references(value, known)
    return resolved


def input_errors(problems: Sequence[Mapping[str, str]]) -> list[dict[str, Any]]:
    """Return what the compiler found wrong with a launch's inputs, as the API reports it."""
    return [_error(item["node"], item["code"], item["message"]) for item in problems]


def _with_references(value: Any, known: Mapping[str, dict[str, Any]]) -> Any:
    if isinstance(value, dict):
        if value.get("$type") in MEDIA and "asset_id" in value:
            return known[str(value["asset_id"])]
        return {key: _with_references(item, known) for key, item in value.items()}
    return [_with_references(item, known) for item in value] if isinstance(value, list) else value


def _error(node: str, code: str, message: str) -> dict[str, Any]:
    return {"path": f"inputs.{node}" if node else "inputs", "code": code, "message": message}
