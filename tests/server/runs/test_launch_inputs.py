"""Files in the inputs of a launch."""

from typing import Any

import pytest
from tests.server.flows.archives import upload
from tests.server.sample_nodes import image_reference

from impasto_server.runs.errors import InputsInvalid
from impasto_server.runs.launch.inputs import input_errors, resolve_inputs, resolve_known_inputs

pytestmark = pytest.mark.anyio


async def test_files_in_inputs_are_completed_and_unknown_ones_refused_by_their_input(
    person: Any, new_person: Any, app_state: Any
) -> None:
    asset_id = (await upload(person))["id"]
    user_id, other_id = await person.id(), await (await new_person("ines")).id()
    inputs = {
        "text": "Hi",
        "hero": image_reference(asset_id),
        "more": [1, {"inner": image_reference(asset_id)}],
        "odd": {"$type": "Image"},
    }
    async with app_state.database.reading() as session:
        found = await resolve_inputs(session, user_id, inputs)
        whole = found["hero"]
        assert (whole["asset_id"], whole["media_type"]) == (asset_id, "image/png")
        assert found == {**inputs, "hero": whole, "more": [1, {"inner": whole}]}
        assert await resolve_known_inputs(session, user_id, inputs) == found
        known = await resolve_known_inputs(
            session, user_id, {"a": image_reference("gone"), "b": image_reference(asset_id), "c": 1}
        )
        assert known == {"b": whole, "c": 1}
        assert await resolve_known_inputs(session, other_id, inputs) == {
            "text": "Hi",
            "odd": {"$type": "Image"},
        }
        with pytest.raises(InputsInvalid) as refused:
            await resolve_inputs(
                session,
                user_id,
                {"a": image_reference(asset_id), "b": [image_reference("x" * 101), image_reference("gone")]},
            )
        assert refused.value.members["errors"] == [
            {"path": "inputs.b", "code": "unknown_asset", "message": f"There is no asset {'x' * 100}."},
            {"path": "inputs.b", "code": "unknown_asset", "message": "There is no asset gone."},
        ]


async def test_launch_takes_at_most_1000_files(person: Any, app_state: Any) -> None:
    user_id = await person.id()
    many = [image_reference(f"{number}") for number in range(1001)]
    async with app_state.database.reading() as session:
        for files, codes in ((many, ["too_many"]), (many[1:], ["unknown_asset"] * 1000)):
            with pytest.raises(InputsInvalid) as refused:
                await resolve_inputs(session, user_id, {"files": files})
            assert [error["code"] for error in refused.value.members["errors"]] == codes
        paths = {error["path"] for error in refused.value.members["errors"]}
        assert paths == {"inputs.files"}


def test_problems_of_inputs_are_errors_of_their_fields() -> None:
    problems = [
        {"node": "ask", "code": "required", "message": "A."},
        {"node": "", "code": "x", "message": "B."},
    ]
    assert [error["path"] for error in input_errors(problems)] == ["inputs.ask", "inputs"]
    assert input_errors(problems[:1]) == [{"path": "inputs.ask", "code": "required", "message": "A."}]
