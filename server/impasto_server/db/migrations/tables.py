"""Imports the tables of every feature, so that the metadata is complete."""

from impasto_server.api_keys import models as api_keys
from impasto_server.assets import garbage
from impasto_server.assets import models as assets
from impasto_server.audit import models as audit
from impasto_server.batches import models as batches
from impasto_server.brands import models as brands
from impasto_server.collections import models as collections
from impasto_server.credentials import models as credentials
from impasto_server.customizations import models as customizations
from impasto_server.db.engine import Base
from impasto_server.email import models as email
from impasto_server.flows import models as flows
from impasto_server.http import idempotency
from impasto_server.identity import models as identity
from impasto_server.identity.second_factors import models as factor_models
from impasto_server.impact import models as impact
from impasto_server.limits import models as limits
from impasto_server.runs import models as runs
from impasto_server.users import models as users
from impasto_server.versions import models as versions

MODULES = (
    factor_models,
    garbage, idempotency,
    api_keys, assets, audit, batches, brands, collections, credentials, customizations, email, flows,
    identity, impact, limits, runs, users, versions,
)  # fmt: skip

metadata = Base.metadata
