"""What a signed file claims: how it was made, the actions of its step, and its sources."""

from datetime import UTC, datetime
from typing import Any

import pytest

from impasto_server.content_credentials import claims
from impasto_server.content_credentials.claims import AiMade, Input, Nature

TYPES = "http://cv.iptc.org/newscodes/digitalsourcetype/"
GENERATED, EDITED = "trainedAlgorithmicMedia", "compositeWithTrainedAlgorithmicMedia"
RENDERED, ENHANCED = "algorithmicMedia", "algorithmicallyEnhanced"
COMPOSITE, WITH_AI = "composite", "compositeSynthetic"
WHEN = {"when": "2026-11-22T03:26:00Z"}
MODEL = {"softwareAgent": {"name": "flux"}}


def image(ai_made: AiMade | None = None, source_type: str | None = None) -> Input:
    return Input("i", "image", "image/png", ai_made, source_type)


def sound(ai_made: AiMade | None = None) -> Input:
    return Input("s", "audio", "audio/wav", ai_made)


@pytest.mark.parametrize(
    ("generation", "inputs", "expected"),
    [
        ({"method": "generated"}, [], Nature(GENERATED, "yes", ())),
        ({"method": "generated"}, [image(), sound()], Nature(GENERATED, "yes", ("inputTo", "inputTo"))),
        ({"provider": "replicate"}, [image()], Nature(GENERATED, "yes", ("inputTo",))),
        ({"model": "flux"}, [image()], Nature(GENERATED, "yes", ("inputTo",))),
        ({"model": "flux", "method": "rendered"}, [image()], Nature(COMPOSITE, "no", ("componentOf",))),
        ({"method": "edited"}, [sound(), image()], Nature(EDITED, "partly", ("inputTo", "parentOf"))),
        ({"method": "edited"}, [image("yes"), image()], Nature(EDITED, "yes", ("parentOf", "inputTo"))),
        ({"method": "edited"}, [image("partly")], Nature(EDITED, "partly", ("parentOf",))),
        ({"method": "edited"}, [sound()], Nature(GENERATED, "yes", ("inputTo",))),
        (None, [], Nature(RENDERED, "no", ())),
        ({}, [], Nature(RENDERED, "no", ())),
        (None, [image()], Nature(ENHANCED, "no", ("parentOf",))),
        (None, [image("no", RENDERED)], Nature(ENHANCED, "no", ("parentOf",))),
        (None, [image("yes", GENERATED)], Nature(GENERATED, "yes", ("parentOf",))),
        (None, [image("partly", EDITED)], Nature(EDITED, "partly", ("parentOf",))),
        (None, [image("yes")], Nature(ENHANCED, "yes", ("parentOf",))),
        (None, [sound("yes")], Nature(WITH_AI, "yes", ("componentOf",))),
        ({"method": "rendered"}, [image("yes")], Nature(WITH_AI, "yes", ("componentOf",))),
        ({"method": "enhanced"}, [image("yes", GENERATED)], Nature(GENERATED, "yes", ("parentOf",))),
        (
            {"method": "enhanced"},
            [sound("no"), image("yes", GENERATED)],
            Nature(WITH_AI, "partly", ("componentOf", "parentOf")),
        ),
        ({"method": "enhanced"}, [sound(), sound()], Nature(COMPOSITE, "no", ("componentOf",) * 2)),
        (None, [image("yes"), image("yes")], Nature(WITH_AI, "yes", ("componentOf",) * 2)),
        (None, [image("partly"), image()], Nature(WITH_AI, "partly", ("componentOf",) * 2)),
        (None, [image("no"), image()], Nature(COMPOSITE, "no", ("componentOf",) * 2)),
    ],
)
def test_nature_follows_from_the_method_and_the_inputs(
    generation: dict[str, Any] | None, inputs: list[Input], expected: Nature
) -> None:
    found = claims.nature_of(generation, "image", inputs)
    assert found == expected
    assert found.is_edit is ("parentOf" in expected.relationships)


@pytest.mark.parametrize(
    ("source_type", "ai_made"),
    [
        (GENERATED, "yes"), (TYPES + GENERATED, "yes"), (EDITED, "partly"), (WITH_AI, "partly"),
        (RENDERED, "no"), (ENHANCED, None), (COMPOSITE, None), ("", None),
    ],
)  # fmt: skip
def test_source_type_says_whether_ai_made_a_file(source_type: str, ai_made: str | None) -> None:
    assert claims.ai_made_of(source_type) == ai_made


