"""MkDocs hook: the reference of all settings: those of the server, the providers and libraries."""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from tools.docs.markdown import cell

from impasto_server.cli.variables import all_variables
from impasto_server.settings import Settings


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated page."""
    files.append(File.generated(config, "reference/settings.md", content=page()))
    return files


def page() -> str:
    """Every variable with its default and meaning."""
    lines = [
        "# Settings",
        "",
        "Environment variables, or lines of a `.env` file. `impasto settings` prints them with their values.",
        "",
        "| variable | default | meaning |",
        "| --- | --- | --- |",
    ]
    for name, field in Settings.model_fields.items():
        default = "" if field.default in (None, "", ()) else f"`{field.default}`"
        lines.append(f"| `IMPASTO_{name.upper()}` | {default} | {cell(field.description or '')} |")
    for variable in all_variables():
        default = f"`{variable.default}`" if variable.default else ""
        lines.append(f"| `{variable.name}` | {default} | {cell(variable.help)} |")
    return "\n".join([*lines, ""])
