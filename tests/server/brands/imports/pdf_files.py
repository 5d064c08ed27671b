"""Ten small brand guidelines as PDF, each with the colours and fonts that a reader finds in it."""

import zlib
from dataclasses import dataclass


@dataclass(frozen=True)
class Guideline:
    name: str
    data: bytes
    colors: frozenset[str]
    fonts: frozenset[str]


def pdf(
    *contents: str,
    fonts: dict[str, str] | None = None,
    resources: str = "",
    sheet: str = "/MediaBox [0 0 600 800]",
    extra: tuple[str, ...] = (),
    compressed: bool = False,
) -> bytes:
    """Return a PDF with a page for each content stream. `fonts` are names in it and base fonts.

    `sheet` says how large the pages are and how they are turned.
    `extra` are further objects: the first has number 3.
    """
    base = "".join(
        f"/{name} << /Type /Font /Subtype /Type1 /BaseFont /{font} >> "
        for name, font in (fonts or {"F1": "Helvetica"}).items()
    )
    objects: list[bytes] = [b"", b"", *(each.encode("latin-1") for each in extra)]
    pages = []
    for content in contents:
        stream = content.encode("latin-1")
        filtering = b""
        if compressed:
            stream, filtering = zlib.compress(stream), b" /Filter /FlateDecode"
        objects.append(b"<< /Length %d%s >>\nstream\n%s\nendstream" % (len(stream), filtering, stream))
        objects.append(
            f"<< /Type /Page /Parent 2 0 R {sheet} /Contents {len(objects)} 0 R "
            f"/Resources << /Font << {base}>> {resources} >> >>".encode()
        )
        pages.append(len(objects))
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
    kids = " ".join(f"{number} 0 R" for number in pages)
    objects[1] = f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>".encode()
    file, places = bytearray(b"%PDF-1.7\n"), []
    for number, data in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, data)
    start = len(file)
    file += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    file += b"".join(b"%010d 00000 n \n" % place for place in places)
    file += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(file)


def titled(data: bytes, title: str) -> bytes:
    """Return a PDF whose information has a title: another object at its end."""
    return with_title(data, b"(%s)" % title.encode()) if title else data


def with_title(data: bytes, title: bytes) -> bytes:
    """Return a PDF with a title as it is written in one, such as `(Fjell)` or `<FEFF0046>`."""
    info = b"\n99 0 obj\n<< /Title %s >>\nendobj\n" % title
    return data.replace(b"/Root 1 0 R", b"/Root 1 0 R /Info 99 0 R").replace(b"xref\n", info + b"xref\n", 1)


FIRST_FORM = "/XObject << /Fm0 3 0 R >>"


def form(content: str, resources: str = "", *, size: str = "600 800", matrix: str = "1 0 0 1 0 0") -> str:
    """Return a form, an object of its own. A page with the resources `FIRST_FORM` can draw it as /Fm0.

    Without resources, it has those of the page.
    """
    own = f"/Resources << {resources} >> " if resources else ""
    return (
        f"<< /Type /XObject /Subtype /Form /BBox [0 0 {size}] /Matrix [{matrix}] "
        f"{own}/Length {len(content)} >>\nstream\n{content}\nendstream"
    )


def nested_forms(*contents: str) -> tuple[str, ...]:
    """Return forms that can each draw the next one as /Fm0. The one after the last content is empty."""
    forms = [form(each, f"/XObject << /Fm0 {number} 0 R >>") for number, each in enumerate(contents, 4)]
    return (*forms, form(""))


def text(*lines: str, font: str = "F1", size: int = 14, top: int = 700) -> str:
    """Return operators that write lines below each other."""
    shown = "".join(f"({line}) Tj 0 -{size + 6} Td " for line in lines)
    return f"BT /{font} {size} Tf 60 {top} Td {shown}ET\n"


