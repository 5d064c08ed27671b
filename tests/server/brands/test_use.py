"""Saved brands in launches: which values a run gets, and whose brands it may use."""

from typing import Any

import pytest
from tests.server.brands.test_brands import make, publish, save
from tests.server.responses import expect
from tests.server.sample_nodes import flow, png, sample_catalog

from impasto import Brand, Catalog, Context, Text, node
from impasto_nodes.inputs import brand_system
from impasto_server.runs.errors import InputsInvalid
from impasto_server.runs.launch.brands import brands_at, brands_of_inputs
from impasto_server.runs.models import RunRow

pytestmark = pytest.mark.anyio


@node(id="describe_brand")
async def describe_brand(brand: Brand, *, context: Context) -> Text:
    """Return the brand's values, and the size of its logo."""
    logo = len(await context.read(brand.logo)) if brand.logo else 0
    return f"{brand.brand_name}|{','.join(brand.palette)}|{brand.tone}|{logo > 0}|{brand.saved}"


@node(id="names_of_others")
async def names_of_others(brand: Brand, *, context: Context) -> Text:
    """Return the names of the library's other brands."""
    return ", ".join(brand.other_names)


@pytest.fixture
def catalog() -> Catalog:
    return Catalog(
        [*(found.function for found in sample_catalog()), brand_system, describe_brand, names_of_others]
    )


def agent(brand: Any = None) -> dict[str, Any]:
    settings = {"settings": {"brand": brand}} if brand is not None else {}
    return {
        "format": 1,
        "name": "Branded",
        "nodes": [
            {"id": "brand", "type": "brand_system", **settings},
            {"id": "said", "type": "describe_brand"},
        ],
        "edges": [{"from": "brand.output", "to": "said.brand"}],
    }


def saved(brand: dict[str, Any], version: int | None = None) -> dict[str, Any]:
    pinned = "" if version is None else f"@{version}"
    return {"$type": "Brand", "saved": f"{brand['id']}{pinned}"}


@pytest.fixture
def says(run_flow: Any, finished: Any) -> Any:
    """Launch an agent and return what its result says of the brand, and the finished run."""

    async def launch(person: Any, made: dict[str, Any], **body: Any) -> tuple[str, dict[str, Any]]:
        run = await finished(person, await run_flow(person, made["id"], **{"inputs": {}, **body}))
        assert run["status"] == "finished", run
        return run["results"][0]["value"], run

    return launch


async def test_agent_follows_the_newest_version_or_a_pinned_one(
    person: Any, make_flow: Any, says: Any
) -> None:
    brand = await make(person)
    await publish(person, brand)
    following = await make_flow(person, agent(saved(brand)))
    pinned = await make_flow(person, agent({"saved": f"{brand['id']}@1"}))
    before, run = await says(person, following)
    assert before == "Fjell Skincare|#18465c,#e9e4d8|Calm, Exact|False|"
    used = {"brand_id": brand["id"], "version": 1, "name": "Fjell Skincare", "input": None}
    assert run["brands"] == [used]
    assert run["flow"] == following["flow"]

    expect(await save(person, brand, name="Fjell"), 200)
    assert (await says(person, following))[0] == before, "a draft is used by no agent"
    await publish(person, brand)
    assert (await says(person, following))[0].startswith("Fjell|")
    assert (await says(person, pinned))[0] == before


async def test_launcher_answers_with_a_brand_of_her_own(person: Any, make_flow: Any, says: Any) -> None:
    agents, mine = await make(person), await make(person, name="Mine")
    await publish(person, agents)
    await publish(person, mine)
    made = await make_flow(person, agent(saved(agents)))
    said, run = await says(person, made, inputs={"brand": saved(mine)})
    assert said.startswith("Mine|")
    assert [(used["name"], used["input"]) for used in run["brands"]] == [
        ("Fjell Skincare", None),
        ("Mine", "brand"),
    ]
    assert run["inputs"] == {"brand": saved(mine)}
    example, _ = await says(person, made, inputs={"brand": {"$type": "Brand", "saved": "northbound-coffee"}})
    assert example.startswith("Northbound Coffee|")
    nothing, _ = await says(person, made, inputs={"brand": {"$type": "Brand"}})
    assert nothing == "|||False|"


async def test_a_shared_agent_never_shows_its_authors_brand(
    person: Any, new_person: Any, make_flow: Any, says: Any
) -> None:
    brand = await make(person)
    await publish(person, brand)
    made = await make_flow(person, agent(saved(brand)), visibility="public")
    expect(await person.client.post(f"/flows/{made['id']}/publish"), 200)
    other = await new_person("ines")
    said, run = await says(other, made, version=None)
    assert said == "|||False|"
    assert run["brands"] == []
    read = (await other.client.get(f"/flows/{made['id']}")).text
    assert "Fjell" not in read
    refused = await other.client.post(
        f"/flows/{made['id']}/runs", json={"inputs": {"brand": saved(brand)}, "version": None}
    )
    expect(refused, 422, code="inputs_invalid")
    assert refused.json()["errors"][0]["code"] == "unknown_brand"


