"""Video: a video file as input."""

from typing import Annotated

from impasto import SKIP, Setting, Video, node


@node(
    id="video_input",
    title="Video",
    category="inputs",
    keywords=("upload video", "clip", "footage", "film", "file"),
)
async def video_input(
    *,
    video: Annotated[Video | None, Setting(title="Video", widget="file", input=True, main=True)] = None,
) -> Video:
    """A video from the user's files or library. Left empty, the port is closed."""
    return SKIP if video is None else video
