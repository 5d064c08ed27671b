import pytest

from impasto_nodes.providers.errors import BadRequest, Unsupported, UnsupportedDuration, UnsupportedRatio
from impasto_nodes.providers.jobs.inputs import Inputs
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
    with pytest.raises(UnsupportedRatio, match="16:9 or 9:16"):
        takes.ratio("1:1")
    with pytest.raises(UnsupportedDuration, match="6 or 10 s"):
        takes.duration(5)
    with pytest.raises(Unsupported, match="without an image"):
        takes.image(None)
    with pytest.raises(BadRequest) as caught:
        takes.model_settings({"guidance": 3})
    assert "'prompt_optimizer'" in str(caught.value.detail)


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
