"""What can be measured of an image or a text against a brand: one measure a file."""
