"""Keys and addresses: the user's own key, else the operator's.

Addresses are the operator's, or those of a server that the user has chosen: one that was found on this
machine, or one that the operator's list allows, now as when it was chosen. No key is sent to such a server.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from impasto import Context
from impasto.sdk.user_servers import UserServers
from impasto_nodes.providers.errors import MissingCredential
from impasto_nodes.providers.local_servers import is_local_address
from impasto_nodes.providers.registry import specs


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What a call of a provider needs. `address` is empty for the provider's public one.

    `fields` holds every credential by its name; `key` is the one named "key".
    """

    provider: str
    key: str = field(repr=False)
    address: str = ""
    fields: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def more(self) -> dict[str, str]:
        """The credentials besides the key that are set, by their names."""
        return {name: value for name, value in self.fields.items() if name != "key" and value}

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values that no error and no log may show."""
        hidden = {one.name for one in specs()[self.provider].credentials if one.is_secret}
        return tuple(value for name, value in self.fields.items() if name in hidden and value)


async def access_to(provider: str, context: Context) -> Access:
    """Return the credentials and address to use. Raises `MissingCredential` if a required one is not set."""
    found = await _look_up(provider, context)
    if isinstance(found, MissingCredential):
        raise found
    return found


async def missing_credential(provider: str, context: Context) -> MissingCredential | None:
    """Return the error of a call of the provider for what is not set; None if it can be called."""
    found = await _look_up(provider, context)
    return found if isinstance(found, MissingCredential) else None


async def is_configured(provider: str, context: Context) -> bool:
    """Return whether the provider can be called."""
    return await missing_credential(provider, context) is None


async def _look_up(provider: str, context: Context) -> Access | MissingCredential:
    spec, configuration = specs()[provider], context.configuration
    address = configuration.text(spec.address_variable).rstrip("/") if spec.address != "none" else ""
    is_own_server = spec.address == "required" and not address
    if is_own_server:
        address = await context.credential(f"address:{provider}") or ""
        is_found = is_local_address(address, spec.local_servers)
        if not is_found and not UserServers.of(configuration).allows(address):
            return MissingCredential(provider, {spec.address_variable})
    fields: dict[str, str] = {}
    for one in spec.credentials:
        own = await context.credential(provider) if one.name == "key" and not is_own_server else None
        fields[one.name] = "" if is_own_server else own or configuration.text(one.variable)
    missing = {one.variable for one in spec.credentials if one.is_required and not fields[one.name]}
    if missing:
        return MissingCredential(provider, missing)
    return Access(provider=provider, key=fields.get("key", ""), address=address, fields=fields)
