"""The grammars of Russian and Czech."""

# ruff: noqa: E501 - a list of words stands on one line

from impasto_nodes.providers.local.writing.base_forms import czech, russian
from impasto_nodes.providers.local.writing.grammar import PLATFORM, Grammar, words

_SHAPE = r"(?:16:9|9:16|1:1|4:5)"
_RUSSIAN_WORKS = (
    r"(?:кампани[яюи]|рекламн\w+ (?:кампани[яюи]|текст\w*|ролик\w*|пост\w*)|реклам[ауы]|объявлени[еяй]|плакат(?:ы|а|ов)?|афиш[ауи]|постер(?:ы|а|ов)?|картин(?:к[аиу]|ок)|изображени[еяй]|фото(?:графи[яию])?|"
    r"публикаци[яию]|пост(?:ы|а|ов)?|видео(?:ролик\w*)?|ролик(?:и|а|ов)?|текст(?:ы|а|ов)?|баннер(?:ы|а|ов)?|листовк[аиу]|буклет(?:ы)?|рилс|тизер(?:ы|а)?|раскадровк[ауи]|мудборд|рассылк[ауи]|слоган(?:ы|ов)?)"
)
RUSSIAN = Grammar(
    code="ru",
    order=r"(?:пожалуйста,?\s+)?(?:(?:нам|мне) (?:нужен|нужн[аоы]?|требуется)\s+|(?:мы )?(?:хотим|хочу|нужн[аоы]?)\s+)?"
    r"(?:(?:сделай(?:те)?|создай(?:те)?|подготовь(?:те)?|напиши(?:те)?|придумай(?:те)?|разработай(?:те)?|нарисуй(?:те)?|сгенерируй(?:те)?|оформи(?:те)?)\s+(?:нам\s+|мне\s+)?)?"
    r"(?:\d+[\s-]+|дв[ае]\s+|три\s+|четыре\s+|пять\s+|шесть\s+)?(?:(?:нов\w+|коротк\w+|квадратн\w+|вертикальн\w+|горизонтальн\w+|рекламн\w+|секундн\w+)\s+){0,2}"
    rf"{_RUSSIAN_WORKS}(?:\s+(?:на|длиной|длительностью)\s+\d+\s+секунд\w*)?(?:\s+(?:для|в|на)\s+{PLATFORM})?\s*(?:(?P<case>для|об?|про|к)\s+|:\s*|(?P<genitive>)(?=(?:наш|мо|сво)\w{{1,4}}\s|\w{{2,}}(?:ого|его|ой|ей|ни|ки|ии|ы|а|я)(?:\s|$)))"
    r"|(?:рекламируй(?:те)?|прорекламируй(?:те)?|продвигай(?:те)?|представь(?:те)?|анонсируй(?:те)?)\s+(?P<object>)",
    direction=rf"(?:(?:используй(?:те)?|избегай(?:те)?|покажи(?:те)?|тон|стиль|формат|язык|цвета|настроение)\b.*|(?:в )?(?:\w+ ){{0,3}}(?:тоне|стиле|тон|стиль|тоном|интонаци\w+)|без (?:текста|надписей|слов|людей|логотип\w*|эмодзи|хештегов|восклицательных знаков)\b.*|(?:квадратн\w+|вертикальн\w+|горизонтальн\w+|{_SHAPE})(?: \w+)?|(?:\d+|два|две|три|четыре|пять|шесть) (?:\w+ )?(?:картин\w+|изображени\w+|фото\w*|пост\w*|видео|ролик\w*|вариант\w*)|\d+[ -]?(?:с|сек|секунд\w*|минут\w*)(?: \w+)?)$",
    statement=r"^(?:мы|я|вы|ты|он|она|они|это|кто|что|как|почему|когда|где|здесь|теперь)\b|\b(?:есть|был[аои]?|будет|будут|открыл\w*|откроет\w*|можно|нужно|нужен|пробуйте|звоните|печёт|печет|печём|печем|ждёт|ждет|ждём|ждем|идёт|идет|даёт|дает|растёт|стоит|помогает|звучит|учит|учим|варим|строим|возим|возит|привозим|привозит|приходит|приходите|берегит\w+|делится|светит|говорит|служит|хранит|производит|чинит|чиним|готовит|готовим|лечит|лечим|ищем|ищет|следит|плавится|приносит)\b"
    r"|\b\w{3,}(?:ает|яет|ует|ают|яют|уют|ается|яется|уется|аются|яются|уются|аемся|емся|имся)\b|\b(?!трамва|случа|обыча)\w{3,}(?:аем|яем|уем)\b|\b\w{3,}(?:айте|яйте|уйте|итесь|айтесь)\b",
    cuts=words(
        "в во на с со из изо к ко до для от по при через без у под над между за о об про и или а но которая который которые которое где когда чтобы прямо"
    ),
    stop=words(
        "в во на с со из к ко до для от по при через без у под над между за о об про и или а но который которая которые где когда наш наша наше наши ваш ваша мой моя свой своя это новый новая новое новые "
        "каждый каждая каждую каждое все всё весь всех первый первая первое первые последний рады рад начинающим можно самый самая ищем двое два две двух трёх три четыре пять шесть не ни уже только очень прямо сразу час часа часов день дня дней неделя недели месяц месяца год года утра вечера"
    ),
    determiner=r"(?:наш[аеи]?|мо[йяёи]|сво[йяёи]|эт[аои]т?)\s+",
    about=(
        "{x}: узнайте больше",
        "{x}: все подробности",
        "{x}: напишите нам",
        "{x}: спросите нас",
        "{x}: посмотрите поближе",
    ),
    frames=(
        "Общий план: {x}",
        "Крупный план: {x}",
        "Вид сверху: {x}",
        "В вечернем свете: {x}",
        "Деталь: {x}",
        "Последний кадр: {x}",
    ),
    moves=(
        "Медленный наезд",
        "Панорама слева направо",
        "Неподвижный кадр",
        "Медленный отъезд",
        "Плавно вверх",
        "Плавно вниз",
    ),
    calls={
        "": ("Узнайте больше", "Напишите нам", "Смотрите подробности", "Спросите нас", "Рассмотрите поближе"),
        "solemn": ("Поговорите с нами", "Попросите совета", "Позвоните нам", "Напишите нам"),
        "hire": ("Откликнитесь сегодня", "Узнайте о работе"),
        "sale": ("Смотрите предложение", "Воспользуйтесь скидкой"),
        "listen": ("Слушайте сейчас", "Слушайте выпуск"),
        "help": ("Узнайте, как помочь", "Присоединяйтесь"),
        "book": ("Запишитесь на приём", "Получите консультацию"),
        "visit": ("Приходите", "Узнайте даты"),
        "try": ("Попробуйте сегодня", "Узнайте, как это работает"),
        "read": ("Читайте дальше", "Узнайте почему"),
    },
    closers=(
        "Узнайте больше и напишите нам.",
        "Мы с радостью ответим на ваши вопросы.",
        "Спросите нас о подробностях.",
    ),
    greeting="Здравствуйте!",
    topic=r"\b(?:наш[аеиу]?|свою)\s",
    modifier=r"(?:[ыиео]й|[ая]я|[ую]ю|[ое]е|[ыи]е|[ыи]х|[ыи]м|ого|его)$",
    base_form=russian.nominative,
)

