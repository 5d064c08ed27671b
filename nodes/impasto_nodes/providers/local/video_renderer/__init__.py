"""Video made on this machine: pictures that move slowly and melt into each other, titles, a voice."""

from impasto_nodes.providers.local.video_renderer.maker import make_video
from impasto_nodes.providers.local.video_renderer.request import LABEL, VideoRequest, frame_size

__all__ = ["LABEL", "VideoRequest", "frame_size", "make_video"]
