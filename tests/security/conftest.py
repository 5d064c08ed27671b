"""Attacks use the fixtures of the server's tests."""

from tests.server.conftest import *  # noqa: F403
