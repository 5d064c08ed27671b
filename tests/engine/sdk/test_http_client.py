"""The HTTP client of nodes. `tests/security/test_private_addresses.py` has which addresses it refuses."""

import httpx
import pytest

from impasto.sdk.http_client import PrivateAddress, PublicOnly, client, is_public, tls_context

pytestmark = pytest.mark.anyio


class Transport(httpx.AsyncBaseTransport):
    """Answers each request with a redirect, and remembers whether it was closed."""

    is_closed = False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return httpx.Response(302, headers={"location": "http://127.0.0.1/secret"})

    async def aclose(self) -> None:
        self.is_closed = True


async def test_connections_are_closed_with_the_transport_that_checks_addresses() -> None:
    inner = Transport()
    async with PublicOnly(inner):
        assert not inner.is_closed
    assert inner.is_closed


async def test_redirect_to_a_private_address_is_refused() -> None:
    async with httpx.AsyncClient(transport=PublicOnly(Transport()), follow_redirects=True) as http:
        with pytest.raises(PrivateAddress) as raised:
            await http.get("http://93.184.216.34/")
    assert raised.value.to_dict() == {
        "code": "private_address",
        "message": "This address cannot be reached from here.",
        "detail": "'127.0.0.1' is not a public host.",
        "retryable": False,
        "provider": None,
    }


@pytest.mark.parametrize(
    "host", [f"{'a' * 64}.example", ".example", "a..example"], ids=["long", "first", "empty"]
)
async def test_name_that_no_host_can_have_is_not_found(host: str) -> None:
    async with client() as http:
        with pytest.raises(httpx.ConnectError) as raised:
            await http.get(f"http://{host}/")
    assert str(raised.value) == f"'{host}' cannot be found"


@pytest.mark.parametrize("allow_private_hosts", [False, True])
async def test_client_follows_redirects_and_takes_no_proxy_of_the_environment(
    allow_private_hosts: bool,
) -> None:
    async with client(allow_private_hosts) as http:
        assert (http.follow_redirects, http.trust_env) == (True, False)
        assert http.timeout == httpx.Timeout(60.0, connect=10.0, read=300.0)


def test_root_certificates_are_read_once() -> None:
    assert tls_context() is tls_context()
    assert tls_context().check_hostname


def test_multicast_address_is_not_public() -> None:
    assert [is_public(each) for each in ("224.0.1.1", "2001:4860:4860::8888", "2001::1", "2002::1")] == [
        False,
        True,
        False,
        False,
    ]
