"""The XMP packet that contains the provenance as JSON text in an element of the project's namespace."""

import re
from html import escape, unescape

MAX_BYTES = 40_000
_NAMESPACE = "urn:impasto:lineage:1"
_ELEMENT = re.compile(rb"<impasto:madeBy>(.*?)</impasto:madeBy>", re.DOTALL)
_PACKET = (
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
    'xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:impasto="{namespace}" xmp:CreatorTool="Impasto">'
    "<impasto:madeBy>{text}</impasto:madeBy></rdf:Description></rdf:RDF></x:xmpmeta>"
    '<?xpacket end="w"?>'
)


class MalformedFile(Exception):
    """The structure of a file cannot be parsed."""


def pack(text: str) -> bytes:
    """Return the packet that contains a text."""
    return _PACKET.format(namespace=_NAMESPACE, text=escape(text, quote=False)).encode()


def unpack(packet: bytes) -> str | None:
    """Return the text in one of our packets. Uses no XML parser, because the file is untrusted."""
    match = _ELEMENT.search(packet)
    return unescape(match[1].decode("utf-8", "replace")) if match else None


def is_impasto_packet(packet: bytes) -> bool:
    """Whether a packet was written by Impasto."""
    return _NAMESPACE.encode() in packet
