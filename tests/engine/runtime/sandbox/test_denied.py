"""The error of a use that a plugin does not declare, and variables that are hidden from its process."""

import os
import pickle

import pytest

from impasto import Configuration, NodeError
from impasto.plugins.capabilities import Capabilities
from impasto.runtime.sandbox.denied import CapabilityDenied, VariableDenied, find_in
from impasto.runtime.sandbox.environment import hide_variables, restricted
from impasto.runtime.sandbox.policy import SandboxPolicy

DENIED = CapabilityDenied("acme", "network", "connect to a.example", 'network = ["a.example"]')


@pytest.mark.parametrize(
    ("capability", "uses"),
    [
        ("network", "the network"),
        ("subprocess", "other programs"),
        ("files", "files"),
        ("environment", "the environment"),
    ],
)
def test_error_names_the_plugin_and_what_it_does_not_declare(capability, uses):
    error = CapabilityDenied("acme", capability, "try", "declare it")
    assert (error.package, error.capability, error.code) == ("acme", capability, "capability_denied")
    assert error.message == f"The plugin 'acme' was stopped: it does not declare this use of {uses}."
    assert error.detail == (
        "The plugin 'acme' tried to try without declaring it. If that is wanted, its author adds to "
        "[capabilities] in impasto-plugin.toml: declare it"
    )
    assert isinstance(error, PermissionError)


def caused(error, *, cause=None, context=None):
    error.__cause__, error.__context__ = cause, context
    return error


def test_denied_use_is_found_among_the_causes_of_an_error():
    assert find_in(DENIED) is DENIED
    assert find_in(caused(OSError(), cause=DENIED)) is DENIED
    assert find_in(caused(OSError(), context=caused(ValueError(), cause=DENIED))) is DENIED
    assert find_in(caused(OSError(), cause=ValueError(), context=DENIED)) is None
    assert find_in(NodeError("No.")) is None
    first, second = OSError(), ValueError()
    caused(first, cause=caused(second, cause=first))
    assert find_in(first) is None


def test_hidden_variables_of_a_configuration_are_denied():
    given = restricted(Configuration({"ACME_REGION": "north"}), "acme", frozenset({"SECRET"}))
    for configuration in (given, pickle.loads(pickle.dumps(given))):
        assert (configuration["acme_region"], configuration.get("OTHER", "none")) == ("north", "none")
        for read in (configuration.get, configuration.__getitem__):
            with pytest.raises(VariableDenied) as raised:
                read("secret")
            assert "tried to read the environment variable SECRET without" in raised.value.detail
            assert raised.value.detail.endswith(': environment = ["SECRET"]')
        with pytest.raises(KeyError) as missing:
            configuration["OTHER"]
        assert type(missing.value) is KeyError


def test_hidden_variables_of_the_process_are_denied(monkeypatch):
    policy = SandboxPolicy(
        package="acme",
        capabilities=Capabilities(),
        read=(),
        write=(),
        scratch="/tmp",
        hidden=frozenset({"SECRET"}),
    )
    monkeypatch.setenv("ACME_REGION", "north")
    monkeypatch.delenv("SECRET", raising=False)
    kind = type(os.environ)
    hide_variables(policy)
    try:
        assert os.environ["ACME_REGION"] == "north"
        assert os.environ.get("SECRET", "none") == "none"
        for name in ("SECRET", "secret"):
            with pytest.raises(VariableDenied, match="'acme' was stopped"):
                os.environ[name]
        with pytest.raises(KeyError) as missing:
            os.environ["OTHER_NAME"]
        assert type(missing.value) is KeyError
    finally:
        os.environ.__class__ = kind
