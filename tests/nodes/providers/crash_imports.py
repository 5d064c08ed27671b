"""Modules that the processes of `test_crash` import: litellm without the lists that it would download."""

from impasto_nodes.providers.litellm import lazy_import

lazy_import.load()
