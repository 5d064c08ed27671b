"""Node types: the item of a setting that a port belongs to, its title and meaning, and ports of variables."""

import logging

import pytest

from impasto import Text, node
from impasto.sdk.node_type import InputPort, OutputPort, input_ports, node_type_of, variables_in
from impasto.types import TEXT, PortType

TYPE = PortType(TEXT)


def output(**facts):
    return OutputPort(name="a", type=TYPE, title="Answer", **facts)


@pytest.mark.parametrize(
    ("item_of", "settings", "found"),
    [
        ("", {"": [{"port": "a"}]}, None),
        ("items", {"items": [{"port": "b"}, {"port": "a", "name": "Price"}]}, {"port": "a", "name": "Price"}),
        ("items", {"items": ({"port": "a"},)}, {"port": "a"}),
        (
            "items",
            {"items": [None, "a", {"port": "a", "n": 1}, {"port": "a", "n": 2}]},
            {"port": "a", "n": 1},
        ),
        ("items", {"items": [{"port": "b"}, {}]}, None),
        ("items", {"items": {"port": "a"}}, None),
        ("items", {}, None),
        ("workflow.items", {"workflow": {"items": [{"port": "a"}]}}, {"port": "a"}),
        ("workflow.items", {"workflow": [{"port": "a"}]}, None),
        ("workflow.items", {"items": [{"port": "a"}]}, None),
    ],
)
def test_output_belongs_to_the_item_of_its_setting_with_its_name(item_of, settings, found):
    assert output(item_of=item_of).item_in(settings) == found
    assert output(item_of=None).item_in(settings) is None


@pytest.mark.parametrize(
    ("item_of", "setting"), [(None, None), ("", None), ("items", "items"), ("workflow.items", "workflow")]
)
def test_setting_of_an_output_is_the_one_that_holds_the_list(item_of, setting):
    assert output(item_of=item_of).item_setting == setting


@pytest.mark.parametrize(
    ("name", "title"), [("Price", "Price"), (" ", "Answer"), ("", "Answer"), (5, "Answer"), (None, "Answer")]
)
def test_output_of_an_item_has_the_items_name(name, title):
    settings = {"items": [{"port": "a", "name": name}]}
    assert output(item_of="items").title_for(settings) == title
    assert output(item_of="items").title_for({}) == "Answer"


def test_meaning_is_declared_or_a_function_of_the_settings(caplog):
    assert output().meaning_for({}) is None
    assert output(meaning="post").meaning_for({}) == "post"
    by_shape = output(meaning=lambda settings: settings["shape"])
    assert by_shape.meaning_for({"shape": "hashtags"}) == "hashtags"
    with caplog.at_level(logging.WARNING, logger="impasto"):
        assert by_shape.meaning_for({}) is None
    (record,) = caplog.records
    assert record.getMessage() == "The meaning of the output 'a' could not be read"
    assert record.exc_info is not None
    assert record.exc_info[0] is KeyError


def test_input_without_a_default_is_required():
    assert InputPort(name="a", type=TYPE, title="A").required
    assert not InputPort(name="a", type=TYPE, title="A", default=None).required


@node(variables=("system", "prompt"))
async def write(
    text: Text, *, system: str = "", prompt: str = "", tone: str = "", variables: dict[str, str]
) -> Text:
    return text


def test_function_and_node_type_are_the_same_node_type():
    found = node_type_of(write)
    assert node_type_of(found) is found
    assert repr(found) == "<NodeType write v1>"

    def plain() -> None:
        """Not a node."""

    plain.__impasto_node__ = "write"
    for other in (plain, "write", None, object()):
        assert node_type_of(other) is None


def test_variables_are_the_names_in_a_template_once_each():
    assert variables_in("{{b}} and {{a}}, {{b}}") == ["b", "a"]
    for nothing in ("", "none", None, 5, ["{{a}}"]):
        assert variables_in(nothing) == []


def test_each_variable_of_the_settings_is_an_optional_text_input():
    found = node_type_of(write)
    settings = {"system": "For {{main_reader}}", "prompt": "{{day}} {{text}} {{tone}} {{main_reader}}"}
    ports = input_ports(found, settings)
    assert ports[:1] == found.inputs
    assert ports[1:] == (
        InputPort(name="main_reader", type=TYPE, title="Main reader", default="", variable=True),
        InputPort(name="day", type=TYPE, title="Day", default="", variable=True),
    )
    assert input_ports(found, {}) == found.inputs


def test_node_without_templates_has_its_declared_inputs_only():
    @node
    async def trim(text: Text, *, more: str = "") -> Text:
        return text

    found = node_type_of(trim)
    assert input_ports(found, {"more": "{{a}}"}) is found.inputs
