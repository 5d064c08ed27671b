"""Whose key is used, at which address, and what is said where one is missing."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.fakes.reports import seen_by

from impasto import Context
from impasto.testing import FakeContext
from impasto_nodes.providers.credentials import access_to, is_configured, missing_credential
from impasto_nodes.providers.errors import (
    EmptyAnswer,
    MissingCredential,
    OutputTooLarge,
    UnsupportedDuration,
    UnsupportedRatio,
    missing_requirement,
)
from impasto_nodes.providers.local_servers import LocalServer
from impasto_nodes.providers.spec import CredentialField, ProviderSpec

pytestmark = pytest.mark.anyio
KEY = CredentialField(variable="ACME_KEY")
REGION = CredentialField(variable="ACME_REGION", name="region", is_secret=False)
TOKEN = CredentialField(variable="ACME_TOKEN", name="token", is_required=False)
OWN = LocalServer(title="Own", port=1234, path="/models", base="/v1")


@pytest.fixture(autouse=True)
def providers(install_only: Callable[..., None]) -> None:
    install_only(
        ProviderSpec(id="acme", title="Acme", credentials=(KEY,)),
        ProviderSpec(id="cloud", title="Cloud", credentials=(KEY, REGION, TOKEN), address="none"),
        ProviderSpec(id="keyless", title="Keyless", credentials=(REGION,)),
        ProviderSpec(
            id="server", title="Server", address="required", credentials=(TOKEN,), local_servers=(OWN,)
        ),
        ProviderSpec(id="keyed", title="Keyed", address="required", credentials=(KEY,), local_servers=(OWN,)),
    )


def context(*, own: dict[str, str] | None = None, **configuration: str) -> Context:
    return seen_by(FakeContext(credentials=own, configuration=configuration))


async def test_own_key_comes_before_the_operators() -> None:
    operators = await access_to("acme", context(ACME_KEY="op-key"))
    assert (operators.key, operators.address, dict(operators.fields)) == ("op-key", "", {"key": "op-key"})
    own = await access_to("acme", context(own={"acme": "my-key"}, ACME_KEY="op-key"))
    assert own.key == "my-key"


async def test_only_the_key_is_a_persons_own() -> None:
    given = context(own={"cloud": "mine"}, ACME_KEY="k", ACME_REGION="eu", ACME_TOKEN="")
    access = await access_to("cloud", given)
    assert access.fields == {"key": "mine", "region": "eu", "token": ""}
    assert access.more == {"region": "eu"}
    assert access.secrets == ("mine",)


async def test_secrets_are_the_credentials_that_no_log_may_show() -> None:
    access = await access_to("cloud", context(ACME_KEY="k", ACME_REGION="eu", ACME_TOKEN="t"))
    assert access.secrets == ("k", "t")
    assert access.more == {"region": "eu", "token": "t"}


@pytest.mark.parametrize(("provider", "address"), [("acme", "http://proxy/v1"), ("cloud", "")])
async def test_operator_may_set_another_address_where_the_provider_has_one(
    provider: str, address: str
) -> None:
    names = {f"IMPASTO_{provider.upper()}_BASE_URL": "http://proxy/v1//"}
    access = await access_to(provider, context(ACME_KEY="k", ACME_REGION="eu", **names))
    assert access.address == address


@pytest.mark.parametrize(
    ("own", "configuration", "address", "token"),
    [
        ({}, {"IMPASTO_SERVER_BASE_URL": "http://gpu:1/", "ACME_TOKEN": "t"}, "http://gpu:1", "t"),
        ({"address:server": OWN.address}, {"ACME_TOKEN": "t"}, OWN.address, ""),
        (
            {"address:server": "http://gpu.lan:11"},
            {"IMPASTO_USER_SERVERS": "gpu.lan:11", "ACME_TOKEN": "t"},
            "http://gpu.lan:11",
            "",
        ),
        (
            {"address:server": OWN.address},
            {"IMPASTO_SERVER_BASE_URL": "http://gpu:1", "ACME_TOKEN": "t"},
            "http://gpu:1",
            "t",
        ),
    ],
)
async def test_no_key_is_sent_to_a_server_that_a_person_has_chosen(
    own: dict[str, str], configuration: dict[str, str], address: str, token: str
) -> None:
    access = await access_to("server", context(own=own, **configuration))
    assert (access.address, access.fields["token"]) == (address, token)


@pytest.mark.parametrize("own", [{}, {"address:server": "http://elsewhere:1"}])
async def test_server_that_is_not_allowed_is_no_address(own: dict[str, str]) -> None:
    given = context(own=own)
    assert not await is_configured("server", given)
    with pytest.raises(MissingCredential, match="Server has no address"):
        await access_to("server", given)


async def test_chosen_server_that_needs_a_key_cannot_be_called() -> None:
    given = context(own={"address:keyed": OWN.address, "keyed": "mine"}, ACME_KEY="k")
    assert not await is_configured("keyed", given)
    assert await is_configured("keyed", context(IMPASTO_KEYED_BASE_URL="http://gpu:1", ACME_KEY="k"))


@pytest.mark.parametrize(
    ("provider", "configuration", "requirement"),
    [
        ("acme", {}, "needs a key. Add it under {page}, or set ACME_KEY on the server."),
        (
            "cloud",
            {},
            "needs a key. Add it under {page}, or set ACME_KEY on the server."
            " The server's operator also sets ACME_REGION.",
        ),
        ("cloud", {"ACME_KEY": "k"}, "is not set up. The server's operator sets ACME_REGION."),
        ("keyless", {}, "needs credentials. The server's operator sets ACME_REGION."),
        ("server", {}, "has no address. The server's operator sets IMPASTO_SERVER_BASE_URL."),
        (
            "keyed",
            {"IMPASTO_KEYED_BASE_URL": "http://gpu:1"},
            "needs a key. Add it under {page}, or set ACME_KEY on the server.",
        ),
    ],
)
async def test_what_is_missing_is_named_with_how_to_add_it(
    provider: str, configuration: dict[str, str], requirement: str
) -> None:
    missing = await missing_credential(provider, context(**configuration))
    assert missing is not None
    page = missing.requirement.partition("Add it under ")[2].partition(",")[0]
    assert missing.requirement == requirement.format(page=page)
    assert missing.message.endswith(missing.requirement)


def test_without_a_look_everything_that_is_required_is_named() -> None:
    assert "ACME_REGION" in missing_requirement("cloud")
    assert missing_requirement("keyed").startswith("has no address.")


async def test_provider_with_everything_lacks_nothing() -> None:
    assert (await access_to("keyless", context(ACME_REGION="eu"))).key == ""
    assert await missing_credential("acme", context(ACME_KEY="k")) is None
    assert await is_configured("acme", context(ACME_KEY="k"))


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            UnsupportedRatio("acme", "M", "4:5", []),
            "M does not make 4:5. Choose a listed one, or another model.",
        ),
        (
            UnsupportedRatio("acme", "M", "4:5", ["1:1", "3:2"]),
            "M does not make 4:5. Choose 1:1 or 3:2, or another model.",
        ),
        (
            UnsupportedDuration("acme", "M", 2.5, [5, 10]),
            "M does not make clips of 2.5 s. Choose 5 or 10 s, or another model.",
        ),
        (
            UnsupportedDuration("acme", "M", 2.5, []),
            "M does not make clips of 2.5 s. Choose a listed length, or another model.",
        ),
        (EmptyAnswer("acme", "M"), "M gave an empty answer. Run again, or change the prompt."),
        (
            EmptyAnswer("acme", "M", is_truncated=True),
            "M gave an empty answer. It reached its limit of tokens before it wrote anything."
            " Raise the limit and run again.",
        ),
        (OutputTooLarge("acme", 200_000_000), "acme returned more than 200 MB, the limit for one file."),
    ],
)
def test_error_says_what_to_choose(error: Any, message: str) -> None:
    assert error.message == message


def test_empty_answer_is_asked_for_again_unless_the_limit_cut_it() -> None:
    assert EmptyAnswer("acme", "M").retryable
    assert not EmptyAnswer("acme", "M", is_truncated=True).retryable
