"""Video: reading, writing, and animating still images."""
