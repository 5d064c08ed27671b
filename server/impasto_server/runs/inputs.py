"""Validation of a launch's inputs against the agent's form."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from impasto import Plan
from impasto.errors import InputsInvalid as EngineInputsInvalid
from impasto_server.assets import service as assets
from impasto_server.assets.references import MEDIA, asset_ids_in
from impasto_server.runs.errors import InputsInvalid

_MAX_ASSETS = 1000


async def validate_inputs(
    session: AsyncSession, user_id: str, plan: Plan, inputs: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the inputs with complete media references. Raises `InputsInvalid` with every error."""
    asset_ids = asset_ids_in(inputs)
    if len(asset_ids) > _MAX_ASSETS:
        raise InputsInvalid([_error("", "too_many", f"A launch takes at most {_MAX_ASSETS} files.")])
    known = await assets.references(session, user_id, asset_ids)
    missing = [asset_id for asset_id in asset_ids if asset_id not in known]
    if missing:
        raise InputsInvalid(
            [
                _error(_input_of_asset(inputs, asset_id), "unknown_asset", f"There is no asset {asset_id}.")
                for asset_id in missing
            ]
        )
    resolved = {name: _with_references(value, known) for name, value in inputs.items()}
    try:
        plan.decode_inputs(resolved)
    except EngineInputsInvalid as error:
        raise InputsInvalid(
            [_error(item.node or "", item.code, item.message) for item in error.problems]
        ) from error
    return resolved


async def drop_invalid_inputs(
    session: AsyncSession, user_id: str, plan: Plan, inputs: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the valid ones of the inputs: a form that is being filled in has others."""
    valid: dict[str, Any] = {}
    known = await assets.references(session, user_id, asset_ids_in(inputs)[:_MAX_ASSETS])
    for name, value in inputs.items():
        try:
            valid[name] = _with_references(value, known)
            plan.decode_inputs({name: valid[name]}, partial=True)
        except (EngineInputsInvalid, KeyError):
            valid.pop(name, None)
    return valid


def _with_references(value: Any, known: Mapping[str, dict[str, Any]]) -> Any:
    if isinstance(value, dict):
        if value.get("$type") in MEDIA and "asset_id" in value:
            return known[str(value["asset_id"])]
        return {key: _with_references(item, known) for key, item in value.items()}
    return [_with_references(item, known) for item in value] if isinstance(value, list) else value


def _input_of_asset(inputs: Mapping[str, Any], asset_id: str) -> str:
    return next((name for name, value in inputs.items() if asset_id in asset_ids_in(value)), "")


def _error(node: str, code: str, message: str) -> dict[str, str]:
    return {"path": f"inputs.{node}" if node else "inputs", "code": code, "message": message}
