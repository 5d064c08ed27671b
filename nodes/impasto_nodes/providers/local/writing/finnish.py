"""The grammar of Finnish."""

# ruff: noqa: E501 - a list of words stands on one line

from impasto_nodes.providers.local.writing.base_forms import finnish
from impasto_nodes.providers.local.writing.grammar import PLATFORM, Grammar, words

_SHAPE = r"(?:16:9|9:16|1:1|4:5)"
_WORKS = r"(?:[\w-]*(?:kampanjan?|mainos(?:kuvia|kuvat|ta)?|mainoksen|mainoksia|mainokset|juliste(?:en|ita|et)?|kuvan?|kuvat|kuvia|kuvaa|valokuvia|julkaisun?|julkaisut|julkaisuja|videon?|videoita|tekstin?|tekstit|tekstejä|bannerin?|bannereita|esitteen?|esite|lentolehtisen?|reelsit?|storyboardin?|moodboardin?|teaserin?|uutiskirjeen?|ilmoituksen?|ilmoituksia))"
FINNISH = Grammar(
    code="fi",
    order=r"(?:(?:tarvitsemme|tarvitsen|haluamme|haluan)\s+)?(?:(?:luo|luokaa|tee|tehkää|tehdä|kirjoita|kirjoittakaa|suunnittele|suunnitelkaa|laadi|laatikaa|valmistele|piirrä|ideoi)\s+(?:meille\s+|minulle\s+)?)?"
    r"(?:\d+ sekunnin\s+|\d+\s+|kaksi\s+|kolme\s+|neljä\s+|viisi\s+|kuusi\s+)?(?:(?:uusi|uuden|uusia|lyhyt|lyhyen|neliön\s+muotoi\w+|neliömäi\w+|neliönmuotoi\w+|\d+ sekunnin)\s+){0,2}"
    rf"{_WORKS}(?!\w)(?:\s+(?:instagramiin|facebookiin|linkediniin|tiktokiin|{PLATFORM}))?\s*(?::\s*|(?P<case>)(?=\S))"
    r"|(?:mainosta|mainostakaa|markkinoi|esittele)\s+(?P<object>)",
    order_end=rf"(?<=mme)\s+{_WORKS}$",
    direction=rf"(?:(?:käytä|vältä|näytä|sävy|tyyli|muoto|kieli|värit|tunnelma)\b.*|(?:[\w-]+ ){{1,3}}(?:sävyllä|sävyyn|tyylillä|tyyliin|sävy|tyyli)|(?:ei|ilman) (?:tekstiä|sanoja|ihmisiä|logoa|logoja|emojeja|huutomerkkejä)\b.*|(?:neliö\w*|pysty\w*|vaaka\w*|{_SHAPE})(?: \w+)?|(?:\d+|kaksi|kolme|neljä|viisi|kuusi) (?:\w+ )?(?:kuvaa|valokuvaa|julkaisua|mainosta|videota|versiota)|\d+ ?(?:s|sek|sekun\w*|minuut\w*)(?: \w+)?)$",
    statement=r"^(?:me|minä|te|se|hän|tämä|kuka|mikä|miksi|miten|milloin|missä|nyt|täällä|tule|tulkaa|varaa|osta|tilaa)\b|\b(?:on|ovat|oli|avaamme|avaa|avautuu|aukeaa|tarjoamme|tarjoaa|leivomme|leipoo|teemme|tekee|myymme|myy|autamme|auttaa|haemme|hakee|etsimme|etsii|palvelemme|palvelee|toimitamme|toimittaa|kutsumme|alkaa|kestää|kasvaa|sopii|voi|voit|voitte|saa|saat|korjaamme|korjaa|kuljettaa|tuo|tuomme|laulaa|laulamme|opetamme|opettaa|seuraa|sulaa|maistuu|vastaa|vuokraamme|paahdamme|tulee|tulemme)\b",
    cuts=words("ja tai mutta sekä joka jossa jotka kun jos että ilman ennen"),
    stop=words(
        "ja tai mutta sekä joka jossa jotka kun jos että ilman ennen jälkeen kanssa asti alkaen varten on ovat ei meidän oma uusi uudet uuden jokainen kaikki kaikille ensimmäinen kello klo päivä päivää viikko kuukausi vuosi aamu aamulla myös vain nyt suoraan tervetulleita tervetullut jokainen kaksi kolme neljä viisi kuusi"
    ),
    determiner=r"(?:meidän)\s+",
    about=(
        "{x}: lue lisää",
        "{x}: kaikki tiedot",
        "{x}: ota yhteyttä",
        "{x}: kysy meiltä",
        "{x}: katso lähempää",
    ),
    frames=(
        "Yleiskuva: {x}",
        "Lähikuva: {x}",
        "Ylhäältä kuvattuna: {x}",
        "Iltavalossa: {x}",
        "Yksityiskohta: {x}",
        "Viimeinen kuva: {x}",
    ),
    moves=(
        "Hidas ajo lähemmäs",
        "Vasemmalta oikealle",
        "Paikallaan pysyvä kuva",
        "Hidas ajo kauemmas",
        "Rauhallisesti ylös",
        "Rauhallisesti alas",
    ),
    calls={
        "": ("Lue lisää", "Ota yhteyttä", "Katso tiedot", "Kysy meiltä", "Katso lähempää"),
        "solemn": ("Keskustele kanssamme", "Pyydä neuvoa", "Soita meille", "Ota yhteyttä"),
        "hire": ("Hae paikkaa", "Lue lisää työstä"),
        "sale": ("Katso tarjous", "Hyödynnä alennus"),
        "listen": ("Kuuntele nyt", "Kuuntele jakso"),
        "help": ("Katso, miten voit auttaa", "Tule mukaan"),
        "book": ("Varaa aika", "Pyydä neuvoa"),
        "visit": ("Suunnittele käynti", "Katso ajankohdat"),
        "try": ("Kokeile tänään", "Katso, miten se toimii"),
        "read": ("Lue lisää", "Katso, miksi"),
    },
    closers=(
        "Lue lisää ja ota yhteyttä.",
        "Vastaamme mielellämme kysymyksiisi.",
        "Kysy meiltä lisätietoja.",
    ),
    greeting="Hei,",
    topic=r"\b\w+mme\b",
    cut_endings=r"(?<=.{3})(?:ss[aä]|st[aä]|ll[aä]|lt[aä]|lle)$",
    base_form=finnish.nominative,
)
