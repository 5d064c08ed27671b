"""What the command line prints: names as they are, one message a line, and how to go on."""

import asyncio
import atexit
import gc
import signal
import sys
from importlib import metadata

import pytest
import typer
from tests.fakes.plugins import imported_by, install
from typer.testing import CliRunner

from impasto import Catalog, Text, node
from impasto.cli import main
from impasto.plugins.allow_list import AllowList, use
from impasto.plugins.capabilities import FILE
from impasto.sdk.providers import installed_providers
from impasto.testing import flow_of, words

runner = CliRunner()
LONG = "[bold]" + "a" * 100


@node(deprecated=True, replaced_by="words", beta=True)
async def old(*, text: str = "") -> Text:
    return text


@node
async def interrupt(text: Text) -> Text:
    signal.raise_signal(signal.SIGINT)
    await asyncio.Event().wait()
    return text


@node(subflow="flow")
async def inner(*, flow: str = "") -> None:
    raise AssertionError("a subflow is laid flat: its node never runs")


@pytest.fixture
def catalog(monkeypatch):
    """The installed node types."""
    monkeypatch.setattr(
        Catalog, "discover", classmethod(lambda cls, **given: cls([words, old, interrupt, inner], **given))
    )


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder with installed plugins, which is also the working folder."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    installed_providers.cache_clear()
    with imported_by("acme", "broken"):
        yield tmp_path
    installed_providers.cache_clear()
    use(AllowList())


@pytest.fixture
def narrow(monkeypatch):
    """A terminal of twenty columns."""
    for console in (main.out, main.err):
        monkeypatch.setattr(console, "width", 20)


def test_file_that_cannot_be_read_is_named_as_it_is_on_one_line(tmp_path):
    path = tmp_path / LONG / "flow.json"
    done = runner.invoke(main.app, ["check", str(path)])
    assert (done.exit_code, done.output) == (1, f"{path} cannot be read: No such file or directory.\n")


@pytest.mark.usefixtures("catalog")
def test_subflow_that_cannot_be_read_is_reported_with_the_file_on_one_line(tmp_path):
    path = tmp_path / f"{LONG}.json"
    flow_of({"a": ("inner", {"flow": "b" * 300})}).dump(path)
    done = runner.invoke(main.app, ["check", str(path)])
    assert (done.exit_code, done.output) == (1, f"{path} cannot be read: File name too long.\n")


@pytest.mark.usefixtures("catalog")
@pytest.mark.parametrize(("name", "exit_code"), [("part", 0), ("part.json", 0), ("link", 1), ("none", 1)])
def test_agent_beside_the_file_runs_inside_of_it_and_none_from_elsewhere(tmp_path, name, exit_code):
    path = tmp_path / "agents" / "flow.json"
    path.parent.mkdir()
    for part in (path.parent / "part.json", tmp_path / "elsewhere.json"):
        flow_of({"b": "words"}).dump(part)
    (path.parent / "link.json").symlink_to(tmp_path / "elsewhere.json")
    flow_of({"a": ("inner", {"flow": name})}).dump(path)
    done = runner.invoke(main.app, ["check", str(path)])
    assert done.exit_code == exit_code, done.output
    expected = f"{path}: 1 step, 0 warnings. It can run.\n" if exit_code == 0 else ""
    assert done.stdout == expected


@pytest.mark.usefixtures("catalog")
def test_folder_that_cannot_be_written_is_named_as_it_is_on_one_line(tmp_path):
    path = tmp_path / "flow.json"
    flow_of({"a": "words"}).dump(path)
    out = path / LONG
    done = runner.invoke(main.app, ["run", str(path), "--out", str(out)])
    assert (done.exit_code, done.output) == (1, f"{out} cannot be written or read: Not a directory.\n")


@pytest.mark.usefixtures("catalog", "narrow")
def test_check_prints_the_warnings_of_a_flow_that_can_run(tmp_path):
    path = tmp_path / f"{LONG}.json"
    flow_of({LONG: "old"}).dump(path)
    done = runner.invoke(main.app, ["check", str(path)])
    assert done.exit_code == 0
    assert done.stderr == (
        f"warning deprecated_type: Node '{LONG}' is of the type 'old', which is deprecated.\n"
        "  Use 'words' instead.\n"
    )
    assert done.stdout == f"{path}: 1 step, 1 warning. It can run.\n"


@pytest.mark.usefixtures("catalog")
def test_interrupted_run_says_so_and_exits_with_130(tmp_path):
    path = tmp_path / "flow.json"
    flow_of({"a": "words", "b": "interrupt"}, [("a.output", "b.text")]).dump(path)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        done = runner.invoke(main.app, ["run", str(path), "--out", str(tmp_path / "out")])
    finally:
        signal.signal(signal.SIGINT, before)
    assert (done.exit_code, done.stderr) == (130, "Cancelled.\n")


