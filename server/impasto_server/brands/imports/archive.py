"""Reading the zip of an exported brand, which may be from anywhere."""

import io
import lzma
import zipfile
import zlib
from typing import Any

import orjson
from pydantic import ValidationError

from impasto_server.brands.imports.font_file import MAX_BYTES as MAX_FONT_BYTES
from impasto_server.brands.schemas import MAX_FONT_FILES, BrandContent

DOCUMENT = "brand.json"
MAX_DOCUMENT_BYTES = 2**20
MAX_LOGO_BYTES = 20 * 2**20
KIND = "impasto-brand"
_FORMATS = (1, 2)
"""2 is a brand with font files."""
_LOGO_INVALID = "The exported brand is not valid: logo."


class FileUnreadable(Exception):
    """The file is no exported brand; the message is a sentence."""


def read_export(data: bytes) -> tuple[BrandContent, dict[str, bytes], list[bytes]]:
    """Return the brand in an exported file, without logos and fonts, the logos by ground, and the font files.

    Raises `FileUnreadable`.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            document = orjson.loads(_member(archive, DOCUMENT, MAX_DOCUMENT_BYTES))
            if not isinstance(document, dict) or document.get("kind") != KIND:
                raise FileUnreadable("This zip is no brand that was exported from Impasto.")
            if document.get("format") not in _FORMATS:
                raise FileUnreadable("This brand was exported by a newer Impasto. Update this one first.")
            brand: Any = document.get("brand")
            names = brand.pop("logo", None) or {} if isinstance(brand, dict) else {}
            fonts = brand.pop("font_files", None) if isinstance(brand, dict) else None
            content = BrandContent.model_validate(brand)
            if not isinstance(names, dict):
                raise FileUnreadable(_LOGO_INVALID)
            logos = {
                ground: _member(archive, str(names[ground]), MAX_LOGO_BYTES)
                for ground in ("light", "dark")
                if names.get(ground)
            }
            files = [
                _member(archive, str(font["file"]), MAX_FONT_BYTES)
                for font in (fonts if isinstance(fonts, list) else ())[:MAX_FONT_FILES]
                if isinstance(font, dict) and font.get("file")
            ]
    except ValidationError as error:
        field = ".".join(map(str, error.errors()[0]["loc"])) or DOCUMENT
        raise FileUnreadable(f"The exported brand is not valid: {field[:100]}.") from error
    except (
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        EOFError,
        KeyError,
        RuntimeError,
        OSError,
        ValueError,
    ) as error:
        raise FileUnreadable("This zip is no brand that was exported from Impasto.") from error
    numbers = {name: names[name] for name in ("clear_space", "min_width") if name in names}
    try:
        logo = type(content.logo).model_validate(numbers)
    except ValidationError as error:
        raise FileUnreadable(_LOGO_INVALID) from error
    return content.model_copy(update={"logo": logo}), logos, files


def _member(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    with archive.open(name) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise FileUnreadable(f"{name[:100]} in this file is larger than {limit / 2**20:g} MiB.")
    return data
