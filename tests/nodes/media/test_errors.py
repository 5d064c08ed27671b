"""What a person reads about a file that cannot be used, and the code by which programs know it."""

from impasto_nodes.media import errors

DETAIL = "moov atom not found"
ERRORS = (
    (errors.EmptyFile(), "empty_file", "The file is empty.", None),
    (
        errors.NotAnImage(DETAIL),
        "not_a_picture",
        "This is not an image we can read. Use PNG, JPEG, WebP, GIF, TIFF, AVIF or HEIC.",
        DETAIL,
    ),
    (
        errors.DamagedImage(DETAIL),
        "damaged_picture",
        "The image is damaged or cut off. Upload it again.",
        DETAIL,
    ),
    (
        errors.ImageTooLarge((3000, 2000), 5_000_000),
        "picture_too_large",
        "The image is 3000 by 2000 pixels; the limit is 5 megapixels. Make it smaller first.",
        None,
    ),
    (
        errors.ImageTooLarge(None, 5_999_999),
        "picture_too_large",
        "The image is far too large; the limit is 5 megapixels. Make it smaller first.",
        None,
    ),
    (
        errors.TooLongForFormat((20_000, 5), "WEBP", 16_383),
        "too_long_for_format",
        "An image of 20000 by 5 pixels can't be kept as WEBP: it ends at 16383 a side. "
        "Choose PNG, or make it smaller.",
        None,
    ),
    (errors.NotMedia(DETAIL), "not_media", "This is not a video or audio file we can read.", DETAIL),
    (
        errors.DamagedMedia(DETAIL),
        "damaged_media",
        "The file is damaged or cut off. Upload it again.",
        DETAIL,
    ),
    (errors.NoVideoStream(), "no_video_stream", "This file has no video, only audio.", None),
    (errors.NoAudioStream(), "no_audio_stream", "This file has no audio.", None),
    (
        errors.NoFont("abcdefghijklm"),
        "no_font",
        "No font here can draw 'abcdefghijkl'. Install one that can, and name it in the brand.",
        None,
    ),
)


def test_each_error_of_a_file_has_a_code_and_one_sentence() -> None:
    for error, *expected in ERRORS:
        assert [error.code, error.message, error.detail] == expected