@pytest.mark.usefixtures("catalog")
def test_table_of_node_types_has_their_marks(monkeypatch):
    monkeypatch.setattr(main.out, "width", 100)
    shown = runner.invoke(main.app, ["nodes"]).output
    assert [line.split() for line in shown.splitlines()] == [
        ["Node", "type", "Title", "Category", "Plugin"],
        ["words", "Words", "inputs"],
        ["old", "Old", "uncategorized", "beta", "deprecated"],
        ["interrupt", "Interrupt", "uncategorized"],
        ["inner", "Inner", "uncategorized"],
    ]
    assert shown.startswith("Node type")


def test_nodes_lists_declarations_and_says_why_a_plugin_was_not_loaded(site, monkeypatch):
    monkeypatch.setattr(main.out, "width", 200)
    monkeypatch.setattr(main.err, "width", 64)
    monkeypatch.setenv("IMPASTO_PLUGINS", "broken")
    declaration = "[capabilities]\nnetwork = ['a.example']\nfiles = { read = ['/[bold]a'] }\n"
    install(site, "broken", "raise ValueError('[bold] is no color')", files={FILE: declaration})
    install(site, "acme-nodes-for-everything", "")
    done = runner.invoke(main.app, ["nodes"])
    table = done.stdout.partition("\nWhat plugins declare to need:\n")[2]
    assert table.startswith("Plugin")
    assert table.splitlines()[1].split() == [
        "broken",
        "1.0",
        "a.example",
        "none",
        "reads",
        "/[bold]a",
        "none",
    ]
    lines = done.stderr.splitlines()
    assert lines[1] == "Plugin 'broken' of broken failed to load:"
    assert "ValueError: [bold] is no color" in lines
    assert lines[-3:] == [
        "",
        "acme-nodes-for-everything is refused: it is not in IMPASTO_PLUGINS.",
        "  If you trust it, add the entry that `impasto plugins hash acme-nodes-for-everything` prints.",
    ]


@pytest.mark.usefixtures("narrow")
def test_new_plugin_says_how_to_try_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = runner.invoke(main.app, ["new-plugin", "sparkle"])
    assert done.output == (
        "Created sparkle. Try it:\n  pip install -e sparkle\n  pytest sparkle\n  impasto nodes\n"
    )


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("command", [["nodes"], ["serve"]])
def test_list_of_plugins_that_cannot_be_read_is_reported(monkeypatch, capsys, command):
    monkeypatch.setenv("IMPASTO_PLUGINS", "acme=1")
    monkeypatch.setattr(sys, "argv", ["impasto", *command])
    with pytest.raises(SystemExit) as end:
        main.main()
    assert end.value.code == 1
    assert capsys.readouterr() == (
        "",
        "IMPASTO_PLUGINS has the entry 'acme=1': write NAME, NAME==VERSION or NAME==VERSION#sha256=HASH, "
        "separated by commas. `impasto plugins hash NAME` prints one.\n",
    )


class Commands:
    """The commands of other packages; what their modules hold, or the error that importing them raises."""

    def __init__(self, monkeypatch, **loaded):
        self.imported = []
        monkeypatch.setattr(main, "app", typer.Typer())
        main.app.command()(main.check)
        monkeypatch.setattr(metadata, "entry_points", lambda group: [*map(self.entry, loaded.items())])

    def entry(self, item):
        name, found = item

        def load():
            self.imported.append(name)
            if isinstance(found, Exception):
                raise found
            return found

        entry = metadata.EntryPoint(name, "m:f", "impasto.commands")
        vars(entry)["load"] = load
        return entry


@pytest.mark.parametrize(
    ("arguments", "imported"),
    [
        ([], ["admin", "check", "plugins", "serve"]),
        (["--help"], ["admin", "check", "plugins", "serve"]),
        (["serve"], ["serve"]),
        (["--verbose", "admin"], ["admin"]),
        (["check"], []),
        (["plugins"], []),
        (["other"], []),
    ],
)
def test_only_the_command_that_is_called_is_imported(monkeypatch, arguments, imported):
    loaded = {"serve": lambda: None, "admin": typer.Typer(), "check": lambda: None, "plugins": typer.Typer()}
    commands = Commands(monkeypatch, **loaded)
    main._add_commands(arguments)
    assert commands.imported == imported


def test_command_of_another_package_gets_its_arguments(monkeypatch):
    def serve(word: str) -> None:
        said.append(word)

    said, at_exit = [], []
    Commands(monkeypatch, serve=serve)
    monkeypatch.setattr(sys, "argv", ["impasto", "serve", "check"])
    monkeypatch.setattr(atexit, "register", at_exit.append)
    with pytest.raises(SystemExit) as end:
        main.main()
    assert (end.value.code, said) == (0, ["check"])
    assert at_exit == [gc.freeze], "the process ends without looking for cycles"
    assert gc.isenabled()


def test_command_that_cannot_be_imported_is_named(monkeypatch, capsys):
    Commands(monkeypatch, serve=ImportError("[bold] is gone"))
    main._add_commands(["serve"])
    assert capsys.readouterr().err == ("The command 'serve' cannot be loaded: ImportError: [bold] is gone\n")
