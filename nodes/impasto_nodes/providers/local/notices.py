"""Notices before a launch about requests of a brief that local models cannot fulfil.

Each notice has a stable `code`, a sentence and a hint. Of a longer prompt, the part that is read as a brief
counts.
"""

# ruff: noqa: E501 - the words for a shape stand on one line

import re
from collections.abc import Iterator
from typing import Any

from impasto_nodes.providers.local.speech import is_spoken
from impasto_nodes.providers.local.writing.brief import MAX_CHARACTERS, read
from impasto_nodes.providers.local.writing.grammars import is_written
from impasto_nodes.providers.local.writing.languages import language_of

Notice = dict[str, Any]
_KEYS = "under Account > Provider keys"
LANGUAGE_NAMES = {
    "en": "English",
    "de": "German",
    "pt": "Portuguese",
    "es": "Spanish",
    "fr": "French",
    "it": "Italian",
    "nl": "Dutch",
    "pl": "Polish",
    "sv": "Swedish",
    "da": "Danish",
    "tr": "Turkish",
    "fi": "Finnish",
    "cs": "Czech",
    "ja": "Japanese",
    "ko": "Korean",
    "zh": "Chinese",
    "ar": "Arabic",
    "hi": "Hindi",
    "he": "Hebrew",
    "th": "Thai",
    "ru": "Russian",
    "el": "Greek",
    "bn": "Bengali",
    "ta": "Tamil",
    "te": "Telugu",
    "uk": "Ukrainian",
    "bg": "Bulgarian",
    "sr": "Serbian",
    "sk": "Slovak",
    "hr": "Croatian",
    "sl": "Slovenian",
    "nb": "Norwegian",
    "hu": "Hungarian",
    "ro": "Romanian",
    "et": "Estonian",
}
_LENGTH = re.compile(
    r"\b(\d{3,5})[ -]?(?:words?|wörter|worte|palavras|palabras|mots|parole|woorden|słów|ord|kelime|sanaa|слов|slov|λέξεις|语|字|文字|كلمة|शब्द)",
    re.IGNORECASE,
)
_MAX_WORDS, _NEAR_SECONDS = 120, 2.0
_NUMBERS = {
    **dict(
        zip(
            ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"],
            range(2, 11),
            strict=True,
        )
    ),
    **dict(
        zip(
            ["zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"],
            range(2, 11),
            strict=True,
        )
    ),
    **dict(
        zip(
            ["duas", "três", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez"],
            range(2, 11),
            strict=True,
        )
    ),
}
_COUNT = re.compile(
    rf"(?:\b|(?<=[\u3040-\u30ff]))(\d{{1,2}}|{'|'.join(_NUMBERS)})\s?(?:[\w-]{{1,40}}\s){{0,2}}?(?:images?|pictures?|photos?|visuals?|posters?"
    r"|bilder|fotos?|motive|imagens|fotografias|imágenes|photos|枚|صور|तस्वीरें|चित्र|immagini|afbeeldingen|beelden|obraz(?:y|ów|ki|ków)|zdjęcia|zdjęć|bilder|billeder|görsel|fotoğraf|obrázk[yů]|obrázků|fotografi[eí]"
    r"|картин(?:ки|ок)|изображени[йя]|фотографи[ий]|фото|εικόνες|φωτογραφίες|kuvaa|valokuvaa|张图片|张照片|장)(?!\w)",
    re.IGNORECASE,
)
_SHAPES = {
    "square": r"\bsquare (?:images|pictures|photos|posts|visuals|ads)\b|quadratisch|quadrad[oa]s?|cuadrad[oa]s?|carrée?s|正方形|方形|مربعة|चौकोर|quadrat[aei]\b|vierkante|kwadratow|kvadratisk|\bkare\b|정사각형|квадратн|čtvercov|τετράγων|neliön|neliömäi",
    "portrait": r"\b(?:portrait|vertical) (?:images|pictures|photos|posts|format)\b|hochformat|verticais|縦長|vertical[ei]\b|staande|pionow|stående|dikey|세로|竖版|вертикальн|na výšku|κάθετ|pystykuv",
    "landscape": r"\b(?:landscape|horizontal) (?:images|pictures|photos|posts|format)\b|querformat|horizontais|横長|orizzontal[ei]\b|liggende|poziom[aey]|liggande|yatay|가로|横版|горизонтальн|na šířku|οριζόντι|vaakakuv",
}


_RATIO_OF = {"square": "1:1", "portrait": "4:5", "landscape": "16:9"}

DRAWN: Notice = {
    "code": "local_drafts",
    "message": "Images are drawn on this computer: they are drafts, not photographs.",
    "hint": f"Connect an image model {_KEYS}.",
}

FILLED: Notice = {
    "code": "local_fill",
    "message": "This computer fills what the mask covers from its surroundings, whatever the prompt asks for.",
    "hint": f"Connect an image model {_KEYS}.",
}


def text_notices(prompt: str, task: str = "", wanted: str = "") -> Iterator[Notice]:
    """Yield what text arranged from this brief will lack: the language, the length.

    `wanted` is the English name of the language that the text is to have, "" for that of the brief.
    """
    prompt, task = prompt[:MAX_CHARACTERS], task[:MAX_CHARACTERS]
    language = language_of(prompt)
    if wanted and wanted != LANGUAGE_NAMES.get(language):
        yield {
            "code": "draft_language",
            "message": f"This computer does not translate into {wanted}: texts keep the language of the brief.",
            "hint": f"Connect a language model {_KEYS}.",
        }
    elif not is_written(language):
        name = LANGUAGE_NAMES.get(language, "a language that is not recognized")
        yield {
            "code": "draft_language",
            "message": f"This computer does not write {name}: texts will be the brief's own sentences.",
            "hint": f"Connect a language model {_KEYS}.",
        }
    asked = _LENGTH.search(f"{prompt}\n{task}")
    if asked and int(asked[1]) > _MAX_WORDS:
        yield {
            "code": "draft_length",
            "message": f"This computer does not write {asked[1]} words: texts will be as long as the brief.",
            "hint": f"Connect a language model {_KEYS}.",
        }


def voice_notices(text: str) -> Iterator[Notice]:
    """Yield that the voice does not speak the language of a text: it speaks English only.

    In scripts that it cannot read, it is silent.
    """
    language = language_of(text[:MAX_CHARACTERS])
    if language != "en":
        name = LANGUAGE_NAMES.get(language, "a language that is not recognized")
        silent = (
            "" if is_spoken(text[:MAX_CHARACTERS]) else " It will be silent for as long as reading takes."
        )
        yield {
            "code": "voice_language",
            "message": f"The voice on this computer speaks English only, and the text is in {name}.{silent}",
            "hint": f"Connect a voice {_KEYS}.",
        }


def image_notices(prompt: str, number: int, ratio: str) -> Iterator[Notice]:
    """Yield what images drawn from a prompt will lack: letters of the headline, the number, the shape."""
    from impasto_nodes.providers.local.image_renderer import words

    yield DRAWN
    prompt = prompt[:MAX_CHARACTERS]
    said = words.read(prompt)
    yield from font_notices(f"{said.headline} {said.subline}")
    yield from wish_notices(prompt, number, ratio)


def wish_notices(prompt: str, number: int, ratio: str) -> Iterator[Notice]:
    """Yield that a brief asks for another number or shape of images, with the settings that make them.

    That does not depend on the provider.
    """
    prompt = prompt[:MAX_CHARACTERS]
    asked = _COUNT.search(prompt)
    count = _NUMBERS.get(asked[1].casefold(), 0) or int(asked[1]) if asked else number
    if count != number:
        yield {
            "code": "image_count",
            "message": f"The brief asks for {count} images, and this step makes {number}.",
            "hint": "Change 'Number of images' in the agent.",
            "settings": {"n_images": count},
        }
    shape = next(
        (shape for shape, pattern in _SHAPES.items() if re.search(pattern, prompt, re.IGNORECASE)), ""
    )
    if shape and shape != _shape_of(ratio):
        yield {
            "code": "image_shape",
            "message": f"The brief asks for {shape} images, and this step makes {ratio}.",
            "hint": "Change 'Aspect ratio' in the agent.",
            "settings": {"aspect_ratio": _RATIO_OF[shape]},
        }


def video_notices(prompt: str, seconds: float) -> Iterator[Notice]:
    """Yield that a brief asks for a video of another length."""
    asked = read(prompt).seconds
    if asked and abs(asked - seconds) > _NEAR_SECONDS:
        yield {
            "code": "video_length",
            "message": f"The brief asks for {asked:g} seconds, and this step makes a clip of {seconds:g}.",
            "hint": "Change 'Duration' in the agent.",
        }


def _shape_of(ratio: str) -> str:
    across, down = map(int, ratio.split(":"))
    return "landscape" if across > down else "portrait" if across < down else "square"


def font_notices(text: str, family: str = "Manrope") -> Iterator[Notice]:
    """Yield that letters to be set on an image are in no font of this machine."""
    if text.isascii():
        return
    from impasto_nodes.media.text.fonts import missing

    letters = missing(text, family)
    if letters:
        yield {
            "code": "missing_font",
            "message": f"No font on this computer draws '{letters[:12]}': images will be made without it.",
            "hint": "Install the fonts with pip install 'impasto[local]', or connect an image model.",
        }
