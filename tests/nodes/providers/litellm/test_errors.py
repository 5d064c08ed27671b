"""litellm's exceptions by their kind, their status and the provider's words."""

import asyncio
from typing import Any

import httpx
import pytest

from impasto_nodes.providers.errors import BadRequest, ProviderError
from impasto_nodes.providers.litellm.errors import map_exception, map_exceptions


def raised(message: str = "no", status: int | None = None, name: str = "APIError", **facts: Any) -> Exception:
    """An exception of the kind and with the attributes that litellm gives it."""
    error: Exception = type(name, (Exception,), {})(message)
    if status is not None:
        facts["status_code"] = status
    vars(error).update(facts)
    return error


def code_of(error: Exception) -> str:
    found = map_exception(error, "openai", "gpt-9")
    assert found.provider == "openai"
    named = {"unknown_model", "text_too_long", "generation_failed"}
    assert ("gpt-9" in found.message) is (found.code in named)
    assert found.detail
    return str(found.code)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (raised("insufficient_quota", 429), "no_credit"),
        (raised("Your credit balance is too low", 400), "no_credit"),
        (raised("You exceeded your current quota", 429), "no_credit"),
        (raised("You exceeded your current quota; retry in 12s", 429), "rate_limited"),
        (raised("You exceeded your current quota; retry in 12s", 400), "no_credit"),
        (raised("Payment Required", 402), "no_credit"),
        (raised("User location is not supported", 400), "region_unsupported"),
        (raised("Your organization must be verified", 403), "unverified_account"),
        (raised("Prompt is too long", 400), "text_too_long"),
        (raised("no", None, "ContextWindowExceededError"), "text_too_long"),
        (raised("no", 400, "ContentPolicyViolationError"), "moderated"),
        (raised("by our safety system", 400), "moderated"),
        (raised("by our safety system", 403), "moderated"),
        (raised("by our safety system", 500), "provider_unavailable"),
        (raised("invalid_model", 400), "unknown_model"),
        (raised("invalid_model", 422), "bad_request"),
        (raised("got unexpected response from ollama", 500), "generation_failed"),
        (raised("peer closed connection", 500), "stream_dropped"),
        (raised("Connection reset by peer"), "stream_dropped"),
        (raised("no", 500, "JSONDecodeError"), "corrupt_output"),
        (raised("no", None, "APIResponseValidationError"), "corrupt_output"),
        (raised("Expecting value: line 1"), "corrupt_output"),
        (raised("no", None, "APITimeoutError"), "provider_timeout"),
        (raised("no", 408, "Timeout"), "provider_timeout"),
        (raised("invalid_grant", 400), "wrong_credential"),
        (raised("no", None, "DefaultCredentialsError"), "wrong_credential"),
        (raised("no", 401), "wrong_credential"),
        (raised("no", 404), "unknown_model"),
        (raised("no", 422), "bad_request"),
        (raised("no", 503), "provider_unavailable"),
        (raised("no", status_code="odd"), "provider_unavailable"),
        (raised("no"), "provider_unavailable"),
    ],
)
def test_exception_has_its_code(error: Exception, code: str) -> None:
    assert code_of(error) == code


def test_time_to_retry_is_in_the_words_or_in_the_headers() -> None:
    assert map_exception(raised("Please retry in 12.5s.", 429), "gemini", "m").retry_after == 12.5
    answer = httpx.Response(429, headers={"Retry-After": "3"})
    assert map_exception(raised("no", 429, response=answer), "openai", "m").retry_after == 3
    headers = {"retry-after": "4"}
    assert map_exception(raised("no", 429, litellm_response_headers=headers), "openai", "m").retry_after == 4
    assert map_exception(raised("no", 429, response=None), "openai", "m").retry_after is None


def test_what_interrupted_a_stream_is_read() -> None:
    assert code_of(raised("odd", 500, original_exception=raised("no", 401))) == "wrong_credential"
    assert code_of(raised("odd", 422, original_exception=None)) == "bad_request"


def chain(error: Exception, depth: int, by: str) -> Exception:
    """The exception, wrapped as often as `depth` says."""
    for _ in range(depth):
        wrapper = raised("wrapped", 422)
        setattr(wrapper, by, error)
        error = wrapper
    return error


@pytest.mark.parametrize("by", ["__cause__", "__context__"])
@pytest.mark.parametrize("lost", [httpx.ReadError("x"), httpx.RemoteProtocolError("x")])
def test_lost_connection_is_found_behind_seven_others(lost: Exception, by: str) -> None:
    assert code_of(chain(lost, 7, by)) == "stream_dropped"
    assert code_of(chain(lost, 8, by)) == "bad_request"


def test_refused_connection_is_no_lost_answer() -> None:
    assert code_of(chain(httpx.ConnectError("x"), 1, "__cause__")) == "bad_request"


def test_detail_names_the_kind_and_hides_the_secrets() -> None:
    error = map_exception(raised("with abcd-key and wxyz-key", 422), "openai", "m", "abcd-key", "wxyz-key")
    assert error.detail == "APIError: with … and …"
    assert (error.code, error.provider) == ("bad_request", "openai")


@pytest.mark.anyio
@pytest.mark.parametrize("error", [BadRequest("xai"), asyncio.CancelledError()])
async def test_own_errors_and_cancellation_pass_as_they_are(error: BaseException) -> None:
    with pytest.raises(type(error)) as passed:
        async with map_exceptions("openai", "m"):
            raise error
    assert passed.value is error


@pytest.mark.anyio
async def test_block_raises_the_error_without_its_cause() -> None:
    with pytest.raises(ProviderError) as found:
        async with map_exceptions("openai", "m", "abcd-key"):
            raise raised("with abcd-key", 422)
    assert found.value.detail == "APIError: with …"
    assert found.value.__cause__ is None
    assert found.value.__suppress_context__
