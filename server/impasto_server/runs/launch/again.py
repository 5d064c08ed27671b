"""Running steps of an earlier run again, with other values of one of its brands."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import orjson

from impasto_server.compiler.documents import Source
from impasto_server.container import AppState
from impasto_server.credentials import service as credentials
from impasto_server.flows import access
from impasto_server.flows.beta import require_access
from impasto_server.flows.errors import FlowInvalid, FlowNotFound
from impasto_server.limits.service import LaunchCost
from impasto_server.runs.errors import InputsInvalid
from impasto_server.runs.launch.brands import StoredBrands, brands_at
from impasto_server.runs.launch.service import LaunchPlan, check_inputs, new_run
from impasto_server.runs.models import RunRow
from impasto_server.runs.schemas import RunRequest
from impasto_server.users.models import User


async def run_again(
    app_state: AppState,
    user: User,
    earlier: RunRow,
    targets: Sequence[str],
    brand: tuple[str, int],
    limit_usd: Decimal | None,
) -> tuple[RunRow, LaunchCost]:
    """Return a new run of the same document with the same inputs, and its cost, to be stored by `write_runs`.

    `brand` is the id and version of the brand that changes. Results of steps that did not read what differs
    are reused. Raises `FlowNotFound`, `FlowInvalid`, `FlowTooLarge`, `PrivateBeta` or `InputsInvalid`.
    """
    if earlier.flow_id is None:
        raise FlowNotFound("")
    async with app_state.database.reading() as session:
        flow = await access.get_visible(session, user, earlier.flow_id)
        configured = await credentials.providers_of(session, user.id)
        brands: StoredBrands = await brands_at(session, user.id, earlier, *brand)
    source = Source(
        earlier.document, earlier.subflows, flow_id=flow.id, targets=list(targets), configured=configured
    )
    checked = await app_state.compiler.check(user.id, source)
    if not checked.can_run:
        raise FlowInvalid(checked.problems)
    await require_access(app_state, user, source, checked)
    results, steps = orjson.loads(checked.results), orjson.loads(checked.planned_steps)
    launch_plan = LaunchPlan(flow, earlier.version, source, results, steps, configured, brands)
    body = RunRequest(targets=list(targets), reuse="changed", budget_usd=_budget(limit_usd))
    (inputs,) = await check_inputs(app_state, user, launch_plan, [earlier.inputs], body)
    if inputs.errors:
        raise InputsInvalid(inputs.errors)
    # Only what read the brand costs: the estimate of the whole run would reserve too much.
    cost = launch_plan.cost_of(inputs)
    if limit_usd is not None:
        cost = replace(cost, server_usd=min(cost.server_usd, limit_usd))
    return new_run(app_state, user, launch_plan, inputs, body, []), cost


def _budget(limit_usd: Decimal | None) -> str | None:
    return f"{limit_usd:f}" if limit_usd else None
