"""MkDocs hook: the reference of the installed providers, those of other packages included."""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from tools.docs.markdown import cell

from impasto.sdk.providers import installed_providers
from impasto_nodes.providers import Model, ProviderSpec
from impasto_nodes.providers.protocols import KINDS
from impasto_nodes.providers.registry import UNITS


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated page."""
    files.append(File.generated(config, "reference/providers.md", content=page()))
    return files


def page() -> str:
    """A table of what each provider makes, then each provider with its variables and models."""
    found = installed_providers()
    lines = [
        "# Providers",
        "",
        "The installed providers, generated from what they declare.",
        "[Providers](../guides/providers.md) says how they are chosen and configured.",
        "",
        "| provider | " + " | ".join(KINDS).replace("_", " ") + " |",
        "| --- |" + " :-: |" * len(KINDS),
    ]
    for provider in found.providers.values():
        marks = " | ".join("●" if kind in provider.kinds else "" for kind in KINDS)
        lines.append(f"| [{provider.title}](#{provider.id}) | {marks} |")
    for provider in found.providers.values():
        lines += ["", f"## {provider.title} {{ #{provider.id} }}", ""]
        package = found.packages[provider.id]
        lines += [f"`{provider.id}`, from the package {package}.", ""]
        if provider.variables:
            lines += ["| variable | meaning |", "| --- | --- |"]
            lines += [f"| `{variable.name}` | {cell(variable.help)} |" for variable in provider.variables]
            lines.append("")
        if isinstance(provider, ProviderSpec) and provider.models:
            lines += ["| model | name | kind | list price |", "| --- | --- | --- | --- |"]
            lines += [
                f"| {model.title} | `{model.name}` | {model.kind} | {price(model)} |"
                for model in provider.models
            ]
    return "\n".join([*lines, ""])


def price(model: Model) -> str:
    """A model's list price with its unit."""
    return f"${model.price_usd:g} per {UNITS[model.kind]}" if model.price_usd else "free"
