"""The XMP packet that holds a provenance, as text inside one element of our own namespace."""

import re
from html import escape, unescape

MAX_BYTES = 40_000
_NAMESPACE = "urn:impasto:provenance:1"
_ELEMENT = re.compile(rb"<impasto:madeBy>(.*?)</impasto:madeBy>", re.DOTALL)
_PACKET = (
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
    'xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:impasto="{namespace}" xmp:CreatorTool="Impasto">'
    "<impasto:madeBy>{text}</impasto:madeBy></rdf:Description></rdf:RDF></x:xmpmeta>"
    '<?xpacket end="w"?>'
)


class MalformedFile(Exception):
    """A file whose structure cannot be followed."""


def pack(text: str) -> bytes:
    """Return the packet that holds a text."""
    return _PACKET.format(namespace=_NAMESPACE, text=escape(text, quote=False)).encode()


def unpack(packet: bytes) -> str | None:
    """Return the text in a packet of ours. No XML parser sees what a stranger sent."""
    match = _ELEMENT.search(packet)
    return unescape(match[1].decode("utf-8", "replace")) if match else None


def is_impasto_packet(packet: bytes) -> bool:
    """Whether a packet is one that we wrote."""
    return _NAMESPACE.encode() in packet
