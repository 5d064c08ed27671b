"""Versions of an asset: cropped, recomposed for another format, with other words or another product image."""
