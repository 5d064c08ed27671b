"""What can be wrong with a file, each in one sentence for the person who brought it.

NodeError
└── MediaError
    ├── EmptyFile
    ├── NotAPicture
    ├── DamagedPicture
    ├── PictureTooLarge
    ├── TooLongForFormat
    ├── NotMedia
    ├── DamagedMedia
    ├── NoPictureInside
    ├── NoSoundInside
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


class NotAPicture(MediaError):
    """Some other kind of file where a picture belongs."""

    def __init__(self, detail: str = "") -> None:
        super().__init__(
            "This is not a picture we can read. Use PNG, JPEG, WebP, GIF, TIFF or AVIF.",
            code="not_a_picture",
            detail=detail,
        )


class DamagedPicture(MediaError):
    """A picture that breaks off, or lies about itself."""

    def __init__(self, detail: str = "") -> None:
        super().__init__(
            "The picture is damaged or cut off. Upload it again.", code="damaged_picture", detail=detail
        )


class PictureTooLarge(MediaError):
    """More pixels than one machine should unpack."""

    def __init__(self, size: tuple[int, int] | None, limit: int) -> None:
        megapixels = limit // 1_000_000
        measure = f"{size[0]} by {size[1]} pixels" if size else "far too large"
        super().__init__(
            f"The picture is {measure}; the limit is {megapixels} megapixels. Make it smaller first.",
            code="picture_too_large",
        )


class TooLongForFormat(MediaError):
    """A picture with a side that a file format can't count to."""

    def __init__(self, size: tuple[int, int], file_format: str, limit: int) -> None:
        super().__init__(
            f"A picture of {size[0]} by {size[1]} pixels can't be kept as {file_format}: it ends at {limit} "
            "a side. Choose PNG, or make it smaller.",
            code="too_long_for_format",
        )


class NotMedia(MediaError):
    """Some other kind of file where video or sound belongs."""

    def __init__(self, detail: str = "") -> None:
        super().__init__("This is not a video or sound file we can read.", code="not_media", detail=detail)


class DamagedMedia(MediaError):
    """Video or sound that can't be decoded to its end."""

    def __init__(self, detail: str = "") -> None:
        super().__init__(
            "The file is damaged or cut off. Upload it again.", code="damaged_media", detail=detail
        )


class NoPictureInside(MediaError):
    """A file without a video stream where one is needed."""

    def __init__(self) -> None:
        super().__init__("This file has no moving picture inside, only sound.", code="no_video_stream")


class NoSoundInside(MediaError):
    """A file without a sound stream where one is needed."""

    def __init__(self) -> None:
        super().__init__("This file has no sound inside.", code="no_audio_stream")


class NoFont(MediaError):
    """Words in a script that no font at hand can draw."""

    def __init__(self, letters: str) -> None:
        super().__init__(
            f"No font here can draw '{letters[:12]}'. Install one that can, and name it in the brand.",
            code="no_font",
        )
