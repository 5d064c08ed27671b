"""What is wrong with one node of a flow, in whole sentences: its type, version, settings and own check."""

from typing import Annotated, Any

import pytest

from impasto import Catalog, Flow, FlowInvalid, Problem, Setting, Text, compile, node
from impasto.compiler.catalog import BrokenPlugin
from impasto.plugins.allow_list import RefusedPlugin
from impasto.testing import flow_of


@node(version=3, migrations={1: lambda old: {"times": old["count"]}})
async def repeat(text: Text = "", *, times: Annotated[int, Setting(ge=1, le=9)], mark: str = "!") -> Text:
    return text * times


@node(deprecated=True, replaced_by="repeat")
async def echo(text: Text = "") -> Text:
    return text


@node(deprecated=True)
async def mumble(text: Text = "") -> Text:
    return text


@node
async def ask(*, text: Annotated[str, Setting(input=True)]) -> Text:
    return text


@node(subflow="flow")
def agent(*, flow: dict[str, Any]) -> None:
    """Run a flow."""


TYPES = [repeat, echo, mumble, ask, agent]


def problems_of(*nodes: Any, catalog: Catalog | None = None, **more: Any) -> list[Problem]:
    """Return all problems of a flow of these nodes, warnings too."""
    document = {"nodes": list(nodes), **more}
    try:
        return compile(document, catalog or Catalog(TYPES)).warnings
    except FlowInvalid as error:
        return error.problems


def facts(problem: Problem) -> dict[str, Any]:
    """Return the parts of a problem that are set, without the reason."""
    usual = {"severity": "error", "node": "a"}
    found = {key: value for key, value in problem.to_dict().items() if key != "reason"}
    return {key: value for key, value in found.items() if value != usual.get(key)}


def use(type_id: str, **more: Any) -> dict[str, Any]:
    return {"id": "a", "type": type_id, **more}


@pytest.mark.parametrize(
    ("used", "found"),
    [
        (
            use("mumble"),
            {
                "code": "deprecated_type",
                "message": "Node 'a' is of the type 'mumble', which is deprecated.",
                "severity": "warning",
            },
        ),
        (
            use("echo", version=1),
            {
                "code": "deprecated_type",
                "message": "Node 'a' is of the type 'echo', which is deprecated.",
                "hint": "Use 'repeat' instead.",
                "severity": "warning",
            },
        ),
        (
            use("ask", version=2, settings={"text": "x"}),
            {
                "code": "bad_version",
                "message": "Node 'a' needs version 2 of 'ask'; version 1 is installed.",
                "hint": "Update the plugin that provides it.",
            },
        ),
        (
            use("ask", version=0, settings={"text": "x"}),
            {
                "code": "bad_version",
                "message": "Node 'a' needs version 0 of 'ask'; version 1 is installed.",
                "hint": "Versions count from 1.",
            },
        ),
        (
            use("repeat", settings={"times": 10}),
            {
                "code": "bad_setting",
                "message": "The setting 'times' of node 'a' is wrong: must be at most 9 (at $.times).",
                "hint": "Change $.times.",
                "setting": "times",
            },
        ),
        (
            use("repeat"),
            {
                "code": "bad_setting",
                "message": "Node 'a' has no value for its setting 'times'.",
                "hint": "Set it.",
                "setting": "times",
            },
        ),
        (
            use("repeat", settings={"times": 1, "mask": "?"}),
            {
                "code": "unknown_setting",
                "message": "Node 'a' (Repeat) has no setting 'mask'.",
                "hint": "Did you mean 'mark'?",
                "setting": "mask",
            },
        ),
        (
            use("reppeat"),
            {
                "code": "unknown_type",
                "message": "Node 'a' is of an unknown type 'reppeat'.",
                "hint": "Did you mean 'repeat'?",
            },
        ),
        (
            use("sparkle", package="sparkle-tools"),
            {
                "code": "missing_plugin",
                "message": "Node 'a' needs the plugin 'sparkle-tools', which is not installed.",
                "hint": "Install it: pip install sparkle-tools",
            },
        ),
        (
            use("repeat", version=1, settings={}),
            {
                "code": "bad_setting",
                "message": "The settings of node 'a' could not be migrated to version 3 (KeyError: 'count').",
                "hint": "Enter them again.",
            },
        ),
    ],
    ids=[
        "deprecated", "replaced", "newer version", "version 0", "bad setting", "no value", "unknown setting",
        "unknown type", "missing plugin", "failed migration",
    ],
)  # fmt: skip
def test_problem_of_a_node_says_what_is_wrong_and_how_to_fix_it(used: Any, found: dict[str, Any]) -> None:
    assert facts(problems_of(used)[0]) == found


def test_settings_of_another_version_are_checked_too() -> None:
    found = problems_of(use("ask", version=2, settings={"text": 5, "tone": 1}))
    assert [each.code for each in found] == ["bad_version", "bad_setting", "unknown_setting"]


@pytest.mark.parametrize("version", [2, 3, None])
def test_versions_without_a_migration_keep_their_settings(version: int | None) -> None:
    used = use("repeat", version=version, settings={"times": 2})
    assert compile({"nodes": [used]}, Catalog(TYPES)).steps[0].settings == {"times": 2, "mark": "!"}


