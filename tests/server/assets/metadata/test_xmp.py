"""The XMP packet with the provenance."""

from impasto_server.assets.metadata import xmp

START = (
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
    'xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:impasto="urn:impasto:lineage:1" xmp:CreatorTool="Impasto"'
)
END = '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>'


def test_packet_contains_the_text_and_the_source_type() -> None:
    made_by = '<impasto:madeBy>a &lt;b&gt; &amp; "c"</impasto:madeBy>'
    assert xmp.pack('a <b> & "c"').decode() == f"{START}>{made_by}{END}"
    assert xmp.pack('a <b> & "c"', 'urn:"made"').decode() == (
        f'{START} xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"'
        f' Iptc4xmpExt:DigitalSourceType="urn:&quot;made&quot;">{made_by}{END}'
    )


def test_text_is_read_from_own_packets_only() -> None:
    packet = xmp.pack("lines\nand <tags>")
    assert (xmp.is_impasto_packet(packet), xmp.unpack(packet)) == (True, "lines\nand <tags>")
    assert (xmp.is_impasto_packet(b"<x:xmpmeta/>"), xmp.unpack(b"<x:xmpmeta/>")) == (False, None)
