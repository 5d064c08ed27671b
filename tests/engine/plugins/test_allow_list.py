"""The operator's list of distributions: how it is read and written, and what it admits."""

from importlib import metadata
from pathlib import Path

import pytest
from tests.fakes.plugins import imported_by, install

from impasto.configuration import Configuration
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

SHA = "ab" * 32
SOURCE = "@node(id='glow')\ndef f(): ..."


@pytest.mark.parametrize(
    ("text", "entries", "written"),
    [
        ("", None, ""),
        ("  \n", None, ""),
        ("acme", (AllowedPlugin("acme"),), "acme"),
        ("Acme.Nodes, other", (AllowedPlugin("acme-nodes"), AllowedPlugin("other")), "acme-nodes,other"),
        (
            f"acme==1.2.0#sha256={SHA.upper()}\nother==1!2.0+x",
            (AllowedPlugin("acme", "1.2.0", SHA), AllowedPlugin("other", "1!2.0+x")),
            f"acme==1.2.0#sha256={SHA},other==1!2.0+x",
        ),
        (f"acme#sha256={SHA}", (AllowedPlugin("acme", None, SHA),), f"acme#sha256={SHA}"),
    ],
    ids=["empty", "spaces", "name", "names", "versions", "hash"],
)
def test_list_is_read_and_written(text: str, entries: tuple[AllowedPlugin, ...] | None, written: str) -> None:
    found = AllowList.parse(text)
    assert (found.entries, found.text) == (entries, written)
    assert AllowList.parse(written) == found
    assert AllowList.of(Configuration({"IMPASTO_PLUGINS": text})) == found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (",", "IMPASTO_PLUGINS names no distribution. Name one, or leave it empty."),
        ("a, b, A", "IMPASTO_PLUGINS names 'a' twice: keep one of the entries."),
        *(
            (
                f"good {wrong}",
                f"IMPASTO_PLUGINS has the entry '{wrong}': write NAME, NAME==VERSION or "
                "NAME==VERSION#sha256=HASH, separated by commas. `impasto plugins hash NAME` prints one.",
            )
            for wrong in ("a=1", "-a", "a-", "a==", "a==1#sha256=ab", f"a#sha256={SHA}0", "a==1;x")
        ),
    ],
)
def test_list_that_cannot_be_read_is_refused(text: str, why: str) -> None:
    with pytest.raises(InvalidAllowList) as raised:
        AllowList.parse(text)
    assert str(raised.value) == why


@pytest.fixture
def acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> metadata.Distribution:
    """An installed distribution."""
    monkeypatch.syspath_prepend(tmp_path)
    with imported_by("acme"):
        return install(tmp_path, "Acme", SOURCE, version="1.2")


ENTRY = "the one that `impasto plugins hash Acme` prints"


def test_distribution_that_the_list_does_not_admit_is_refused_with_its_node_types(
    acme: metadata.Distribution,
) -> None:
    own = hash_of(acme)
    assert entry_of(acme) == f"acme==1.2#sha256={own}"

    def refusal(text: str) -> RefusedPlugin | None:
        return AllowList.parse(text).refusal(acme)

    for text in ("", "acme", "ACME==1.2", f"acme#sha256={own}", entry_of(acme), "other, acme"):
        assert refusal(text) is None
    for text, reason, hint in (
        (
            "other",
            "it is not in IMPASTO_PLUGINS",
            "If you trust it, add the entry that `impasto plugins hash Acme` prints.",
        ),
        (
            f"acme==1.3#sha256={own}",
            "IMPASTO_PLUGINS expects version 1.3, found 1.2",
            f"Install Acme==1.3. If you trust 1.2, replace the entry with {ENTRY}.",
        ),
        (
            f"acme==1.2#sha256={SHA}",
            f"IMPASTO_PLUGINS expects sha256={SHA}, found sha256={own}",
            "Its files differ from those that were admitted. Install it again from a trusted source. If you "
            f"trust the files, replace the entry with {ENTRY}.",
        ),
    ):
        assert refusal(text) == RefusedPlugin(
            package="acme", reason=reason, hint=hint, node_types=frozenset({"glow"})
        )


def test_own_distribution_is_always_admitted(tmp_path: Path) -> None:
    own = install(tmp_path, "Impasto", "")
    assert AllowList.parse("acme").refusal(own) is None


def test_list_that_is_used_is_that_of_the_process_until_another_one_is() -> None:
    before = in_use()
    assert in_use() is before
    try:
        other = AllowList.parse("acme")
        use(other)
        assert in_use() is other
    finally:
        use(before)
    assert in_use() is before
