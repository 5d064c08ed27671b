"""Functions for media that nodes share: images, video, audio, text and captions. Imports no heavy library."""
