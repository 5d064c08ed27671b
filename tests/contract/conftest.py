"""Fixtures of the contract tests: those of the server tests."""

from tests.server.conftest import *  # noqa: F403
from tests.server.sample_fixtures import *  # noqa: F403
