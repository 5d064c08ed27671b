"""Read a brief: what it is about, apart from the order to make something and the directions for the work."""

import re
from dataclasses import dataclass, field
from functools import lru_cache

from impasto_nodes.media.asked_length import asked_length
from impasto_nodes.providers.local.writing.grammar import Grammar, words
from impasto_nodes.providers.local.writing.grammars import grammar_of
from impasto_nodes.providers.local.writing.languages import language_of
from impasto_nodes.providers.local.writing.ordered_subject import in_base_form, preposition_of
from impasto_nodes.providers.local.writing.sentences import (
    BULLETS,
    clauses_in,
    sentences_of,
    split_parts,
    unquoted,
)

_ENDS = ".!?…。！？।؟"
_BRAND = re.compile(r"^You write for (.+)\.$", re.MULTILINE)
_BANNED = re.compile(r"^Never use these words: (.+)\.$", re.MULTILINE)
_OF_THE_BRAND = ("Tone: ", "Never use these words: ", "Do: ", "Do not: ", "Lines in the brand's voice: ")
_AND = re.compile(r"^(?:and|or|und|oder|e|y|et|ou|and then)\s+", re.IGNORECASE)
_ARABIC_AND = re.compile(r"^و(?=ال\w{3,})(?!الد(?:ي|ة|ه|ها|هم|ين|ان|يه|تي)\b)")
"""The Arabic "and" before an article, which is written together with it; not in the word for parents."""
_FOR = re.compile(r"^(?:请)?(?:为|给)")
"""The Chinese "for" that opens an order."""
_RELATIVE = re.compile(
    r"(?:which|who|whose|where|welche[rs]?)\s|d(?:er|ie|as|en|em)\s.*\s[a-zäöüß]+(?:en|t)$|que\s|qui\s|"
    r"котор(?:ый|ая|ое|ые|ого|ой|ому|ым|ых|ую)\s|kte[rř]\w{1,4}\s|που\s|jo(?:ka|tka|ssa|lle|ille|iden)\s",
    re.IGNORECASE,
)
"""A part that says something of the part before it."""
_RELATIVES = {"that", "which", "who", "whom", "whose", "where", "when", "while"} | {
    *("que", "qui", "où", "onde", "quando", "wo", "wenn"),
}
"""A phrase that goes on with one of these ends before it, or at the end of its clause."""
_ADVERB = re.compile("[\u3040-\u30ff\u3400-\u9fff](?:に|で|へ|くて|やすい)$")
"""A Japanese part that says when, where or how."""
_CONTRAST = re.compile(
    r"(?:but|yet|aber|sondern|doch|mas|pero|mais|auch|while|as long as|solange|enquanto|mientras|tant que|"
    r"finché|zolang|dopóki|så länge|så længe)\s",
    re.IGNORECASE,
)
"""A part that limits the one before it."""
_TOPIC_ENDS = {
    "en": words("now is are was were has have will can"),
    "de": words("jetzt"),
    "pt": words("agora é são está estão tem"),
    "es": words("es son está están tiene"),
    "fr": words("est sont"),
}
_IN_NAMES = words("do da dos das de del of the du")
_SHORT_LABEL, _MAX_TOPIC_WORDS = 2, 5
MAX_CHARACTERS = 4_000
"""How much of a prompt is read as a brief."""


