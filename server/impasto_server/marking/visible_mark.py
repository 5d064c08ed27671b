"""The visible "AI" mark in the upper left corner of exported images and videos."""

from PIL import Image, ImageDraw, ImageFont

TEXT = "AI"
_SHARE_OF_SIDE = 0.05
_MIN_HEIGHT = 18
_GROUND = (29, 26, 22, 199)
_INK = (255, 253, 249, 255)


def burn_in(image: Image.Image) -> Image.Image:
    """Return an RGB, RGBA or grayscale image with the mark, in its own mode. The image stays as it is."""
    badge = Image.new("RGBA", image.size)
    badge.paste(mark_for(image.size))
    return Image.alpha_composite(image.convert("RGBA"), badge).convert(image.mode)


def mark_for(size: tuple[int, int]) -> Image.Image:
    """Return the mark for an image of a size, transparent around it: its upper left corner is the image's.

    Its sides are even, and the image may be smaller.
    """
    height = max(_MIN_HEIGHT, round(min(size) * _SHARE_OF_SIDE))
    font = ImageFont.load_default(height * 0.58)
    width = round(font.getlength(TEXT) + height * 0.72)
    margin = round(height * 0.5)
    box = (margin, margin, margin + width, margin + height)
    corner = tuple((side + 2) // 2 * 2 for side in (margin + width, margin + height))
    mark = Image.new("RGBA", (corner[0], corner[1]))
    draw = ImageDraw.Draw(mark)
    draw.rounded_rectangle(box, radius=height * 0.26, fill=_GROUND)
    draw.text((margin + width / 2, margin + height / 2), TEXT, font=font, fill=_INK, anchor="mm")
    return mark
