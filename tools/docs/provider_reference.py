"""MkDocs hook: the reference of the installed providers, generated from what they declare."""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from impasto import Catalog


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated page."""
    files.append(File.generated(config, "reference/providers.md", content=page()))
    return files


def page() -> str:
    """Every provider with its id, the kinds that it makes, and its variables."""
    lines = [
        "# Providers",
        "",
        "The providers of the installed packages. [Providers](../guides/providers.md) is the guide;",
        "[Settings](settings.md) says what each variable means.",
        "",
        "| provider | id | makes | variables |",
        "| --- | --- | --- | --- |",
    ]
    for provider in Catalog.discover().providers.values():
        variables = ", ".join(f"`{variable.name}`" for variable in provider.variables)
        lines.append(f"| {provider.title} | `{provider.id}` | {', '.join(provider.kinds)} | {variables} |")
    return "\n".join([*lines, ""])
