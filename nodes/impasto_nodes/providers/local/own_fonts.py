"""Copies of a brand's font files for a worker process."""

from pathlib import Path

from impasto import AssetNotFound, Brand, Context

FontFiles = list[tuple[str, str]]
"""Path and name of each file, as JSON; the name says family, weight and style."""


async def font_files_of(brand: Brand | None, context: Context) -> FontFiles:
    """Copy the brand's font files to the step's folder. Files that were deleted are left out."""
    found: FontFiles = []
    for number, file in enumerate(brand.font_files if brand else ()):
        path = Path(context.temp_dir) / f"font-{number}"
        try:
            path.write_bytes(await context.read(file))
        except AssetNotFound:
            continue
        found.append((str(path), file.name or ""))
    return found