def created(**others: Any) -> dict[str, Any]:
    return {"action": "c2pa.created", "digitalSourceType": TYPES + GENERATED, **WHEN, **others}


def opened(ids: list[str]) -> dict[str, Any]:
    return {"action": "c2pa.opened", "parameters": {"ingredientIds": ids}, **WHEN}


@pytest.mark.parametrize(
    ("nature", "generation", "options", "actions"),
    [
        (Nature(GENERATED, "yes", ()), None, {}, [created()]),
        (Nature(GENERATED, "yes", ()), {"model": "flux", "provider": "r"}, {}, [created(**MODEL)]),
        (Nature(GENERATED, "yes", ()), {"provider": "flux"}, {}, [created(**MODEL)]),
        (Nature(GENERATED, "yes", ()), {"model": 7, "provider": ""}, {}, [created()]),
        (
            Nature(GENERATED, "yes", ("inputTo", "inputTo")),
            None,
            {},
            [created(parameters={"ingredientIds": ["input0", "input1"]})],
        ),
        (
            Nature(EDITED, "partly", ("inputTo", "parentOf")),
            None,
            {},
            [opened(["input1"]), {"action": "c2pa.edited", "digitalSourceType": TYPES + EDITED, **WHEN}],
        ),
        (
            Nature(GENERATED, "yes", ("componentOf", "componentOf")),
            None,
            {},
            [
                created(),
                {"action": "c2pa.placed", "parameters": {"ingredientIds": ["input0", "input1"]}, **WHEN},
            ],
        ),
        (
            Nature(GENERATED, "yes", ("inputTo",)),
            {"model": "flux"},
            {"has_original": True},
            [
                {**opened(["original"]), **MODEL},
                {
                    "action": "c2pa.edited.metadata",
                    "digitalSourceType": TYPES + GENERATED,
                    **WHEN,
                    **MODEL,
                },
            ],
        ),
        (
            Nature(GENERATED, "yes", ()),
            None,
            {"is_watermarked": True},
            [created(), {"action": "c2pa.watermarked.unbound", **WHEN}],
        ),
    ],
)
def test_actions_say_what_the_step_did(
    nature: Nature, generation: dict[str, Any] | None, options: dict[str, Any], actions: list[Any]
) -> None:
    found = claims.definition(
        version="1", agent="Jugs", agent_version=3, node_type="paint", generation=generation, nature=nature,
        signed_at=datetime(2026, 11, 22, 3, 26, tzinfo=UTC), **options,
    )  # fmt: skip
    assert found["assertions"][0] == {"label": "c2pa.actions.v2", "data": {"actions": actions}}


def test_definition_names_the_agent_the_model_and_the_creators() -> None:
    given: dict[str, Any] = {
        "version": "1.2", "agent": "Jugs", "nature": Nature(GENERATED, "yes", ()),
        "signed_at": datetime(2026, 11, 22, 3, 26, tzinfo=UTC),
    }  # fmt: skip
    generation = {"provider": "replicate", "model": "m" * 201, "prompt": "secret"}
    found = claims.definition(
        **given, agent_version=3, node_type="paint", generation=generation, creators=["Acme", "Mara"]
    )
    assert found["claim_generator_info"] == [{"name": "Impasto", "version": "1.2"}]
    assert found["assertions"][1:] == [
        {
            "label": "org.impasto.lineage",
            "data": {
                "agent": "Jugs", "version": 3, "nodeType": "paint", "provider": "replicate",
                "model": "m" * 200, "aiMade": "yes",
            },
        },
        {
            "label": "cawg.metadata",
            "data": {
                "@context": {"dc": "http://purl.org/dc/elements/1.1/"}, "dc:creator": ["Acme", "Mara"],
            },
        },
    ]  # fmt: skip
    unknown = claims.definition(**given, agent_version=None, node_type=None, generation=None)
    assert unknown["assertions"][1:] == [
        {"label": "org.impasto.lineage", "data": {"agent": "Jugs", "aiMade": "yes"}}
    ]


def test_ingredients_name_assets_and_no_files() -> None:
    assert claims.ingredient(Input("a1", "image", "image/png"), 4, "inputTo") == {
        "label": "input4", "title": "image", "format": "image/png", "relationship": "inputTo",
        "instance_id": "urn:impasto:asset:a1",
    }  # fmt: skip
    assert claims.original_ingredient("image/jpeg") == {
        "label": "original", "title": "provider's file", "format": "image/jpeg", "relationship": "parentOf",
    }  # fmt: skip
