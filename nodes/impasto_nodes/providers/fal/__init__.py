"""fal: images and video from hosted models."""
