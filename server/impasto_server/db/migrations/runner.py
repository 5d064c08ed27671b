"""Runs the migrations."""

import asyncio
from pathlib import Path

from alembic import command
from alembic.config import Config


def configuration(url: str) -> Config:
    """Return Alembic's configuration for a database."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["url"] = url
    return config


async def migrate(url: str) -> None:
    """Upgrade a database to the newest schema. Does nothing if it is up to date."""
    await asyncio.to_thread(command.upgrade, configuration(url), "head")
