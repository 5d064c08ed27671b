"""Declarations of plugins: read from their package without importing it, and listed in the catalog."""

import json

import pytest
from tests.fakes.plugins import imported_by, install
from typer.testing import CliRunner

from impasto import Catalog, Configuration, DefinitionError
from impasto.cli import main, plugins
from impasto.plugins.allow_list import AllowList, use
from impasto.plugins.capabilities import FILE, Capabilities, declared_by
from impasto.sdk.providers import installed_providers

SOURCE = """
from impasto import Text, node


@node(id="acme_glow", category="transform_assets")
async def glow(text: Text) -> Text:
    return text
"""
DECLARATION = """
[capabilities]
network = ["API.example.com", "*.example.org", "::1"]
subprocess = true
files = { read = ["/usr/share/fonts"], write = ["/srv/out"] }
environment = ["ACME_REGION"]
"""


@pytest.fixture
def acme(tmp_path, monkeypatch):
    """Installs the plugin "acme" with a declaration."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    installed_providers.cache_clear()
    with imported_by("acme"):
        yield lambda text: install(tmp_path, "acme", SOURCE, files={FILE: text} if text else {})
    installed_providers.cache_clear()
    use(AllowList())


def test_declaration_is_read_and_listed(acme):
    distribution = acme(DECLARATION)
    declared = Capabilities(
        network=("api.example.com", "*.example.org", "::1"),
        subprocess=True,
        read=("/usr/share/fonts",),
        write=("/srv/out",),
        environment=("ACME_REGION",),
    )
    assert declared_by(distribution) == declared
    catalog = Catalog.discover(configuration=Configuration({}))
    assert catalog["acme_glow"].plugin.capabilities == declared
    assert catalog.describe()["plugins"] == [
        {"package": "acme", "version": "1.0", "capabilities": declared.to_dict()}
    ]


def test_plugin_without_a_declaration_is_listed_as_such(acme):
    acme("")
    catalog = Catalog.discover(configuration=Configuration({}))
    assert catalog.describe()["plugins"] == [{"package": "acme", "version": "1.0", "capabilities": None}]


def test_what_is_left_out_is_not_needed(acme):
    assert declared_by(acme("[capabilities]\n")) == Capabilities()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[capabilities", "cannot be read"),
        ("[capabilities]\nnetwork = ['a.*']", "which is no host"),
    ],
)
def test_wrong_declaration_is_reported_and_grants_nothing(acme, text, fault):
    distribution = acme(text)
    with pytest.raises(DefinitionError) as raised:
        declared_by(distribution)
    assert fault in str(raised.value)
    assert str(raised.value).startswith(f"acme/{FILE}")  # users see it: no folder of the server
    catalog = Catalog.discover(configuration=Configuration({}))
    assert [(plugin.name, plugin.package) for plugin in catalog.broken] == [(FILE, "acme")]
    assert catalog["acme_glow"].plugin.capabilities is None


@pytest.mark.parametrize(
    ("host", "is_allowed"),
    [
        ("api.example.com", True), ("API.EXAMPLE.COM.", True), ("example.com", False),
        ("a.example.org", True), ("a.b.example.org", True), ("example.org", False), ("badexample.org", False),
        ("::1", True), ("127.0.0.1", False),
    ],
)  # fmt: skip
def test_hosts_match_whole_names(host, is_allowed):
    declared = Capabilities(network=("api.example.com", "*.example.org", "::1"))
    assert declared.allows_host(host) is is_allowed
    assert Capabilities(network=("*",)).allows_host(host)
    assert not Capabilities().allows_host(host)


def test_command_line_lists_declarations(acme, monkeypatch):
    for module in (main, plugins):
        monkeypatch.setattr(module.out, "width", 250)
    acme(DECLARATION)
    for command in ("nodes", "plugins"):
        shown = " ".join(CliRunner().invoke(main.app, [command]).output.split())
        assert "api.example.com, *.example.org, ::1 yes reads /usr/share/fonts; writes /srv/out" in shown
    listed = json.loads(CliRunner().invoke(main.app, ["nodes", "--json"]).output)["plugins"]
    assert listed[0]["capabilities"]["environment"] == ["ACME_REGION"]
