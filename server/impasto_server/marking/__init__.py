"""Marks in the pixels of images that AI made: an invisible watermark, and a visible mark on exports."""
