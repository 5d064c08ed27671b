"""Sizes of images that are made smaller or larger."""


def scaled_size(size: tuple[float, float], scale: float) -> tuple[int, int]:
    """Return width and height times a scale, in whole pixels: at least one a side."""
    width, height = (max(1, round(side * scale)) for side in size)
    return width, height
