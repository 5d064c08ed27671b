"""The visible "AI" mark in the upper left corner of exported images."""

from PIL import Image, ImageDraw, ImageFont

TEXT = "AI"
_SHARE_OF_SIDE = 0.05
_MIN_HEIGHT = 18
_GROUND = (29, 26, 22, 199)
_INK = (255, 253, 249, 255)


def burn_in(image: Image.Image) -> Image.Image:
    """Return an RGB, RGBA or grayscale image with the mark, in its own mode. The image stays as it is."""
    height = max(_MIN_HEIGHT, round(min(image.size) * _SHARE_OF_SIDE))
    font = ImageFont.load_default(height * 0.58)
    width = round(font.getlength(TEXT) + height * 0.72)
    margin = round(height * 0.5)
    box = (margin, margin, margin + width, margin + height)
    mark = Image.new("RGBA", image.size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(mark)
    draw.rounded_rectangle(box, radius=height * 0.26, fill=_GROUND)
    draw.text((margin + width / 2, margin + height / 2), TEXT, font=font, fill=_INK, anchor="mm")
    return Image.alpha_composite(image.convert("RGBA"), mark).convert(image.mode)
