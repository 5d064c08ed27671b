"""Memory of the compiler: no reference cycles are left for the garbage collector."""

import gc
import weakref

import pytest

from impasto import Catalog, FlowInvalid, compile
from impasto.compiler.subflows.expansion import Expansion
from impasto.compiler.subflows.levels import Draft
from impasto.testing import flow_of, shout, words


@pytest.mark.parametrize("kind", ["shout", "ghost"])
def test_compiling_leaves_no_reference_cycles(monkeypatch, kind):
    seen: list[weakref.ref[Draft]] = []
    closed = Expansion.close

    class Marked:
        """Something to hold a weak reference to: drafts have no room for one."""

    def close(self):
        marks = [Marked() for _ in self.drafts]
        for draft, mark in zip(self.drafts, marks, strict=True):
            draft.settings = {"mark": mark}
        seen.extend(map(weakref.ref, marks))
        closed(self)

    monkeypatch.setattr(Expansion, "close", close)
    flow = flow_of({"w": "words", "s": kind}, [("w.output", "s.text")])
    gc.disable()
    try:
        compile(flow, Catalog([words, shout]))
    except FlowInvalid:
        assert kind == "ghost"
    finally:
        gc.enable()
    assert [mark() for mark in seen] == [None, None]
