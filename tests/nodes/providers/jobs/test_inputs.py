"""A request as the inputs that a model's schema names."""

from datetime import date

import pytest

from impasto_nodes.providers.errors import BadRequest, Unsupported, UnsupportedDuration, UnsupportedRatio
from impasto_nodes.providers.jobs.inputs import Inputs
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.replicate.schema import inputs_from

SCHEMA = {
    "components": {
        "schemas": {
            "Input": {
                "required": ["prompt", "first_frame_image"],
                "properties": {
                    "prompt": {"type": "string"},
                    "aspect_ratio": {"allOf": [{"$ref": "#/components/schemas/shape"}], "default": "16:9"},
                    "duration": {"allOf": [{"$ref": "#/components/schemas/length"}]},
                    "first_frame_image": {"type": "string", "format": "uri"},
                    "prompt_optimizer": {"type": "boolean", "default": True},
                },
            },
            "shape": {"type": "string", "enum": ["16:9", "9:16"]},
            "length": {"type": "string", "enum": ["6", "10"]},
        }
    }
}


def test_inputs_have_the_names_and_types_of_the_model() -> None:
    takes = inputs_from("clip", SCHEMA)
    assert takes.ratio("9:16") == {"aspect_ratio": "9:16"}
    assert takes.duration(6) == {"duration": "6"}
    assert takes.image("data:x") == {"first_frame_image": "data:x"}
    assert takes.plain("seed", 3) == {}
    assert takes.plain("prompt", "a can") == {"prompt": "a can"}


def test_what_the_model_cannot_do_is_refused_before_it_costs() -> None:
    takes = inputs_from("clip", SCHEMA)
    with pytest.raises(UnsupportedRatio) as ratio:
        takes.ratio("1:1")
    assert ratio.value.message == "clip does not make 1:1. Choose 16:9 or 9:16, or another model."
    with pytest.raises(UnsupportedDuration) as length:
        takes.duration(5)
    assert length.value.message == "clip does not make clips of 5 s. Choose 6 or 10 s, or another model."
    with pytest.raises(Unsupported) as missing:
        takes.image(None)
    assert missing.value.message == (
        "Replicate cannot run clip without an image. Connect one, or choose another model."
    )
    with pytest.raises(BadRequest) as caught:
        takes.model_settings({"guidance": 3})
    assert "'prompt_optimizer'" in str(caught.value.detail)
    assert {one.value.provider for one in (ratio, length, missing, caught)} == {"replicate"}


def test_other_inputs_are_settings_of_the_model() -> None:
    takes = inputs_from("clip", SCHEMA)
    assert takes.own_settings()["properties"] == {"prompt_optimizer": {"type": "boolean", "default": True}}
    assert takes.model_settings({"prompt_optimizer": False}) == {"prompt_optimizer": False}


def test_image_list_is_sent_as_a_list() -> None:
    images = {"type": "array", "items": {"type": "string"}}
    schema = {"components": {"schemas": {"Input": {"properties": {"input_images": images}}}}}
    assert inputs_from("edit", schema).image("data:x") == {"input_images": ["data:x"]}


def test_model_without_a_schema_gets_common_input_names() -> None:
    takes = inputs_from("mystery", None)
    assert takes.ratio("4:5") == {"aspect_ratio": "4:5"}
    assert takes.duration(5) == {"duration": 5}
    assert takes.image(None) == {}
    assert takes.allowed("duration") == []
    assert takes.model_settings({"anything": 1}) == {"anything": 1}


def asking(name: str, values: list[object]) -> Inputs:
    part = {name: {"enum": values}}
    return inputs_from("odd", {"components": {"schemas": {"Input": {"properties": part}}}})


def test_durations_are_parsed_in_any_spelling() -> None:
    assert asking("duration", ["4s", "8s", "auto"]).duration(8) == {"duration": "8s"}
    with pytest.raises(UnsupportedDuration, match="4 or 8 s"):
        asking("duration", ["4s", "8s", "auto"]).duration(5)


@pytest.mark.parametrize("values", [["match_input_image"], ["auto", "custom"]])
def test_value_that_the_model_does_not_list_is_refused(values: list[object]) -> None:
    with pytest.raises(UnsupportedRatio, match="does not make 1:1"):
        asking("aspect_ratio", values).ratio("1:1")
    with pytest.raises(UnsupportedDuration, match="does not make clips of 5 s"):
        asking("duration", values).duration(5)


NAMES = {
    "prompt": ("prompt",),
    "aspect_ratio": ("aspect_ratio", "ratio"),
    "duration": ("duration", "seconds"),
    "image": ("image", "picture"),
    "mask": ("mask",),
    "seed": ("seed",),
    "n_outputs": ("num_outputs", "n"),
}


def takes(properties: dict[str, object], *required: str, **parts: object) -> Inputs:
    return Inputs("acme", "m", NAMES, {"properties": properties, "required": list(required)}, parts)


