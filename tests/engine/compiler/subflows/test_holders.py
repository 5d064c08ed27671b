"""References to the flows that nodes run."""

import pytest

from impasto import Catalog, Flow, FlowInvalid, Text, compile, node
from impasto.compiler.subflows.holders import flow_id_of, holder_of, reference_of


@node
async def say() -> Text:
    return "hi"


@node(subflow="flow")
def agent(*, flow: str, version: int | None = None) -> None:
    """Run a flow."""


CATALOG = Catalog([say, agent])


def use(version: int | None) -> dict[str, object]:
    settings = {"flow": "a", **({} if version is None else {"version": version})}
    return {"format": 1, "nodes": [{"id": "use", "type": "agent", "settings": settings}], "edges": []}


@pytest.mark.parametrize(
    ("settings", "holder"),
    [
        ({"flow": "a"}, "a"),
        ({"flow": "a", "version": 3}, "a@3"),
        ({"flow": "", "version": 3}, ""),
        ({"flow": {"nodes": []}, "version": 3}, {"nodes": []}),
        ({"flow": "a", "version": True}, "a"),
    ],
)
def test_a_reference_names_the_version(settings, holder):
    assert holder_of(settings, "flow") == holder


def test_a_reference_is_read_back():
    assert [reference_of(one) for one in ("a", "a@3", "a@3/b")] == [("a", None), ("a", 3), ("a@3/b", None)]
    assert flow_id_of("a@3") == "a"


def test_a_version_is_loaded_by_its_reference():
    asked = []

    def load(name):
        asked.append(name)
        return Flow.of({"format": 1, "nodes": [{"id": "say", "type": "say"}], "edges": []})

    compile(use(3), CATALOG, flows=load)
    compile(use(None), CATALOG, flows=load)
    assert asked == ["a@3", "a"]


def test_a_flow_inside_a_version_of_itself_contains_itself():
    with pytest.raises(FlowInvalid, match="contains itself: a → a"):
        compile(use(3), CATALOG, flows={}.get, flow_id="a")


def test_a_version_that_cannot_be_loaded_is_named():
    with pytest.raises(FlowInvalid, match="Version 3 of the flow 'a' is not available"):
        compile(use(3), CATALOG, flows={}.get)
