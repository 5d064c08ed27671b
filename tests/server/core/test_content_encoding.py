"""The content codings that a client accepts."""

import pytest

from impasto_server.http.content_encoding import accepted_encodings


@pytest.mark.parametrize(
    ("header", "accepted"),
    [
        (None, set()),
        ("", set()),
        ("gzip", {"gzip"}),
        ("GZIP, br", {"gzip", "br"}),
        ("gzip;q=0", set()),
        ("gzip; q = 0.000, br;q=0.001", {"br"}),
        ("gzip;q=1.0,,", {"gzip"}),
        (";q=1", set()),
    ],
)
def test_codings_with_a_weight_above_zero_are_accepted(header: str | None, accepted: set[str]) -> None:
    assert accepted_encodings(header) == accepted
