"""`impasto models`: the catalog of models, for operators."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, cast

import typer
from rich.console import Console
from rich.table import Table

from impasto import Configuration, Context, NodeError
from impasto.configuration import ENV_FILE
from impasto.sdk.options_context import options_context
from impasto_nodes.providers.catalog import (
    InvalidCatalog,
    folder_of,
    merged,
    read_refreshed,
    write_refreshed,
)
from impasto_nodes.providers.local.download_command import pull_model, remove_model
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.registry import UNITS, listed_models, specs
from impasto_nodes.providers.spec import ProviderSpec

_SECONDS = 90.0
commands = typer.Typer(
    no_args_is_help=True, help="List the known models, refresh what is known of them, and download some."
)
commands.command("pull")(pull_model)
commands.command("remove")(remove_model)
Provider = Annotated[list[str] | None, typer.Option(help="Only this provider, by its id; may be repeated.")]


@commands.command("list")
def list_models(
    provider: Provider = None,
    kind: Annotated[str, typer.Option(help="Only this kind: such as text, image or speech.")] = "",
) -> None:
    """List the models that are known by name; any other that a provider knows can be typed, too."""
    table = Table("Provider", "Kind", "Model", "List price", "Until", "Checked")
    for spec in _chosen(provider):
        for model in listed_models(spec.id):
            if not kind or model.kind == kind:
                table.add_row(spec.id, model.kind, model.name, *_described(model))
    Console(width=None if Console().is_terminal else 200).print(table)


@commands.command()
def refresh(provider: Provider = None) -> None:
    """Read today's models, prices, limits and dates from the providers, for servers that start afterwards.

    The catalog is written to the data folder. Without a connection it stays as it is.
    """
    configuration = Configuration.load(ENV_FILE)
    found, failures = asyncio.run(ask_providers(configuration, _chosen(provider)))
    for title, reason in failures.items():
        typer.echo(f"{title}: {reason} Its known models are kept.", err=True)
    if not found:
        typer.echo("Nothing was refreshed: the catalog stays as it is.", err=True)
        raise typer.Exit(1)
    folder, today = folder_of(configuration), datetime.now(UTC).date()
    try:
        file = write_refreshed(folder, {**read_refreshed(folder), **found}, today)
    except (InvalidCatalog, OSError) as error:
        typer.echo(f"The catalog stays as it is: {error}", err=True)
        raise typer.Exit(1) from None
    for name, models in found.items():
        gone = sum(model.is_gone for model in models)
        typer.echo(f"{specs()[name].title}: {len(models)} models, {gone} of them no longer served.")
    typer.echo(f"Wrote {file}. A server reads it when it starts.")


async def ask_providers(
    configuration: Configuration, providers: Sequence[ProviderSpec]
) -> tuple[dict[str, list[Model]], dict[str, str]]:
    """Return today's models by provider id, and why others could not be asked by their titles."""
    found: dict[str, list[Model]] = {}
    failures: dict[str, str] = {}
    private = configuration.text("IMPASTO_ALLOW_PRIVATE_HOSTS").casefold() in {"1", "true", "yes", "on"}
    async with options_context(configuration=configuration, allow_private_hosts=private) as context:
        for spec in providers:
            if spec.refresh_models is None:
                continue
            try:
                async with asyncio.timeout(_SECONDS):
                    facts = await spec.refresh_models(cast("Context", context))
                found[spec.id] = list(merged(spec.models, facts))
            except NodeError as error:
                failures[spec.title] = error.message
            except TimeoutError:
                failures[spec.title] = f"It did not answer within {_SECONDS:g} seconds."
            except Exception as error:  # noqa: BLE001 - a package's provider may fail in any way
                failures[spec.title] = f"It could not be asked: {type(error).__name__}."
    return found, failures


def _chosen(ids: Sequence[str] | None) -> list[ProviderSpec]:
    unknown = sorted(set(ids or ()) - set(specs()))
    if unknown:
        known = ", ".join(specs())
        typer.echo(f"No provider has the id '{unknown[0]}'. Installed: {known}.", err=True)
        raise typer.Exit(2)
    return [spec for name, spec in specs().items() if not ids or name in ids]


def _described(model: Model) -> tuple[str, str, str]:
    price = f"${model.price_usd:g} per {UNITS[model.kind]}" if model.price_usd else "free"
    until = str(model.retires_on or "")
    if model.is_gone:
        until += f" (gone; {model.replaced_by or 'the default'} runs instead)"
    return price if model.is_priced else "not known", until, str(model.checked_on or "")
