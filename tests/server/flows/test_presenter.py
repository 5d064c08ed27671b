"""Agents in the form of the API: for their owner, for others, and as the result of a check."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from impasto_server.compiler.documents import CheckedFlow
from impasto_server.flows import presenter
from impasto_server.flows.models import FlowRow
from impasto_server.flows.schemas import Estimate, Problem
from impasto_server.security.signed_urls import PERIOD_SECONDS
from impasto_server.users.models import User

AT = datetime(2026, 1, 31, 9, tzinfo=UTC)
LATER = datetime(2026, 2, 1, 9, tzinfo=UTC)
MARA, INES = User(id="mara", betas=[]), User(id="ines", betas=[])
STATE: Any = SimpleNamespace()


def agent(**about: Any) -> FlowRow:
    usual = {
        "id": "f1", "owner_id": "mara", "name": "Poster", "description": "For print", "category": "ads",
        "visibility": "public", "status": "published", "beta": False, "kinds": ["image"], "takes": None,
        "watermark": False, "mark_exports": False, "version": 2, "revision": 5, "published_revision": 5,
        "created_at": AT, "updated_at": LATER,
    }  # fmt: skip
    return FlowRow(**usual | about)


def shown(row: FlowRow, user: User) -> dict[str, Any]:
    return presenter.summary(STATE, row, user).model_dump()


def test_summary_of_an_agent_is_that_of_its_row() -> None:
    expected = {
        "id": "f1", "name": "Poster", "description": "For print", "category": "ads", "visibility": "public",
        "status": "published", "avatar_url": None, "built_in": False, "mine": True, "beta": False,
        "featured": False, "withheld": False, "withheld_reason": None, "kinds": ["image"], "takes": None,
        "watermark": False, "mark_exports": False, "version": 2, "revision": 5, "unpublished_changes": False,
        "created_at": AT, "updated_at": LATER,
        "permissions": {"edit": True, "run": True, "publish": True, "beta": True},
    }  # fmt: skip
    assert shown(agent(), MARA) == expected
    other = {"edit": False, "run": True, "publish": False, "beta": False}
    assert shown(agent(), INES) == {**expected, "mine": False, "permissions": other}
    marked = {"watermark": True, "mark_exports": True, "beta": True, "takes": ["audio"]}
    assert shown(agent(**marked), MARA) == {**expected, **marked}
    assert shown(agent(featured_at=AT), MARA) == {**expected, "featured": True}
    built_in = {"built_in": True, "mine": False, "permissions": other}
    assert shown(agent(owner_id=None, built_in="poster"), MARA) == {**expected, **built_in}


def test_reason_why_an_agent_is_withheld_is_for_its_owner() -> None:
    row = agent(withheld_at=AT, withheld_reason="Spam")
    found = [shown(row, user) for user in (MARA, INES)]
    assert [(each["withheld"], each["withheld_reason"]) for each in found] == [(True, "Spam"), (True, None)]


def test_unpublished_changes_are_for_the_owner() -> None:
    for published, user, expected in (
        (4, MARA, True),
        (5, MARA, False),
        (None, MARA, True),
        (4, INES, False),
    ):
        assert shown(agent(published_revision=published), user)["unpublished_changes"] is expected


@pytest.mark.anyio
async def test_url_of_a_cover_ends_with_its_key_and_is_signed(app_state: Any, clock: Any) -> None:
    url = presenter.avatar_url(app_state, agent(avatar_key="covers/0123456789abcdef0123"))
    assert url is not None
    path, _, query = url.partition("?expires=")
    assert path == "/api/v1/flows/f1/avatar/89abcdef0123"
    left = int(query.partition("&")[0]) - clock().timestamp()
    assert PERIOD_SECONDS < left <= 2 * PERIOD_SECONDS


PROBLEM = Problem(code="required_input", message="Connect it.", node="a")
FORM = {
    "type": "object", "properties": {"ask": {"title": "Words"}, "count": {"title": "Number"}},
    "required": ["ask"],
}  # fmt: skip
CHECKED = CheckedFlow(
    can_run=True,
    problems=[PROBLEM],
    estimate=Estimate(usd="0.5"),
    inputs=orjson.dumps(FORM),
    results=b'[{"node":"a"}]',
    step_estimates=b'{"a":{"usd":"0.5"}}',
)


def test_detail_of_an_agent_has_its_document_and_what_the_compiler_found() -> None:
    summary = presenter.summary(STATE, agent(), MARA).model_dump(mode="json")
    assert orjson.loads(presenter.detail(STATE, agent(), MARA, {"nodes": []}, CHECKED)) == {
        **summary,
        "flow": {"nodes": []},
        "inputs": FORM,
        "results": [{"node": "a"}],
        "problems": [PROBLEM.model_dump()],
        "estimate": Estimate(usd="0.5").model_dump(),
    }


def test_check_warns_of_each_input_that_a_run_has_to_be_given() -> None:
    missing = Problem(
        code="missing_input",
        message="Words has no value.",
        node="ask",
        hint="Set one here, or enter one at each launch.",
        severity="warning",
    )
    assert orjson.loads(presenter.check(CHECKED)) == {
        "problems": [PROBLEM.model_dump(), missing.model_dump()],
        "inputs": FORM,
        "results": [{"node": "a"}],
        "estimate": Estimate(usd="0.5").model_dump(),
        "steps": {"a": {"usd": "0.5"}},
    }
