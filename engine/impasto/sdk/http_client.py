"""The HTTP client for nodes. It refuses private addresses, so that a flow cannot reach internal hosts."""

import asyncio
import functools
import ipaddress
import socket
import ssl
import typing as t

import httpx

from impasto.errors import NodeError

_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
# Addresses that networks translate to an IPv4 address inside them, or that newer registries reserve, and that
# `is_global` reports as global. All other such prefixes (NAT64 64:ff9b::/96 and 64:ff9b:1::/48, IPv4-mapped,
# IPv4-compatible, IPv4-translated, site-local fec0::/10) are outside of 2000::/3.
_NOT_PUBLIC = tuple(
    map(
        ipaddress.ip_network,
        (
            "2001::/32",  # Teredo
            "2002::/16",  # 6to4
            "3fff::/20",  # documentation
            "192.88.99.0/24",  # 6to4 relays
        ),
    )
)


class PrivateAddress(NodeError):
    """A node requested a URL whose host is not a public address."""

    code = "private_address"

    def __init__(self, host: str) -> None:
        super().__init__(
            "This address cannot be reached from here.", detail=f"'{host}' is not a public host."
        )


class PublicOnly(httpx.AsyncBaseTransport):
    """A transport that resolves the host, checks the address, and connects to that same address."""

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request to a public address of the host. Raises PrivateAddress."""
        host = request.url.host
        address = await public_address(host, request.url.port)
        if address != host:
            request.extensions = {**request.extensions, "sni_hostname": host}
            request.url = request.url.copy_with(host=address)
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


async def public_address(host: str, port: int | None) -> str:
    """Return an address of the host.

    Raises PrivateAddress if any of its addresses is not public, httpx.ConnectError if it has none.
    """
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port or 443, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError) as error:  # of a name with an empty part, or one that is too long
        raise httpx.ConnectError(f"'{host}' cannot be found") from error
    addresses = [t.cast("str", entry[4][0]) for entry in found]
    if not all(is_public(address) for address in addresses):
        raise PrivateAddress(host)
    return addresses[0]


def is_public(address: str) -> bool:
    """Return whether an IP address is on the public internet and contains no other address.

    IPv6 addresses that carry an IPv4 address are not public, even if that one is: which host they reach
    depends on the translators of the network.
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    if found.version == 6 and found not in _GLOBAL_UNICAST:
        return False
    return found.is_global and not found.is_multicast and not any(found in network for network in _NOT_PUBLIC)


@functools.cache
def tls_context() -> ssl.SSLContext:
    """Return the TLS context of this process, to be given as `verify` to each client of httpx.

    A client without it reads all root certificates, which stops the event loop for 30 ms.
    """
    return httpx.create_ssl_context()


def client(allow_private_hosts: bool = False) -> httpx.AsyncClient:
    """Return a client that waits 10 s for a connection and 300 s for each read."""
    transport: httpx.AsyncBaseTransport = httpx.AsyncHTTPTransport(verify=tls_context())
    if not allow_private_hosts:
        transport = PublicOnly(transport)
    timeout = httpx.Timeout(60.0, connect=10.0, read=300.0)
    return httpx.AsyncClient(transport=transport, timeout=timeout, follow_redirects=True, trust_env=False)
