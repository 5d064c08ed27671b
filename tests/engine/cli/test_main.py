"""The command line: run, check, nodes, new-plugin, and the commands of other packages."""

import json
import os
import signal
import subprocess
import sys
import zipfile
from hashlib import sha256
from importlib import metadata
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from impasto import Catalog, Context, Image, Setting, Text, node
from impasto.cli import main
from impasto.document.archive import ArchivedFile, MissingPart, dump_manifest
from impasto.sdk.providers import installed_providers
from impasto.testing import add, flow_of, shout, words

runner = CliRunner()
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "anyio")
# pytest would import every plugin of the development tools.
WITHOUT_PLUGINS = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


@node
async def read_variable(*, name: str = "", context: Context) -> Text:
    return f"{context.configuration.text(name)} from {context.configuration.source_of(name)}"


@node
async def read_image(
    *, image: Annotated[Image | None, Setting(widget="picture")] = None, context: Context
) -> Text:
    async with context.open(image) as path:
        return f"{path.read_text()} of {image.name}"


@pytest.fixture(autouse=True)
def catalog(monkeypatch):
    monkeypatch.setattr(
        Catalog,
        "discover",
        classmethod(lambda cls, **given: cls([words, shout, add, read_variable, read_image], **given)),
    )


@pytest.fixture(autouse=True)
def forget_providers():
    """Forget providers that were loaded while a test replaced the entry points."""
    yield
    installed_providers.cache_clear()


@pytest.fixture
def flow(tmp_path):
    path = tmp_path / "flow.json"
    flow_of({"prompt": "words", "loud": ("shout", {"times": 2})}, [("prompt.output", "loud.text")]).dump(path)
    return path