def box(color: str, operator: str = "rg", at: int = 0) -> str:
    """Return operators that fill a square."""
    return f"{color} {operator} {60 + 130 * at} 100 120 120 re f\n"


_FILL = "0.1216 0.2902 0.2196 rg 60 60 300 300 re f"

GUIDELINES = [
    Guideline(
        "written hex codes",
        pdf(
            text("Fjell Skincare", size=30)
            + text("Primary #1F4A38", "Background #E9E4D8", "Accent #c98b5e", top=600)
            + text("Typeface: Hanken Grotesk", top=400)
        ),
        frozenset(("#1f4a38", "#e9e4d8", "#c98b5e")),
        frozenset(("Hanken Grotesk",)),
    ),
    Guideline(
        "drawn swatches",
        pdf(box("0.8706 0.3098 0.1647") + box("0.1843 0.3412 0.8784", at=1) + box("0 0.502 0.451", at=2)),
        frozenset(("#de4f2a", "#2f57e0", "#008073")),
        frozenset(),
    ),
    Guideline(
        "RGB values",
        pdf(
            text("Farben", "RGB 24, 70, 92", "R 222 G 139 B 58", "RGB: 240/217/176")
            + text("Schrift: Lora", top=300)
        ),
        frozenset(("#18465c", "#de8b3a", "#f0d9b0")),
        frozenset(("Lora",)),
    ),
    Guideline(
        "CMYK values and inks",
        pdf(text("CMYK 100 / 0 / 0 / 0", "C 0 M 100 Y 0 K 0", "Headlines in Montserrat Bold")),
        frozenset(("#00ffff", "#ff00ff")),
        frozenset(("Montserrat",)),
    ),
    Guideline(
        "embedded font names",
        pdf(
            text("Sleep does the rest.", size=40)
            + text("Thirty millilitres before bed.", font="F2", top=400),
            fonts={"F1": "ABCDEF+PlayfairDisplay-Bold", "F2": "GHIJKL+SourceSans3-Regular"},
        ),
        frozenset(),
        frozenset(("Playfair Display", "Source Sans 3")),
    ),
    Guideline(
        "compressed streams over two pages",
        pdf(
            text("Colours", "HEX 5C7A68", "HEX: 2B2018"),
            text("Typography", "Headlines: Playfair Display Black", "Text: Work Sans Regular")
            + box("0.4 0.2 0.6"),
            compressed=True,
        ),
        frozenset(("#5c7a68", "#2b2018", "#663399")),
        frozenset(("Playfair Display", "Work Sans")),
    ),
    Guideline(
        "swatches in a form",
        pdf(
            "/Fm0 Do\n" + text("Fonts: Red Hat Display, Manrope"),
            resources=FIRST_FORM,
            extra=(form(_FILL),),
        ),
        frozenset(("#1f4a38",)),
        frozenset(("Red Hat Display", "Manrope")),
    ),
    Guideline(
        "gray and named spaces",
        pdf(
            "/Cs1 cs 0.2 0.4 0.8 sc 60 60 200 200 re f\n0.5 g 300 60 200 200 re f\n",
            resources="/ColorSpace << /Cs1 /DeviceRGB >>",
        ),
        frozenset(("#3366cc", "#808080")),
        frozenset(),
    ),
    Guideline(
        "codes without a number sign",
        pdf(text("1F4A38", "B7C9C4", "Police : Poppins SemiBold")),
        frozenset(("#1f4a38", "#b7c9c4")),
        frozenset(("Poppins",)),
    ),
    Guideline(
        "strokes and coloured text",
        pdf(
            "0.8 0.1 0.2 RG 8 w 60 60 m 500 60 l S\n0.0 0.3 0.6 rg\n"
            + text("Typefaces: IBM Plex Sans and IBM Plex Serif")
        ),
        frozenset(("#cc1a33", "#004d99")),
        frozenset(("IBM Plex Sans", "IBM Plex Serif")),
    ),
]
