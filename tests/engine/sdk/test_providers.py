"""Providers of installed packages: loaded from entry points, listed in the catalog."""

import sys
from dataclasses import dataclass
from importlib.metadata import EntryPoint

import pytest
from tests.fakes.plugins import imported_by, install

from impasto import Catalog, Configuration, Text, compile, node
from impasto.plugins.allow_list import AllowList, in_use, use
from impasto.sdk.providers import InstalledProviders, Variable, installed_providers
from impasto.testing import flow_of


@dataclass(frozen=True)
class Paints:
    id: str
    title: str = "Paints"
    kinds: tuple[str, ...] = ("image",)
    takes_key: bool = True

    @property
    def variables(self):
        return [Variable(name=f"{self.id.upper()}_KEY", help="A key.", is_secret=True)]

    def is_configured(self, configuration):
        return bool(configuration.text(f"{self.id.upper()}_KEY"))


@dataclass(frozen=True)
class Package:
    name: str


class Entry(EntryPoint):
    """An entry point whose object and package are given."""

    @classmethod
    def of(cls, package, loaded):
        entry = cls("paints", f"{package}:X", "impasto.providers")
        vars(entry).update(loaded=loaded, dist=Package(package))
        return entry

    def load(self):
        if isinstance(self.loaded, Exception):
            raise self.loaded
        return self.loaded


def test_an_entry_point_names_one_provider_or_several():
    found = InstalledProviders.load(
        [Entry.of("a", Paints("oil")), Entry.of("b", [Paints("ink"), Paints("wax")])]
    )
    assert list(found.providers) == ["oil", "ink", "wax"]
    assert found.packages == {"oil": "a", "ink": "b", "wax": "b"}
    assert not found.broken


def test_a_taken_id_is_refused_naming_both_packages_and_the_other_providers_load():
    entries = [
        Entry.of("other", [Paints("oil", "Imposter"), Paints("ink")]),
        Entry.of("impasto", Paints("oil")),
    ]
    found = InstalledProviders.load(entries)
    assert found.providers["oil"].title == "Paints"
    assert found.packages == {"oil": "impasto", "ink": "other"}
    (failure,) = found.broken
    assert failure.package == "other"
    assert "other declares 'oil' of impasto again" in failure.error


@pytest.mark.parametrize(
    ("loaded", "error"),
    [
        (ImportError("no brush"), "ImportError: no brush"),
        (42, "DefinitionError: 42 is not a provider: give a ProviderSpec."),
    ],
)
def test_an_entry_point_that_fails_is_listed_as_broken(loaded, error):
    found = InstalledProviders.load([Entry.of("bad", loaded), Entry.of("good", Paints("oil"))])
    assert [failure.error for failure in found.broken] == [error]
    assert list(found.providers) == ["oil"]
    assert Catalog(providers=found).broken == found.broken


def test_the_catalog_describes_providers_and_knows_which_are_configured():
    found = InstalledProviders.load([Entry.of("a", [Paints("oil"), Paints("ink")])])
    catalog = Catalog(providers=found, configuration=Configuration({"OIL_KEY": "k"}))
    assert catalog.configured == {"oil"}
    assert catalog.describe()["providers"][0] == {
        "id": "oil",
        "title": "Paints",
        "kinds": ["image"],
        "takes_key": True,
        "package": "a",
    }


def test_checks_and_estimates_get_the_users_and_the_operators_providers():
    checked = []

    @node(
        check=lambda settings, configured: checked.append(configured),
        cost=lambda settings, inputs, configured: len(configured),
    )
    async def paint() -> Text:
        return ""

    found = InstalledProviders.load([Entry.of("a", [Paints("oil"), Paints("ink")])])
    catalog = Catalog([paint], providers=found, configuration=Configuration({"OIL_KEY": "k"}))
    flow = flow_of({"p": "paint"})
    assert compile(flow, catalog, configured=frozenset({"ink"})).estimate()["usd"] == 2
    assert compile(flow, catalog, configured=frozenset()).estimate()["usd"] == 1
    assert compile(flow, catalog).estimate()["usd"] == 1
    assert checked == [{"oil", "ink"}, {"oil"}, None]


def test_variables_of_all_providers_are_listed_once_in_their_order():
    found = InstalledProviders.load([Entry.of("a", [Paints("oil"), Paints("ink"), Paints("OIL", "Other")])])
    assert [variable.name for variable in found.variables] == ["OIL_KEY", "INK_KEY"]
    assert found.variables[0] == Variable(name="OIL_KEY", help="A key.", is_secret=True)
    assert found.configured(Configuration({"INK_KEY": "k"})) == {"ink"}


def test_of_a_sequence_that_is_no_list_of_providers_the_first_ones_load():
    found = InstalledProviders.load([Entry.of("a", (Paints("oil"), "ink", Paints("wax")))])
    assert list(found.providers) == ["oil"]
    assert [failure.error for failure in found.broken] == [
        "DefinitionError: 'ink' is not a provider: give a ProviderSpec."
    ]


SOURCE = """
class Provider:
    id, title, kinds, takes_key, variables = "{name}", "{name}", (), False, ()

    def is_configured(self, configuration):
        return True


PROVIDER = Provider()
"""


def test_installed_providers_are_those_that_the_list_admits(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    for name in ("paints_a", "paints_b"):
        groups = {"impasto.providers": f"{name}:PROVIDER"}
        install(tmp_path, name, SOURCE.format(name=name), groups=groups)
    before = in_use()
    installed_providers.cache_clear()
    try:
        with imported_by("paints_a", "paints_b"):
            found = installed_providers(AllowList.parse("impasto, paints_a"))
            assert {"paints_a", "paints_b"} & {*found.providers} == {"paints_a"}
            assert found.packages["paints_a"] == "paints_a"
            assert [each.package for each in found.refused] == ["paints-b"]
            assert "paints_a" in [entry.name for entry in found.entries]
            assert "paints_b" not in [entry.name for entry in found.entries]
            use(AllowList.parse("impasto, paints_b"))
            assert "paints_b" in installed_providers().providers
            assert installed_providers() is installed_providers()
    finally:
        use(before)
        installed_providers.cache_clear()
