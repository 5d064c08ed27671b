"""The variables besides `IMPASTO_<NAME>`."""

from dataclasses import replace

from impasto.sdk.providers import Variable, installed_providers
from impasto_server.observability.otel_variables import OTEL_VARIABLES
from impasto_server.storage.s3_variables import S3_VARIABLES


def all_variables() -> list[Variable]:
    """Return each variable of the providers and libraries once; a shared one has all of its meanings."""
    found: dict[str, Variable] = {}
    for one in (*installed_providers().variables, *S3_VARIABLES, *OTEL_VARIABLES):
        first = found.get(one.name)
        found[one.name] = replace(first, help=f"{first.help} {one.help}") if first else one
    return list(found.values())
