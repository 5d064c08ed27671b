"""The local video renderer: images with slow motion and cross-fades, titles, a voice."""

from impasto_nodes.providers.local.video_renderer.maker import make_video
from impasto_nodes.providers.local.video_renderer.request import LABEL, VideoRequest, frame_size

__all__ = ["LABEL", "VideoRequest", "frame_size", "make_video"]