def test_run_writes_the_results_to_a_folder(flow, tmp_path):
    done = runner.invoke(main.app, ["run", str(flow), "--prompt", "tea", "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out" / "loud.txt").read_text() == "TEA!!"
    summary = json.loads((tmp_path / "out" / "results.json").read_text())
    assert (summary["status"], summary["results"]) == ("finished", {"loud.output": "TEA!!"})


def test_run_up_to_a_node_writes_what_that_node_gives(flow, tmp_path):
    for target, files in (("prompt", {"prompt.txt": "tea"}), ("loud", {"loud.txt": "TEA!!"})):
        folder = tmp_path / target
        arguments = ["--prompt", "tea", "--out", str(folder), "--target", target]
        done = runner.invoke(main.app, ["run", str(flow), *arguments])
        assert done.exit_code == 0, done.output
        summary = json.loads((folder / "results.json").read_text())
        assert summary["results"] == {f"{target}.output": next(iter(files.values()))}
        assert {path.name: path.read_text() for path in folder.glob("*.txt")} == files


def test_run_passes_dotenv_variables_to_nodes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (tmp_path / ".env").write_text("OPENAI_API_KEY=sk-from-file\n")
    flow_of({"key": ("read_variable", {"name": "OPENAI_API_KEY"})}).dump(tmp_path / "flow.json")
    done = runner.invoke(main.app, ["run", "flow.json", "--out", "out"])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out" / "key.txt").read_text() == "sk-from-file from .env"


def test_result_files_have_valid_and_distinct_names(tmp_path):
    path = tmp_path / "flow.json"
    names = ["nul\0", "🎨" * 190, "a:b", "a?b", "A|b", "..", "."]
    flow_of(dict.fromkeys(names, "words")).dump(path)
    done = runner.invoke(main.app, ["run", str(path), "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    written = {file.name for file in (tmp_path / "out").iterdir()} - {"results.json"}
    assert written == {"nul-.txt", "🎨" * 45 + ".txt", "a-b.txt", "a-b (2).txt", "A-b (3).txt",
                       "result.txt", "result (2).txt"}  # fmt: skip
    assert set(tmp_path.iterdir()) == {path, tmp_path / "out"}


def test_inputs_are_given_by_id(flow, tmp_path):
    arguments = [
        "run",
        str(flow),
        "--input",
        "prompt=cake",
        "--out",
        str(tmp_path),
        "--cache",
        str(tmp_path / "c"),
    ]
    for _ in range(2):
        assert runner.invoke(main.app, arguments).exit_code == 0
    assert (tmp_path / "loud.txt").read_text() == "CAKE!!"


@pytest.mark.parametrize("given", ["prompt", "ghost=1"])
def test_invalid_inputs_are_reported(flow, tmp_path, given):
    done = runner.invoke(main.app, ["run", str(flow), "--input", given, "--out", str(tmp_path)])
    assert done.exit_code == 1
    assert "input" in done.output


@pytest.mark.parametrize("out", ["flow.json", "flow.json/deeper"])
def test_unwritable_folder_is_reported_before_the_run(flow, out):
    done = runner.invoke(main.app, ["run", str(flow), "--out", str(flow.parent / out)])
    assert done.exit_code == 1
    assert f"{flow.parent / out} cannot be written" in done.output
    assert "done in" not in done.output


@pytest.mark.parametrize("given", ["nan", "-1"])
def test_invalid_budget_is_refused(flow, tmp_path, given):
    done = runner.invoke(main.app, ["run", str(flow), "--budget", given, "--out", str(tmp_path)])
    assert done.exit_code == 1
    assert "budget_usd must be a number of dollars" in done.output


def test_interrupt_cancels_the_run_and_writes_finished_results(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import asyncio, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a background job ignores the signal
        "from impasto import Catalog, Text, node\n"
        "from impasto.cli.main import main\n"
        "from impasto.testing import shout, words\n"
        "@node\n"
        "async def wait(text: Text) -> Text:\n"
        "    print('waits', file=sys.stderr, flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "    return text\n"
        "Catalog.discover = classmethod(lambda cls, **_: cls([words, shout, wait]))\n"
        "main()\n"
    )
    flow_of(
        {"prompt": "words", "loud": "shout", "slow": "wait"},
        [("prompt.output", "loud.text"), ("loud.output", "slow.text")],
    ).dump(tmp_path / "flow.json")
    flow = json.loads((tmp_path / "flow.json").read_text())
    flow["nodes"][1]["result"] = True
    (tmp_path / "flow.json").write_text(json.dumps(flow))
    command = [
        sys.executable,
        program,
        "run",
        tmp_path / "flow.json",
        "--prompt",
        "tea",
        "--out",
        tmp_path / "o",
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        assert run.stderr.readline() == "waits\n"
        run.send_signal(signal.SIGINT)
        said, complained = run.communicate(timeout=60)
    assert (run.returncode, complained) == (130, "Cancelled.\n")
    assert "slow: skipped (cancelled)" in said
    assert (tmp_path / "o" / "loud.txt").read_text() == "TEA!"


def test_check_prints_all_problems_and_exits_with_1(tmp_path):
    path = tmp_path / "flow.json"
    flow_of({"a": "ghost", "b": "shout", "c": ("shout", {"times": 99})}).dump(path)
    done = runner.invoke(main.app, ["check", str(path)])
    assert (done.exit_code, done.stdout) == (1, "")
    codes = [line.split(":")[0] for line in done.stderr.splitlines() if not line.startswith(" ")]
    assert codes == [
        "error unknown_type",
        "error required_input",
        "error bad_setting",
        "error required_input",
    ]


def test_problem_is_printed_on_one_line(tmp_path):
    path = tmp_path / "flow.json"
    flow_of({"a" * 300: "ghost"}).dump(path)
    lines = runner.invoke(main.app, ["check", str(path)]).output.splitlines()
    assert lines[0] == f"error unknown_type: Node '{'a' * 300}' is of an unknown type 'ghost'."


def test_hint_is_printed_below_its_problem(tmp_path):
    path = tmp_path / "flow.json"
    flow_of({"a": "zzzzzzzz"}).dump(path)
    lines = runner.invoke(main.app, ["check", str(path)]).output.splitlines()
    assert lines[1] == "  Install the plugin that provides it, or choose another node."


def test_check_of_a_valid_flow_exits_with_0(flow):
    done = runner.invoke(main.app, ["check", str(flow)])
    assert (done.exit_code, "It can run" in done.output) == (0, True)


@pytest.mark.parametrize("content", ["{", "[]", None])
def test_file_that_is_not_a_flow_is_reported(tmp_path, content):
    path = tmp_path / "flow.json"
    if content is not None:
        path.write_text(content)
    done = runner.invoke(main.app, ["check", str(path)])
    assert done.exit_code == 1
    assert done.output.strip()


def test_nodes_lists_node_types(monkeypatch):
    done = runner.invoke(main.app, ["nodes"])
    assert all(name in done.output for name in ("words", "shout", "add"))
    described = json.loads(runner.invoke(main.app, ["nodes", "--json"]).output)
    assert [item["id"] for item in described["types"]] == [
        "words",
        "shout",
        "add",
        "read_variable",
        "read_image",
    ]


def test_broken_plugin_is_reported_and_the_others_load(monkeypatch):
    monkeypatch.undo()
    good = metadata.EntryPoint("good", "impasto.testing", "impasto.nodes")
    bad = metadata.EntryPoint("bad", "no_such_module_anywhere", "impasto.nodes")
    monkeypatch.setattr(
        metadata, "entry_points", lambda group: [bad, good] if group == "impasto.nodes" else []
    )
    catalog = Catalog.discover()
    assert "shout" in catalog
    assert [plugin.name for plugin in catalog.broken] == ["bad"]
    assert "no_such_module_anywhere" in catalog.describe()["broken"][0]["traceback"]
    done = runner.invoke(main.app, ["nodes"])
    assert "'bad'" in done.output
    assert "ModuleNotFoundError" in done.output


def test_plugin_that_exits_on_import_is_reported_as_broken(monkeypatch):
    class Leaving(metadata.EntryPoint):
        def load(self):
            raise SystemExit("no licence")

    monkeypatch.undo()
    entries = [Leaving("leaving", "x", "impasto.nodes"), metadata.EntryPoint("good", "impasto.testing", "x")]
    monkeypatch.setattr(metadata, "entry_points", lambda group: entries if group == "impasto.nodes" else [])
    catalog = Catalog.discover()
    assert [(plugin.name, plugin.error) for plugin in catalog.broken] == [
        ("leaving", "SystemExit: no licence")
    ]
    assert "shout" in catalog


@pytest.mark.timeout(120)  # starts a pytest of its own
def test_new_plugin_installs_and_its_tests_pass(tmp_path):
    done = runner.invoke(main.app, ["new-plugin", "sparkle-tools", "--in", str(tmp_path)])
    assert done.exit_code == 0, done.output
    folder = tmp_path / "sparkle-tools"
    ran = subprocess.run(
        [*PYTEST, "tests"], cwd=folder, env=WITHOUT_PLUGINS, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout
    again = runner.invoke(main.app, ["new-plugin", "sparkle-tools", "--in", str(tmp_path)])
    assert again.exit_code == 1
    assert "already" in again.output


@pytest.mark.timeout(120)  # starts a pytest of its own
def test_tests_of_a_new_plugin_pass_from_a_folder_with_other_options(tmp_path):
    """As in the tutorial, where the package lies in a checkout whose tests are imported by their paths."""
    (tmp_path / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\naddopts = ["--import-mode=importlib"]\n', "utf-8"
    )
    runner.invoke(main.app, ["new-plugin", "sparkle", "--in", str(tmp_path)])
    installed = {**WITHOUT_PLUGINS, "PYTHONPATH": str(tmp_path / "sparkle")}
    ran = subprocess.run(
        [*PYTEST, "sparkle"], cwd=tmp_path, env=installed, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize("name", ["9 lives", "../up", "", "class", "json", "impasto", "tests", "orjson"])
def test_new_plugin_needs_a_valid_unused_name(tmp_path, name):
    done = runner.invoke(main.app, ["new-plugin", name, "--in", str(tmp_path)])
    assert (done.exit_code, list(tmp_path.iterdir())) == (1, [])
    assert name in done.output


def test_interrupt_while_loading_a_command_exits_silently(monkeypatch, capsys):
    class Entry:
        name = "serve"

        def load(self):
            raise KeyboardInterrupt

    monkeypatch.setattr(metadata, "entry_points", lambda group: [Entry()])
    monkeypatch.setattr(sys, "argv", ["impasto", "serve"])
    with pytest.raises(SystemExit) as end:
        main.main()
    assert end.value.code == 130
    assert capsys.readouterr() == ("", "")


def test_other_packages_add_commands(monkeypatch):
    monkeypatch.setattr(main, "app", typer.Typer())
    group = typer.Typer()
    loaded = {"serve": lambda: None, "admin": group}

    class Entry:
        def __init__(self, name):
            self.name = name

        def load(self):
            return loaded[self.name]

    monkeypatch.setattr(
        metadata, "entry_points", lambda group: [Entry("serve"), Entry("admin"), Entry("broken")]
    )
    main._add_commands([])
    assert [command.name for command in main.app.registered_commands] == ["serve"]
    assert [each.name for each in main.app.registered_groups] == ["admin"]


def _exported(path, data=b"pixels", digest=None):
    """Write the zip of an agent whose node reads an image of these bytes."""
    image = {"$type": "Image", "asset_id": "01A", "media_type": "image/png", "name": "cup.png"}
    flow_of({"look": "read_image"}).dump(path.with_suffix(".json"))
    document = json.loads(path.with_suffix(".json").read_text())
    document["nodes"][0]["settings"] = {"image": image}
    file = ArchivedFile(
        "assets/cup.png", "01A", "cup.png", "image/png", len(data), digest or sha256(data).hexdigest()
    )
    missing = MissingPart("brand", "b1", "Lumo", ["Voice"])
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("flow.json", json.dumps(document))
        archive.writestr("assets/cup.png", data)
        archive.writestr("manifest.json", dump_manifest([file], [missing]))
    return path


def test_exported_agent_runs_with_its_assets(tmp_path, monkeypatch):
    monkeypatch.setattr(main.err, "width", 20)
    path = _exported(tmp_path / "agent.zip")
    done = runner.invoke(main.app, ["run", str(path), "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out" / "look.txt").read_text() == "pixels of cup.png"
    assert done.stderr == "The brand 'Lumo' was not exported with this agent.\n"
    assert runner.invoke(main.app, ["check", str(path)]).exit_code == 0


def test_exported_agent_with_a_changed_asset_is_refused(tmp_path):
    path = _exported(tmp_path / "agent.zip", digest="0" * 64)
    done = runner.invoke(main.app, ["run", str(path), "--out", str(tmp_path / "out")])
    assert done.exit_code == 1
    assert "assets/cup.png in this zip is not the file that was exported." in done.output
    assert not (tmp_path / "out").exists()


def test_version_is_that_of_the_package():
    result = runner.invoke(main.app, ["--version"])
    assert (result.exit_code, result.output) == (0, f"{metadata.version('impasto')}\n")
