"""Palettes and logos of images. Runs in a worker process: the files are untrusted."""

import base64
import io
import warnings

import numpy as np
from PIL import Image, ImageOps

from impasto_server.assets.media.svg import is_svg
from impasto_server.brands.imports.colors import FoundColor, hex_of

MAX_LOGO_PIXELS = 1024
_HEAD = 64 * 1024
_FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "AVIF", "BMP", "TIFF", "ICO")
_SAMPLE = 160
_COLORS = 10
_MIN_SHARE = 0.01


class ImageUnreadable(Exception):
    """The file is damaged, too large, or no image."""


def is_vector(data: bytes) -> bool:
    """Whether a file is an SVG."""
    return is_svg(data[:_HEAD].decode(errors="replace"))


def palette(data: bytes, place: str, megapixels: int) -> list[FoundColor]:
    """Return the main colours of an image with their share of its area. Raises `ImageUnreadable`."""
    image = _opened(data, megapixels)
    image.thumbnail((_SAMPLE, _SAMPLE))
    pixels = np.asarray(image.convert("RGBA"))
    solid = pixels[pixels[..., 3] >= 128][:, :3]
    if not len(solid):
        return []
    flat = Image.fromarray(np.ascontiguousarray(solid)[None])
    few = flat.quantize(_COLORS, method=Image.Quantize.MEDIANCUT)
    colors = few.getpalette() or []
    found = []
    for index, count in enumerate(few.histogram()):
        share = count / len(solid)
        if share >= _MIN_SHARE:
            red, green, blue = colors[3 * index : 3 * index + 3]
            color = hex_of(red / 255, green / 255, blue / 255)
            found.append(FoundColor(color, share, f"{share:.0%} of {place}"))
    return found


def is_cutout(data: bytes, megapixels: int) -> bool:
    """Whether an image has a transparent ground, as logos have. Raises `ImageUnreadable`."""
    image = _opened(data, megapixels)
    image.thumbnail((_SAMPLE, _SAMPLE))
    alpha = image.convert("RGBA").getchannel("A")
    return alpha.histogram()[0] > 0.05 * alpha.width * alpha.height


def as_logo(data: bytes, megapixels: int) -> str:
    """Return an image or SVG as the data URL of a PNG of at most `MAX_LOGO_PIXELS`.

    Raises `ImageUnreadable`.
    """
    return logo_of(_drawn(data) if is_vector(data) else _opened(data, megapixels))


def logo_of(image: Image.Image) -> str:
    """Return an image, cut to what is not transparent, as the data URL of a PNG of at most `MAX_LOGO_PIXELS`.

    Raises `ImageUnreadable` for an empty or very small one.
    """
    has_alpha = "A" in image.getbands() or "transparency" in image.info
    image = image.convert("RGBA" if has_alpha else "RGB")
    if has_alpha:
        box = image.getchannel("A").getbbox()
        if box is None:
            raise ImageUnreadable
        image = image.crop(box)
    image.thumbnail((MAX_LOGO_PIXELS, MAX_LOGO_PIXELS))
    if image.width < 16 or image.height < 16:
        raise ImageUnreadable
    file = io.BytesIO()
    image.save(file, "PNG")
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()


def _opened(data: bytes, megapixels: int) -> Image.Image:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image = Image.open(io.BytesIO(data), formats=_FORMATS)
            if image.width * image.height > megapixels * 1_000_000:
                raise ImageUnreadable
            return ImageOps.exif_transpose(image)
    except MemoryError:
        raise
    except Exception as error:  # decoders raise errors of every kind
        raise ImageUnreadable from error


def _drawn(svg: bytes) -> Image.Image:
    try:
        import skia
    except ImportError as error:
        raise ImageUnreadable from error
    document = skia.SVGDOM.MakeFromStream(skia.MemoryStream(svg))
    if document is None:
        raise ImageUnreadable
    size = document.containerSize()
    width, height = size.width(), size.height()
    if not (0 < width <= 10_000 and 0 < height <= 10_000):
        width, height = 512.0, 512.0
    scale = min(512 / max(width, height), 64)
    document.setContainerSize(skia.Size(width, height))
    surface = skia.Surface(max(1, round(width * scale)), max(1, round(height * scale)))
    canvas = surface.getCanvas()
    canvas.scale(scale, scale)
    document.render(canvas)
    pixels = surface.makeImageSnapshot().toarray(colorType=skia.kRGBA_8888_ColorType)
    return Image.fromarray(pixels)
