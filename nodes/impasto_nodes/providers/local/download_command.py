"""`impasto models pull | remove`: models for this machine, fetched when they are asked for."""

import asyncio
import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from impasto import Configuration
from impasto.configuration import ENV_FILE
from impasto.sdk.providers import ModelDetails, ModelDownload
from impasto_nodes.providers.local.downloads import Downloads, LocalDownloads, downloads_of
from impasto_nodes.providers.local.errors import LocalError
from impasto_nodes.providers.local.model_store.place import (
    are_downloads_allowed,
    memory_gb,
    models_folder,
)

_KINDS = {"text": "texts", "captions": "captions"}


def pull_model(
    name: Annotated[
        str | None,
        typer.Argument(
            help="An offered model, owner/repository/file.gguf for texts, or owner/repository for captions. "
            "None lists them."
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Download without asking.")] = False,
) -> None:
    """Download a model for this machine, after showing its licence, size and SHA-256.

    A download that was interrupted goes on where it stopped. Texts are then written by the largest language
    model that is here, or by the one that IMPASTO_LOCAL_MODEL names; captions by the largest caption model,
    or by the one that IMPASTO_LOCAL_CAPTIONS_MODEL names.
    """
    configuration = Configuration.load(ENV_FILE)
    try:
        if name is None:
            _print_offers(configuration)
            return
        if not are_downloads_allowed(configuration):
            _fail("Downloads are turned off by IMPASTO_LOCAL_DOWNLOAD.")
        downloads = downloads_of(name, configuration)
        found = asyncio.run(downloads.look_up(name, configuration))
        _describe(downloads, found, configuration)
        if not yes:
            if not sys.stdin.isatty():
                _fail("Nothing was downloaded: add --yes to download without a question.", 2)
            typer.confirm("Download it?", abort=True)
        asyncio.run(_pull(downloads, name, found, configuration))
    except LocalError as error:
        _fail(error.message if error.detail in ("", error.message) else f"{error.message} {error.detail}.")


def remove_model(name: Annotated[str, typer.Argument(help="A downloaded model.")]) -> None:
    """Delete a downloaded model, or what has arrived of it."""
    try:
        LocalDownloads().remove(name, Configuration.load(ENV_FILE))
    except (LocalError, OSError) as error:
        _fail(error.message if isinstance(error, LocalError) else str(error))
    typer.echo(f"Removed {name}.")


async def _pull(downloads: Downloads, name: str, found: ModelDetails, configuration: Configuration) -> None:
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(found.title, total=found.size)
        await downloads.download(
            name,
            found.sha256,
            configuration,
            lambda share, _: progress.update(task, completed=round(share * found.size)),
        )
    typer.echo(f"{found.title} is on this machine now, in {models_folder(configuration)}.")


def _describe(downloads: Downloads, found: ModelDetails, configuration: Configuration) -> None:
    needed = downloads.memory_of(found.size) / 1e9
    typer.echo(f"{found.title}, from {found.url}")
    typer.echo(f"Licence: {found.licence or 'not stated'}")
    typer.echo(
        f"Size: {found.size / 1e9:.2f} GB; takes about {needed:g} GB of memory, of {memory_gb():.1f} GB here"
    )
    typer.echo(f"SHA-256: {found.sha256}")
    typer.echo(f"Folder: {models_folder(configuration)}")


def _print_offers(configuration: Configuration) -> None:
    table = Table("Model", "For", "Licence", "Size", "Memory", "Languages", "On this machine")
    for each in LocalDownloads().list_all(configuration):
        size, memory = (f"{amount / 1e9:.1f} GB" for amount in (each.size, each.memory))
        kind = _KINDS.get(each.kind, each.kind)
        table.add_row(each.name, kind, each.licence, size, memory, each.languages, _state(each))
    Console(width=None if Console().is_terminal else 200).print(table)
    typer.echo(
        f"This machine has {memory_gb():.1f} GB of memory. Download one with: impasto models pull NAME"
    )


def _state(model: ModelDownload) -> str:
    if model.is_complete:
        return "yes"
    if model.received > 0:
        return f"{model.received * 100 // model.size} % downloaded"
    return "recommended" if model.is_recommended else ""


def _fail(sentence: str, code: int = 1) -> None:
    typer.echo(sentence, err=True)
    raise typer.Exit(code)
