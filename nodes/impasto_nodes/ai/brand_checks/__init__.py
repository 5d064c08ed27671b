"""What can be measured of a picture or a text against a brand: one measure a file."""
