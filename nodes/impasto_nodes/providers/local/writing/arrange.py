"""Texts arranged from a brief: headlines, lines, scenes, calls to action. Nothing is invented."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle, islice, pairwise

from impasto_nodes.media.asked_length import asked_length
from impasto_nodes.providers.local.writing.brief import Brief, is_relative, shortened, upper_first
from impasto_nodes.providers.local.writing.grammar import Grammar, trades_of
from impasto_nodes.providers.local.writing.hashtags import hashtags_of

_MAX_HEADLINE_WORDS, _MAX_NAME_WORDS = 9, 7
_DOT = " · "
_STOCK = 2
"""The rank of a generic line: as one that was said, and after these."""
_UNHURRIED = 0.8
"""The share of a spoken length that may be filled with sentences that the brief does not have."""
_CHANNELS = (
    ("spoken", r"\bspoken\b|\bscript\b|voice-?over"),
    ("instagram", r"instagram|caption|tiktok"),
    ("newsletter", r"newsletter|e-?mail"),
    ("product", r"product page|description"),
    ("linkedin", r"linkedin|\bpost\b"),
)


_OFFER = re.compile(
    r"\d\s?%|[€$£¥₹]|\bfree\b|\bon us\b|discount|\boff\b|\bhalf price|\bfrom \d|\buntil\b|gratis|kostenlos|"
    r"rabat|zniżk|скидк|бесплатн|в подарок|\bslev|zdarma|έκπτωσ|δωρεάν|alennus|ilmai|maksuton|maksutta|"
    r"darmo|bezpłat|indirim|ücretsiz|할인|무료|免费|折扣|优惠|korting|sconto|\bgrátis|gratuit|desconto|descuento|remise|offert|無料|割引|半額|プレゼント|مجان|خصم|هدية|٪|"
    r"मुफ़्त|मुफ्त|छूट|निःशुल्क",
    re.IGNORECASE,
)
"""Words of a part that is an offer."""
_REASON = re.compile(r"(?:why|how|what|warum|wie|porque|como)\s", re.IGNORECASE)
"""The beginning of a clause that gives a reason or a way: no image can show it."""
_HINDI_PLURALS = {"ाओं": "ाएँ", "ियों": "ियाँ", "इयों": "इयाँ"}


def line_for(kind: str, brief: Brief, min_length: int, max_length: int, said: Sequence[str]) -> str:
    """Return a line for a field of `kind`, within the limits; "" if none fits.

    If possible it is unused, and a headline neither repeats nor is part of a line that is said already.
    """
    known = {_plain(one) for one in said}
    choices = [
        one
        for one in _choices(kind, brief, min_length, max_length, said)
        if min_length <= len(one) <= max_length
    ]
    allowed = [one for one in choices if brief.allows(one)]
    fresh = [one for one in allowed if _plain(one) not in known]
    if kind == "headline":
        stock = {_plain(one) for one in (*_calls(brief), *brief.grammar.closers)}
        fresh.sort(key=lambda one: _STOCK if _plain(one) in stock else _repeats(_plain(one), known))
    return next(iter(fresh or allowed), "")


def _repeats(line: str, said: Iterable[str]) -> int:
    """Return how much of a line was said: 2 if all of it, an offer or some parts were, 1 if one part was."""
    parts = [one for one in said if one in line or line in one]
    if len(parts) > 1 or any(line in one or _OFFER.search(one) for one in parts):
        return 2
    return 1 if parts else 0


def text_of(brief: Brief, task: str = "") -> str:
    """Return a text for the channel that the task names: a post, a caption, a script."""
    channel = next((name for name, pattern in _CHANNELS if re.search(pattern, task, re.IGNORECASE)), "")
    grammar, call = brief.grammar, next(_calls(brief), "")
    body, closing = _body(brief), _sentence(call, grammar)
    if channel == "instagram":
        headline = line_for("headline", brief, 1, 60, [])
        rest = [text for one in body if (text := _after(headline, one))]
        tags = " ".join(hashtags_of(brief, 4))
        if rest and rest[0].casefold().startswith(headline.casefold()):
            headline, *rest = rest  # the sentence says the headline and goes on
            closing = next((one for one in grammar.closers[::-1] if brief.allows(one)), closing)
        return _paragraphs(headline, grammar.joiner.join([*rest, closing]), tags)
    if channel == "newsletter":
        last = next((one for one in grammar.closers if brief.allows(one)), closing)
        return _paragraphs(grammar.greeting, grammar.joiner.join(body), last)
    if channel == "product":
        name = brief.opening or next(_names(brief, 60), brief.brand)
        points = [f"– {upper_first(one)}" for one in _points(brief) if brief.allows(one)]
        return _paragraphs(upper_first(name), "\n".join(points) or grammar.joiner.join(body), closing)
    if channel == "linkedin":
        return _paragraphs(grammar.joiner.join(body), closing, " ".join(hashtags_of(brief, 3)))
    seconds = brief.seconds or asked_length(task)
    if channel == "spoken" and seconds:
        return grammar.joiner.join(_spoken([*body, closing], brief, seconds)).strip()
    return grammar.joiner.join([*body, closing]).strip()


def _points(brief: Brief) -> Sequence[str]:
    """Return the parts of the brief that are not its name."""
    if brief.opening:
        return *brief.phrases, *brief.clauses[1:]
    return *brief.phrases[1:], *brief.clauses


def _spoken(sentences: Sequence[str], brief: Brief, seconds: float) -> Iterator[str]:
    """Yield the sentences that fit these seconds, then invitations if there is time left."""
    said = 0.0
    last = _plain(sentences[-1]) if sentences else ""
    extras = [one for one in brief.grammar.closers if not last or last not in _plain(one)]
    for number, sentence in enumerate([*sentences, *extras]):
        lasts = _seconds_to_say(sentence, brief.grammar)
        is_extra = number >= len(sentences)
        if sentence and (not number or said + lasts <= seconds * (_UNHURRIED if is_extra else 1)):
            said += lasts
            yield sentence


def _seconds_to_say(sentence: str, grammar: Grammar) -> float:
    return 0.4 + (len(sentence.split()) / 2.4 if grammar.has_spaces else len(sentence) / 6)


def _after(headline: str, sentence: str) -> str:
    """Return what a sentence says beyond the headline above it; all of it, if the rest cannot stand alone."""
    if not sentence.casefold().startswith(headline.casefold()):
        return sentence
    rest = sentence[len(headline) :]
    said = rest.lstrip(" ,:;.!?。、：।،؛؟")
    if said and (rest[:1].isspace() or is_relative(said)):
        return sentence
    return upper_first(said)


def _choices(kind: str, brief: Brief, min_length: int, max_length: int, said: Sequence[str]) -> Iterator[str]:
    if kind == "call_to_action":
        yield from _calls(brief)
    elif kind == "title":
        yield from map(upper_first, _names(brief, max_length))
        yield from _headlines(brief, max_length)
    elif kind == "headline":
        yield from _headlines(brief, max_length)
    elif kind == "offer":
        yield from _offers(brief, max_length)
    elif kind == "scene":
        yield from _scenes(brief, max_length)
    else:
        yield from _lines(brief, min_length, max_length, said, with_call=kind == "caption")


def _headlines(brief: Brief, max_length: int) -> Iterator[str]:
    grammar = brief.grammar
    whole = [
        _alone(one.rstrip(".。।…"), brief) for one in (*brief.sentences, *map(upper_first, brief.clauses))
    ]
    names = [_alone(name, brief) for name in _names(brief, max_length)]
    yield from (one for one in whole[:1] if _is_short(one, grammar))
    yield from filter(None, [upper_first(brief.opening)])
    yield from map(upper_first, names[:1])
    yield from (one for one in whole[1:] if _is_short(one, grammar))
    if grammar.code == "en":  # where no verb stands at the end, a sentence may end before a preposition
        yield from (shortened(one, max_length, _MAX_HEADLINE_WORDS, grammar) for one in brief.clauses[:1])
    said = brief.phrases if brief.opening else brief.phrases[1:]
    details = [short for one in said if (short := _short(one, grammar, max_length))]
    is_whole = " " if grammar.has_spaces else ""
    alone = [one for one in details if not (brief.opening and one[:1].isdigit())]
    yield from (upper_first(one) for one in alone if is_whole in one and not one.endswith(" too"))
    plain = [one for one in details if not _OFFER.search(one)]
    yield from (upper_first(_listed(pair, brief)) for pair in pairwise(plain))
    yield from (upper_first(one) for name in names[:1] for one in _cores(name, grammar))
    things = [one for one in _fitting(brief, max_length) if not _OFFER.search(one)]
    for name in dict.fromkeys((*things, *filter(None, [brief.brand]))):
        yield from _about(name, brief)
    yield from map(upper_first, names[1:])
    yield from (one for one in whole if len(one) <= max_length)
    yield from _calls(brief)
    yield from (one.rstrip(grammar.full_stop) for one in grammar.closers)


def _alone(name: str, brief: Brief) -> str:
    """Return a name in its base form: Hindi plurals lose the case that a postposition requires."""
    if not brief.is_oblique:
        return name
    return re.sub(r"(?:ाओं|ियों|इयों)$", lambda found: _HINDI_PLURALS[found[0]], name)


def _cores(name: str, grammar: Grammar) -> Iterator[str]:
    """Yield a name without its article, and its first words alone, which name the thing."""
    if grammar.code in {"en", "pt", "es", "fr"} and (found := _determiner(name, grammar)):
        yield name[found.end() :]
    words = name.split()
    cut = next((at for at, word in enumerate(words) if at > 1 and word in grammar.cuts), 0)
    if cut and grammar.has_spaces and not grammar.is_head_last:
        yield " ".join(words[:cut])


def _determiner(name: str, grammar: Grammar) -> re.Match[str] | None:
    return re.match(grammar.determiner or r"(?!)", name, re.IGNORECASE)


def _offers(brief: Brief, max_length: int) -> Iterator[str]:
    """Yield offers, else details of the subject, as few as fill a line."""
    grammar = brief.grammar
    parts = [*brief.clauses, *brief.phrases[1:]]
    yield from (upper_first(part) for part in (*parts, *brief.phrases) if _OFFER.search(part))
    details = brief.phrases[1:]
    for number in range(2 if len(details) > 2 else 1, 0, -1):  # the remaining details are for a headline
        if details[:number]:
            yield upper_first(_listed(details[:number], brief))
    if len(brief.clauses) + len(brief.phrases) > 1:  # a single part is the headline already
        yield from map(upper_first, brief.clauses)
    yield from (one.rstrip(".。।") for one in (*brief.about, *grammar.closers[1:], *grammar.closers))
    yield from (one.rstrip(".。।") for one in brief.sentences)


def _listed(phrases: Sequence[str], brief: Brief) -> str:
    """Return phrases in one line: before the capital of one that was a sentence stands a dot, not a comma."""
    line = phrases[0]
    for one in phrases[1:]:
        opens = one[:1].isupper() and any(sentence.startswith(one) for sentence in brief.sentences)
        line += (_DOT if opens else brief.grammar.comma) + one
    return line


def _about(name: str, brief: Brief) -> Iterator[str]:
    """Yield headlines around a name; only a thing may stand in a sentence, after a colon anything may."""
    grammar = brief.grammar
    if "solemn" in trades_of(brief.words):
        return
    opens = _determiner(name, grammar) or not name[:1].isupper()
    is_thing = name == brief.brand or (brief.is_named and opens and not re.match(r"an?\s", name))
    oblique = brief.is_oblique and name != brief.brand
    for phrase in grammar.oblique_about if oblique else grammar.about:
        if is_thing or ":" in phrase or "：" in phrase:
            yield upper_first(phrase.format(x=lower_article(name, grammar)))


def _fitting(brief: Brief, max_length: int) -> Iterator[str]:
    longest = max(map(len, brief.grammar.about), default=0) - 3
    yield from _names(brief, max_length - longest, 5)


def _names(brief: Brief, max_length: int, max_words: int = _MAX_NAME_WORDS) -> Iterator[str]:
    """Yield the subjects of the brief as noun phrases that fit, the main one first; none of a statement."""
    if brief.opening:
        return
    for phrase in brief.phrases[:1] if brief.is_named else brief.phrases:
        if brief.grammar.opens_with_preposition(phrase) or (
            phrase in brief.phrases[1:] and _is_trait(phrase, brief)
        ):
            continue
        short = shortened(phrase, max_length, max_words, brief.grammar)
        if short:
            yield short


def _is_trait(phrase: str, brief: Brief) -> bool:
    """Return whether a part of one small word describes the subject: "light" names no thing."""
    return brief.grammar.has_spaces and " " not in phrase and phrase.islower()


def _short(phrase: str, grammar: Grammar, max_length: int = 60) -> str:
    return shortened(phrase, max_length, _MAX_NAME_WORDS, grammar)


def lower_article(name: str, grammar: Grammar) -> str:
    """Return the name as it stands inside a sentence: with a small letter if it opens with an article."""
    if _determiner(name, grammar):
        return name[:1].lower() + name[1:]
    return name


def _lines(
    brief: Brief, min_length: int, max_length: int, said: Sequence[str], *, with_call: bool
) -> Iterator[str]:
    """Yield texts of whole sentences, as many as it takes; the first opens with a line that is not used."""
    used = {_plain(one) for one in said}
    grammar = brief.grammar
    every = [one for one in _body(brief) if len(one) <= max_length]
    call = _sentence(next(_calls(brief), ""), grammar)
    fresh = [one for one in every if _plain(one) not in used] or every
    extras = [*([call] if with_call and call else []), *grammar.closers]
    for start in range(max(1, len(fresh))):
        for closers in (extras, extras[1:], extras[::-1]):
            text = ""
            for sentence in (*fresh[start:], *closers):
                is_extra = sentence in closers
                is_enough = len(text) >= min_length and _plain(text) not in used
                if is_extra and is_enough and not (with_call and sentence == call):
                    continue
                joined = f"{text}{grammar.joiner if text else ''}{sentence}"
                if len(joined) <= max_length and brief.allows(sentence):
                    text = joined
            yield text


def _body(brief: Brief) -> list[str]:
    """Return the brief's sentences, then the brand's."""
    return [one for one in (*brief.sentences, *brief.about) if brief.allows(one)]


def _scenes(brief: Brief, max_length: int) -> Iterator[str]:
    """Yield frames of the subject with one detail each, or of what happens."""
    grammar = brief.grammar
    room = max_length - max(map(len, grammar.frames)) + 3
    subject, *details = brief.phrases or [""]
    moments = [_listed((subject, one), brief) for one in details] or [subject]
    acts = [one for one in brief.clauses if not _REASON.match(one)] or [*brief.clauses]
    if acts and not brief.is_named:
        moments = acts
    pieces = [piece for one in moments for piece in re.split(r"\s(?:and|und|et|y)\s(?=\w+s\s)", one)]
    fitting = [short for short in (shortened(one, room, len(one), grammar) for one in pieces) if short]
    framed: list[str] = []
    for frame, moment in islice(zip(cycle(grammar.frames), cycle(fitting or [brief.brand])), 24):
        framed.append(frame.format(x=lower_article(moment, grammar)))
    yield from framed
    yield from (f"{one}{grammar.full_stop}{grammar.joiner}{other}" for one, other in pairwise(framed))


def _calls(brief: Brief) -> Iterator[str]:
    calls = brief.grammar.calls
    trades = [trade for trade in trades_of(brief.words) if trade in calls]
    if trades:
        yield from calls[trades[0]]
    yield from calls.get("", ()) if trades[:1] != ["solemn"] else ()
    if not calls:
        yield from filter(None, (brief.brand, *brief.phrases, *brief.clauses))


def _sentence(call: str, grammar: Grammar) -> str:
    return f"{call}{grammar.full_stop}" if call else ""


def _paragraphs(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part.strip())


def _is_short(line: str, grammar: Grammar) -> bool:
    return len(line) <= 24 if not grammar.has_spaces else len(line.split()) <= _MAX_HEADLINE_WORDS


def _plain(text: str) -> str:
    return text.casefold().rstrip(".!?…。！？।")
