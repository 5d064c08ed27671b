from impasto.compiler.lru import Memory


def test_the_memory_keeps_the_latest_as_long_as_they_are_light_enough():
    memory: Memory[str] = Memory(10)
    for thing, weight in (("a", 4), ("b", 4), ("c", 4), ("huge", 11)):
        memory.keep(thing, weight)
    assert list(memory) == ["c", "b"]
    memory.keep("b2", 4, instead="b")
    assert list(memory) == ["b2", "c"]
    memory.clear()
    assert list(memory) == []
