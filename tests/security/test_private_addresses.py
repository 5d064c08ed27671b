"""Server-side request forgery: nodes cannot reach private addresses in any notation."""

import socket

import httpx
import pytest

from impasto.sdk.http_client import PrivateAddress, PublicOnly, is_public, public_address

pytestmark = pytest.mark.anyio

EMBEDDED = {
    "NAT64": "64:ff9b::7f00:1",
    "NAT64 of a public address": "64:ff9b::808:808",
    "local NAT64": "64:ff9b:1::7f00:1",
    "6to4": "2002:7f00:1::",
    "Teredo": "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "IPv4-compatible": "::7f00:1",
    "IPv4-mapped": "::ffff:127.0.0.1",
    "IPv4-mapped public address": "::ffff:8.8.8.8",
    "IPv4-translated": "::ffff:0:127.0.0.1",
    "ISATAP on a link": "fe80::5efe:7f00:1",
}
LOCAL = ["fec0::1", "fc00::1", "fe80::1", "fe80::1%eth0", "::1", "::", "ff02::1", "5f00::1", "100::1"]
LOCAL += ["127.0.0.1", "0.0.0.0", "10.1.2.3", "100.64.0.1", "169.254.169.254", "192.168.0.1", "192.88.99.1"]
LOCAL += ["2001:db8::1", "3fff::1", "224.0.0.1", "255.255.255.255"]


@pytest.mark.parametrize("address", EMBEDDED.values(), ids=EMBEDDED)
def test_address_with_an_embedded_ipv4_address_is_refused(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", LOCAL)
def test_address_outside_of_the_public_internet_is_refused(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "2a00:1450:4001:81b::200e"])
def test_public_address_is_allowed(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "0177.0.0.1", "127.1", "::ffff:0:a00:1"])
async def test_unusual_notation_of_a_private_address_is_refused(host: str) -> None:
    with pytest.raises(PrivateAddress):
        await public_address(host, 80)


class Names:
    """A resolver whose answers change: `answers` are the addresses of each look-up."""

    def __init__(self, monkeypatch, *answers: list[str]) -> None:
        self.asked: list[tuple[str, int]] = []
        self._answers = iter(answers)
        monkeypatch.setattr(socket, "getaddrinfo", self._look_up)

    def _look_up(self, host: str, port: int, *_: object, **__: object) -> list[object]:
        self.asked.append((host, port))
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in next(self._answers)
        ]


async def sent(url: str) -> httpx.Request:
    """The request as it is sent on, once the host's address is known to be public."""
    requests = []

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(200)

    async with httpx.AsyncClient(transport=PublicOnly(httpx.MockTransport(answer))) as client:
        await client.get(url)
    (request,) = requests
    return request


async def test_the_connection_goes_to_the_checked_address_even_if_dns_changes(monkeypatch):
    names = Names(monkeypatch, ["93.184.216.34", "93.184.216.35"], ["127.0.0.1"])
    request = await sent("https://shop.example/cups?size=2")
    assert str(request.url) == "https://93.184.216.34/cups?size=2"
    assert request.headers["host"] == "shop.example"
    assert request.extensions["sni_hostname"] == "shop.example"
    assert names.asked == [("shop.example", 443)]


async def test_an_address_in_a_url_is_requested_as_it_is(monkeypatch):
    names = Names(monkeypatch, ["93.184.216.34"])
    request = await sent("http://93.184.216.34:8080/")
    assert (str(request.url), "sni_hostname" in request.extensions) == ("http://93.184.216.34:8080/", False)
    assert names.asked == [("93.184.216.34", 8080)]


async def test_one_private_address_among_those_of_a_host_refuses_the_request(monkeypatch):
    Names(monkeypatch, ["93.184.216.34", "10.0.0.7"])
    with pytest.raises(PrivateAddress, match="cannot be reached"):
        await sent("https://shop.example/")


async def test_a_host_without_an_address_cannot_be_found(monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    with pytest.raises(httpx.ConnectError, match="cannot be found"):
        await sent("https://shop.example/")
