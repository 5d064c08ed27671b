import email.utils
import time

import pytest

from impasto_nodes.providers.http_errors import retry_after


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("3", 3.0), ("0.5", 0.5), ("-4", 0.0), ("soon", None), ("", None), ("inf", None), ("nan", None)],
)
def test_seconds(text: str, seconds: float | None) -> None:
    assert retry_after({"Retry-After": text}) == seconds


def test_a_date() -> None:
    waited = retry_after({"retry-after": email.utils.formatdate(time.time() + 60, usegmt=True)})
    assert waited is not None
    assert 55 < waited <= 61


def test_no_headers() -> None:
    assert retry_after(None) is None
    assert retry_after({"content-type": "text/plain"}) is None


def test_milliseconds_are_more_exact_than_seconds() -> None:
    assert retry_after({"Retry-After": "2", "Retry-After-Ms": "1250.5"}) == 1.2505
    assert retry_after({"Retry-After": "2", "Retry-After-Ms": "soon"}) == 2.0
