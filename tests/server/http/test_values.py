"""Values in requests and answers: cursors, entity tags, times, amounts of money, accepted codings."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impasto_server.http.content_encoding import accepted_encodings
from impasto_server.http.errors import FieldInvalid, NotFound, RateLimited, StaleRevision, TooLarge
from impasto_server.http.etags import IfMatch, etag
from impasto_server.http.pagination import decode_cursor, encode_cursor
from impasto_server.http.schemas import money, plain_text, without_nul
from impasto_server.http.times import time_in_utc


@given(st.text())
def test_cursor_stands_for_the_id_that_it_was_made_of(value: str) -> None:
    cursor = encode_cursor(value)
    assert decode_cursor(cursor) == value
    assert set(cursor).isdisjoint("=/+")


@pytest.mark.parametrize("cursor", ["", "a", "ä", "MQ", "bnVsbA", "WyJhIl0", "a" * 5])
def test_cursor_of_another_kind_is_refused(cursor: str) -> None:
    with pytest.raises(FieldInvalid) as refused:
        decode_cursor(cursor)
    [error] = refused.value.members["errors"]
    assert (error["path"], error["code"]) == ("cursor", "cursor_invalid")


@pytest.mark.parametrize(
    ("header", "is_accepted"),
    [
        ('"7"', True), ("7", True), ('W/"7"', True), ('"6", "7"', True), (' "6" , W/"7" ', True),
        ("*", True), (" * ", True), ('"6"', False), ('"77"', False), ('"*"', False), ('"6", *', False),
    ],
)  # fmt: skip
def test_save_is_accepted_with_the_tag_of_the_revision_that_was_edited(
    header: str, is_accepted: bool
) -> None:
    assert etag(7) == '"7"'
    if is_accepted:
        IfMatch(header).check(7)
        return
    with pytest.raises(StaleRevision) as refused:
        IfMatch(header).check(7)
    assert (refused.value.headers, refused.value.members) == ({"ETag": '"7"'}, {"revision": 7})


@pytest.mark.parametrize(
    ("given_time", "expected"),
    [
        (None, None),
        (datetime(2026, 1, 31, 9, tzinfo=UTC).replace(tzinfo=None), datetime(2026, 1, 31, 9, tzinfo=UTC)),
        (datetime(2026, 1, 31, 9, tzinfo=timezone(timedelta(hours=2))), datetime(2026, 1, 31, 7, tzinfo=UTC)),
    ],
)
def test_time_without_a_zone_is_one_in_utc(given_time: datetime | None, expected: datetime | None) -> None:
    assert time_in_utc("since", given_time) == expected


def test_time_that_utc_cannot_express_is_refused() -> None:
    with pytest.raises(FieldInvalid) as refused:
        time_in_utc("since", datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=2))))
    assert refused.value.members["errors"] == [
        {"path": "since", "code": "datetime_range", "message": "This time is out of range."}
    ]


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (0, "0"), (0.0, "0"), (1, "1"), (10, "10"), (100.5, "100.5"), ("0.0421", "0.0421"),
        (0.000000014, "0.00000001"), (0.000000004, "0"), (1 / 3, "0.33333333"),
    ],
)  # fmt: skip
def test_amount_of_money_has_at_most_eight_decimals(amount: object, text: str) -> None:
    assert money(amount) == text


def test_names_have_neither_nul_nor_characters_that_turn_the_text_around() -> None:
    assert without_nul("a\0b\u202ec") == "ab\u202ec"
    assert plain_text("a\0b\u202ec") == "abc"


@pytest.mark.parametrize(
    ("header", "accepted"),
    [
        (None, set()), ("", set()), ("gzip", {"gzip"}), ("GZIP, br;q=0.5,", {"gzip", "br"}),
        ("gzip;q=0", set()), ("gzip;q=1.0,,", {"gzip"}), ("gzip; q = 0.000, br;q=0.001", {"br"}),
        ("gzip;q=0, br; q=0.000, zstd ;q=0.001", {"zstd"}), (" , ;q=1", set()),
    ],
)  # fmt: skip
def test_coding_is_accepted_with_a_weight_above_0(header: str | None, accepted: set[str]) -> None:
    assert accepted_encodings(header) == accepted


@pytest.mark.parametrize(
    ("limit", "size"),
    [
        (512, "0.5 KiB"),
        (2**10, "1 KiB"),
        (2**20 - 2**9, "1023.5 KiB"),
        (2**20, "1 MiB"),
        (3 * 2**19, "1.5 MiB"),
    ],
)
def test_size_limit_is_named_in_its_usual_unit(limit: int, size: str) -> None:
    assert TooLarge(limit).detail == f"This is too large: the limit is {size}."


def test_refused_attempt_waits_for_a_second_at_least() -> None:
    assert [RateLimited(seconds).headers["Retry-After"] for seconds in (-1, 0, 1, 2)] == ["1", "1", "1", "2"]


@pytest.mark.parametrize(
    ("about", "sentence"),
    [
        ((), "There is nothing at this URL."),
        (("brand",), "There is no brand."),
        (("brand", "Fjell"), "There is no brand Fjell."),
    ],
)
def test_missing_thing_is_named(about: tuple[str, ...], sentence: str) -> None:
    problem = NotFound(*about)
    assert (problem.detail, str(problem)) == (sentence, sentence)
