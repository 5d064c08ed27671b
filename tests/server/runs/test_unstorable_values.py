"""Values that a database, the stack or JSON cannot hold are rejected on both databases."""

import json
from itertools import product
from typing import Any

import pytest
from tests.server.responses import expect
from tests.server.sample_nodes import chain

pytestmark = pytest.mark.anyio
PASSWORD = "Thick-paint-7"


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database


def nested(depth: int, *, lists: bool = False) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value] if lists else {"a": value}
    return value


STRANGE = {
    "deep objects": nested(700),
    "deep lists": nested(200, lists=True),
    "a number beyond 64 bits": 10**40,
    "half a character": "\ud800",
}


def document(value: Any) -> dict[str, Any]:
    made: dict[str, Any] = chain("shout")
    made["nodes"][1]["settings"] = {"mark": value}
    return made


@pytest.mark.parametrize("value", STRANGE.values(), ids=STRANGE)
async def test_unstorable_json_is_rejected_everywhere(person: Any, make_flow: Any, value: Any) -> None:
    flow_id = (await make_flow(person))["id"]
    sign_up = {"username": "noor", "email": "noor@northbound.example", "password": PASSWORD}
    calls: list[tuple[str, str, Any]] = [
        ("POST", "/flows/", {"name": "Strange", "flow": document(value)}),
        ("POST", "/flows/check", document(value)),
        ("POST", "/flows/import", document(value)),
        ("PUT", f"/flows/{flow_id}/draft", document(value)),
        ("POST", f"/flows/{flow_id}/runs", {"version": "draft", "inputs": {"ask": value}}),
        ("POST", f"/flows/{flow_id}/batch?version=draft", [{"ask": value}]),
        ("POST", "/identity/sign-up", {**sign_up, "client_metadata": {"website": value}}),
    ]
    for method, path, body in calls:
        headers = {"If-Match": '"1"', "Content-Type": "application/json"}
        content = json.dumps(body)
        response = await person.client.request(method, path, content=content, headers=headers)
        assert (response.status_code, response.headers["content-type"]) == (
            422,
            "application/problem+json",
        ), f"{path}: {response.text}"
        assert response.json()["detail"], path


async def test_deeply_nested_settings_are_stored(person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    response = await person.client.put(
        f"/flows/{made['id']}/draft", json=document(nested(60)), headers={"If-Match": '"1"'}
    )
    expect(response, 200)
    assert (await person.client.get(f"/flows/{made['id']}")).json()["flow"] == document(nested(60))


async def test_too_large_budget_is_rejected(person: Any, make_flow: Any, subtests: pytest.Subtests) -> None:
    made = await make_flow(person)
    cases = ["1000000", "999999.9999999", "1e30", "9" * 20, "NaN", "-1", "1e-9999999"]
    for budget in cases:
        with subtests.test(budget=budget):
            body = {"version": "draft", "inputs": {"ask": "x"}, "budget_usd": budget}
            response = await person.client.post(f"/flows/{made['id']}/runs", json=body)
            expect(response, 202, 422)
            assert response.status_code == 422 or budget == "1e-9999999", response.text


async def test_name_that_is_too_long_when_normalized_is_rejected(client: Any) -> None:
    body = {"username": "ß" * 128, "email": "ss@northbound.example", "password": PASSWORD}
    response = await client.post("/identity/sign-up", json=body)
    expect(response, 422)
    expect(await client.post("/identity/sign-up", json={**body, "username": "ß" * 64}), 201)


async def test_datetime_out_of_range_is_rejected(person: Any, subtests: pytest.Subtests) -> None:
    moments = ("9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59", "2026-01-01")
    for moment, name in product(moments, ("since", "until")):
        with subtests.test(moment=moment, name=name):
            response = await person.client.get("/assets/library", params={name: moment})
            expect(response, 422 if moment[-6:] in ("-23:59", "+23:59") else 200)


async def test_nul_in_username_is_invalid_credentials(client: Any) -> None:
    for call, more in [
        ("sign-in", {"password": PASSWORD}),
        ("confirm-sign-up", {"code": "123456"}),
        ("resend-code", {}),
        ("forgot-password", {}),
        ("confirm-forgot-password", {"confirmation_code": "123456", "new_password": PASSWORD}),
    ]:
        response = await client.post(f"/identity/{call}", json={"username": "ma\0ra", **more})
        assert response.status_code < 500, (call, response.text)
