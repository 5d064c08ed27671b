"""Work on this machine: offline, without a key, in worker processes."""

RENDERER = "Local renderer (not a diffusion model)"
"""The name of the renderer of images and video in results."""