_CZECH_WORKS = r"(?:kampa[ňn][ěí]?|reklam[auy]?|plakát[yůu]?|obráz(?:ek|ky|ků)|fot(?:ky|ek|ografi[ei])|příspěv(?:ek|ky|ků)|post[yů]?|vide[ao]|klip[yů]?|text[yů]?|banner[yů]?|inzerát[yů]?|letá(?:k|ky|ků)|reels?|storyboard|moodboard|teaser[yů]?|newsletter|upoutávk[auy])"
CZECH = Grammar(
    code="cs",
    order=r"(?:prosím,?\s+)?(?:(?:potřebujeme|potřebuji|chceme|chci)\s+)?"
    r"(?:(?:vytvoř(?:te)?|udělej(?:te)?|připrav(?:te)?|napiš(?:te)?|navrhni|navrhněte|vymysli|vymyslete|nakresli|nakreslete|vygeneruj(?:te)?|zpracuj(?:te)?)\s+(?:nám\s+|mi\s+)?)?"
    r"(?:\d+\s+|dv[ěa]\s+|tři\s+|čtyři\s+|pět\s+|šest\s+)?(?:(?:nov\w+|krátk\w+|čtvercov\w+|reklamní\w*|\d*sekundov\w+)\s+){0,2}"
    rf"{_CZECH_WORKS}(?:\s+(?:na|v délce)\s+\d+\s+sekund\w*)?(?:\s+(?:pro|na)\s+{PLATFORM})?\s*(?:(?P<case>pro|na|o)\s+|:\s*|(?P<genitive>)(?=naší\s))"
    r"|(?:propaguj(?:te)?|inzeruj(?:te)?|představ(?:te)?|uveď(?:te)?)\s+(?P<object>)",
    direction=rf"(?:(?:použij(?:te)?|používej(?:te)?|vyhni se|ukaž(?:te)?|tón|styl|formát|jazyk|barvy|nálada)\b.*|(?:v )?(?:[\w-]+ ){{0,3}}(?:tónu|stylu|tónem|tón|styl)|bez (?:textu|nápisů|slov|lidí|loga|log|emoji|vykřičníků)\b.*|(?:čtvercov\w+|na výšku|na šířku|{_SHAPE})(?: \w+)?|(?:\d+|dva|dvě|tři|čtyři|pět|šest) (?:\w+ )?(?:obráz\w+|fot\w+|příspěv\w+|videa|variant\w*)|\d+ ?(?:s|sekund\w*|minut\w*))$",
    statement=r"^(?:my|kdo|co|jak|proč|kdy|kde|tady|teď|toto|to je)\b|\b(?:je|jsou|jsme|máme|má|mají|otevíráme|otevírá|otevřeli|nabízíme|nabízí|pomáháme|pomáhá|děláme|dělá|pečeme|peče|prodáváme|prodává|zveme|hledáme|hledá|začíná|trvá|může|mohou|vaříme|vaří|rozvážíme|rozváží|přivezeme|přiveze|učíme|učí|opravujeme|opravuje|doručuje|doručujeme|sleduje|chutná|roste|půjčujeme|přijďte|objednejte|zavolejte|zpívá|zpíváme)\b|\b\w{3,}ují\b",
    cuts=words(
        "vždy v ve na z ze s do pro od po při přes i a ale nebo bez o u pod nad mezi před za který která které kde když aby přímo k ke"
    ),
    stop=words(
        "vždy v ve na z ze s do pro od po při přes i a ale nebo bez o u pod nad mezi před za který která které kde když náš naše naší naši je jsou přímo denně ráno večer každý každá každé každou nový nová nové první ne není hodin hodiny dne den dní týden měsíc rok dva dvě tři čtyři pět šest hledáme vítáni vítán vítána až k ke všechny všech svůj"
    ),
    determiner=r"(?:náš|naše|naši|můj|moje|ten|ta|to|tento|tato|toto)\s+",
    about=(
        "{x}: zjistěte více",
        "{x}: všechny podrobnosti",
        "{x}: napište nám",
        "{x}: zeptejte se nás",
        "{x}: podívejte se zblízka",
    ),
    frames=(
        "Celkový záběr: {x}",
        "Detailní záběr: {x}",
        "Pohled shora: {x}",
        "Ve večerním světle: {x}",
        "Detail: {x}",
        "Poslední záběr: {x}",
    ),
    moves=(
        "Pomalý nájezd",
        "Zleva doprava",
        "Statický záběr",
        "Pomalý odjezd",
        "Klidně vzhůru",
        "Klidně dolů",
    ),
    calls={
        "": (
            "Zjistěte více",
            "Napište nám",
            "Zjistěte podrobnosti",
            "Zeptejte se nás",
            "Prohlédněte si zblízka",
        ),
        "solemn": ("Promluvte si s námi", "Poradíme vám", "Zavolejte nám", "Napište nám"),
        "hire": ("Ozvěte se nám", "Zjistěte více o práci"),
        "sale": ("Podívejte se na nabídku", "Využijte slevu"),
        "listen": ("Poslechněte si", "Pusťte si epizodu"),
        "help": ("Zjistěte, jak pomoci", "Zapojte se"),
        "book": ("Objednejte se", "Poraďte se s námi"),
        "visit": ("Přijďte", "Zjistěte termíny"),
        "try": ("Vyzkoušejte dnes", "Zjistěte, jak to funguje"),
        "read": ("Čtěte dál", "Zjistěte proč"),
    },
    closers=(
        "Zjistěte více a napište nám.",
        "Rádi odpovíme na vaše dotazy.",
        "Zeptejte se nás na podrobnosti.",
    ),
    greeting="Dobrý den,",
    topic=r"\b(?:naše|naši|náš|svou)\s",
    modifier=r"(?:ý|á|é|í|ou|ých|ého|ně|ky)$",
    base_form=czech.nominative,
)