@dataclass(frozen=True, slots=True)
class Brief:
    """What a text is about, and the brand that it is for.

    `sentences` are whole sentences without orders and directions. `phrases` are the noun phrases among their
    parts, the subject first; `clauses` the parts that say something. `is_named`: the first phrase is a thing
    that a sentence may be built around. `is_oblique`: it stands in the case that postpositions take.
    `seconds` is the length of a video that the brief names, 0 if it names none.
    """

    language: str = "en"
    sentences: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    is_named: bool = False
    is_oblique: bool = False
    brand: str = ""
    about: tuple[str, ...] = ()
    banned: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def grammar(self) -> Grammar:
        """The grammar of the brief's language."""
        return grammar_of(self.language)

    @property
    def opening(self) -> str:
        """The statement that the brief opens with, if its first phrase is an amount, which names nothing."""
        first = self.clauses[0] if self.clauses and self.phrases and self.phrases[0][:1].isdigit() else ""
        return first if first and self.sentences[0].startswith(upper_first(first)) else ""

    @property
    def words(self) -> str:
        """Everything that the brief says, in one string."""
        return " ".join((*self.sentences, *self.about))

    def allows(self, line: str) -> bool:
        """Return whether a line has none of the brand's banned words."""
        plain = line.casefold()
        return not any(
            re.search(rf"(?<!\w){re.escape(word.casefold())}(?!\w)", plain) for word in self.banned
        )


# One text asks for its brief several times.
@lru_cache(maxsize=32)
def read(prompt: str, system: str = "") -> Brief:
    """Return the brief in a prompt, with the brand named in the system prompt."""
    prompt = prompt[:MAX_CHARACTERS]
    named, banned = _BRAND.search(system), _BANNED.search(system)
    lines = system[named.end() :].splitlines() if named else []
    about = [line for line in lines if line.strip() and not line.startswith(_OF_THE_BRAND)][:1]
    language = language_of(prompt)
    reading = _Reading(grammar_of(language))
    for sentence in sentences_of(prompt):
        reading.take(sentence)
    if not reading.sentences:
        reading.take_whole(prompt)
    if not any(not reading.grammar.opens_with_preposition(one) for one in reading.phrases):
        reading.add_topics()
    return Brief(
        language,
        tuple(reading.sentences),
        tuple(dict.fromkeys(reading.phrases)),
        tuple(dict.fromkeys(reading.clauses)),
        reading.is_named,
        reading.is_oblique,
        named[1] if named else "",
        tuple(whole(one, reading.grammar) for one in sentences_of(" ".join(about)))
        if language_of(" ".join(about)) == language
        else (),
        tuple(word.strip() for word in banned[1].split(",") if word.strip()) if banned else (),
        asked_length(prompt),
    )


def parts_of(sentence: str) -> list[str]:
    """Return the parts of a sentence between commas, colons and dashes."""
    parts = [_AND.sub("", part.strip()) for part in split_parts(sentence.strip().rstrip(_ENDS))[::2]]
    return [part for part in parts if part]


def whole(sentence: str, grammar: Grammar) -> str:
    """Return the sentence with a capital first letter and a full stop."""
    sentence = upper_first(unquoted(sentence))
    return sentence if sentence.endswith(tuple(_ENDS)) else f"{sentence.rstrip(',;:、，')}{grammar.full_stop}"


def is_relative(part: str) -> bool:
    """Return whether a part says something of the part before it, and cannot stand alone."""
    return _RELATIVE.match(part.rstrip(_ENDS)) is not None