def test_settings_migrate_from_the_version_of_the_node() -> None:
    used = use("repeat", version=1, settings={"count": 2})
    plan = compile({"nodes": [used]}, Catalog(TYPES))
    assert plan.steps[0].settings == {"times": 2, "mark": "!"}
    assert plan.flow.nodes[0].settings == {"count": 2}


def test_plugin_of_an_unknown_type_is_found_in_the_node_the_flow_or_the_list_of_the_operator() -> None:
    refused = [
        RefusedPlugin(
            package="glitter-nodes", reason="it is old", hint="Renew it.", node_types=frozenset(("glow",))
        )
    ]
    broken = [BrokenPlugin(name=name, package=name, error="ImportError", traceback="") for name in ("x", "y")]
    catalog = Catalog(TYPES, refused=refused, broken=broken)

    def found(catalog: Catalog, type_id: str = "sparkle", plugins: Any = None, **more: Any) -> Any:
        (problem,) = problems_of(use(type_id, **more), catalog=catalog, plugins=plugins)
        return problem.code, problem.message, problem.hint

    missing = ("missing_plugin", "Node 'a' needs the plugin 'acme', which is not installed.")
    assert found(catalog, package="acme") == (*missing, "Install it: pip install acme")
    assert found(catalog, plugins={"sparkle": "acme"}) == (*missing, "Install it: pip install acme")
    old = ("refused_plugin", "Node 'a' needs the plugin 'glitter-nodes', which is refused: it is old.")
    assert found(catalog, "glow") == (*old, "Renew it.")
    assert found(catalog, package="Glitter.Nodes") == (*old, "Renew it.")
    assert found(catalog, plugins={"sparkle": "glitter_nodes"}) == (*old, "Renew it.")
    unknown = ("unknown_type", "Node 'a' is of an unknown type 'sparkle'.")
    for plugins in (None, {"other": "acme"}, {"sparkle": 5}, ["sparkle"]):
        assert found(catalog, plugins=plugins) == (
            *unknown,
            "It may belong to a plugin that the operator's list refuses: glitter-nodes.",
        )
    assert found(Catalog(TYPES, broken=broken)) == (
        *unknown,
        "It may belong to a plugin that failed to load: x, y.",
    )
    assert found(Catalog(TYPES)) == (
        *unknown,
        "Install the plugin that provides it, or choose another node.",
    )


def test_inner_input_without_a_value_is_a_problem_of_the_node_around_it() -> None:
    inner = flow_of({"words": "ask"}).to_dict()
    (problem,) = problems_of(use("agent", settings={"flow": inner}))
    assert facts(problem) == {
        "code": "required_input",
        "message": "The input 'words' of node 'a' is not connected.",
        "hint": "Connect it, or give the inner input a value.",
        "port": "words",
    }
    assert problems_of(use("ask")) == []


@pytest.mark.parametrize("severity", ["warning", "error", "other", None])
def test_problem_of_an_own_check_has_what_the_check_says(severity: str | None) -> None:
    @node(check=lambda settings, configured: [found, {"code": 5, "message": 6}])
    async def call() -> Text: ...

    found = {"code": "no_key", "message": "No key.", "setting": "s", "hint": "Add one.", "node": "other"}
    found |= {"severity": severity} if severity else {}
    first, second = problems_of(use("call"), catalog=Catalog([call]))
    assert first == Problem(
        code="no_key", message="No key.", node="a", setting="s", hint="Add one.",
        severity="warning" if severity == "warning" else "error",
    )  # fmt: skip
    assert second == Problem(code="5", message="6", node="a")


def test_own_check_is_not_called_where_it_has_passed() -> None:
    checked: list[tuple[Any, Any]] = []

    @node(check=lambda settings, configured: checked.append((settings, configured)))
    async def call(*, size: int = 1) -> Text: ...

    flow, catalog = Flow.parse({"nodes": [use("call")]}), Catalog([call])
    compile(flow, catalog, checks=False)
    assert checked == []
    compile(flow, catalog, configured=frozenset("k"))
    assert checked == [({"size": 1}, {"k"})]


def test_failed_check_is_a_warning_beside_other_problems() -> None:
    def check(settings: Any, configured: Any) -> Any:
        raise RuntimeError("broken")

    @node(check=check)
    async def call(*, size: int = 1) -> Text: ...

    first, second = problems_of(use("call", settings={"size": "big"}), catalog=Catalog([call]))
    assert first.code == "bad_setting"
    assert facts(second) == {
        "code": "bad_setting",
        "message": "The check of node type 'call' failed: RuntimeError: broken",
        "severity": "warning",
    }


def test_variable_that_does_not_fit_is_named() -> None:
    used = use("repeat", variables={"times": "many"})
    variables = [{"name": "many", "type": "Integer", "value": 99}]
    (problem,) = problems_of(used, variables=variables)
    assert facts(problem) == {
        "code": "wrong_variable",
        "message": "The variable 'many' does not fit the setting 'times' of node 'a': must be at most 9.",
        "hint": "Change its value, or use another variable.",
        "setting": "times",
    }
    assert problem.reason is not None
    assert problem.reason.to_dict() == {
        "code": "too_large", "text": "must be at most 9", "parameters": {"limit": 9},
    }  # fmt: skip
