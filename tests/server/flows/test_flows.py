"""Agents: creating, reading, saving, publishing, deprecating and deleting them."""

from typing import Any

import pytest
from tests.server.responses import expect
from tests.server.sample_nodes import chain, flow

pytestmark = pytest.mark.anyio


async def test_new_agent_is_empty_draft(person: Any) -> None:
    made = (await person.client.post("/flows/", json={"name": " Launch kit "})).json()
    assert made["name"] == "Launch kit"
    assert made["status"] == "draft"
    assert made["visibility"] == "private"
    assert made["category"] == "uncategorized"
    assert made["flow"] == {"format": 1, "name": " Launch kit ", "nodes": [], "edges": []}
    assert made["permissions"] == {"edit": True, "run": True, "publish": True, "beta": True}
    assert made["mine"] is True
    assert made["built_in"] is False


async def test_detail_has_form_results_and_estimate(person: Any, make_flow: Any) -> None:
    made = await make_flow(person, chain("shout", "paint"))
    read = (await person.client.get(f"/flows/{made['id']}")).json()
    assert read["inputs"]["properties"]["ask"]["x-type"] == "Text"
    assert read["inputs"]["required"] == ["ask"]
    assert [(item["node"], item["port"], item["type"]) for item in read["results"]] == [
        ("paint", "output", "Image")
    ]
    assert read["estimate"]["usd"] == "0.01"
    assert read["kinds"] == ["image"]
    assert read["problems"] == []


async def test_list_contains_visible_agents(
    person: Any, new_person: Any, make_flow: Any, publish: Any
) -> None:
    other = await new_person("ines")
    await make_flow(other, name="Hers, a draft", visibility="public")
    await publish(other, name="Hers, private")
    await publish(other, name="Hers, public", visibility="public")
    await make_flow(person, name="Mine, a draft")
    await publish(person, name="Mine, private")
    home = {item["name"] for item in (await person.client.get("/flows/")).json()}
    everything = {item["name"] for item in (await person.client.get("/flows/?include_all=true")).json()}
    assert home == {"Hers, public", "Mine, private"}
    assert everything == {"Hers, public", "Mine, private", "Mine, a draft"}


async def test_list_requires_token(client: Any) -> None:
    response = await client.get("/flows/")
    expect(response, 401, code="not_authenticated")


