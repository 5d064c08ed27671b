"""Replicate: images and video from hosted models."""
