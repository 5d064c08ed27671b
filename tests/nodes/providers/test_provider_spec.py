"""What a provider's spec says of it, and the check of a person's key."""

from typing import Any

import pytest
from tests.nodes.providers.own_providers import lists, unused

from impasto import Configuration
from impasto.sdk.options_context import OptionsContext, options_context
from impasto.sdk.providers import ProviderCheck, Variable
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.registry import specs
from impasto_nodes.providers.spec import CredentialField, ProviderSpec

KEY = CredentialField(variable="ACME_KEY")
REGION = CredentialField(variable="ACME_REGION", name="region", help="Where.", is_secret=False)
TOKEN = CredentialField(variable="ACME_TOKEN", name="token", is_required=False)


def spec(**facts: Any) -> ProviderSpec:
    return ProviderSpec(**{"id": "acme", "title": "Acme"} | facts)


def test_provider_makes_the_kinds_that_it_has_an_adapter_for() -> None:
    found = spec(text=unused, sound_effects=unused)
    assert found.kinds == ("text", "sound_effects")
    assert found.makes("text")
    assert not found.makes("video")


@pytest.mark.parametrize(
    ("credentials", "address", "required", "takes_key", "takes_address"),
    [
        ((), "optional", "", False, False),
        ((KEY,), "optional", "ACME_KEY", True, False),
        ((TOKEN, KEY), "none", "ACME_KEY", True, False),
        ((REGION,), "none", "ACME_REGION", False, False),
        ((TOKEN,), "optional", "", False, False),
        ((KEY,), "required", "IMPASTO_ACME_BASE_URL", True, True),
    ],
)
def test_what_a_provider_needs_follows_from_its_credentials_and_address(
    credentials: tuple[CredentialField, ...],
    address: str,
    required: str,
    takes_key: bool,
    takes_address: bool,
) -> None:
    found = spec(credentials=credentials, address=address)
    assert found.required_variable == required
    assert (found.takes_key, found.takes_address) == (takes_key, takes_address)
    assert found.key == (KEY if takes_key else None)


@pytest.mark.parametrize(
    ("address", "help_text"),
    [
        ("none", None),
        ("optional", "Another address of Acme's API (a proxy, a gateway); may be in a private network."),
        ("required", "Acme: address of the server; may be in a private network."),
    ],
)
def test_variables_are_the_credentials_the_address_and_the_settings(
    address: str, help_text: str | None
) -> None:
    setting = Variable(name="ACME_MODE", help="How.")
    found = spec(credentials=(KEY, REGION, TOKEN), address=address, settings=(setting,))
    key, region, token, *more = found.variables
    assert key.help.startswith("Key of Acme for every user; ")
    assert (key.name, key.is_secret) == ("ACME_KEY", True)
    assert region == Variable(name="ACME_REGION", help="Where.", is_secret=False)
    assert token == Variable(
        name="ACME_TOKEN", help="Credential 'token' of Acme, for every user.", is_secret=True
    )
    named = [Variable(name="IMPASTO_ACME_BASE_URL", help=help_text)] if help_text else []
    assert more == [*named, setting]


@pytest.mark.parametrize(
    ("address", "variables", "is_configured"),
    [
        ("optional", {"ACME_KEY": "k", "ACME_REGION": "eu"}, True),
        ("optional", {"ACME_KEY": "k"}, False),
        ("required", {"ACME_KEY": "k", "ACME_REGION": "eu"}, False),
        ("required", {"ACME_KEY": "k", "ACME_REGION": "eu", "IMPASTO_ACME_BASE_URL": "http://a"}, True),
    ],
)
def test_provider_is_configured_by_everything_that_it_requires(
    address: str, variables: dict[str, str], is_configured: bool
) -> None:
    found = spec(credentials=(KEY, REGION, TOKEN), address=address)
    assert found.is_configured(Configuration(variables)) is is_configured


async def listed_by_kind(kind: str, context: OptionsContext) -> list[dict[str, Any]]:
    return [{"value": "a"}, {"value": "own"}] if kind == "text" else []


MODELS = (
    Model(kind="text", name="a", title="A"),
    Model(kind="text", name="b", title="B"),
    Model(kind="image", name="a", title="A"),
    Model(kind="image", name="c", title="C"),
)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("facts", "models", "voices", "is_tested"),
    [
        ({}, 0, 0, True),
        ({"credentials": (KEY,)}, 0, 0, False),
        ({"credentials": (KEY,), "models": MODELS, "voices": ("x", "y")}, 4, 2, False),
        ({"credentials": (KEY,), "models": MODELS, "ping": lists()}, 4, 0, True),
        # The models that an account has replace those of the spec, kind by kind.
        ({"credentials": (KEY,), "models": MODELS, "list_models": listed_by_kind}, 4, 0, True),
        ({"credentials": (KEY,), "models": MODELS, "list_models": lists("x")}, 2, 0, True),
        ({"credentials": (KEY,), "models": MODELS, "list_models": lists()}, 4, 0, True),
        ({"credentials": (KEY,), "list_workflow_models": lists("a", "a", "w")}, 2, 0, True),
        ({"credentials": (KEY,), "voices": ("x",), "list_voices": lists("p", "q")}, 0, 2, True),
    ],
)
async def test_check_counts_the_models_and_voices_of_an_account(
    facts: dict[str, Any], models: int, voices: int, is_tested: bool
) -> None:
    async with options_context(configuration=Configuration({})) as context:
        found = await spec(text=unused, image=unused, **facts).check(context)
    assert found == ProviderCheck(models, voices, is_tested)


@pytest.mark.anyio
async def test_check_asks_a_service_without_lists_whether_the_key_is_valid() -> None:
    asked: list[object] = []

    async def ping(context: object) -> None:
        asked.append(context)

    async with options_context(configuration=Configuration({})) as context:
        await spec(ping=ping).check(context)
        assert asked == [context]


@pytest.mark.parametrize(
    ("provider", "secret", "plain", "optional"),
    [
        ("azure", ["AZURE_API_KEY"], ["AZURE_API_BASE", "AZURE_API_VERSION"], []),
        (
            "bedrock",
            ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"],
            ["AWS_REGION_NAME"],
            ["AWS_SESSION_TOKEN"],
        ),
        (
            "vertex_ai",
            ["VERTEXAI_CREDENTIALS"],
            ["VERTEXAI_PROJECT", "VERTEXAI_LOCATION"],
            ["VERTEXAI_LOCATION"],
        ),
        ("openai_compatible", ["OPENAI_COMPATIBLE_API_KEY"], [], ["OPENAI_COMPATIBLE_API_KEY"]),
    ],
)
def test_each_credential_is_secret_or_plain_and_required_or_optional(
    provider: str, secret: list[str], plain: list[str], optional: list[str]
) -> None:
    credentials = specs()[provider].credentials
    assert [one.variable for one in credentials if one.is_secret] == secret
    assert [one.variable for one in credentials if not one.is_secret] == plain
    assert [one.variable for one in credentials if not one.is_required] == optional
