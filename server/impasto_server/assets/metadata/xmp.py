"""The XMP packet that contains the provenance as JSON text in an element of the project's namespace."""

import re
from html import escape, unescape

MAX_BYTES = 40_000
_NAMESPACE = "urn:impasto:lineage:1"
_ELEMENT = re.compile(rb"<impasto:madeBy>(.*?)</impasto:madeBy>", re.DOTALL)
_PACKET = (
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
    'xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:impasto="{namespace}" xmp:CreatorTool="Impasto"'
    "{source_type}><impasto:madeBy>{text}</impasto:madeBy></rdf:Description></rdf:RDF></x:xmpmeta>"
    '<?xpacket end="w"?>'
)
_SOURCE_TYPE = (
    ' xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" Iptc4xmpExt:DigitalSourceType="{url}"'
)


class MalformedFile(Exception):
    """The structure of a file cannot be parsed."""


def pack(text: str, source_type: str | None = None) -> bytes:
    """Return the packet that contains a text and, if given, an IPTC digital source type (a URL)."""
    attribute = _SOURCE_TYPE.format(url=escape(source_type)) if source_type else ""
    packet = _PACKET.format(namespace=_NAMESPACE, text=escape(text, quote=False), source_type=attribute)
    return packet.encode()


def unpack(packet: bytes) -> str | None:
    """Return the text in one of our packets. Uses no XML parser, because the file is untrusted."""
    match = _ELEMENT.search(packet)
    return unescape(match[1].decode("utf-8", "replace")) if match else None


def is_impasto_packet(packet: bytes) -> bool:
    """Whether a packet was written by Impasto."""
    return _NAMESPACE.encode() in packet
