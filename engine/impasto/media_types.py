"""The media type of files of the ISO base media format (MP4, MOV, HEIC, AVIF), from their first bytes."""

_IMAGE_BRANDS = {
    b"avif": "image/avif",
    b"avis": "image/avif",
    b"heic": "image/heic",
    b"heix": "image/heic",
    b"heim": "image/heic",
    b"heis": "image/heic",
    b"hevc": "image/heic",
    b"hevx": "image/heic",
    b"mif1": "image/heif",
    b"msf1": "image/heif",
}
_AUDIO_BRANDS = (b"M4A", b"M4B")  # music and audiobooks
_GENERIC_IMAGES = {b"mif1", b"msf1"}
_MAX_BRANDS = 32


def iso_media_type(head: bytes) -> str | None:
    """Return the media type of a file that begins with `head`; None if it is of another format.

    An image whose own brand is generic has the type of its first specific compatible brand.
    """
    if head[4:8] != b"ftyp":
        return None
    brand = head[8:12]
    if brand in _GENERIC_IMAGES:
        specific = (one for one in _compatible_brands(head) if one in _IMAGE_BRANDS.keys() - _GENERIC_IMAGES)
        return _IMAGE_BRANDS[next(specific, brand)]
    if brand in _IMAGE_BRANDS:
        return _IMAGE_BRANDS[brand]
    if brand[:3] in _AUDIO_BRANDS:
        return "audio/mp4"
    return "video/quicktime" if brand == b"qt  " else "video/mp4"


def _compatible_brands(head: bytes) -> list[bytes]:
    end = min(int.from_bytes(head[:4], "big"), len(head))
    return [head[at : at + 4] for at in range(16, end - 3, 4)[:_MAX_BRANDS]]
