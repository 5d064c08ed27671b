"""The inputs of a launch: held against the agent's form, with the references to files filled in."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from impasto import Plan
from impasto.errors import InputsInvalid as EngineInputsInvalid
from impasto_server.assets import service as assets
from impasto_server.assets.references import MEDIA, asset_ids_in
from impasto_server.runs.errors import InputsInvalid

_MOST_ASSETS = 1000


async def prepared(
    session: AsyncSession, user_id: str, plan: Plan, inputs: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the inputs with whole media references. Raises `InputsInvalid` naming all that is wrong."""
    named = asset_ids_in(inputs)
    if len(named) > _MOST_ASSETS:
        raise InputsInvalid([_error("", "too_many", f"A launch takes at most {_MOST_ASSETS} files.")])
    known = await assets.references(session, user_id, named)
    missing = [name for name in named if name not in known]
    if missing:
        raise InputsInvalid(
            [_error(_place(inputs, name), "unknown_asset", f"There is no asset {name}.") for name in missing]
        )
    filled = {name: _filled(value, known) for name, value in inputs.items()}
    try:
        plan.decode_inputs(filled)
    except EngineInputsInvalid as error:
        raise InputsInvalid(
            [_error(item.node or "", item.code, item.message) for item in error.problems]
        ) from error
    return filled


async def acceptable(
    session: AsyncSession, user_id: str, plan: Plan, inputs: Mapping[str, Any]
) -> dict[str, Any]:
    """Return those of the inputs that a launch would take as they stand; a form half filled in has others."""
    found: dict[str, Any] = {}
    known = await assets.references(session, user_id, asset_ids_in(inputs)[:_MOST_ASSETS])
    for name, value in inputs.items():
        try:
            found[name] = _filled(value, known)
            plan.decode_inputs({name: found[name]}, partial=True)
        except (EngineInputsInvalid, KeyError):
            found.pop(name, None)
    return found


def _filled(value: Any, known: Mapping[str, dict[str, Any]]) -> Any:
    if isinstance(value, dict):
        if value.get("$type") in MEDIA and "asset_id" in value:
            return known[str(value["asset_id"])]
        return {key: _filled(item, known) for key, item in value.items()}
    return [_filled(item, known) for item in value] if isinstance(value, list) else value


def _place(inputs: Mapping[str, Any], asset_id: str) -> str:
    return next((name for name, value in inputs.items() if asset_id in asset_ids_in(value)), "")


def _error(node: str, code: str, message: str) -> dict[str, str]:
    return {"path": f"inputs.{node}" if node else "inputs", "code": code, "message": message}
