"""The editor makes an agent of nodes, and dissolves it: the results stay the same."""

import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest
from tests.fixtures.tables import thorough_except

from impasto import SKIP, Catalog, FlowInvalid, Json, Setting, Text, compile, execute, node
from impasto_nodes.ai.agent import agent
from impasto_nodes.control.collect import collect
from impasto_nodes.inputs.data import data
from impasto_nodes.inputs.user_prompt import user_prompt
from impasto_nodes.transform.compose import compose
from impasto_server.nodes.service import serialize_catalog

ROOT = Path(__file__).parents[2]
FLOWS = 50  # for each of four seeds
LEVELS = 5
NAMES = ["one", "two", "tone", "tone_2", "text"]
KINDS = [
    "upper",
    "parts",
    "described",
    "both",
    "letters",
    "size",
    "long",
    "collect",
    "compose",
    "compose",
    "mark",
    "mark",
    "repeat",
]


@node(id="upper")
async def upper(text: Text) -> Text:
    return text.upper()


@node(id="both")
async def both(first: Text, second: Text | None = None) -> Text:
    return f"{first}+{second}"


@node(id="letters")
async def letters(text: Text) -> list[Text]:
    return list(text[:3])


@node(id="size")
async def size(texts: list[Text]) -> Text:
    return "|".join(texts)


@node(id="long")
async def long(text: Text) -> Text:
    """Closes its output for short texts."""
    return text if len(text) > 4 else SKIP


@node(id="mark")
async def mark(text: Text, *, sign: str = "!", times: Annotated[int, Setting(ge=1, le=9)] = 1) -> Text:
    return text + sign[:3] * times


@node(id="repeat")
async def repeat(text: Text, *, count: Annotated[int, Setting(ge=0, le=9)] = 1) -> Text:
    return text * count


@node(id="parts")
async def parts(text: Text) -> Json:
    return {"start": text[:2], "length": len(text)}


@node(id="described")
async def described(parts: Json) -> Text:
    return f"described {parts}"


CATALOG = Catalog(
    [
        user_prompt,
        data,
        agent,
        collect,
        compose,
        repeat,
        upper,
        both,
        letters,
        size,
        long,
        mark,
        parts,
        described,
    ]
)


class Editor:
    """The editor's edits, in a process of Node.js."""

    def __init__(self, scratch: Path) -> None:
        driver = Path(__file__).with_name("editor_edits.mjs")
        self._process = subprocess.Popen(
            ["node", driver, ROOT / "editor", scratch],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self("catalog", data=json.loads(serialize_catalog(CATALOG).body))

    def __call__(self, edit: str, **request: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"edit": edit, **request}) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        self._process.communicate(timeout=20)


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    started = Editor(tmp_path_factory.mktemp("edits"))
    yield started
    started.close()


PIN = {"outputs": {"output": {"type": "Text", "depth": 0, "value": "pinned"}}}


def random_flow(dice: random.Random) -> dict[str, Any]:
    """Return a flow of a prompt and up to nine nodes, each fed by earlier ones."""
    nodes: list[dict[str, Any]] = [
        {
            "id": "ask",
            "type": "user_prompt",
            "version": 1,
            "settings": {"text": dice.choice(["a blue jug", "a {{tone}} jug", "{{tone}} {{two}}"])},
        }
    ]
    variables = random_variables(dice)
    numbers = [one["name"] for one in variables if one["type"] == "Integer"]
    texts = [one["name"] for one in variables if one["type"] == "Text"]
    edges = []
    for at in range(dice.randint(2, 9)):
        kind = dice.choice(KINDS)
        one: dict[str, Any] = {"id": f"n{at}", "type": kind, "version": 1, "settings": {}}
        ports = {
            "both": ["first", "second"],
            "size": ["texts"] * 2,
            "collect": ["items"] * 2,
            "described": ["parts"],
        }.get(kind, ["text"])
        if kind == "compose":
            names = [dice.choice(NAMES) for _ in range(dice.randint(0, 3))]
            words = " ".join(f"{{{{{name}{dice.choice(['', '|none'])}}}}}" for name in names)
            one["settings"] = {"template": f"{{{{one}}}} or {{{{two}}}} {words}"}
            ports = ["one", "two"][: dice.randint(0, 2)]
            ports += [name for name in names[:1] if name not in ports]
        if kind == "repeat" and numbers:
            one["variables"] = {"count": dice.choice(numbers)}
        if kind == "mark":
            one["settings"] = {"times": dice.randint(1, 3)}
            ports = ["text", "sign"][: dice.randint(1, 2)]
            limits = {"sign": {"label": "Sign"}, "times": {"maximum": 5, "order": dice.randint(0, 3)}}
            one["exposed"] = {name: limits[name] for name in limits if dice.random() < 0.6}
            if texts and dice.random() < 0.5:
                one["variables"] = {"sign": dice.choice(texts)}
            if numbers and dice.random() < 0.5:
                one["variables"] = one.get("variables", {}) | {"times": dice.choice(numbers)}
        if dice.random() < 0.1:
            one["result"] = dice.random() < 0.5
        if dice.random() < 0.15:
            one["mode"] = dice.choice(["bypassed", "disabled", "disabled"])
        if dice.random() < 0.1 and kind in ("upper", "mark", "compose"):
            one["pin"] = PIN
        sources = dice.sample(nodes, min(len(ports), len(nodes)))
        edges += [
            {"from": f"{s['id']}.output", "to": f"n{at}.{port}"}
            for s, port in zip(sources, ports, strict=False)
        ]
        nodes.append(one)
    return {"format": 2, "name": "Random", "nodes": nodes, "edges": edges, "variables": variables}


