"""Agents in the form of the API, for one user."""

from typing import Any

import orjson

from impasto_server.compiler.documents import CheckedFlow
from impasto_server.container import AppState
from impasto_server.flows import access
from impasto_server.flows.models import FlowRow
from impasto_server.flows.schemas import FlowSummary, Problem
from impasto_server.security.signed_urls import sign_url
from impasto_server.users.models import User


def summary(app_state: AppState, row: FlowRow, user: User) -> FlowSummary:
    """Return an agent without its document."""
    own = access.is_owner(row, user)
    return FlowSummary.model_validate(
        {
            "id": row.id,
            "name": row.name,
            "description": row.description,
            "category": row.category,
            "visibility": row.visibility,
            "status": row.status,
            "avatar_url": avatar_url(app_state, row),
            "built_in": row.built_in is not None,
            "mine": own,
            "beta": row.beta,
            "featured": row.featured_at is not None,
            "withheld": row.withheld_at is not None,
            "withheld_reason": row.withheld_reason if own else None,
            "kinds": row.kinds,
            "takes": row.takes,
            "watermark": row.watermark,
            "mark_exports": row.mark_exports,
            "version": row.version,
            "revision": row.revision,
            "unpublished_changes": own and row.revision != row.published_revision,
            "created_at": row.created_at,
            "updated_at": row.updated_at,
            "permissions": access.permissions(row, user),
        }
    )


def detail(
    app_state: AppState, row: FlowRow, user: User, flow: dict[str, Any], checked: CheckedFlow
) -> bytes:
    """Return an agent with its document, input form, results, problems and estimate: JSON of `FlowDetail`.

    Serialized here and not by the framework, which would walk the whole document twice.
    """
    return orjson.dumps(
        {
            **summary(app_state, row, user).model_dump(mode="json"),
            "flow": flow,
            "inputs": orjson.Fragment(checked.inputs),
            "results": orjson.Fragment(checked.results),
            "problems": [problem.model_dump() for problem in checked.problems],
            "estimate": checked.estimate.model_dump(),
        }
    )


def check(checked: CheckedFlow) -> bytes:
    """Return the result of checking a document: JSON of `FlowCheck`."""
    problems = checked.problems + _missing_inputs(checked)
    return orjson.dumps(
        {
            "problems": [problem.model_dump() for problem in problems],
            "inputs": orjson.Fragment(checked.inputs),
            "results": orjson.Fragment(checked.results),
            "estimate": checked.estimate.model_dump(),
            "steps": orjson.Fragment(checked.step_estimates),
        }
    )


def _missing_inputs(checked: CheckedFlow) -> list[Problem]:
    """Return a warning for each input that a run has to be given."""
    form = orjson.loads(checked.inputs)
    return [
        Problem(
            code="missing_input",
            message=f"{form['properties'][name]['title']} has no value.",
            node=name,
            hint="Set one here, or enter one at each launch.",
            severity="warning",
        )
        for name in form["required"]
    ]


def avatar_url(app_state: AppState, row: FlowRow) -> str | None:
    """Return the signed URL of an agent's cover, or None."""
    if row.avatar_key is None:
        return None
    return sign_url(
        app_state.encryptor, f"/api/v1/flows/{row.id}/avatar/{row.avatar_key[-12:]}", app_state.clock()
    )
