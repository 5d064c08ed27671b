"""Errors of media files, each with one sentence for the person who uploaded the file.

NodeError
└── MediaError
    ├── EmptyFile
    ├── NotAnImage
    ├── DamagedImage
    ├── ImageTooLarge
    ├── TooLongForFormat
    ├── NotMedia
    ├── DamagedMedia
    ├── NoVideoStream
    ├── NoAudioStream
    └── NoFont
"""

from __future__ import annotations

from impasto import NodeError


class MediaError(NodeError):
    """A file that a node can't work with."""


class EmptyFile(MediaError):
    """Zero bytes."""

    def __init__(self) -> None:
        super().__init__("The file is empty.", code="empty_file")


class NotAnImage(MediaError):
    """The file is not an image."""

    def __init__(self, detail: str = "") -> None:
        super().__init__(
            "This is not an image we can read. Use PNG, JPEG, WebP, GIF, TIFF, AVIF or HEIC.",
            code="not_a_picture",
            detail=detail,
        )


class DamagedImage(MediaError):
    """The image is truncated, or its header is wrong."""

    def __init__(self, detail: str = "") -> None:
        super().__init__(
            "The image is damaged or cut off. Upload it again.", code="damaged_picture", detail=detail
        )


class ImageTooLarge(MediaError):
    """The image has more pixels than the limit for decoding."""

    def __init__(self, size: tuple[int, int] | None, limit: int) -> None:
        megapixels = limit // 1_000_000
        measure = f"{size[0]} by {size[1]} pixels" if size else "far too large"
        super().__init__(
            f"The image is {measure}; the limit is {megapixels} megapixels. Make it smaller first.",
            code="picture_too_large",
        )


class TooLongForFormat(MediaError):
    """A side of the image exceeds what the file format can hold."""

    def __init__(self, size: tuple[int, int], file_format: str, limit: int) -> None:
        super().__init__(
            f"An image of {size[0]} by {size[1]} pixels can't be kept as {file_format}: it ends at {limit} "
            "a side. Choose PNG, or make it smaller.",
            code="too_long_for_format",
        )


class NotMedia(MediaError):
    """The file is neither video nor audio."""

    def __init__(self, detail: str = "") -> None:
        super().__init__("This is not a video or audio file we can read.", code="not_media", detail=detail)


class DamagedMedia(MediaError):
    """The video or audio cannot be decoded to its end."""

    def __init__(self, detail: str = "") -> None:
        super().__init__(
            "The file is damaged or cut off. Upload it again.", code="damaged_media", detail=detail
        )


class NoVideoStream(MediaError):
    """A file without a video stream where one is needed."""

    def __init__(self) -> None:
        super().__init__("This file has no video, only audio.", code="no_video_stream")


class NoAudioStream(MediaError):
    """A file without an audio stream where one is needed."""

    def __init__(self) -> None:
        super().__init__("This file has no audio.", code="no_audio_stream")


class NoFont(MediaError):
    """No installed font has the glyphs of a text."""

    def __init__(self, letters: str) -> None:
        super().__init__(
            f"No font here can draw '{letters[:12]}'. Install one that can, and name it in the brand.",
            code="no_font",
        )
