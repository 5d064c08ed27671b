"""Which content codings a client accepts (RFC 9110, section 12.5.3)."""

_ZERO = frozenset({"0", "0.", "0.0", "0.00", "0.000"})


def accepted_encodings(header: str | None) -> frozenset[str]:
    """Return the content codings, in lower case, that a header Accept-Encoding gives a weight above 0."""
    items = (item.partition(";") for item in (header or "").lower().split(","))
    return frozenset(
        name.strip()
        for name, _, parameters in items
        if name.strip() and parameters.replace(" ", "").removeprefix("q=") not in _ZERO
    )
