"""The length in seconds that a text asks for, as in "a 30-second teaser"."""

import re

MAX_SECONDS = 120.0
"""The longest length that is made; a longer one counts as this."""

_WORDS = {
    **dict.fromkeys(("ten", "zehn", "dez", "diez", "dix", "十", "عشر", "دس"), 10),
    **dict.fromkeys(("fifteen", "fünfzehn", "quinze", "quince", "十五", "पंद्रह"), 15),
    **dict.fromkeys(("twenty", "zwanzig", "vinte", "veinte", "vingt", "二十", "عشرين", "बीस"), 20),
    **dict.fromkeys(("thirty", "dreißig", "trinta", "treinta", "trente", "三十", "ثلاثين", "तीस"), 30),
    **dict.fromkeys(("forty-five", "fünfundvierzig", "四十五"), 45),
    **dict.fromkeys(("sixty", "sechzig", "sessenta", "sesenta", "soixante", "六十", "ستين", "साठ"), 60),
    **dict.fromkeys(("ninety", "neunzig", "noventa", "九十", "تسعين", "नब्बे"), 90),
}
_ONE = {"one", "a", "eine", "einer", "um", "uma", "un", "une", "一", "एक"}
_START = r"(?<![\w.,:])"
_NUMBER = r"\d{1,3}|" + "|".join(sorted(_WORDS, key=len, reverse=True))
_SECONDS = re.compile(
    rf"{_START}({_NUMBER})[\s-]{{0,2}}(?:s|secs?|seconds?|sek|sekunden?\w{{0,3}}|sekündig\w{{0,2}}|segundos?|"
    r"secondes?|second[io]|seconden?|sekund\w{0,3}|секунд\w{0,6}|δευτερ\w{0,8}|sekunnin?|sekunti\w{0,2}|saniye\w{0,3}|초|秒|ثواني|ثانية|सेकंड|सेकेंड)(?![a-z])",
    re.IGNORECASE,
)
_MINUTES = re.compile(
    rf"{_START}({_NUMBER}|{'|'.join(_ONE)})[\s-]{{0,2}}(?:mins?|minutes?|minuten?|minütig\w{{0,2}}|minutos?|分|"
    r"دقيقة|मिनट)(?![a-z])",
    re.IGNORECASE,
)
_MEDIA = re.compile(
    r"teaser|video|ролик|видео|тизер|βίντεο|klip|영상|티저|视频|vídeo|clip|film|reel|spot|trailer|audio|podcast|voice-?over|ティーザー|動画|ビデオ|"
    r"فيديو|إعلان|مقطع|वीडियो|टीज़र|टीजर|रील",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    r"(?:in|within|under|after|every|unter|nach|em|en|dans|après|за|через|za|σε|entro|binnen)\s+"
    r"(?:just\s+|only\s+|nur\s+|всего\s+|pouhých\s+)?$",
    re.IGNORECASE,
)
"""Before a length that is of the thing, as in "ready in 20 seconds"."""
_MIN_SECONDS = 5


def asked_length(text: str) -> float:
    """Return the length that a text names, in seconds, at most `MAX_SECONDS`; 0 if it names none."""
    of_media = _MEDIA.search(text) is not None
    for pattern, unit in ((_SECONDS, 1), (_MINUTES, 60)):
        for found in pattern.finditer(text):
            said = found[1].casefold()
            number = (int(said) if said.isdecimal() else _WORDS.get(said, 1)) * unit
            is_of_the_thing = _WITHIN.search(text[: found.start()]) or unit > 1
            if number >= _MIN_SECONDS and (of_media or not is_of_the_thing):
                return min(MAX_SECONDS, float(number))
    return 0.0