def random_variables(dice: random.Random) -> list[dict[str, Any]]:
    """Return up to three variables, whose values look like templates or are numbers."""
    values = [3, 2, "dry", "", "{{two}} {{tone}} }}", "{{"]
    made: list[dict[str, Any]] = []
    for name in dice.sample(NAMES, dice.randint(0, 3)):
        value = dice.choice(values)
        made.append({"name": name, "type": "Text" if isinstance(value, str) else "Integer", "value": value})
    return made


def feeding_disabled(document: dict[str, Any]) -> set[str]:
    """Return the nodes that feed disabled ones."""
    disabled = {one["id"] for one in document["nodes"] if one.get("mode") == "disabled"}
    ends = [(edge["from"].partition(".")[0], edge["to"].partition(".")[0]) for edge in document["edges"]]
    return {source for source, target in ends if target in disabled}


VALUES = {"sign": "?", "times": 4}


def settings_of(document: dict[str, Any], flows: dict[str, Any]) -> dict[str, str]:
    """Return the inputs that set settings, by the innermost node and setting."""
    names = compile(document, CATALOG, flows=flows.get).inputs["properties"]
    return {".".join(name.split(".")[-2:]): name for name in names if "." in name}


async def results_of(
    document: dict[str, Any], flows: dict[str, Any], launched: tuple[str, ...] = ()
) -> tuple[dict[str, Any], set[str]]:
    """Return what each node gave, by id, and the ids of the nodes that show a result.

    `launched` are the settings that the launcher sets, as in `settings_of`.
    """
    plan = compile(document, CATALOG, flows=flows.get)
    names = settings_of(document, flows)
    result = await execute(plan, {names[one]: VALUES[one.partition(".")[2]] for one in launched})
    outputs = {step.rpartition("/")[2]: found.outputs for step, found in result.steps.items()}
    shown = {name.rpartition("/")[2].partition(".")[0] for name in result.results}
    return outputs, shown


def chosen(
    dice: random.Random, offers: list[dict[str, Any]], launched: tuple[str, ...]
) -> list[dict[str, Any]] | None:
    """Return the offers that become inputs, in any order, with names; None for those of the editor's choice.

    What launchers set is always among them.
    """
    if dice.random() < 0.3:
        return None
    kept = [
        one for one in offers if dice.random() < 0.6 or f"{one['node']}.{one['setting']}".endswith(launched)
    ]
    return [{**one, "label": dice.choice(["", "Named"])} for one in dice.sample(kept, len(kept))]


@pytest.mark.anyio
@pytest.mark.parametrize("seed", thorough_except(range(4), 0))
async def test_results_stay_when_nodes_become_an_agent_and_when_it_is_dissolved(
    editor: Editor, seed: int
) -> None:
    dice = random.Random(seed)
    extracted = dissolved = deepest = again = structured = hidden = 0
    while extracted < FLOWS:
        original = random_flow(dice)
        flows: dict[str, Any] = {}
        try:
            offered = settings_of(original, flows)
            launched = tuple(name for name in offered if dice.random() < 0.5)
            before, shown = await results_of(original, flows, launched)
        except FlowInvalid:
            continue
        hidden += len(shown & feeding_disabled(original))
        document, steps = original, []
        for level in range(LEVELS):
            ids = [one["id"] for one in document["nodes"]]
            name = f"a{extracted}_{level}"
            nodes = dice.sample(ids, dice.randint(1, len(ids)))
            selection = {"document": document, "nodes": nodes, "name": name}
            promoted = chosen(dice, editor("offers", **selection).get("offers", []), launched)
            version = dice.choice([None, 1])
            found = editor("extract", **selection, promoted=promoted, version=version)
            if "refused" in found:
                continue
            flows[name] = flows[f"{name}@1"] = found["inner"]
            structured += any(one["type"] == "data" for one in found["inner"]["nodes"])
            plan = compile(found["inner"], CATALOG, flows=flows.get)
            editor(
                "agent", id=name if version is None else f"{name}@1", inputs=plan.inputs, results=plan.results
            )
            steps.append((found["outer"], document, name))
            document = found["outer"]
            after, after_shown = await results_of(document, flows, launched)
            assert {one: after[one] for one in before} == before, (original, document, flows)
            again += len(launched)
            assert shown <= after_shown, (original, document, flows)
        for outer, _, name in reversed(steps):
            inside = next(one for one in outer["nodes"] if one["settings"].get("flow") == name)
            found = editor("dissolve", document=outer, node=inside["id"], inner=flows[name])
            after, after_shown = await results_of(found["document"], flows, launched)
            assert {one: after[one] for one in before} == before, (outer, found, flows)
            assert shown <= after_shown, (outer, found, flows)
            dissolved += 1
        extracted += bool(steps)
        deepest = max(deepest, len(steps))
    assert dissolved > FLOWS
    assert again > 0
    assert structured > 0
    assert hidden > 0
    assert deepest == LEVELS
