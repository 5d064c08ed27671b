"""The sample node types at hand."""

from tests.server.sample_fixtures import *  # noqa: F403
