"""What it takes to write in one language: patterns that read a brief, and phrases that answer it."""

# ruff: noqa: E501 - the words of a category stand together

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

PLATFORM = r"(?:instagram|linkedin|facebook|tiktok|youtube|pinterest|twitter|x|whatsapp|google)"
"""Names of channels, as a pattern."""


_NOUN = re.compile(r"(?<=[\wäöüß,] )[A-ZÄÖÜ][\w-]+")
"""A word with a capital letter inside a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """One language. `{x}` in a phrase stands for the brief's subject.

    `order` matches the beginning of a sentence that asks for work ("Ads for ..."), `order_end` its end, in
    languages that put the verb last. `direction` matches a part that says how to work, not what about.
    `statement` finds a verb or pronoun, so that the sentence is more than a noun phrase. `topic` finds where
    a noun phrase begins in a sentence. `cuts` are words before which one may end; in languages with
    `is_head_last` it may begin after one. `about` are headlines for a noun phrase, `frames` scenes of one.
    `cut_endings` matches words after which one may begin.
    `modifier` matches a word that describes the noun after it. `base_form` returns the nominative of a phrase
    that stood after a preposition, "" if it is not certain; without it such a phrase begins with its first name.
    `calls` are calls to action by category, "" for every brief. `closers` are whole sentences.
    """

    code: str
    order: str
    direction: str
    statement: str
    cuts: frozenset[str]
    stop: frozenset[str]
    about: tuple[str, ...]
    frames: tuple[str, ...]
    moves: tuple[str, ...]
    calls: Mapping[str, tuple[str, ...]]
    closers: tuple[str, ...]
    greeting: str
    order_end: str = ""
    determiner: str = ""
    topic: str = ""
    joiner: str = " "
    full_stop: str = "."
    comma: str = ", "
    cut_endings: str = ""
    modifier: str = ""
    base_form: Callable[[str, str], str] | None = None
    oblique_about: tuple[str, ...] = field(default=())
    has_spaces: bool = True
    is_head_last: bool = False
    has_capital_nouns: bool = False

    def ordered(self, sentence: str) -> re.Match[str] | None:
        """Return the match of what asks for work at the beginning of a sentence, or None."""
        return re.match(self.order, sentence, re.IGNORECASE)

    def ordered_at_end(self, sentence: str) -> re.Match[str] | None:
        """Return the match of what asks for work at the end of a sentence, or None."""
        return re.search(self.order_end, sentence) if self.order_end else None

    def ends_phrase(self, word: str) -> bool:
        """Return whether a noun phrase may end before a word, or begin after it."""
        return word in self.cuts or bool(self.cut_endings and re.search(self.cut_endings, word))

    def opens_with_preposition(self, phrase: str) -> bool:
        """Return whether a phrase begins with a word that belongs before a noun, other than an article."""
        first = phrase.split(maxsplit=1)[0].casefold()
        has_article = re.match(self.determiner or r"(?!)", phrase, re.IGNORECASE)
        return self.has_spaces and first in self.cuts and not has_article

    def directs(self, part: str) -> bool:
        """Return whether a part of a brief says how to work."""
        return re.match(self.direction, part.strip(), re.IGNORECASE) is not None

    def states(self, sentence: str) -> bool:
        """Return whether a sentence says something, rather than naming a thing."""
        if self.has_capital_nouns:  # where "Laden" is a shop and "laden" a verb
            sentence = _NOUN.sub("", sentence)
        return re.search(self.statement, sentence, re.IGNORECASE) is not None


def words(text: str) -> frozenset[str]:
    """Return the words of a text, as they are written and as `casefold` writes them."""
    return frozenset((*text.split(), *text.casefold().split()))


_TRADES: tuple[tuple[str, str], ...] = (
    (
        "solemn",
        r"funeral|undertaker|hospice|grief|mourning|bestatt|trauer|friedhof|funer[áa]ri|f[úu]nebre|luto\b|"
        r"fun[éè]r|obsèques|pogrzeb|pohřeb|похорон|ритуальн|κηδε|hautaus|cenaze|장례|殡|uitvaart|begrafenis|begravning|begravelse|葬|جناز|مأتم|अंतिम संस्कार|अंत्येष्टि",
    ),
    (
        "hire",
        r"\bhiring\b|\bvacanc|\bjoin our team\b|\bapprentic|stellenangebot|wir suchen|\bgesucht\b|(?-i:\bsucht\b)|\bvagas?\b|contratamos|"
        r"recrutamos|empleo|\bse busca\b|cerchiamo|assumiamo|vacature|\bgezocht\b|szukamy|zatrudnimy|recrut|embauch|вакансия|вакансии|требуется|ищем\b|hledáme\b|ζητείται|ζητούνται|avoin työpaikka|\bhaemme\b|求人|募集|採用|وظيف|توظيف|भर्ती|नौकरी",
    ),
    (
        "sale",
        r"\bsale\b|\bdiscount|\d\s*% off|rabatt|ausverkauf|schlussverkauf|desconto|promoção|descuento|rebajas|"
        r"\bsoldes|remise|割引|セール|rabat\b|zniżk|promocj|скидк|распродаж|\bsleva|\bslevy|\bslevou|výprodej|έκπτωσ|εκπτώσ|alennus|alennuks|indirim|할인|折扣|优惠|korting|sconto|rea\b|خصم|تخفيض|छूट|सेल",
    ),
    (
        "listen",
        r"\bepisode\b|\bpodcast|\blisten\b|\bradio show|folge \d|hörspiel|epis[óo]di|épisode|выпуск \d|подкаст|epizod|επεισόδι|jakso \d|podcast|エピソード|"
        r"ポッドキャスト|حلقة|بودكاست|पॉडकास्ट|एपिसोड",
    ),
    (
        "help",
        r"\bfoster\b|\badopt|\bdonat|\bvolunteer|\bshelter\b|spende|ehrenamt|tierheim|doaç|voluntári|donaci|"
        r"voluntari|bénévol|волонт[её]р|пожертв|приют|dobrovoln|útulek|εθελοντ|δωρεά\b|δωρεές|vapaaehtois|lahjoita|寄付|ボランティア|تبرع|تطوع|दान करें|दान दें|स्वयंसेवक",
    ),
    (
        "try",
        r"\bapp\b|software|subscri|\bsign up\b|\bapps\b|programm\b|aplicativo|aplicação|aplicación|logiciel|приложени|программ[аыу] для|aplikac|εφαρμογ|λογισμικ|sovellus|sovelluks|ohjelmisto|"
        r"アプリ|ソフト|تطبيق|برنامج|ऐप|सॉफ़्टवेयर|सॉफ्टवेयर",
    ),
    (
        "book",
        r"dentist|dental|clinic|\btax\b|advis[eo]r|advice|therap|salon|appointment|physio|check-?up|zahn|praxis|"
        r"steuer|beratung|termin|dent[áa]ri|clínica|consult|imposto|asesor|fiscal|cabinet|stomatolog|стоматолог|клиник|консультац|налогов|zubn|ordinac|daňov|poradenstv|οδοντ|κλινικ|φορολογ|hammas|klinik|vastaanot|dentyst|weterynar|przychodni|veteriner|diş\b|치과|병원|클리닉|牙科|诊所|tandarts|tandläk|tandlæg|歯科|クリニック|税理士|"
        r"相談|عيادة|أسنان|ضرائب|استشار|दंत|क्लिनिक|कर सलाह|परामर्श",
    ),
    (
        "visit",
        r"\bvisit|\bopens?\b|\bopening\b|\bevent\b|exhibition|concert|choir|vineyard|museum|festival|eröffn|"
        r"konzert|chor\b|weingut|ausstellung|veranstaltung|besuch|visita|vinhas?\b|coro\b|concerto|exposi|"
        r"viñedo|концерт|выставк|фестивал|открытие|экскурси|výstav|slavnost|otevření|συναυλ|έκθεση|φεστιβάλ|ξενάγησ|konsert|näyttely|avajais|viñedo|concierto|bodega|concert|chorale|vignoble|コンサート|合唱|ワイナリー|展覧会|オープン|"
        r"حفل|معرض|كورال|افتتاح|संगीत कार्यक्रम|गायन समूह|प्रदर्शनी|अंगूर",
    ),
    (
        "read",
        r"\bcourse\b|\bguide\b|\breasons?\b|\bhow to\b|\btips?\b|\bwhy\b|ratgeber|gründe|tipps|\bguia\b|razões|"
        r"dicas|gu[íi]a|razones|consejos|raisons|conseils|причин[аы]?\b|советы|důvod|průvodce|λόγοι|οδηγός|vinkkejä|opas\b|理由|ガイド|コツ|أسباب|دليل|نصائح|कारण|गाइड|सुझाव",
    ),
)


# Each line of a text asks for the trades of the same brief.
@lru_cache(maxsize=32)
def trades_of(text: str) -> tuple[str, ...]:
    """Return the categories of calls to action that suit what a brief is about, surest first."""
    return tuple(name for name, pattern in _TRADES if re.search(pattern, text, re.IGNORECASE))
