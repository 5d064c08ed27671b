"""Which servers a user may choose: those that the operator's list names, written in one way only."""

import pytest

from impasto.configuration import Configuration
from impasto.sdk.user_servers import InvalidUserServers, UserServers

LISTED = UserServers.parse("gpu.lan:11434, Render.lan, 10.0.0.0/24 192.168.1.7:8188,[fd00::1]:8000")


@pytest.mark.parametrize(
    "address",
    [
        "http://gpu.lan:11434", "http://GPU.lan.:11434/v1", "https://render.lan", "http://render.lan:1/a/b",
        "http://10.0.0.255:9", "http://192.168.1.7:8188", "http://[fd00::1]:8000/v1",
    ],
)  # fmt: skip
def test_listed_server_is_allowed(address: str) -> None:
    assert LISTED.allows(address)


@pytest.mark.parametrize(
    "address",
    [
        "", "gpu.lan:11434", "http:///v1", "ftp://render.lan", "file:///etc/passwd", "http://gpu.lan", "http://gpu.lan:80",
        "http://a.render.lan", "http://render.lan.evil.com", "http://render.lan@evil.com",
        "http://user:secret@render.lan", "http://render.lan?x=1", "http://render.lan#x", "http://render.lan:0x50",
        "http://render.lan\\@evil.com", "http://10.0.1.1", "http://0x0a000001", "http://167772161",
        "http://[::ffff:10.0.0.1]", "http://192.168.1.7", "http://169.254.169.254", "http://render.lan:99999",
        "http://render.lan/" + "a" * 300, "http://rénder.lan", "http:// render.lan", "http://render.lan/a b",
    ],
)  # fmt: skip
def test_other_address_is_refused(address: str) -> None:
    assert not LISTED.allows(address)


def test_empty_list_allows_nothing() -> None:
    assert not UserServers.parse(" ").allows("http://127.0.0.1")
    assert not UserServers.parse("")


def test_list_is_shown_as_it_was_written_with_commas() -> None:
    assert str(LISTED) == "gpu.lan:11434, Render.lan, 10.0.0.0/24, 192.168.1.7:8188, [fd00::1]:8000"


@pytest.mark.parametrize(
    "text",
    [
        "http://gpu.lan",
        "gpu.lan:0",
        "gpu.lan:65536",
        "gpu.lan:99999",
        "10.0.0.1/24",
        "*",
        "a b:0",
        "-x",
        "[gpu]",
    ],
)
def test_list_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(InvalidUserServers, match="IMPASTO_USER_SERVERS"):
        UserServers.parse(text)


@pytest.mark.parametrize("port", [1, 65_535])
def test_port_is_one_of_tcp(port: int) -> None:
    assert UserServers.parse(f"gpu.lan:{port}").allows(f"http://gpu.lan:{port}")


def test_address_has_at_most_200_characters() -> None:
    address = "http://render.lan/"
    assert LISTED.allows(address + "a" * (200 - len(address)))
    assert not LISTED.allows(address + "a" * (201 - len(address)))


def test_scheme_has_a_port_of_its_own() -> None:
    listed = UserServers.parse("a.lan:80 b.lan:443")
    addresses = ("http://a.lan", "https://a.lan", "http://b.lan", "https://b.lan")
    assert [listed.allows(address) for address in addresses] == [True, False, False, True]


def test_list_is_that_of_the_configuration() -> None:
    assert str(UserServers.of(Configuration({"IMPASTO_USER_SERVERS": "a.lan"}))) == "a.lan"
    assert UserServers.parse("a.lan")
