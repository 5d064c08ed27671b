"""Where a finished clip is, and its download, by services whose answers the tests give."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from impasto.testing import FakeContext
from impasto_nodes.providers.credentials import Access
from impasto_nodes.providers.errors import ProviderError, Unavailable
from impasto_nodes.providers.litellm.video.files import NotMade, clip_address, fetch_clip

pytestmark = pytest.mark.anyio
VEO, RUNWAY = "https://generativelanguage.googleapis.com", "https://api.dev.runwayml.com"
Answer = Callable[[httpx.Request], httpx.Response]


class Net:
    """A context whose HTTP client gets the given answers, and what it was asked."""

    def __init__(self) -> None:
        self.context: Any = FakeContext()
        self.asked: list[httpx.Request] = []
        self.answer: Answer = lambda request: httpx.Response(200)

    def take(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        return self.answer(request)


@pytest.fixture
async def net() -> AsyncIterator[Net]:
    made = Net()
    async with httpx.AsyncClient(transport=httpx.MockTransport(made.take)) as http:
        made.context.http = http
        yield made


def access(provider: str, address: str = "") -> Access:
    return Access(provider=provider, key="abcd-key", address=address, fields={"key": "abcd-key"})


def sample(uri: str) -> dict[str, Any]:
    return {"response": {"generateVideoResponse": {"generatedSamples": [{"video": {"uri": uri}}]}}}


async def address_of(net: Net, provider: str, job: Any, address: str = "") -> str:
    net.answer = lambda request: httpx.Response(200, json=job)
    return await clip_address("job-1", access(provider, address), net.context)


@pytest.mark.parametrize(
    ("provider", "job", "asked", "found"),
    [
        ("gemini", sample("https://x/a"), f"{VEO}/v1beta/job-1", "https://x/a"),
        ("runwayml", {"output": ["https://x/a", "https://x/b"]}, f"{RUNWAY}/v1/tasks/job-1", "https://x/a"),
        ("runwayml", {"output": "https://x/a"}, f"{RUNWAY}/v1/tasks/job-1", "https://x/a"),
    ],
)
async def test_clip_is_where_the_service_says(
    net: Net, provider: str, job: Any, asked: str, found: str
) -> None:
    assert await address_of(net, provider, job) == found
    (request,) = net.asked
    assert str(request.url) == asked
    if provider == "gemini":
        assert request.headers["x-goog-api-key"] == "abcd-key"
        assert "authorization" not in request.headers
    else:
        assert request.headers["authorization"] == "Bearer abcd-key"
        assert request.headers["x-runway-version"] == "2024-11-06"


@pytest.mark.parametrize(
    ("provider", "job", "reason"),
    [
        ("gemini", {"error": {"message": "no"}}, "{'message': 'no'}"),
        ("gemini", {}, "no clip: {}"),
        ("gemini", {"response": None}, "no clip: {}"),
        ("gemini", {"response": {"generateVideoResponse": {"n": 1}}}, "no clip: {'n': 1}"),
        ("runwayml", {"status": "FAILED", "failure": "too dark"}, "FAILED: too dark"),
        ("runwayml", {"status": "FAILED", "output": []}, "FAILED: no output"),
        ("runwayml", {"status": "FAILED", "output": [""]}, "FAILED: no output"),
    ],
)
async def test_job_without_a_clip_says_why(net: Net, provider: str, job: Any, reason: str) -> None:
    with pytest.raises(NotMade) as raised:
        await address_of(net, provider, job)
    assert str(raised.value) == reason


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (httpx.Response(200, text="<html>"), "provider_unavailable"),
        (httpx.Response(200, json=[1]), "corrupt_output"),
        (httpx.Response(400, json={}), "provider_unavailable"),
        (httpx.Response(404, json={}), "provider_unavailable"),
        (httpx.Response(429, json={}), "rate_limited"),
        (httpx.Response(503, json={}), "provider_unavailable"),
    ],
)
async def test_job_that_cannot_be_read_is_worth_another_look(
    net: Net, answer: httpx.Response, code: str
) -> None:
    net.answer = lambda request: answer
    with pytest.raises(ProviderError) as raised:
        await clip_address("job-1", access("gemini"), net.context)
    assert (raised.value.code, raised.value.provider) == (code, "gemini")


async def test_job_with_a_status_below_400_is_read(net: Net) -> None:
    net.answer = lambda request: httpx.Response(399, json={})
    with pytest.raises(NotMade):
        await clip_address("job-1", access("gemini"), net.context)


async def test_redirect_of_a_job_is_not_followed(net: Net) -> None:
    net.answer = lambda request: httpx.Response(302, headers={"location": "https://elsewhere.test/"})
    with pytest.raises(Unavailable):
        await clip_address("job-1", access("gemini"), net.context)
    assert [request.url.host for request in net.asked] == ["generativelanguage.googleapis.com"]


async def test_lost_connection_hides_the_key(net: Net, tmp_path: Path) -> None:
    def fail(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadError("with abcd-key")

    net.answer = fail
    with pytest.raises(ProviderError) as raised:
        await clip_address("job-1", access("gemini"), net.context)
    assert raised.value.detail == "ReadError: with …"
    with pytest.raises(ProviderError) as raised:
        await fetch_clip(f"{VEO}/clip", tmp_path / "clip", access("gemini"), net.context, 100)
    assert raised.value.detail == "ReadError: with …"


async def test_clip_is_found_after_five_redirects_but_not_after_more(net: Net, tmp_path: Path) -> None:
    def redirect(last: int) -> Answer:
        def answer(request: httpx.Request) -> httpx.Response:
            number = int(request.url.path.rpartition("/")[2])
            if number == last:
                return httpx.Response(200, content=b"clip")
            return httpx.Response(302, headers={"location": f"/{number + 1}"})

        return answer

    net.answer = redirect(4)
    path = await fetch_clip("https://x.test/0", tmp_path / "clip", access("gemini"), net.context, 4)
    assert path.read_bytes() == b"clip"
    net.answer = redirect(5)
    with pytest.raises(Unavailable, match="not available") as raised:
        await fetch_clip("https://x.test/0", tmp_path / "clip", access("gemini"), net.context, 4)
    assert raised.value.detail == "more than 5 redirects"


@pytest.mark.parametrize(
    ("url", "provider", "has_key"),
    [
        (f"{VEO}/v1beta/files/a", "gemini", True),
        ("https://storage.googleapis.com/a", "gemini", False),
        ("http://generativelanguage.googleapis.com/a", "gemini", False),
        (f"{RUNWAY}/a", "runwayml", True),
        ("https://cdn.runwayml.com/a", "runwayml", False),
    ],
)
async def test_key_is_sent_to_the_services_own_host_only(
    net: Net, tmp_path: Path, url: str, provider: str, has_key: bool
) -> None:
    net.answer = lambda request: httpx.Response(200, content=b"clip")
    await fetch_clip(url, tmp_path / "clip", access(provider), net.context, 100)
    (request,) = net.asked
    assert ({"x-goog-api-key", "authorization"} & set(request.headers) != set()) is has_key


@pytest.mark.parametrize(("status", "code"), [(404, "provider_unavailable"), (429, "rate_limited")])
async def test_clip_that_is_not_there_yet_is_worth_another_download(
    net: Net, tmp_path: Path, status: int, code: str
) -> None:
    net.answer = lambda request: httpx.Response(status, headers={"Retry-After": "3"})
    with pytest.raises(ProviderError) as raised:
        await fetch_clip("https://x.test/a", tmp_path / "clip", access("gemini"), net.context, 100)
    assert (raised.value.code, raised.value.detail) == (code, f"status {status} for /a")
    assert raised.value.retry_after == 3
