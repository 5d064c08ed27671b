"""What the contract of run backends stands on: the server of the server tests, on either backend."""

from tests.server.conftest import *  # noqa: F403
from tests.server.sample_fixtures import *  # noqa: F403