async def test_incomplete_draft_is_saved_with_problems(person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    document = flow("shout", {"id": "x", "type": "unheard_of"})
    saved = await _save(person, made, document)
    expect(saved, 200)
    assert saved.json()["revision"] == made["revision"] + 1
    assert saved.headers["etag"] == f'"{made["revision"] + 1}"'
    assert {problem["code"] for problem in saved.json()["problems"]} == {"required_input", "unknown_type"}
    read = (await person.client.get(f"/flows/{made['id']}")).json()
    assert read["flow"] == document


async def test_problem_of_a_setting_has_the_reason_as_a_code(person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    saved = await _save(
        person, made, flow({"id": "shout", "type": "shout", "settings": {"mark": "too long"}})
    )
    reasons = [problem["reason"] for problem in saved.json()["problems"] if problem["setting"] == "mark"]
    text = "must have a length of at most 5"
    assert reasons == [{"code": "too_long", "text": text, "parameters": {"count": 5}}]
    assert (await person.client.get(f"/flows/{made['id']}")).json()["problems"] == saved.json()["problems"]


async def test_unparsable_document_is_saved_as_draft(person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    odd = {"format": 1, "nodes": [{"id": "half"}], "edges": []}
    saved = await _save(person, made, odd)
    expect(saved, 200)
    assert saved.json()["problems"][0]["code"] == "bad_document"
    assert (await person.client.get(f"/flows/{made['id']}")).json()["flow"] == odd


async def test_stale_save_is_rejected(person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    first = await _save(person, made, chain("spell"))
    expect(first, 200)
    second = await _save(person, made, chain("paint"))
    expect(second, 412, code="stale_revision")
    assert second.json()["revision"] == first.json()["revision"]
    assert (await person.client.get(f"/flows/{made['id']}")).json()["flow"] == chain("spell")


async def test_save_requires_if_match(person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    response = await person.client.put(f"/flows/{made['id']}/draft", json=chain("spell"))
    expect(response, 428)


async def test_publishing_numbers_versions(person: Any, publish: Any) -> None:
    made = await publish(person)
    revision = made["revision"]
    await _save(person, made, chain("spell"))
    read = (await person.client.get(f"/flows/{made['id']}")).json()
    assert (read["status"], read["version"], read["unpublished_changes"]) == ("published", 1, True)
    second = (await person.client.post(f"/flows/{made['id']}/publish", json={"note": "words"})).json()
    assert (second["number"], second["kind"], second["note"]) == (2, "published", "words")
    assert second["author"]["username"] == "mara"
    assert second["revision"] == revision + 1
    assert (await person.client.get(f"/flows/{made['id']}")).json()["unpublished_changes"] is False


async def test_stale_publication_is_rejected_before_the_draft_is_checked(person: Any, make_flow: Any) -> None:
    made = await make_flow(person, flow("shout"))
    for revision, status, code in ((99, 412, "stale_revision"), (made["revision"], 422, "flow_invalid")):
        headers = {"If-Match": f'"{revision}"'}
        expect(await person.client.post(f"/flows/{made['id']}/publish", headers=headers), status, code=code)


async def test_invalid_draft_is_not_published(person: Any, make_flow: Any) -> None:
    made = await make_flow(person, flow("shout"))
    response = await person.client.post(f"/flows/{made['id']}/publish")
    expect(response, 422, code="flow_invalid")
    assert response.json()["problems"][0]["node"] == "shout"
    assert (await person.client.get(f"/flows/{made['id']}")).json()["status"] == "draft"


async def test_other_users_see_published_document(person: Any, new_person: Any, publish: Any) -> None:
    made = await publish(person, visibility="public")
    await _save(person, made, chain("spell"))
    other = await new_person("ines")
    read = (await other.client.get(f"/flows/{made['id']}")).json()
    assert read["flow"] == chain("shout")
    assert read["permissions"] == {"edit": False, "run": True, "publish": False, "beta": False}
    assert read["mine"] is False


REQUESTS: tuple[tuple[str, str, Any], ...] = (
    ("GET", "", None),
    ("PATCH", "", {"name": "Mine now"}),
    ("DELETE", "", None),
    ("PUT", "/draft", {"format": 1, "nodes": [], "edges": []}),
    ("POST", "/publish", {}),
    ("POST", "/deprecate", None),
    ("POST", "/restore-status", None),
    ("POST", "/duplicate", None),
    ("GET", "/export", None),
    ("GET", "/versions", None),
    ("GET", "/versions/1", None),
    ("POST", "/versions/1/restore", None),
    ("GET", "/versions/1/diff/1", None),
    ("POST", "/runs", {"inputs": {}}),
    ("POST", "/batch", [{"ask": "x"}]),
)


async def test_private_agent_of_other_user_is_not_found_in_any_method(
    person: Any, new_person: Any, publish: Any
) -> None:
    made = await publish(person)
    other = await new_person("ines")
    for method, path, body in REQUESTS:
        given = {"json": body, "headers": {"If-Match": "*"}}
        response = await other.client.request(method, f"/flows/{made['id']}{path}", **given)
        expect(response, 404)
        unknown = await other.client.request(method, f"/flows/nothing{path}", **given)
        expect(unknown, 404)
        assert response.json() == unknown.json() | {"detail": response.json()["detail"]}
    expect(await person.client.get(f"/flows/{made['id']}"), 200)


async def test_public_agent_is_changed_by_owner_only(
    person: Any, new_person: Any, publish: Any, subtests: pytest.Subtests
) -> None:
    made = await publish(person, visibility="public")
    other = await new_person("ines")
    cases = [("PATCH", ""), ("DELETE", ""), ("PUT", "/draft"), ("POST", "/publish")]
    for method, path in cases:
        with subtests.test(method=method, path=path):
            body = chain("spell") if path == "/draft" else {}
            response = await other.client.request(
                method, f"/flows/{made['id']}{path}", json=body, headers={"If-Match": "*"}
            )
            expect(response, 403, code="not_owner")


async def test_deprecated_agent_leaves_home_until_restored(
    person: Any, new_person: Any, publish: Any
) -> None:
    made = await publish(person, visibility="public")
    other = await new_person("ines")
    retired = await person.client.post(f"/flows/{made['id']}/deprecate")
    assert retired.json()["status"] == "deprecated"
    assert (await person.client.get("/flows/")).json() == []
    assert [item["id"] for item in (await person.client.get("/flows/?include_all=true")).json()] == [
        made["id"]
    ]
    expect(await other.client.get(f"/flows/{made['id']}"), 404)
    again = await person.client.post(f"/flows/{made['id']}/deprecate")
    expect(again, 409, code="status_refused")
    back = await person.client.post(f"/flows/{made['id']}/restore-status")
    assert back.json()["status"] == "published"
    expect(await other.client.get(f"/flows/{made['id']}"), 200)


async def test_details_are_changed_and_validated(person: Any, make_flow: Any, clock: Any) -> None:
    made = await make_flow(person)
    clock.travel(seconds=60)
    patch = {"name": "Ads", "category": "ads", "visibility": "public", "description": "For ads.",
             "watermark": True, "mark_exports": True}  # fmt: skip
    changed = (await person.client.patch(f"/flows/{made['id']}", json=patch)).json()
    assert {key: changed[key] for key in patch} == patch
    assert changed["updated_at"] > made["updated_at"]
    assert (changed["revision"], changed["created_at"]) == (made["revision"], made["created_at"])
    for bad in (
        {"category": "nonsense"},
        {"name": "  "},
        {"name": "x" * 121},
        {"status": "published"},
        {"name": 5},
    ):
        expect(await person.client.patch(f"/flows/{made['id']}", json=bad), 422)


async def test_duplicate_is_private_draft(person: Any, new_person: Any, publish: Any) -> None:
    made = await publish(person, visibility="public", name="Kit")
    other = await new_person("ines")
    copy = (await other.client.post(f"/flows/{made['id']}/duplicate")).json()
    assert (copy["name"], copy["status"], copy["visibility"], copy["mine"]) == (
        "Kit (copy)",
        "draft",
        "private",
        True,
    )
    assert copy["flow"] == chain("shout")


async def test_from_template_copies_visible_agent(person: Any, new_person: Any, publish: Any) -> None:
    made = await publish(person, visibility="public")
    other = await new_person("ines")
    copy = await other.client.post("/flows/", json={"name": "Mine", "from_template": made["id"]})
    assert copy.json()["flow"] == chain("shout")
    assert copy.headers["etag"] == '"1"'

    async def origins(made: dict[str, Any]) -> list[str]:
        return list((await other.client.get(f"/flows/{made['id']}/export")).json()["copied_from"])

    assert await origins(copy.json()) == [made["id"], copy.json()["id"]]
    body = {"name": "Mine", "flow": {**chain("shout"), "copied_from": ["f0"]}}
    given = (await other.client.post("/flows/", json=body)).json()
    assert await origins(given) == ["f0", given["id"]]
    hidden = await publish(person)
    response = await other.client.post("/flows/", json={"name": "Mine", "from_template": hidden["id"]})
    expect(response, 404)


async def test_export_and_import_round_trip(person: Any, make_flow: Any) -> None:
    made = await make_flow(person, chain("shout"), name="Kit", description="Words.", category="ads")
    exported = (await person.client.get(f"/flows/{made['id']}/export")).json()
    assert (exported["name"], exported["description"], exported["category"]) == ("Kit", "Words.", "ads")
    back = await person.client.post("/flows/import", json=exported)
    expect(back, 201)
    fresh = back.json()
    assert fresh["id"] != made["id"]
    assert (fresh["name"], fresh["description"], fresh["category"]) == ("Kit", "Words.", "ads")
    assert fresh["flow"]["nodes"] == made["flow"]["nodes"]


async def test_variables_are_exported_imported_and_published(person: Any, make_flow: Any) -> None:
    variables = [{"name": "tone", "type": "Text", "value": "dry", "description": "How\u202eit sounds"}]
    document = chain("shout") | {"format": 2, "variables": variables}
    made = await make_flow(person, document)
    expect(await person.client.post(f"/flows/{made['id']}/publish", json={"note": ""}), 200, 201)
    exported = (await person.client.get(f"/flows/{made['id']}/export")).json()
    assert exported["format"] == 2
    back = await person.client.post("/flows/import", json=exported)
    expect(back, 201)
    assert back.json()["flow"]["variables"] == [{**variables[0], "description": "Howit sounds"}]
    copied = await person.client.post(f"/flows/{made['id']}/duplicate", json={})
    expect(copied, 201)
    assert copied.json()["flow"]["variables"][0]["name"] == "tone"


async def test_a_check_reports_the_setting_whose_variable_is_missing(person: Any) -> None:
    document = chain("shout")
    document["nodes"][0]["variables"] = {"text": "tone"}
    checked = (await person.client.post("/flows/check", json=document)).json()
    assert [(item["code"], item["node"], item["setting"]) for item in checked["problems"]] == [
        ("unknown_variable", document["nodes"][0]["id"], "text")
    ]
    tone = {"name": "tone", "type": "Text", "value": "dry"}
    checked = (await person.client.post("/flows/check", json=document | {"variables": [tone]})).json()
    assert checked["problems"] == []
    checked = (await person.client.post("/flows/check", json=document | {"variables": [tone, tone]})).json()
    assert [item["code"] for item in checked["problems"]] == ["bad_document"]


async def test_variables_count_as_settings(person: Any) -> None:
    value = [{"a": 1}] * 60_000
    variables = [{"name": "data", "type": "Json", "value": value}]
    response = await person.client.post("/flows/check", json=chain("shout") | {"variables": variables})
    expect(response, 422)
    assert "values; the limit is" in response.json()["detail"]


async def test_invalid_document_is_not_imported(person: Any, subtests: pytest.Subtests) -> None:
    cases: list[Any] = [
        {},
        {"nodes": "x"},
        {"format": 99, "nodes": [], "edges": []},
        {"nodes": [{"id": "a/b", "type": "ask"}]},
    ]
    for body in cases:
        with subtests.test(body=body):
            response = await person.client.post("/flows/import", json=body)
            expect(response, 422)
            assert response.json()["detail"]


async def test_body_that_is_not_json_is_rejected(person: Any) -> None:
    headers = {"Content-Type": "application/json"}
    response = await person.client.post("/flows/import", content=b"{nodes", headers=headers)
    expect(response, 400)
    assert response.json()["detail"] == "The body is not valid JSON."


async def test_flow_has_at_most_5000_nodes(person: Any) -> None:
    nodes = [{"id": f"n{index}", "type": "ask"} for index in range(5001)]
    response = await person.client.post("/flows/check", json={"format": 1, "nodes": nodes, "edges": []})
    expect(response, 422)
    assert "5,000" in response.json()["detail"]
    response = await person.client.post("/flows/check", json={"format": 1, "nodes": nodes[:-1], "edges": []})
    expect(response, 200)


async def test_check_saves_nothing(person: Any) -> None:
    checked = (await person.client.post("/flows/check", json=chain("paint"))).json()
    assert [(item["code"], item["severity"]) for item in checked["problems"]] == [
        ("missing_input", "warning")
    ]
    expected = {"usd": "0.01", "seconds": None, "price_unknown": False, "based_on_runs": 0, "notices": []}
    assert checked["estimate"] == expected
    (priced,) = [step for step in chain("paint")["nodes"] if step["id"] in checked["steps"]]
    assert checked["steps"] == {priced["id"]: expected}
    assert (await person.client.get("/flows/?include_all=true")).json() == []


async def test_runs_of_deleted_agent_are_kept(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("paint"))
    run = await finished(person, await run_flow(person, made["id"]))
    expect(await person.client.delete(f"/flows/{made['id']}"), 204)
    expect(await person.client.get(f"/flows/{made['id']}"), 404)
    kept = (await person.client.get(f"/runs/{run['id']}")).json()
    assert (kept["flow_id"], kept["flow_name"], kept["status"]) == (None, "Sample", "finished")
    asset = (await person.client.get(f"/assets/{kept['results'][0]['value']['asset_id']}")).json()
    assert (asset["flow_id"], asset["flow_name"]) == (None, "Sample")
    expect(await person.client.get(asset["url"].removeprefix("/api/v1")), 200)


async def _save(person: Any, made: dict[str, Any], document: dict[str, Any]) -> Any:
    headers = {"If-Match": f'"{made["revision"]}"'}
    return await person.client.put(f"/flows/{made['id']}/draft", json=document, headers=headers)
