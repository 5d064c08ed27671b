"""Which saves of a history are kept as it grows old."""

from datetime import UTC, datetime, timedelta

import pytest

from impasto_server.versions.thinning import Save, superfluous

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)


def saves(*ages: timedelta, kept: bool = False) -> list[Save]:
    return [Save(f"{number}", NOW - age, kept) for number, age in enumerate(sorted(ages))]


def test_every_save_of_the_last_day_stays() -> None:
    assert superfluous(saves(*(timedelta(minutes=5 * n) for n in range(200))), NOW, 300) == []


def test_one_save_an_hour_stays_for_a_month() -> None:
    within_an_hour = [timedelta(days=3, minutes=10 * n) for n in range(1, 5)]
    assert superfluous(saves(*within_an_hour), NOW, 300) == ["1", "2", "3"]


def test_one_save_a_day_stays_after_a_month() -> None:
    within_a_day = [timedelta(days=40, hours=n) for n in range(1, 5)]
    assert superfluous(saves(*within_a_day), NOW, 300) == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("ages", "deleted"),
    [
        # All saves that are younger than a day stay; the hour of a save that is a day old has one.
        ([timedelta(hours=23, minutes=59), timedelta(days=1)], []),
        ([timedelta(days=1), timedelta(days=1)], ["1"]),
        # From the age of 30 days, the day has one.
        ([timedelta(days=29, hours=23), timedelta(days=30)], []),
        ([timedelta(days=30), timedelta(days=30, hours=2)], ["1"]),
        ([timedelta(days=29, hours=21), timedelta(days=29, hours=23)], []),
    ],
)
def test_saves_become_fewer_from_one_day_and_from_30_days_on(
    ages: list[timedelta], deleted: list[str]
) -> None:
    assert superfluous(saves(*ages), NOW, 300) == deleted


def test_kept_saves_are_not_thinned() -> None:
    ages = [timedelta(days=40, hours=n) for n in range(1, 5)]
    assert superfluous(saves(*ages, kept=True), NOW, 300) == []


def test_oldest_automatic_saves_go_before_kept_ones() -> None:
    automatic = [Save(f"a{n}", NOW - timedelta(minutes=n), False) for n in range(3)]
    kept = [Save(f"k{n}", NOW - timedelta(hours=1 + n), True) for n in range(3)]
    assert superfluous([*automatic, *kept], NOW, 4) == ["a2", "a1"]
    assert superfluous([*automatic, *kept], NOW, 2) == ["a2", "a1", "k2", "k1"]


def test_saves_that_stand_for_their_day_count() -> None:
    assert superfluous(saves(*(timedelta(days=days) for days in (40, 41, 42, 43))), NOW, 2) == ["3", "2"]


def test_newest_save_stays_whatever_the_limit() -> None:
    for limit in (1, 0, -3):
        assert superfluous(saves(timedelta(), timedelta(minutes=9)), NOW, limit) == ["1"]
