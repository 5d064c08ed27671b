"""Server-side request forgery: nodes cannot reach private addresses in any notation."""

import pytest

from impasto.sdk.http_client import PrivateAddress, is_public, public_address

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
