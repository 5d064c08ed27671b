"""Entry points: which distribution they belong to, and what happens when one cannot be loaded."""

from importlib import metadata

import pytest
from tests.fakes.plugins import install

from impasto.plugins.entry_points import BrokenPlugin, is_outside, load, package_of


def entry(dist=None, name="glow", loaded=None):
    """An entry point of a distribution whose object, or error, is given."""

    class Entry(metadata.EntryPoint):
        def load(self):
            if isinstance(loaded, BaseException):
                raise loaded
            return loaded

    found = Entry(name, "acme:glow", "impasto.nodes")
    vars(found)["dist"] = dist
    return found


def test_entry_point_belongs_to_its_distribution(tmp_path):
    acme, own = install(tmp_path, "acme", ""), metadata.distribution("impasto")
    listed = [entry(acme), entry(own), entry()]
    assert [package_of(each) for each in listed] == ["acme", "impasto", "unknown"]
    assert [is_outside(each) for each in listed] == [True, False, True]


def test_object_is_taken_with_its_package(tmp_path):
    taken = []
    acme = entry(install(tmp_path, "acme", ""), loaded="object")
    assert load(acme, lambda *given: taken.append(given)) is None
    assert taken == [("object", "acme")]


@pytest.mark.parametrize(
    ("error", "text"),
    [(ValueError("odd"), "ValueError: odd"), (SystemExit("no licence"), "SystemExit: no licence")],
    ids=["exception", "exit"],
)
def test_entry_point_that_fails_is_returned_with_its_error(error, text):
    def refuse(loaded, package):
        raise error

    for failure in (load(entry(loaded=error), lambda *given: None), load(entry(), refuse)):
        assert (failure.name, failure.package, failure.error) == ("glow", "unknown", text)
        assert failure.traceback.startswith("Traceback (most recent call last):\n")
        assert failure.traceback.endswith(f"{text}\n")
    assert BrokenPlugin.of("a", "b", error).error == text


def test_interrupt_is_no_failure_of_a_plugin():
    with pytest.raises(KeyboardInterrupt):
        load(entry(loaded=KeyboardInterrupt()), lambda *given: None)
