"""Exceptions of Replicate's SDK by their kind, status and words."""

import asyncio
from typing import Any

import httpx
import pytest
from tests.fakes.running import access_to
from tests.fakes.state import State

from impasto_nodes.providers.errors import BadRequest, ProviderError
from impasto_nodes.providers.replicate import connection
from impasto_nodes.providers.replicate.connection import connected, list_latest, map_exception, read_account


class SdkError(Exception):
    """An error of the SDK: with a status or without."""

    def __init__(self, text: str, status: Any = None) -> None:
        super().__init__(text)
        self.status = status


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (httpx.ReadTimeout("late"), "provider_timeout"),
        (httpx.ReadError("cut"), "stream_dropped"),
        (SdkError("odd"), "corrupt_output"),
        (SdkError("odd", "422"), "corrupt_output"),
        (KeyError("results"), "corrupt_output"),
        (SdkError("Flagged as SENSITIVE", 422), "moderated"),
        (SdkError("Flagged as sensitive", 400), "bad_request"),
        (SdkError("required", 422), "bad_request"),
        (SdkError("no", 401), "wrong_credential"),
        (SdkError("no", 402), "no_credit"),
        (SdkError("no", 404), "unknown_model"),
        (SdkError("no", 500), "provider_unavailable"),
    ],
)
def test_exception_has_its_code(error: Exception, code: str) -> None:
    found = map_exception(error, "flux-9")
    assert (found.code, found.provider) == (code, "replicate")
    assert ("flux-9" in found.message) is (code == "unknown_model")
    assert found.detail == f"{type(error).__name__}: {error}"


def test_detail_names_the_kind_and_hides_the_key() -> None:
    assert map_exception(SdkError("with abcd-key", 400), "m", "abcd-key").detail == "SdkError: with …"
    assert map_exception(httpx.ReadError("with abcd-key"), "m", "abcd-key").detail == "ReadError: with …"


@pytest.mark.anyio
@pytest.mark.parametrize("status", [429, 503, 504])
async def test_passing_fault_is_raised_at_once_with_its_wait(fakes: State, status: int) -> None:
    fakes.misbehave("answer", times=9, on="/v1/account", status=status, body="{}")
    access = access_to("replicate", fakes)
    with pytest.raises(ProviderError) as raised:
        async with connected(access, "m") as client:
            await read_account(client)
    code = "rate_limited" if status == 429 else "provider_unavailable"
    assert raised.value.code == code
    assert raised.value.detail == f"status {status} for GET /replicate/v1/account"
    assert len(fakes.requests("/v1/account", "GET")) == 1


@pytest.mark.anyio
async def test_block_raises_mapped_errors_and_own_ones_as_they_are(fakes: State) -> None:
    access = access_to("replicate", fakes, "a-wrong-key")
    with pytest.raises(ProviderError) as raised:
        async with connected(access, "m") as client:
            await read_account(client)
    assert raised.value.code == "wrong_credential"
    assert "a-wrong-key" not in raised.value.detail
    own = BadRequest("replicate")
    with pytest.raises(BadRequest) as passed:
        async with connected(access, "m"):
            raise own
    assert passed.value is own


@pytest.mark.anyio
async def test_predictions_that_cannot_be_parsed_are_left_out(fakes: State) -> None:
    good = '{"id": "a", "model": "m", "version": "v", "status": "aborted", "input": {}, "output": null,'
    good += ' "error": null, "logs": "", "created_at": null, "started_at": null, "completed_at": null,'
    good += ' "urls": {}}'
    body = f'{{"results": [{{"id": 5}}, {good}]}}'
    fakes.misbehave("answer", on="/v1/predictions", status=200, body=body)
    access = access_to("replicate", fakes)
    async with connected(access, "m") as client:
        (found,) = await list_latest(client)
    assert (found.id, found.status) == ("a", "canceled")


@pytest.mark.anyio
async def test_connection_of_an_abandoned_block_is_closed_all_the_same(
    fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[httpx.AsyncHTTPTransport] = []
    close = httpx.AsyncHTTPTransport.aclose

    async def observed(transport: httpx.AsyncHTTPTransport) -> None:
        closed.append(transport)
        await close(transport)

    monkeypatch.setattr(httpx.AsyncHTTPTransport, "aclose", observed)

    async def use() -> None:
        async with connected(access_to("replicate", fakes), "m"):
            await asyncio.Event().wait()

    abandoned = use()
    abandoned.send(None)
    abandoned.close()
    (closing,) = connection._closing
    await closing
    assert (len(closed), connection._closing) == (1, set())
    async with connected(access_to("replicate", fakes), "m"):
        assert len(closed) == 1
    assert (len(closed), connection._closing) == (2, set())
