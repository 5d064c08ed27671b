"""Media types of MP4, MOV, HEIC and AVIF files, from their first bytes."""

import pytest

from impasto.media_types import iso_media_type


def head(brand, *compatible, size=None):
    """The first box of a file with its brand, and the brands that it is compatible with."""
    body = b"ftyp" + brand + bytes(4) + b"".join(compatible)
    return (size if size is not None else 4 + len(body)).to_bytes(4, "big") + body


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (head(b"avif"), "image/avif"),
        (head(b"heic", b"mif1"), "image/heic"),
        (head(b"hevx"), "image/heic"),
        (head(b"mif1"), "image/heif"),
        (head(b"mif1", b"mif1", b"heic"), "image/heic"),
        (head(b"msf1", b"miaf", b"avis", b"heic"), "image/avif"),
        (head(b"mif1", *[b"miaf"] * 31, b"heic"), "image/heic"),
        (head(b"mif1", *[b"miaf"] * 32, b"heic"), "image/heif"),
        (head(b"mif1", b"heic", size=16), "image/heif"),
        (head(b"mif1", b"heic", size=20), "image/heic"),
        (head(b"mif1", b"heic")[:19], "image/heif"),
        (head(b"M4A "), "audio/mp4"),
        (head(b"M4A\0"), "audio/mp4"),
        (head(b"M4B ", b"isom"), "audio/mp4"),
        (head(b"M4V "), "video/mp4"),
        (head(b"qt  "), "video/quicktime"),
        (head(b"isom", b"avif"), "video/mp4"),
        (b"\0\0\0\x10free", None),
        (b"", None),
    ],
    ids=[
        *("avif", "heic", "hevx", "generic", "generic heic", "generic avif"),
        *("last of 32", "beyond 32", "beyond the box", "last of the box", "cut"),
        *("m4a", "m4a with a zero", "m4b", "m4v", "mov", "mp4", "no ftyp", "empty"),
    ],
)
def test_the_major_brand_is_the_media_type_unless_a_compatible_one_says_more(data, media_type):
    assert iso_media_type(data) == media_type
