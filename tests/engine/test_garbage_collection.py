"""When the cyclic garbage collector rests."""

import gc
import subprocess
import sys
from collections.abc import Iterator

import pytest

from impasto.garbage_collection import fewer_collections, gc_paused

PROGRAM = """
import atexit
from impasto.garbage_collection import skip_final_collection

class Cycle:
    def __init__(self):
        self.me = self

    def __del__(self):
        print("looked for cycles")

atexit.register(print, "exit functions ran")
{call}
Cycle()
"""


def test_collection_rests_within_the_block_only() -> None:
    assert gc.isenabled()
    with gc_paused():
        assert not gc.isenabled()
        with gc_paused():
            pass
        assert not gc.isenabled(), "an inner block does not end the outer one"
    assert gc.isenabled()


def test_collection_goes_on_after_an_error() -> None:
    with pytest.raises(ValueError, match="inside"), gc_paused():
        raise ValueError("inside")
    assert gc.isenabled()


def test_objects_of_the_block_are_collected_later() -> None:
    gc.collect()
    with gc_paused():
        for _ in range(30_000):
            cycle: list[object] = []
            cycle.append(cycle)
    assert gc.collect() >= 29_000


GENERATIONS = """
import gc
from impasto.garbage_collection import gc_paused

def are_old(number):
    with gc_paused():
        objects = [[] for _ in range(number)]
    return any(each is objects[-1] for each in gc.get_objects(generation=2))

gc.collect()
print(are_old(5_000), are_old(30_000), gc.get_freeze_count())
gc.freeze()
frozen = gc.get_freeze_count()
print(are_old(30_000), gc.get_freeze_count() == frozen)
"""


def test_many_objects_of_the_block_are_old_at_its_end_without_a_collection() -> None:
    ended = subprocess.run([sys.executable, "-c", GENERATIONS], capture_output=True, text=True, check=True)
    assert ended.stdout == "False True 0\nFalse True\n"


@pytest.fixture
def default_threshold() -> Iterator[None]:
    former = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*former)


@pytest.mark.usefixtures("default_threshold")
def test_collections_are_few_within_the_block_only() -> None:
    def collections_of(objects: int) -> int:
        before = gc.get_stats()[0]["collections"]
        alive = [[] for _ in range(objects)]
        assert len(alive) == objects
        return gc.get_stats()[0]["collections"] - before

    with fewer_collections():
        assert collections_of(objects=10_000) <= 1
    assert collections_of(objects=10_000) > 5


@pytest.mark.parametrize(
    ("call", "written"),
    [("", "exit functions ran\nlooked for cycles\n"), ("skip_final_collection()", "exit functions ran\n")],
)
def test_a_process_ends_without_looking_for_cycles(call: str, written: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(call=call)], capture_output=True, text=True, check=True
    )
    assert ended.stdout == written
