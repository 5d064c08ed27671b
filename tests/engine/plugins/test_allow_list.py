"""The operator's list of distributions: how it is written, and why a distribution is refused.

`tests/security/test_plugins.py` has what is imported under a list.
"""

from importlib import metadata

import pytest
from tests.fakes.plugins import install

from impasto import Configuration
from impasto.plugins import allow_list as module
from impasto.plugins.allow_list import (
    AllowedPlugin,
    AllowList,
    InvalidAllowList,
    RefusedPlugin,
    entry_of,
    in_use,
    use,
)
from impasto.plugins.distributions import hash_of

HASH = "ab" * 32
NODE = "@node(id='glow')\ndef glow(): ..."
FORM = (
    "write NAME, NAME==VERSION or NAME==VERSION#sha256=HASH, separated by commas. "
    "`impasto plugins hash NAME` prints one."
)


@pytest.mark.parametrize(
    ("text", "entries", "written"),
    [
        ("", None, ""),
        (" \n", None, ""),
        ("acme", [AllowedPlugin("acme")], "acme"),
        (
            "Acme.Nodes==1.2.0, other\nthird",
            [AllowedPlugin("acme-nodes", "1.2.0"), AllowedPlugin("other"), AllowedPlugin("third")],
            "acme-nodes==1.2.0,other,third",
        ),
        (
            f"acme==1!2.0+a#sha256={HASH.upper()},b#sha256={HASH},",
            [AllowedPlugin("acme", "1!2.0+a", HASH), AllowedPlugin("b", None, HASH)],
            f"acme==1!2.0+a#sha256={HASH},b#sha256={HASH}",
        ),
    ],
    ids=["empty", "spaces", "name", "names", "hashes"],
)
def test_list_is_read_and_written(text, entries, written):
    found = AllowList.parse(text)
    assert found.entries == (None if entries is None else tuple(entries))
    assert found.text == written
    assert AllowList.parse(found.text) == found
    assert AllowList.of(Configuration({"IMPASTO_PLUGINS": text})) == found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (",", "names no distribution. Name one, or leave it empty."),
        ("acme, b, Acme", "names 'acme' twice: keep one of the entries."),
        ("b, acme=1", f"has the entry 'acme=1': {FORM}"),
        ("acme#sha256=ab", f"has the entry 'acme#sha256=ab': {FORM}"),
        (f"acme#sha256={HASH}a", f"has the entry 'acme#sha256={HASH}a': {FORM}"),
    ],
    ids=["nothing", "twice", "operator", "short", "long"],
)
def test_list_that_cannot_be_read_is_refused(text, why):
    with pytest.raises(InvalidAllowList) as raised:
        AllowList.parse(text)
    assert str(raised.value) == f"IMPASTO_PLUGINS {why}"


@pytest.fixture
def acme(tmp_path, monkeypatch):
    """An installed distribution with a node."""
    monkeypatch.syspath_prepend(tmp_path)
    return install(tmp_path, "acme", NODE, version="1.2.0")


PRINTED = "the one that `impasto plugins hash acme` prints"


@pytest.mark.parametrize(
    ("text", "reason", "hint"),
    [
        (
            "other",
            "it is not in IMPASTO_PLUGINS",
            "If you trust it, add the entry that `impasto plugins hash acme` prints.",
        ),
        (
            "acme==1.1",
            "IMPASTO_PLUGINS expects version 1.1, found 1.2.0",
            f"Install acme==1.1. If you trust 1.2.0, replace the entry with {PRINTED}.",
        ),
        (
            f"acme==1.2.0#sha256={HASH}",
            f"IMPASTO_PLUGINS expects sha256={HASH}, found sha256={{found}}",
            "Its files differ from those that were admitted. Install it again from a trusted source. "
            f"If you trust the files, replace the entry with {PRINTED}.",
        ),
    ],
    ids=["not listed", "other version", "other files"],
)
def test_refusal_says_what_was_expected_and_how_to_admit_it(acme, text, reason, hint):
    assert AllowList.parse(text).refusal(acme) == RefusedPlugin(
        package="acme",
        reason=reason.format(found=hash_of(acme)),
        hint=hint,
        node_types=frozenset(("glow",)),
    )


def test_listed_distribution_is_not_refused(acme):
    own = metadata.distribution("impasto")
    for text in ("", "acme", "acme==1.2.0", f"acme#sha256={hash_of(acme)}", entry_of(acme), "Acme"):
        assert AllowList.parse(text).refusal(acme) is None
        assert AllowList.parse(text).refusal(own) is None


def test_distribution_whose_files_cannot_be_read_is_refused(acme, monkeypatch):
    def fail(distribution):
        raise PermissionError(13, "Permission denied", "acme/__init__.py")

    monkeypatch.setattr(module, "hash_of", fail)
    refused = AllowList.parse(f"acme#sha256={HASH}").refusal(acme)
    assert (refused.reason, refused.hint) == (
        "its files cannot be read: Permission denied",
        "Install it again, readable for this user.",
    )


def test_entry_points_of_a_group_are_admitted_by_their_distribution(acme, tmp_path, monkeypatch):
    other = install(tmp_path, "other", "")
    loose = metadata.EntryPoint("loose", "loose:node", "impasto.nodes")
    (glow,), (shine,) = acme.entry_points, other.entry_points
    for entry, owner in ((glow, acme), (shine, other)):
        vars(entry)["dist"] = owner
    monkeypatch.setattr(metadata, "entry_points", lambda group: [glow, loose, shine, loose, glow])
    everything = AllowList().admit("impasto.nodes")
    assert (everything.entries, everything.refused) == ([glow, loose, shine, loose, glow], [])
    admitted = AllowList.parse("acme").admit("impasto.nodes")
    assert admitted.entries == [glow, glow]
    assert [(one.package, one.reason, one.hint) for one in admitted.refused] == [
        (
            "loose",
            "the entry point 'loose' belongs to no installed distribution",
            "Install it as a distribution.",
        ),
        (
            "other",
            "it is not in IMPASTO_PLUGINS",
            "If you trust it, add the entry that `impasto plugins hash other` prints.",
        ),
    ]


def test_list_of_the_process_is_that_of_its_configuration_until_another_is_used(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("IMPASTO_PLUGINS", raising=False)
    monkeypatch.setattr(module, "_in_use", [])
    (tmp_path / ".env").write_text("IMPASTO_PLUGINS=acme\n")
    assert in_use() == AllowList.parse("acme")
    (tmp_path / ".env").write_text("IMPASTO_PLUGINS=other\n")
    assert in_use() == AllowList.parse("acme")
    use(AllowList.parse("third"))
    assert in_use() == AllowList.parse("third")
