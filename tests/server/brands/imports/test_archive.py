"""Exported brands, which may be from anywhere."""

import io
import zipfile
from contextlib import suppress
from typing import Any

import orjson
import pytest

from impasto_server.brands.imports.archive import (
    MAX_DOCUMENT_BYTES,
    MAX_LOGO_BYTES,
    FileUnreadable,
    read_export,
)

NO_BRAND = "This zip is no brand that was exported from Impasto."


def exported(
    brand: Any,
    *,
    kind: str = "impasto-brand",
    version: Any = 2,
    method: int = zipfile.ZIP_DEFLATED,
    **files: bytes,
) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr("brand.json", orjson.dumps({"kind": kind, "format": version, "brand": brand}))
        for name, data in files.items():
            archive.writestr(name, data)
    return file.getvalue()


def test_brand_is_read_with_its_logos_and_fonts() -> None:
    brand = {
        "name": "Fjell",
        "logo": {"light": "l", "dark": None, "clear_space": 1, "min_width": 200, "other": 1},
        "font_files": [{"file": "f1"}, {"file": ""}, "damaged", {}, {"file": "f2"}],
    }
    content, logos, fonts = read_export(exported(brand, l=b"logo", f1=b"one", f2=b"two"))
    assert content.name == "Fjell"
    assert content.logo.model_dump() == {"light": None, "dark": None, "clear_space": 1.0, "min_width": 200}
    assert (logos, fonts) == ({"light": b"logo"}, [b"one", b"two"])
    assert content.font_files == []


@pytest.mark.parametrize(
    "brand",
    [
        {"name": "Fjell"},
        {"name": "Fjell", "logo": None, "font_files": None},
        {"name": "Fjell", "font_files": "x"},
    ],
)
def test_brand_without_files_is_read(brand: dict[str, Any]) -> None:
    content, logos, fonts = read_export(exported(brand, version=1))
    assert (content.name, content.logo.clear_space, logos, fonts) == ("Fjell", 0.5, {}, [])


def test_first_twelve_fonts_are_read() -> None:
    files = {f"f{number}": b"%d" % number for number in range(13)}
    _, _, fonts = read_export(
        exported({"name": "F", "font_files": [{"file": name} for name in files]}, **files)
    )
    assert fonts == [b"%d" % number for number in range(12)]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"no zip", NO_BRAND),
        (exported({"name": "F"}, kind="other"), NO_BRAND),
        (exported({"name": "F", "logo": {"dark": "gone"}}), NO_BRAND),
        (
            exported({"name": "F"}, version=3),
            "This brand was exported by a newer Impasto. Update this one first.",
        ),
        (
            exported({"name": "F"}, version=None),
            "This brand was exported by a newer Impasto. Update this one first.",
        ),
        (exported({"name": ""}), "The exported brand is not valid: name."),
        (exported({"name": "F", "colors": [{"hex": "x"}]}), "The exported brand is not valid: colors.0.hex."),
        (exported({"name": "F", "x" * 101: 1}), f"The exported brand is not valid: {'x' * 100}."),
        (exported([]), "The exported brand is not valid: brand.json."),
        (exported({"name": "F", "logo": {"clear_space": 9}}), "The exported brand is not valid: logo."),
        (exported({"name": "F", "logo": 7}), "The exported brand is not valid: logo."),
        (exported({"name": "F", "logo": ["clear_space"]}), "The exported brand is not valid: logo."),
    ],
    ids=[
        "no zip", "other kind", "missing file", "newer format", "no format",
        "no name", "invalid color", "unknown field", "list", "invalid logo",
        "logo of a number", "logo of a list",
    ],  # the bytes of a zip hold the time at which it was made
)  # fmt: skip
def test_file_that_is_no_brand_is_refused_in_words(data: bytes, sentence: str) -> None:
    with pytest.raises(FileUnreadable) as refused:
        read_export(data)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA], ids=["deflate", "lzma"])
def test_changed_byte_is_refused_or_gives_a_brand(method: int) -> None:
    brand = {"name": "Fjell", "description": "x" * 100, "logo": {"light": "l"}}
    whole = exported(brand, method=method, l=b"logo" * 20)
    read = 0
    for place, byte in enumerate(whole):
        damaged = whole[:place] + bytes((byte ^ 0x80,)) + whole[place + 1 :]
        with suppress(FileUnreadable):
            read += read_export(damaged)[0].name == "Fjell"
    assert 0 < read < len(whole)


def test_parts_of_an_exported_brand_have_at_most_their_size() -> None:
    rest = len(orjson.dumps({"kind": "impasto-brand", "format": 2, "brand": {"name": "F", "x": ""}}))
    for more, words in ((0, "not valid: x"), (1, "brand.json in this file is larger than 1 MiB")):
        with pytest.raises(FileUnreadable, match=words):
            read_export(exported({"name": "F", "x": "x" * (MAX_DOCUMENT_BYTES - rest + more)}))
    brand = {"name": "F", "logo": {"light": "l"}}
    assert len(read_export(exported(brand, l=bytes(MAX_LOGO_BYTES)))[1]["light"]) == MAX_LOGO_BYTES
    with pytest.raises(FileUnreadable, match="l in this file is larger than 20 MiB"):
        read_export(exported(brand, l=bytes(MAX_LOGO_BYTES + 1)))
