"""Keys and addresses: a person's own key, else the server's; another address only by the operator's word."""

import os
from dataclasses import dataclass, field

from impasto import Context
from impasto_nodes.providers.errors import MissingCredential
from impasto_nodes.providers.known import NEED_ADDRESS, PROVIDERS


@dataclass(frozen=True, slots=True)
class Access:
    """What it takes to call a provider; `address` is empty for its public one."""

    provider: str
    key: str = field(repr=False)
    address: str = ""


async def access_to(provider: str, context: Context) -> Access:
    """The key and address to use now; raises MissingCredential where a key is needed and there is none."""
    found = await _look_up(provider, context)
    if found is None:
        raise MissingCredential(provider, variable_of(provider))
    return found


async def is_configured(provider: str, context: Context) -> bool:
    """Whether a call to this provider could be made."""
    return await _look_up(provider, context) is not None


def address_of(provider: str) -> str:
    """The operator's own address for a provider, from IMPASTO_<PROVIDER>_BASE_URL, or empty."""
    known = PROVIDERS.get(provider)
    return os.environ.get(known.address_variable, "").rstrip("/") if known else ""


def variable_of(provider: str) -> str:
    """The environment variable that would make this provider usable by everybody on the server."""
    known = PROVIDERS[provider]
    return known.address_variable if provider in NEED_ADDRESS else known.variable


async def _look_up(provider: str, context: Context) -> Access | None:
    known, address = PROVIDERS[provider], address_of(provider)
    if provider in NEED_ADDRESS and not address:
        return None
    key = await context.credential(provider) or os.environ.get(known.variable, "") if known.variable else ""
    if not key and known.variable and provider not in NEED_ADDRESS:
        return None
    return Access(provider, key or "", address)
