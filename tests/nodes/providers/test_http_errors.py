"""Waits, statuses and failed connections of HTTP as errors of a provider."""

import email.utils
import time

import httpx
import pytest

from impasto_nodes.providers.http_errors import retry_after, status_error, transport_error


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


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "bad_request"),
        (401, "wrong_credential"),
        (402, "no_credit"),
        (403, "wrong_credential"),
        (404, "unknown_model"),
        (408, "provider_timeout"),
        (413, "request_too_large"),
        (422, "bad_request"),
        (429, "rate_limited"),
        (499, "bad_request"),
        (500, "provider_unavailable"),
        (503, "provider_unavailable"),
    ],
)
def test_status_has_its_error(status: int, code: str) -> None:
    error = status_error(status, "openai", "gpt-9", "why", 7.0)
    assert ("gpt-9" in error.message) is (code == "unknown_model")
    assert (error.code, error.detail, error.provider) == (code, "why", "openai")
    waits = 7.0 if code in {"rate_limited", "provider_unavailable"} else None
    assert error.retry_after == waits


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (httpx.ReadTimeout("late"), "provider_timeout"),
        (httpx.ConnectTimeout("late"), "provider_timeout"),
        (httpx.RemoteProtocolError("cut"), "stream_dropped"),
        (httpx.ReadError("cut"), "stream_dropped"),
        (httpx.ConnectError("none"), "provider_unavailable"),
        (httpx.InvalidURL("odd"), "provider_unavailable"),
    ],
)
def test_failed_connection_has_its_error_without_the_key(
    error: httpx.HTTPError | httpx.InvalidURL, code: str
) -> None:
    found = transport_error(error, "openai")
    assert (found.code, found.provider) == (code, "openai")
    assert found.detail == f"{type(error).__name__}: {error}"
    secret = transport_error(httpx.ConnectError("at abcd-key"), "openai", "abcd-key")
    assert secret.detail == "ConnectError: at …"


@pytest.mark.parametrize(
    ("milliseconds", "seconds"), [("0", 0.0), ("1500", 1.5), ("1.5.5", 3.0), ("-5", 3.0), ("", 3.0)]
)
def test_milliseconds_are_a_plain_number(milliseconds: str, seconds: float) -> None:
    assert retry_after({"retry-after-ms": milliseconds, "retry-after": "3"}) == seconds


def test_date_that_has_passed_or_is_none_asks_for_no_wait() -> None:
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0
    assert retry_after({"retry-after": "Wed, 99 Oct 2015 07:28:00 GMT"}) is None


def test_404_to_a_request_without_a_model_is_an_address_that_is_not_there() -> None:
    error = status_error(404, "openai", "", "why", 7.0)
    assert (error.code, error.detail, error.retry_after) == ("provider_unavailable", "why", 7.0)
