"""An earlier run that is run again with another version of its brand: what it does, and what it may cost."""

from decimal import Decimal
from typing import Any

import pytest
from tests.server.sample_nodes import flow

from impasto_server.container import AppState
from impasto_server.flows.errors import FlowInvalid, FlowNotFound, PrivateBeta
from impasto_server.runs.errors import InputsInvalid
from impasto_server.runs.launch.again import run_again
from impasto_server.runs.models import RunRow
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio
EXAMPLE = "northbound-coffee"
BOUGHT = flow("ask", "buy", "shout", edges=["ask.output -> buy.text", "ask.output -> shout.text"])
IN_BETA = flow("ask", "secret", "buy", edges=["ask.output -> secret.text", "secret.output -> buy.text"])
OTHER = {"reference": "b2", "brand_id": "b2", "version": 4, "name": "Fjell", "input": None, "value": {}}
CHANGED = {"reference": EXAMPLE, "brand_id": EXAMPLE, "version": 0, "name": "Old", "input": "b", "value": {}}


async def test_run_has_the_earlier_document_and_the_new_brand_and_costs_at_most_the_limit(
    person: Any, make_flow: Any, app_state: AppState
) -> None:
    made = await make_flow(person)
    user = User(id=await person.id(), betas=[])

    def earlier(**about: Any) -> RunRow:
        usual = {
            "flow_id": made["id"], "version": 3, "document": BOUGHT, "subflows": {},
            "inputs": {"ask": "Hi"}, "brands": [OTHER, CHANGED],
        }  # fmt: skip
        return RunRow(**usual | about)

    async def again(row: RunRow, limit: str | None = None) -> tuple[RunRow, Decimal]:
        wanted = Decimal(limit) if limit else None
        new, cost = await run_again(app_state, user, row, ["buy"], (EXAMPLE, 1), wanted)
        assert (cost.may_spend, cost.uses_own_keys, cost.stores_files) == (True, False, False)
        return new, cost.server_usd

    for limit, budget, usd in ((None, None, "0.4"), ("0.1", "0.1", "0.1"), ("2", "2", "0.4")):
        row, expected = await again(earlier(), limit)
        assert (row.budget_usd, expected) == (budget and Decimal(budget), Decimal(usd))
    assert (row.owner_id, row.flow_id, row.version, row.document) == (user.id, made["id"], 3, BOUGHT)
    assert (row.inputs, row.targets, row.fresh, row.reuse) == ({"ask": "Hi"}, ["buy"], [], "changed")
    assert row.again_of is None
    assert row.planned_results is not None
    assert [item["node"] for item in row.planned_results] == ["buy"]
    assert row.brands is not None
    other, changed = row.brands
    assert other == OTHER
    assert changed.pop("value")["brand_name"] == "Northbound Coffee"
    about = {"version": 1, "name": "Northbound Coffee", "input": "b", "reads_recorded": True}
    assert changed == {"reference": EXAMPLE, "brand_id": EXAMPLE, **about}
    for row, error in (
        (earlier(flow_id=None), FlowNotFound),
        (earlier(flow_id="another"), FlowNotFound),
        (earlier(document=flow("buy")), FlowInvalid),
        (earlier(inputs={"ask": 5}), InputsInvalid),
        (earlier(document=IN_BETA), PrivateBeta),
    ):
        with pytest.raises(error):
            await again(row)
