"""Settings that an agent's builder offers to launchers: the form, the limits, versions, export and import."""

from typing import Any

import pytest
from tests.server.responses import expect
from tests.server.sample_nodes import chain

pytestmark = pytest.mark.anyio

LIMITS = {"label": "Ending", "help": "How loud.", "choices": ["!", "?"]}


def document(limits: dict[str, Any] | None = None) -> dict[str, Any]:
    made: dict[str, Any] = chain("shout")
    if limits is not None:
        next(node for node in made["nodes"] if node["id"] == "shout")["exposed"] = {"mark": limits}
    return made


async def test_a_launcher_sets_what_the_builder_offers_within_the_limits(
    person: Any, new_person: Any, publish: Any, run_flow: Any, finished: Any
) -> None:
    made = await publish(person, document(LIMITS), visibility="public")
    form = expect(await person.client.get(f"/flows/{made['id']}"), 200).json()["inputs"]["properties"]
    offered = form["shout.mark"]
    assert (offered["title"], offered["description"], offered["enum"]) == ("Ending", "How loud.", ["!", "?"])
    other = await new_person("ines")
    run = await finished(
        other, await run_flow(other, made["id"], inputs={"ask": "hello", "shout.mark": "?"}, version=None)
    )
    assert run["results"][0]["value"] == "HELLO?"
    assert run["inputs"] == {"ask": "hello", "shout.mark": "?"}


@pytest.mark.parametrize(
    ("limits", "value", "message"),
    [
        (LIMITS, "!!", "The input 'shout: Ending' must be one of !, ?."),
        (None, "?", "This flow has no input 'shout.mark' (its inputs: ask)."),
        ({}, "!!!!!!", "The input 'shout: Mark' must have a length of at most 5."),
    ],
)
async def test_a_launch_beyond_the_limits_is_refused_in_a_sentence(
    person: Any, publish: Any, run_flow: Any, limits: Any, value: str, message: str
) -> None:
    made = await publish(person, document(limits))
    inputs = {"ask": "hello", "shout.mark": value}
    refused = await run_flow(person, made["id"], inputs=inputs, version=None, status=422)
    (error,) = refused["errors"]
    assert error["path"] == "inputs.shout.mark"
    assert error["message"].casefold() == message.casefold()


async def test_versions_export_and_import_keep_what_is_offered(person: Any, publish: Any) -> None:
    made = await publish(person, document(LIMITS))
    headers = {"If-Match": "*"}
    expect(
        await person.client.put(f"/flows/{made['id']}/draft", json=document(), headers=headers), 200
    ).json()
    changed = expect(await person.client.get(f"/flows/{made['id']}/versions/1/diff/draft"), 200).json()
    assert changed["nodes"]["changed"][0]["settings"][0]["path"] == "exposed"
    published = expect(await person.client.get(f"/flows/{made['id']}/versions/1"), 200).json()["flow"]
    copy = expect(await person.client.post("/flows/", json={"name": "Copy", "flow": published}), 201).json()
    assert "shout.mark" in copy["inputs"]["properties"]