def test_best_name_that_the_model_has_is_used() -> None:
    both = takes({"ratio": {}, "aspect_ratio": {}, "seconds": {"type": "integer"}})
    assert both.known
    assert both.name_of("aspect_ratio") == "aspect_ratio"
    assert both.name_of("duration") == "seconds"
    assert both.name_of("mask") is None
    assert both.duration(5.0) == {"seconds": 5}
    assert isinstance(both.duration(5.0)["seconds"], int)
    assert takes({"seconds": {"type": "number"}}).duration(5.5) == {"seconds": 5.5}
    assert not takes({}).known


def test_setting_that_the_model_lacks_is_not_sent() -> None:
    plain = takes({"prompt": {}, "seed": {}})
    assert plain.ratio("4:5") == {}
    assert plain.duration(5) == {}
    assert plain.durations() == []
    assert plain.image(None) == {}
    assert plain.mask("data:x") == {}
    assert plain.plain("image", "x") == {}
    assert plain.plain("prompt", "") == {}
    assert plain.plain("prompt", None) == {}
    assert plain.plain("seed", 0) == {"seed": 0}
    with pytest.raises(Unsupported, match=r"^acme cannot start from an image with m\. Choose another model"):
        plain.image("data:x")


@pytest.mark.parametrize(
    ("required", "value", "sent"),
    [
        ((), None, {}),
        ((), "", {}),
        ((), "data:x", {"mask": "data:x"}),
        (("mask",), "data:x", {"mask": "data:x"}),
    ],
)
def test_mask_is_sent_where_there_is_one(
    required: tuple[str, ...], value: str | None, sent: dict[str, str]
) -> None:
    assert takes({"mask": {}}, *required).mask(value) == sent


@pytest.mark.parametrize("value", [None, ""])
def test_mask_that_the_model_needs_is_asked_for(value: str | None) -> None:
    with pytest.raises(Unsupported) as missing:
        takes({"mask": {}}, "mask").mask(value)
    assert missing.value.message == "acme cannot run m without a mask. Paint one, or choose another model."


def test_refused_ratio_names_the_shapes_but_not_other_values() -> None:
    with pytest.raises(UnsupportedRatio) as refused:
        takes({"ratio": {"enum": ["1:1", "auto", "4:5"]}}).ratio("16:9")
    assert "1:1 or 4:5" in refused.value.message
    assert takes({"ratio": {"enum": ["1:1", "auto"]}}).ratio("auto") == {"ratio": "auto"}


def test_number_of_outputs_and_unknown_names_are_no_settings() -> None:
    model = takes({"num_outputs": {}, "style": {}})
    assert model.model_settings({"style": 1}) == {"style": 1}
    with pytest.raises(BadRequest) as refused:
        model.model_settings({"n": 2})
    assert refused.value.detail == "'n' is set by the node's number of images"
    assert refused.value.provider == "acme"
    with pytest.raises(BadRequest) as refused:
        model.model_settings({"b": 2, "a": 1})
    assert refused.value.detail == "m has no setting 'a', 'b'; it has 'num_outputs', 'style'"


def test_references_are_resolved_and_the_inputs_own_facts_come_first() -> None:
    model = takes(
        {
            "direct": {"$ref": "#/defs/shape", "default": "own"},
            "several": {
                "allOf": [{"$ref": "#/defs/shape"}, {"title": "Second", "minimum": 1}],
                "title": "Own",
            },
            "missing": {"$ref": "#/defs/none", "title": "Missing"},
        },
        shape={"type": "string", "default": "part", "title": "Shape"},
    )
    assert model.own_settings() == {
        "type": "object",
        "properties": {
            "direct": {"type": "string", "default": "own", "title": "Shape"},
            "several": {"type": "string", "default": "part", "title": "Own", "minimum": 1},
            "missing": {"title": "Missing"},
        },
        "additionalProperties": False,
    }
    assert model.default_of("direct") == "own"
    assert model.default_of("missing") is None
    assert model.default_of("none") is None


def test_facts_of_a_model_are_those_of_its_schema() -> None:
    model = takes(
        {
            "ratio": {"enum": ["4:5", "auto", "7:3", "1:1"]},
            "seconds": {"enum": ["10s", "auto", "5s", "0"]},
            "style": {"type": "string"},
        }
    )
    day = date(2026, 1, 2)
    found = model.facts_of(Model(kind="video", name="m", title="M", price_usd=3), day)
    assert found == Model(
        kind="video",
        name="m",
        title="M",
        price_usd=3,
        ratios=("4:5", "1:1"),
        durations=(5, 10),
        settings={"style": {"type": "string"}},
        checked_on=day,
    )


def test_settings_are_offered_with_their_schemas() -> None:
    style = {"title": "Style", "description": "How it looks.", "type": "string"}
    assert takes({"style": style, "prompt": {}, "crisp": {}}).setting_options() == [
        {"value": "style", "label": "Style", "detail": "How it looks.", "schema": style},
        {"value": "crisp", "label": "crisp", "detail": "", "schema": {}},
    ]


def test_value_follows_one_of_several_schemas_or_its_own() -> None:
    size = {"anyOf": [{"$ref": "#/defs/exact"}, {"enum": ["square"]}]}
    model = takes({"image": size, "mask": {"type": "string"}}, exact={"type": "object"})
    assert model.choices("image") == [{"type": "object"}, {"enum": ["square"]}]
    assert model.choices("mask") == [{"type": "string"}]
    assert model.choices("seed") == [{}]
