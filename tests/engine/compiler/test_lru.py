"""The cache of compiled plans."""

from impasto.compiler.lru import WeightedLRU


def test_newest_items_stay_within_the_maximum_weight():
    lru: WeightedLRU[str] = WeightedLRU(10)
    for item, weight in (("a", 4), ("b", 4), ("c", 4), ("huge", 11)):
        lru.add(item, weight)
    assert list(lru) == ["c", "b"]
    lru.add("b2", 4, replaces="b")
    assert list(lru) == ["b2", "c"]
    lru.clear()
    assert list(lru) == []


def test_items_of_exactly_the_maximum_weight_are_kept():
    lru: WeightedLRU[str] = WeightedLRU(10)
    for item, weight in (("a", 4), ("b", 6)):
        lru.add(item, weight)
    assert list(lru) == ["b", "a"]
    lru.add("all", 10)
    assert list(lru) == ["all"]
