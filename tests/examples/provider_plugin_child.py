"""Prints what Impasto shows of the example plugin's provider, in a process where the plugin is installed."""

import asyncio
import json
import runpy
import sys
from pathlib import Path
from unittest import mock

from tests.fakes.running import flow_of
from typer.testing import CliRunner

from impasto import Catalog, Configuration, MemoryStore, compile, execute
from impasto.sdk.options_context import options_context
from impasto_server.__main__ import program
from impasto_server.nodes import schemas

ROOT = Path(__file__).parents[2]


async def main() -> None:
    configuration = Configuration({"RHYME_HOUSE_KEY": "a-key"})
    catalog = Catalog.discover(configuration=configuration)
    described = catalog.describe()
    (writer,) = [item for item in described["types"] if item["id"] == "language_model"]
    async with options_context(configuration=configuration) as context:
        models = await catalog.options("language_model", "model", "rhyme", context)
    flow = flow_of("language_model", {"provider": "rhyme_house"}, {"prompt": "Tea"})
    plan = compile(flow, catalog, configured=frozenset())
    result = await execute(plan, store=MemoryStore(), configuration=configuration)
    print(
        json.dumps(
            {
                "broken": described["broken"],
                "plugins": described["plugins"],
                "choices": writer["settings"]["properties"]["provider"]["enum"],
                "models": models,
                "provider": next(
                    schemas.CatalogProvider.model_validate(item).model_dump()
                    for item in described["providers"]
                    if item["id"] == "rhyme_house"
                ),
                "settings": CliRunner().invoke(program, ["settings"]).output,
                "reference": [documented("provider_reference"), documented("setting_reference")],
                "estimate": plan.estimate(),
                "output": result.outputs["it.output"],
                "cost": result.cost_usd,
            }
        )
    )


def documented(module: str) -> str:
    """The page that a MkDocs hook generates; MkDocs itself is not needed for its text."""
    names = (
        "mkdocs",
        "mkdocs.config",
        "mkdocs.config.defaults",
        "mkdocs.structure",
        "mkdocs.structure.files",
    )
    with mock.patch.dict(sys.modules, {name: mock.MagicMock() for name in names}):
        page = runpy.run_path(str(ROOT / "tools" / "docs" / f"{module}.py"))["page"]
        return str(page())


asyncio.run(main())
