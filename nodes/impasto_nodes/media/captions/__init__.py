"""Captions: splitting speech into cues, and drawing them."""
