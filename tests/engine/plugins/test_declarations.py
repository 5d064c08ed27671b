"""What a declaration may say, read from a file alone: `test_capabilities.py` has installed plugins."""

from pathlib import Path

import pytest
from tests.fakes.plugins import install

from impasto.errors import DefinitionError
from impasto.plugins.capabilities import FILE, Capabilities, Plugin, declared_by, parse, plugin_of


def declaration(folder: Path, text: str) -> Path:
    path = folder / "acme" / FILE
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    return path


EVERYTHING = """
[capabilities]
network = ["*", "API.example.com", "*.example.org", "a-b_c", "10.0.0.1", "::1"]
subprocess = true
files = { read = ["/usr/share/ünder", "/"], write = ["/srv/out"] }
environment = ["ACME_REGION", "_a1"]
"""


def test_declaration_is_read_as_a_whole(tmp_path: Path) -> None:
    found = parse(declaration(tmp_path, EVERYTHING))
    assert found == Capabilities(
        network=("*", "api.example.com", "*.example.org", "a-b_c", "10.0.0.1", "::1"),
        subprocess=True,
        read=("/usr/share/ünder", "/"),
        write=("/srv/out",),
        environment=("ACME_REGION", "_a1"),
    )
    assert found.to_dict() == {
        "network": ["*", "api.example.com", "*.example.org", "a-b_c", "10.0.0.1", "::1"],
        "subprocess": True,
        "files": {"read": ["/usr/share/ünder", "/"], "write": ["/srv/out"]},
        "environment": ["ACME_REGION", "_a1"],
    }
    assert parse(declaration(tmp_path, "[capabilities]\nfiles = {}")) == Capabilities()
    assert parse(declaration(tmp_path, "[capabilities]\nfiles = { read = ['/a'] }")).read == ("/a",)


KEYS = "It has: network, subprocess, files, environment."


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("hosts = []", f": [capabilities] has no key 'hosts'. {KEYS}"),
        ("network = [], 'b'", " cannot be read: "),
        ("subprocess = 1", ": 'subprocess' is true or false, not 1."),
        ("files = []", ": 'files' is a table such as { read = [\"/usr/share/fonts\"] }."),
        ("files = { run = [] }", ": 'files' has no key 'run'. It has: read, write."),
        ("network = '*'", ": 'network' is a list, not '*'."),
        ("network = [5]", ": 'network' has 5, which is no host."),
        ("network = ['']", ": 'network' has '', which is no host."),
        ("network = ['a..b']", ": 'network' has 'a..b', which is no host."),
        ("network = ['a-']", ": 'network' has 'a-', which is no host."),
        ("network = ['*a.example']", ": 'network' has '*a.example', which is no host."),
        ("network = ['a', 'b:80']", ": 'network' has 'b:80', which is no host."),
        ("files = { read = ['~/a'] }", ": 'read' has '~/a', which is no absolute path."),
        ("files = { write = ['/a/..'] }", ": 'write' has '/a/..', which is no absolute path."),
        ('files = { write = ["/a\\u0000"] }', ": 'write' has '/a\\x00', which is no absolute path."),
        ("environment = ['1A']", ": 'environment' has '1A', which is no name of a variable."),
        ("environment = ['A=1']", ": 'environment' has 'A=1', which is no name of a variable."),
    ],
)
def test_line_that_is_no_declaration_is_refused_with_its_fault(tmp_path: Path, line: str, why: str) -> None:
    with pytest.raises(DefinitionError) as raised:
        parse(declaration(tmp_path, f"[capabilities]\n{line}\n"))
    message = str(raised.value)
    assert message.startswith(f"acme/{FILE}{why}") if why.endswith(" ") else message == f"acme/{FILE}{why}"


def test_file_that_holds_no_declaration_is_refused(tmp_path: Path) -> None:
    for text in ("", "capabilities = 5", "[other]"):
        with pytest.raises(DefinitionError) as raised:
            parse(declaration(tmp_path, text))
        assert str(raised.value) == f"acme/{FILE} has no table [capabilities]."
    with pytest.raises(DefinitionError) as raised:
        parse(tmp_path / "acme" / "gone.toml")
    assert str(raised.value) == "acme/gone.toml cannot be read: No such file or directory."


def test_plugin_is_a_distribution_with_its_declaration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    acme = install(tmp_path, "acme", "", version="2.0", files={FILE: "[capabilities]\nsubprocess = true"})
    declared = declared_by(acme)
    assert declared == Capabilities(subprocess=True)
    found = plugin_of(acme, declared)
    assert found == Plugin(package="acme", version="2.0", capabilities=declared, roots=(tmp_path / "acme",))
    facts = {"package": "acme", "version": "2.0"}
    assert found.to_dict() == facts | {"capabilities": Capabilities(subprocess=True).to_dict()}
    assert plugin_of(acme, None).to_dict() == facts | {"capabilities": None}
    (tmp_path / "acme" / FILE).unlink()
    assert declared_by(acme) is None