def upper_first(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


def shortened(phrase: str, max_characters: int, max_words: int, grammar: Grammar) -> str:
    """Return a noun phrase, or as much of it as is a whole noun phrase within the limits; "" if none is."""
    if not grammar.has_spaces:
        joint = "的" if grammar.code == "zh" else "の"
        pieces = phrase.split(joint)
        ends = (joint.join(pieces[start:]) for start in range(len(pieces)))
        return next((one for one in ends if len(one) <= max_characters), "")
    words = phrase.split()
    for kept in _shorter(words, grammar):
        text = " ".join(kept).rstrip(",;: ")
        is_whole = grammar.is_head_last or kept is words or kept[-1].casefold() not in grammar.cuts
        if is_whole and len(text) <= max_characters and len(kept) <= max_words:
            return text
    return ""


def _shorter(words: list[str], grammar: Grammar) -> list[list[str]]:
    places = [at for at, word in enumerate(words) if at and grammar.ends_phrase(word.casefold().strip(","))]
    relative = next((at for at in places if words[at].casefold() in _RELATIVES), len(words))
    places = [
        at
        for at in places
        if at <= relative and not _is_in_a_name(words, at) and not _is_in_a_range(words, at)
    ]
    if grammar.is_head_last:
        starts = [at + 1 for at in places if at + 1 < len(words) and words[at + 1] not in grammar.cuts]
        return [words, *(words[start:] for start in starts)]
    min_words = 2 if re.match(grammar.determiner or r"(?!)", " ".join(words), re.IGNORECASE) else 1
    return [words, *(words[:at] for at in reversed(places) if at >= min_words)]


def _is_in_a_name(words: list[str], at: int) -> bool:
    """Return whether a word stands inside a name, as 'do' in 'Quinta do Ribeiro'."""
    around = words[at - 1][:1] + words[at + 1][:1] if 1 < at < len(words) - 1 else ""
    return around.isupper() and words[at].casefold() in _IN_NAMES


def _is_in_a_range(words: list[str], at: int) -> bool:
    """Return whether a word joins two numbers, as 'to' in 'from 3.5 bar to 350 bar'."""
    return (
        at + 1 < len(words)
        and words[at + 1][0].isdigit()
        and any(word[0].isdigit() for word in words[max(0, at - 2) : at])
    )


@dataclass(slots=True)
class _Reading:
    """A brief while its sentences are read one by one."""

    grammar: Grammar
    sentences: list[str] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)
    clauses: list[str] = field(default_factory=list)
    is_named: bool = False
    is_oblique: bool = False

    def take(self, sentence: str) -> None:
        """Add a sentence; a direction adds nothing, and of an order only what is to be advertised counts."""
        plain = unquoted(sentence.strip().rstrip(_ENDS))
        if not plain or (len(parts_of(plain)) == 1 and self.grammar.directs(plain)):
            return
        first, *others = split_parts(plain)
        if self.grammar.directs(first) and others and others[0].strip() in {":", "："}:
            return  # a label and its value: "Tone: dry"
        at_end = self.grammar.ordered_at_end(first)
        if at_end is None and not self.grammar.has_spaces and others:
            *before, last = first, *others
            at_end = self.grammar.ordered_at_end(last)
            if at_end and not last[: at_end.start()].strip(" 请"):
                at_end, sentence = None, "".join(before[:-1])
                plain = sentence
            elif at_end:
                first, others = "".join([*before, last]), []
                at_end = self.grammar.ordered_at_end(first)
        order = None if at_end else self.grammar.ordered(plain)
        if order and self.grammar.base_form and order.groupdict().get("genitive") is not None:
            # A noun after another may be its owner, or the next word of a name.
            rest = plain[order.end() :].strip()
            order = order if self.grammar.base_form(order["genitive"].lower() or "genitive", rest) else None
        if at_end and at_end.start():
            self.is_oblique = not self.phrases and "oblique" in at_end.re.groupindex
            asked = first[: at_end.start()].rstrip("の ")
            self._add_order(
                "".join([_FOR.sub("", asked) if self.grammar.code == "zh" else asked, *others]), ""
            )
        elif order and plain[order.end() :].strip():
            self._add_order(
                in_base_form(order, plain[order.end() :].strip(), self.grammar), preposition_of(order)
            )
        else:
            self._add(self._without_directions(sentence.strip(BULLETS)))

    def take_whole(self, prompt: str) -> None:
        """Take a prompt as it is, which holds nothing but orders and directions."""
        text = " ".join(prompt.split())
        if text:
            self.sentences.append(whole(text, self.grammar))

    def _add_order(self, rest: str, preposition: str) -> None:
        rest = self._without_directions(rest)
        if self.sentences:  # the subject is known, so this names the audience
            if rest and preposition:
                self.sentences.append(whole(f"{preposition} {rest}", self.grammar))
            return
        if not rest:
            return
        self.sentences.append(whole(rest, self.grammar))
        self.is_named = not self._is_statement(parts_of(rest)[0])
        self._add_parts(rest)

    def _add(self, sentence: str) -> None:
        if not sentence.rstrip(_ENDS).strip():
            return
        parts = parts_of(sentence)
        if parts and not self.phrases and not self._is_statement(sentence):
            labelled = len(parts) > 1 and len(parts[0].split()) <= _SHORT_LABEL and ":" in sentence
            self.is_named = not labelled and not parts[0][:1].isdigit()
        self.sentences.append(whole(sentence, self.grammar))
        self._add_parts(sentence)

    def add_topics(self) -> None:
        """Find things in the sentences of a brief that names none on its own."""
        topics = []
        for sentence in self.sentences:
            for found in (
                re.finditer(self.grammar.topic, sentence, re.IGNORECASE) if self.grammar.topic else ()
            ):
                said = parts_of(sentence[found.start() :])[0]
                topic = (_inflected_topic if self.grammar.base_form else _topic)(said, self.grammar)
                if topic:
                    topics.append(topic)
        self.phrases = [*topics, *self.phrases]
        self.is_named = bool(topics) and self.grammar.code != "de"

    def _add_parts(self, sentence: str) -> None:
        for part in (_ARABIC_AND.sub("", one) for one in parts_of(sentence)):
            if (
                (is_relative(part) and (self.phrases or self.clauses))
                or _ADVERB.search(part)
                or _CONTRAST.match(part)
            ):
                continue
            (self.clauses if self._is_statement(part) else self.phrases).append(part)

    def _is_statement(self, text: str) -> bool:
        main = re.sub(r"\s(?:that|which|who|whose|where|when|que|qui|der|die|das)\s.*", "", text)
        return self.grammar.states(main if self.grammar.has_spaces else text)

    def _without_directions(self, sentence: str) -> str:
        pieces = split_parts(sentence)
        kept = ""
        for places in clauses_in(pieces):
            if (kept or self.sentences) and self._is_a_listed_direction([pieces[at] for at in places]):
                continue
            for at in places:
                if not self._directs(pieces[at]):
                    kept += (pieces[at - 1] if kept else "") + pieces[at]
        return kept.strip()

    def _is_a_listed_direction(self, parts: list[str]) -> bool:
        """Return whether parts are one direction with several traits, as in "friendly, practical tone"."""
        plain = [_AND.sub("", part.strip()) for part in parts]
        traits = [part for part in plain if not self._directs(part)]
        is_list = self.grammar.has_spaces and all(len(trait.split()) == 1 for trait in traits)
        return is_list and self._directs(" ".join(plain))

    def _directs(self, part: str) -> bool:
        return self.grammar.directs(_AND.sub("", part.strip()).rstrip(_ENDS))


