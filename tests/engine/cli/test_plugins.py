"""`impasto plugins`: what is installed, what it declares, and what the operator's list refuses."""

import pytest
from tests.fakes.plugins import imported_by, install
from typer.testing import CliRunner

from impasto.cli import main, plugins
from impasto.cli.plugins import capability_cells
from impasto.plugins.allow_list import VARIABLE, AllowList, entry_of, use
from impasto.plugins.capabilities import FILE, Capabilities
from impasto.runtime.sandbox import landlock

runner = CliRunner()


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder on the path of Python, which is also the working folder."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(plugins.out, "width", 200)
    monkeypatch.setattr(plugins.err, "width", 20)
    with imported_by("acme", "other", "wrong"):
        yield tmp_path
    use(AllowList())


@pytest.mark.parametrize(
    ("declared", "cells"),
    [
        (None, ["not declared", "", "", ""]),
        (Capabilities(), ["none", "none", "none", "none"]),
        (
            Capabilities(
                network=("a.example", "b.example"),
                subprocess=True,
                read=("/a", "/[b]"),
                write=("/c",),
                environment=("A", "B"),
            ),
            ["a.example, b.example", "yes", "reads /a, /[b]; writes /c", "A, B"],
        ),
        (Capabilities(write=("/c",)), ["none", "none", "writes /c", "none"]),
    ],
    ids=["not declared", "nothing", "everything", "writes"],
)
def test_declaration_is_shown_in_four_cells(declared, cells):
    assert capability_cells(declared) == cells


def test_plugins_are_listed_with_what_the_operator_refuses(site, monkeypatch):
    install(site, "other", "", files={FILE: "[capabilities]\nfiles = { write = ['/[bold]a'] }"})
    install(site, "acme", "", version="1.2.0")
    install(site, "wrong", "", files={FILE: "[capabilities"})
    monkeypatch.setenv(VARIABLE, "other,wrong,gone,impasto")
    done = runner.invoke(main.app, ["plugins"])
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Plugin")
    rows = sorted(line.split() for line in lines[1:4])
    assert rows[0] == ["acme", "1.2.0", "no", "not", "declared"]
    assert rows[1] == ["other", "1.0", "yes", "none", "none", "writes", "/[bold]a", "none"]
    assert rows[2][:3] == ["wrong", "1.0", "yes"]
    assert f"wrong/{FILE} cannot be read" in lines[3] + lines[2] + lines[1]
    assert lines[4:] == ["", lines[5]]
    assert lines[5].startswith("Worker processes of plugins are restricted by an audit hook ")
    assert done.stderr.splitlines() == [
        "",
        "acme is refused: it is not in IMPASTO_PLUGINS.",
        "  If you trust it, add the entry that `impasto plugins hash acme` prints.",
        "",
        "IMPASTO_PLUGINS names 'gone', which is not installed or has no plugins.",
    ]


@pytest.mark.parametrize(
    ("version", "words"),
    [(0, "alone; this kernel has no Landlock."), (4, "and Landlock (ABI 4).")],
)
def test_list_says_how_workers_are_restricted(site, monkeypatch, version, words):
    monkeypatch.setattr(landlock, "abi", lambda: version)
    done = runner.invoke(main.app, ["plugins"])
    assert (done.exit_code, done.output) == (
        0,
        "No plugins are installed beside Impasto's own.\n\n"
        f"Worker processes of plugins are restricted by an audit hook {words}\n",
    )


def test_list_of_the_operator_that_cannot_be_read_is_reported(site, monkeypatch):
    monkeypatch.setenv(VARIABLE, "acme=1")
    done = runner.invoke(main.app, ["plugins"])
    assert done.exit_code == 1
    assert done.stderr.startswith("IMPASTO_PLUGINS has the entry 'acme=1': write NAME")
    assert done.stderr.count("\n") == 1


def test_entries_of_the_named_or_all_plugins_are_printed_on_one_line(site, monkeypatch):
    monkeypatch.setattr(plugins.out, "width", 20)
    entries = {name: entry_of(install(site, name, "")) for name in ("acme", "other")}
    done = runner.invoke(main.app, ["plugins", "hash", "Other", "acme", "other"])
    assert (done.exit_code, done.output) == (0, f"{entries['other']},{entries['acme']}\n")
    everything = runner.invoke(main.app, ["plugins", "hash"]).output.strip().split(",")
    assert sorted(everything) == sorted(entries.values())


def test_entries_of_no_plugin_are_refused(site):
    done = runner.invoke(main.app, ["plugins", "hash"])
    sentence = "No plugin is an installed distribution with plugins. Installed: none."
    assert (done.exit_code, done.stderr) == (1, f"{sentence}\n")
    assert type(done.exception) is SystemExit
