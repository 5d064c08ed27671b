"""The server's work for a run: transactions, statements and compilations."""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import Connection, event
from tests.server import sample_nodes
from tests.server.sample_nodes import chain

import impasto
from impasto import Catalog, Text, node
from impasto_server.compiler import caches

pytestmark = pytest.mark.anyio


@node(id="more")
async def more(text: Text) -> Text:
    """Return the text with one character more."""
    return text + "."


@pytest.fixture
def catalog() -> Catalog:
    return Catalog([sample_nodes.ask, sample_nodes.shout, more])


@pytest.fixture
def cost(app_state: Any) -> Counter[str]:
    """Counts the writing transactions, the inserts into the journal, and the releases of leases."""
    counted: Counter[str] = Counter()
    engine = app_state.database.engine.sync_engine

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        counted["writes"] += connection.get_execution_options().get("writes", False)

    @event.listens_for(engine, "before_cursor_execute")
    def on_statement(*call: Any) -> None:
        counted["inserts"] += call[2].startswith("INSERT INTO run_records")
        counted["releases"] += call[2].startswith(
            "UPDATE runs SET lease_owner=?, lease_until=? WHERE runs.id ="
        )

    return counted


async def test_chain_of_short_steps_takes_few_transactions(
    person: Any, cost: Counter[str], make_flow: Any, run_flow: Any, finished: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr("impasto.runtime.recording.journal_writer._SOON_SECONDS", 1e6)
    names = ["ask", *(f"step{number}" for number in range(30))]
    nodes = [{"id": name, "type": name if name == "ask" else "more"} for name in names]
    edges = [{"from": f"{one}.output", "to": f"{other}.text"} for one, other in pairwise(names)]
    made = await make_flow(person, {"format": 1, "name": "Chain", "nodes": nodes, "edges": edges})
    cost.clear()
    await finished(person, await run_flow(person, made["id"]))
    assert cost["writes"] < 15
    assert cost["inserts"] < 10
    assert not cost["releases"], "the end of the run releases its lease"


async def test_runs_of_a_document_share_its_plan(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[Any] = []
    compile_plan = impasto.compile

    def count(*args: Any, **options: Any) -> Any:
        compiled.append(args)
        return compile_plan(*args, **options)

    monkeypatch.setattr(impasto, "compile", count)
    made = await make_flow(person, chain("shout"))
    for text in ("one", "two", "three"):
        run = await run_flow(person, made["id"], inputs={"ask": text})
        ended = await finished(person, run)
        assert ended["status"] == "finished"
        assert text.upper() in str(ended["results"])
    assert len(compiled) == 1


@pytest.mark.parametrize(("name", "value"), [("_MAX_PLANNED_BYTES", 1), ("_BYTES_OF_STEP", 2**22)])
async def test_plans_used_last_are_kept_within_a_size(
    person: Any,
    make_flow: Any,
    run_flow: Any,
    finished: Any,
    app_state: Any,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    value: int,
) -> None:
    monkeypatch.setattr(caches, name, value)
    for _ in range(2):
        made = await make_flow(person, chain("shout"))
        await finished(person, await run_flow(person, made["id"]))
    assert not app_state.compiler._plans._plans