def _topic(text: str, grammar: Grammar) -> str:
    """Return the noun phrase at the beginning of `text`, without what follows it in the sentence."""
    if not grammar.has_spaces:
        return re.sub("[をはがにでへと、].*", "", text)
    words = text.split()
    ends = grammar.cuts | _TOPIC_ENDS.get(grammar.code, frozenset())
    end = next((at for at, word in enumerate(words) if at and word.casefold() in ends), len(words))
    if grammar.code == "de":  # the case is not known: the nouns alone are right in every case
        nouns = [word for word in words[1:] if word[:1].isupper()]
        return nouns[0] if nouns else ""
    return " ".join(words[:end]) if 1 < end <= _MAX_TOPIC_WORDS else ""


def _inflected_topic(text: str, grammar: Grammar) -> str:
    """Return the noun phrase at the beginning of `text` in the nominative: up to its first noun."""
    words = text.split()
    if grammar.code == "fi":  # the owner's suffix hides the case: one form for several
        return words[0] if not grammar.states(words[0]) else ""
    described = re.compile(rf"{grammar.modifier}|^μας$")
    end = next((at for at, word in enumerate(words) if at and not described.search(word)), 0)
    said = " ".join(words[: end + 1])
    return grammar.base_form("object", said) if end and grammar.base_form else ""