async def test_runs_keep_a_deleted_brands_values(person: Any, make_flow: Any, says: Any) -> None:
    brand = await make(person)
    await publish(person, brand)
    made = await make_flow(person, agent(saved(brand)))
    _, run = await says(person, made)
    expect(await person.client.delete(f"/brands/{brand['id']}"), 204)
    kept = (await person.client.get(f"/runs/{run['id']}")).json()
    assert kept["brands"][0]["name"] == "Fjell Skincare"
    assert (await says(person, made))[0] == "|||False|"


async def test_unpublished_and_unknown_brands_are_refused_as_inputs(
    person: Any, make_flow: Any, run_flow: Any
) -> None:
    draft, made = await make(person), await make_flow(person, agent())
    for reference in (draft["id"], f"{draft['id']}@1", "nothing", "northbound-coffee@2", "x@y"):
        inputs = {"brand": {"$type": "Brand", "saved": reference}}
        problem = await run_flow(person, made["id"], inputs=inputs, status=422)
        assert problem["errors"][0]["path"] == "inputs.brand"
        assert problem["errors"][0]["code"] == "unknown_brand"


async def test_launch_has_at_most_100_references_to_brands(
    person: Any, make_flow: Any, run_flow: Any, app_state: Any
) -> None:
    references = [{"$type": "Brand", "saved": f"brand-{number}"} for number in range(101)]
    many = await make_flow(person, agent(references))
    problem = await run_flow(person, many["id"], inputs={}, status=422)
    assert [error["code"] for error in problem["errors"]] == ["too_many_brands"]
    made = await make_flow(person, agent())
    for count, code in ((100, "unknown_brand"), (101, "too_many_brands")):
        problem = await run_flow(person, made["id"], inputs={"brand": references[:count]}, status=422)
        assert [(error["path"], error["code"]) for error in problem["errors"]] == [("inputs.brand", code)]
    names = ("northbound-coffee", "northbound-coffee@1")
    example = [{"$type": "Brand", "saved": name} for name in names]
    async with app_state.database.reading() as session:
        stored = await brands_of_inputs(session, "mara", {"text": "Hi", "a": example})
        values = [each.pop("value") for each in stored]
        about = {"brand_id": names[0], "version": 1, "name": "Northbound Coffee", "input": "a"}
        assert stored == [{"reference": name, **about, "reads_recorded": True} for name in names]
        assert [value["brand_name"] for value in values] == ["Northbound Coffee"] * 2
        for count, code in ((98, "unknown_brand"), (99, "too_many_brands")):
            with pytest.raises(InputsInvalid) as refused:
                await brands_of_inputs(session, "mara", {"a": example, "b": references[:count]})
            (error,) = refused.value.members["errors"]
            assert (error["path"], error["code"]) == ("inputs.b", code)
        unknown = {"$type": "Brand", "saved": "x" * 101}
        with pytest.raises(InputsInvalid, match=f"^There is no published brand {'x' * 100}.$"):
            await brands_of_inputs(session, "mara", {"a": unknown})


async def test_logo_reaches_the_run_and_a_deleted_one_is_reported(
    person: Any, make_flow: Any, says: Any, run_flow: Any, app_state: Any
) -> None:
    upload = await person.client.post("/assets/", files={"file": ("logo.png", png(7), "image/png")})
    logo = upload.json()["id"]
    brand = await make(person, logo={"light": logo})
    await publish(person, brand)
    made = await make_flow(person, agent(saved(brand)))
    assert (await says(person, made))[0].split("|")[3] == "True"
    expect(await person.client.delete(f"/assets/{logo}"), 204)
    inner = {"id": "inner", "type": "agent", "settings": {"flow": made["id"]}}
    outer, asking = await make_flow(person, flow(inner)), await make_flow(person, agent())
    message = (
        "A logo of the brand 'Fjell Skincare' was deleted from the library. Choose another one in Brands."
    )
    for launched, inputs, path in (
        (made, {}, "inputs"),
        (outer, {}, "inputs"),
        (asking, {"brand": saved(brand)}, "inputs.brand"),
    ):
        problem = await run_flow(person, launched["id"], inputs=inputs, status=422)
        assert problem["errors"] == [{"path": path, "code": "brand_logo_missing", "message": message}]
    async with app_state.database.reading() as session:
        with pytest.raises(InputsInvalid, match="A logo of the brand"):
            await brands_at(session, await person.id(), RunRow(brands=[]), brand["id"], 1)


async def test_nodes_know_the_names_of_the_librarys_other_brands(
    person: Any, new_person: Any, make_flow: Any, says: Any
) -> None:
    brand = await make(person)
    await publish(person, brand)
    await make(person, name="Praxis Öhler")
    await make(await new_person("ines"), name="Of Another User")
    document = agent(saved(brand))
    document["nodes"][1]["type"] = "names_of_others"
    said, _ = await says(person, await make_flow(person, document))
    assert sorted(said.split(", ")) == ["Northbound Coffee", "Praxis Öhler"]
