"""The grammars of Italian, Dutch, Polish, Swedish, Danish, Turkish, Korean and Chinese.

Their phrases take a subject only after a colon, so that no word of the brief has to be inflected.
"""

# ruff: noqa: E501 - a list of words stands on one line

from impasto_nodes.providers.local.writing.grammar import PLATFORM, Grammar, words

_SHAPE = r"(?:16:9|9:16|1:1|4:5)"

ITALIAN = Grammar(
    code="it",
    order=r"(?:per favore,?\s+)?(?:(?:vogliamo|vorrei|serve|servono|abbiamo bisogno di)\s+)?"
    r"(?:(?:crea|creare|scrivi|scrivere|fai|fare|prepara|preparare|realizza|realizzare|progetta|genera)\s+)?"
    r"(?:(?:un[oa']?|dei|delle|degli|la|le|gli|i|due|tre|quattro|cinque|sei|\d+)\s+)?"
    r"(?:campagn[ae]|annunci(?:o)?|pubblicità|immagin[ei]|foto|manifest[oi]|poster|post|video|test[oi]|banner|reel|storyboard|moodboard|volantin[oi]|teaser|locandin[ae]|newsletter)"
    rf"(?:\s+(?:quadrat|vertical|orizzontal|pubblicitari|brev)\w*)*(?:\s+(?:per|su)\s+{PLATFORM})?\s*(?:(?:per|su|sul|sulla)\s+|(?P<di>d(?:el|ella|ello|ei|elle|egli)\s|dell['’])|:\s*)"
    r"|(?:lancia|promuovi|pubblicizza|annuncia|presenta|vendi)(?:mo|re)?\s+",
    direction=rf"(?:(?:usa|usare|evita|mostra|tono|stile|formato|lingua|colori)\b.*|(?:con |in )?(?:un )?(?:tono|stile) .*|(?:senza|niente) (?:testo|parole|persone|loghi?|emoji)\b.*|(?:quadrat\w+|verticale|orizzontale|{_SHAPE})|(?:\d+|due|tre|quattro|cinque|sei) (?:immagini|foto|post|annunci|video)(?: \w+)?|\d+ ?(?:s|secondi|minuti))$",
    statement=r"\b(?:è|sono|siamo|ha|hanno|abbiamo|apre|aprono|apriamo|offre|offriamo|facciamo|fa|vende|inizia|comincia|aiuta|aiutiamo|porta|arriva|può|possono)\b|^(?:noi|chi|che|come|perché|quando)\b",
    cuts=words(
        "per con di del della dei delle dello degli da dal dalla in nel nella su sul sulla a al alla ai alle senza fino tra fra e o ma che dove quando"
    ),
    stop=words(
        "il lo la i gli le un uno una e o di del della dei delle dello degli da dal dalla in nel nella su sul sulla per con a al alla ai alle che è sono nostro nostra nostri nostre ogni tutti tutte nuovo nuova prima primo non più dalle"
    ),
    determiner=r"(?:(?:il|lo|la|i|gli|le)\s+)?(?:nostr[oaie])\s+|(?:il|lo|la|i|gli|le|un[oa]?)\s+|l['’]",
    about=(
        "{x}: scopri di più",
        "{x}: tutti i dettagli",
        "{x}: contattaci",
        "{x}: chiedi informazioni",
        "{x}: da vicino",
    ),
    frames=(
        "Campo lungo: {x}",
        "Primo piano: {x}",
        "Dall'alto: {x}",
        "Nella luce della sera: {x}",
        "Un dettaglio: {x}",
        "Ultima immagine: {x}",
    ),
    moves=(
        "Avvicinamento lento",
        "Panoramica da sinistra a destra",
        "Inquadratura fissa",
        "Allontanamento lento",
        "Salita dolce",
        "Discesa dolce",
    ),
    calls={
        "": ("Scopri di più", "Contattaci", "Guarda i dettagli", "Chiedi informazioni", "Guarda da vicino"),
        "solemn": ("Parla con noi", "Chiedi un consiglio", "Chiamaci", "Contattaci"),
        "sale": ("Guarda l'offerta", "Approfitta dell'offerta"),
        "book": ("Prenota un appuntamento", "Chiedi un consiglio"),
    },
    closers=(
        "Scopri di più e contattaci.",
        "Rispondiamo volentieri alle tue domande.",
        "Chiedici tutti i dettagli.",
    ),
    greeting="Buongiorno,",
)

DUTCH = Grammar(
    code="nl",
    order=r"(?:(?:wij|we|ik) (?:willen|wil|zoeken|hebben)\s+)?(?:(?:maak|schrijf|ontwerp|bedenk|teken|bereid)\s+)?"
    r"(?:(?:een|de|het|enkele|twee|drie|vier|vijf|zes|\d+)\s+)?(?:[\w-]+\s+){0,2}?"
    r"(?:[\w-]*(?:campagne|advertenties?|reclame|posters?|beelden|afbeeldingen|foto['’]?s?|video['’]?s?|posts?|teksten?|banners?|reels?|storyboards?|moodboards?|flyers?|teasers?|nieuwsbrief))"
    rf"(?:\s+(?:voor|op)\s+{PLATFORM})?\s*(?:(?:voor|over|van)\s+|:\s*)|(?:lanceer|promoot|adverteer|presenteer|verkoop)\s+",
    direction=rf"(?:(?:gebruik|vermijd|toon|stijl|formaat|taal|kleuren)\b.*|(?:in |met )?(?:een )?[\w-]+ (?:toon|stijl)|(?:geen|zonder) (?:tekst|woorden|mensen|logo['’]?s?|emoji['’]?s?)\b.*|(?:vierkant|staand|liggend|{_SHAPE})|(?:\d+|twee|drie|vier|vijf|zes) (?:[\w-]+ )?(?:beelden|afbeeldingen|foto['’]s|posts|video['’]s)|\d+ ?(?:s|seconden|minuten))$",
    statement=r"^(?:wij|we|ik|jij|je|hij|zij|het is|dit|wie|wat|waarom|hoe)\b|\b(?:is|zijn|was|heeft|hebben|wordt|worden|kan|kunnen|opent|openen|helpt|helpen|maakt|maken|bakt|biedt|bieden|begint|verkoopt|zoekt|zoeken)\b",
    cuts=words(
        "voor met van uit in op aan bij te tot zonder na over onder tussen door vanaf vanuit om de het een en of maar dat die waar wanneer"
    ),
    stop=words(
        "de het een en of voor met van uit in op aan bij te tot zonder na over onder tussen door vanaf ons onze is zijn wij we alle elke niet nieuw nieuwe eerste uur dag week maand jaar"
    ),
    determiner=r"(?:onze?|mijn|jouw|uw|hun|de|het|een)\s+",
    about=(
        "{x}: lees meer",
        "{x}: alle details",
        "{x}: neem contact op",
        "{x}: vraag het ons",
        "{x}: van dichtbij",
    ),
    frames=(
        "Overzicht: {x}",
        "Close-up: {x}",
        "Van boven: {x}",
        "In avondlicht: {x}",
        "Een detail: {x}",
        "Laatste beeld: {x}",
    ),
    moves=(
        "Langzaam dichterbij",
        "Van links naar rechts",
        "Vast beeld",
        "Langzaam verder weg",
        "Rustig omhoog",
        "Rustig omlaag",
    ),
    calls={
        "": ("Lees meer", "Neem contact op", "Bekijk de details", "Vraag het ons", "Kijk van dichtbij"),
        "solemn": ("Praat met ons", "Vraag advies", "Bel ons", "Neem contact op"),
        "sale": ("Bekijk de aanbieding", "Profiteer van de korting"),
        "book": ("Maak een afspraak", "Vraag advies"),
    },
    closers=(
        "Lees meer en neem contact op.",
        "We beantwoorden graag uw vragen.",
        "Vraag ons naar de details.",
    ),
    greeting="Goedendag,",
)

POLISH = Grammar(
    code="pl",
    order=r"(?:proszę\s+)?(?:(?:potrzebujemy|potrzebuję|chcemy|chcę)\s+)?"
    r"(?:(?:zrób|zróbcie|stwórz|przygotuj|napisz|zaprojektuj|wygeneruj|opracuj|narysuj)\s+)?(?:\d+\s+|dwa\s+|dwie\s+|trzy\s+|cztery\s+|pięć\s+|sześć\s+)?(?:(?:nową|nowe|krótki|krótką|kwadratow\w+)\s+)?"
    r"(?:kampani[aęei]|reklam[aęy]?|plakat(?:y|ów)?|obraz(?:y|ów|ki)?|zdjęci[ae]|post(?:y|ów)?|film(?:y|ik)?|wideo|teks(?:t|ty)|baner(?:y)?|ogłoszeni[ae]|ulotk[aęi]|rolk[aęi]|storyboard|moodboard|teaser)"
    rf"(?:\s+(?:na|w)\s+{PLATFORM})?\s*(?:(?P<gen>dla|o|do)\s+|:\s*|(?P<owner>)(?=\w+(?:ej|ego|ych|ich)\s|\w+[iyu]\s(?-i:[A-ZĄĆĘŁŃÓŚŹŻ])))|(?:promuj|reklamuj|zareklamuj|wypromuj)\s+(?P<gen2>)",
    direction=rf"(?:(?:użyj|używaj|unikaj|pokaż|ton|styl|format|język|kolory)\b.*|(?:w )?(?:\w+ ){{0,2}}(?:tonie|stylu)|bez (?:tekstu|napisów|słów|ludzi|logo|emoji)\b.*|(?:kwadratow\w+|pionow\w+|poziom\w+|{_SHAPE})|(?:\d+|dwa|trzy|cztery|pięć|sześć) (?:\w+ )?(?:obrazy|obrazów|zdjęcia|zdjęć|posty|filmy)(?: \w+)?|\d+ ?(?:s|sekund\w*|minut\w*))$",
    statement=r"\b(?:jest|są|mamy|ma|mają|otwieramy|otwiera|oferujemy|oferuje|pomagamy|pomaga|robimy|pieczemy|sprzedajemy|zapraszamy|szukamy|zaczyna|trwa|może|mogą)\b|^(?:my|kto|co|jak|dlaczego|kiedy|gdzie)\b",
    cuts=words(
        "w we na z ze do dla od po przy przez i oraz a ale lub bez o u pod nad między przed za który która które gdzie kiedy prosto"
    ),
    stop=words(
        "w we na z ze do dla od po przy przez i oraz a ale lub bez o u pod nad między przed za nasz nasza nasze jest są prosto codziennie rano wieczorem każdy każda nowy nowa nowe pierwszy pierwsza nie godziny dnia"
    ),
    about=(
        "{x}: dowiedz się więcej",
        "{x}: wszystkie szczegóły",
        "{x}: napisz do nas",
        "{x}: zapytaj nas",
        "{x}: zobacz z bliska",
    ),
    frames=(
        "Szeroki plan: {x}",
        "Zbliżenie: {x}",
        "Widok z góry: {x}",
        "W wieczornym świetle: {x}",
        "Szczegół: {x}",
        "Ostatni kadr: {x}",
    ),
    moves=(
        "Powolny najazd",
        "Panorama od lewej do prawej",
        "Kadr nieruchomy",
        "Powolny odjazd",
        "Spokojnie w górę",
        "Spokojnie w dół",
    ),
    calls={
        "": ("Dowiedz się więcej", "Napisz do nas", "Zobacz szczegóły", "Zapytaj nas", "Zobacz z bliska"),
        "solemn": ("Porozmawiaj z nami", "Poproś o radę", "Zadzwoń do nas", "Napisz do nas"),
        "sale": ("Zobacz ofertę", "Skorzystaj z oferty"),
        "book": ("Umów wizytę", "Poproś o radę"),
    },
    closers=(
        "Dowiedz się więcej i napisz do nas.",
        "Chętnie odpowiemy na pytania.",
        "Zapytaj nas o szczegóły.",
    ),
    greeting="Dzień dobry,",
)

_NORDIC_DIRECTION = rf"(?:(?:använd|brug|undvik|undgå|ton|tone|stil|format|språk|sprog|färger|farver)\b.*|(?:i )?(?:en |et )?[\w-]+ (?:ton|tone|stil)|(?:utan|uden|ingen|inga|intet) (?:text|tekst|ord|människor|mennesker|logo\w*|emoji\w*)\b.*|(?:kvadratisk\w*|stående|liggande|liggende|{_SHAPE})|(?:\d+|två|to|tre|fyra|fire|fem|sex|seks) (?:[\w-]+ )?(?:bilder|billeder|foton|fotos|inlägg|opslag|videor|videoer)|\d+ ?(?:s|sekunder|minuter|minutter))$"
_NORDIC_WORKS = r"(?:[\w-]*(?:kampan[j]?e?|kampagne|annons(?:er)?|annoncer?|reklam(?:e|er)?|affisch(?:er)?|plakat(?:er)?|bilder|billeder|foton|fotos|inlägg|opslag|videor?|videoer|texter|tekster|banners?|reels?|storyboards?|moodboards?|flyers?|teasers?))"

SWEDISH = Grammar(
    code="sv",
    order=rf"(?:(?:vi|jag) (?:vill ha|behöver)\s+)?(?:(?:gör|skapa|skriv|designa|ta fram|rita)\s+)?(?:(?:en|ett|några|två|tre|fyra|fem|sex|\d+)\s+)?{_NORDIC_WORKS}(?:\s+(?:för|på)\s+{PLATFORM})?\s*(?:(?:för|om|till|av)\s+|:\s*)|(?:lansera|marknadsför|presentera|sälj)\s+",
    direction=_NORDIC_DIRECTION,
    statement=r"^(?:vi|jag|du|han|hon|det är|det här|vem|vad|varför|hur)\b|\b(?:är|var|har|hade|blir|kan|öppnar|hjälper|gör|bakar|erbjuder|börjar|säljer|söker)\b",
    cuts=words(
        "för med av från i på till vid utan efter om under mellan genom över och eller men som där när hos åt"
    ),
    stop=words(
        "en ett den det de och eller för med av från i på till vid utan efter om under mellan genom över vår vårt våra är som där när varje ny nytt nya första inte alla klockan dag dagar vecka månad år hela"
    ),
    determiner=r"(?:vår[at]?|min[a]?|den|det|de|en|ett)\s+",
    about=(
        "{x}: läs mer",
        "{x}: alla detaljer",
        "{x}: hör av dig",
        "{x}: fråga oss",
        "{x}: titta närmare",
    ),
    frames=(
        "Översikt: {x}",
        "Närbild: {x}",
        "Sett ovanifrån: {x}",
        "I kvällsljus: {x}",
        "En detalj: {x}",
        "Sista bilden: {x}",
    ),
    moves=(
        "Långsamt närmare",
        "Från vänster till höger",
        "Stilla bild",
        "Långsamt bort",
        "Lugnt uppåt",
        "Lugnt nedåt",
    ),
    calls={
        "": ("Läs mer", "Hör av dig", "Se detaljerna", "Fråga oss", "Titta närmare"),
        "solemn": ("Prata med oss", "Be om råd", "Ring oss", "Hör av dig"),
        "sale": ("Se erbjudandet", "Ta del av rabatten"),
        "book": ("Boka en tid", "Be om råd"),
    },
    closers=("Läs mer och hör av dig.", "Vi svarar gärna på dina frågor.", "Fråga oss om detaljerna."),
    greeting="Hej,",
)

DANISH = Grammar(
    code="da",
    order=rf"(?:(?:vi|jeg) (?:vil have|skal bruge|ønsker)\s+)?(?:(?:lav|skab|skriv|design|tegn)\s+)?(?:(?:en|et|nogle|to|tre|fire|fem|seks|\d+)\s+)?{_NORDIC_WORKS}(?:\s+(?:til|på)\s+{PLATFORM})?\s*(?:(?:for|om|til|af)\s+|:\s*)|(?:lancer|markedsfør|præsenter|sælg)\s+",
    direction=_NORDIC_DIRECTION,
    statement=r"^(?:vi|jeg|du|han|hun|det er|hvem|hvad|hvorfor|hvordan)\b|\b(?:er|var|har|havde|bliver|kan|åbner|hjælper|gør|bager|tilbyder|begynder|sælger|søger)\b",
    cuts=words(
        "for med af fra i på til ved uden efter om under mellem gennem over og eller men som der hvor når hos"
    ),
    stop=words(
        "en et den det de og eller for med af fra i på til ved uden efter om under mellem gennem over vores er som der hvor når hver ny nyt nye første ikke alle klokken dag dage uge måned år hele"
    ),
    determiner=r"(?:vores|min[e]?|den|det|de|en|et)\s+",
    about=(
        "{x}: læs mere",
        "{x}: alle detaljer",
        "{x}: kontakt os",
        "{x}: spørg os",
        "{x}: se nærmere",
    ),
    frames=(
        "Overblik: {x}",
        "Nærbillede: {x}",
        "Set fra oven: {x}",
        "I aftenlys: {x}",
        "En detalje: {x}",
        "Sidste billede: {x}",
    ),
    moves=(
        "Langsomt nærmere",
        "Fra venstre mod højre",
        "Stille billede",
        "Langsomt væk",
        "Roligt opad",
        "Roligt nedad",
    ),
    calls={
        "": ("Læs mere", "Kontakt os", "Se detaljerne", "Spørg os", "Se nærmere"),
        "solemn": ("Tal med os", "Få rådgivning", "Ring til os", "Kontakt os"),
        "sale": ("Se tilbuddet", "Spar nu"),
        "book": ("Bestil en tid", "Få rådgivning"),
    },
    closers=("Læs mere og kontakt os.", "Vi svarer gerne på dine spørgsmål.", "Spørg os om detaljerne."),
    greeting="Goddag,",
)

_TURKISH_WORKS = r"(?:kampanya|reklam|afiş|görsel|fotoğraf|video|gönderi|metin|banner|reels?|storyboard|moodboard|broşür|ilan|tanıtım|teaser)(?:lar|ler)?(?:[ıiuü]|sı|si|yı|yi)?"
TURKISH = Grammar(
    code="tr",
    order=rf"{_TURKISH_WORKS}\s*:\s*",
    order_end=rf"\s+(?:için|hakkında)\s+(?:(?:bir|yeni|kısa|kare|\d+|iki|üç|dört|beş|altı|Instagram|sosyal medya)\s+(?:adet\s+)?)*{_TURKISH_WORKS}(?:\s+(?:hazırla|oluştur|yap|yaz|tasarla|üret|çiz|isti?yor|gerek)\w*)?$"
    rf"|\s+{_TURKISH_WORKS}\s+(?:hazırla|oluştur|yap|yaz|tasarla|üret|çiz)\w*$"
    rf"|(?:(?<=m[ıiuü]z)|['’]n?)[ıiuü]n\s+{_TURKISH_WORKS}$",
    direction=rf"(?:.*\b(?:ton(?:da|u)?|tarz(?:da|ı)?|üslup(?:la)?)|(?:yazısız|metinsiz|logosuz|insansız).*|(?:kare|dikey|yatay|{_SHAPE})(?: \w+)?|(?:\d+|iki|üç|dört|beş|altı) (?:\w+ )?(?:görsel|fotoğraf|gönderi|video)\w*|\d+ ?(?:s|saniye\w*|dakika\w*))$",
    statement=r"(?:yoruz|ıyor|iyor|uyor|üyor|dır|dir|dur|dür|tır|tir|acak|ecek|dık|dik|duk|dük|tık|tik|açıldı|başladı|var|yok)$|^(?:biz|siz|kim|neden|nasıl|ne zaman)\b",
    cuts=words("için ile ve veya ama kadar gibi göre olan"),
    stop=words(
        "için ile ve veya ama kadar gibi göre olan bir bu şu yeni bizim her tüm çok daha ilk en yıl yılın sonuna gün günü saat ay hafta indirim"
    ),
    about=(
        "{x}: daha fazla bilgi",
        "{x}: tüm ayrıntılar",
        "{x}: bize ulaşın",
        "{x}: bize sorun",
        "{x}: yakından bakın",
    ),
    frames=(
        "Genel plan: {x}",
        "Yakın çekim: {x}",
        "Yukarıdan: {x}",
        "Akşam ışığında: {x}",
        "Bir ayrıntı: {x}",
        "Son kare: {x}",
    ),
    moves=(
        "Yavaşça yaklaşma",
        "Soldan sağa",
        "Sabit çekim",
        "Yavaşça uzaklaşma",
        "Yavaşça yukarı",
        "Yavaşça aşağı",
    ),
    calls={
        "": ("Daha fazla bilgi", "Bize ulaşın", "Ayrıntıları görün", "Bize sorun", "Yakından bakın"),
        "solemn": ("Bizimle konuşun", "Danışın", "Bizi arayın", "Bize ulaşın"),
        "sale": ("Fırsatı görün", "İndirimden yararlanın"),
        "book": ("Randevu alın", "Danışın"),
    },
    closers=(
        "Daha fazla bilgi için bize ulaşın.",
        "Sorularınızı memnuniyetle yanıtlarız.",
        "Ayrıntıları bize sorun.",
    ),
    greeting="Merhaba,",
    is_head_last=True,
)

_KOREAN_WORKS = r"(?:광고|캠페인|포스터|이미지|사진|영상|동영상|게시물|문구|배너|릴스|스토리보드|무드보드|전단지?|티저|카피|홍보물)"
_KOREAN_MAKE = r"(?:을|를)?\s*(?:\d+(?:장|개|편)\s*)?(?:(?:만들어|제작해|작성해|써|그려|준비해|디자인해)\s*(?:주세요|줘|주십시오|주시기 바랍니다)|부탁(?:해요|합니다|드립니다))"
KOREAN = Grammar(
    code="ko",
    order=rf"{_KOREAN_WORKS}\s*:\s*",
    order_end=rf"(?:(?:을|를)\s*위한|에\s*대한|(?:을|를)\s*(?:홍보|소개|광고|알리)하?는|의)?\s+(?:(?:정사각형|세로|가로|짧은|새로운|인스타그램(?:용)?|홍보|SNS)\s+)*(?:\d+(?:장|개|초)(?:의|짜리)?\s+)?{_KOREAN_WORKS}(?:{_KOREAN_MAKE})?$",
    direction=rf"(?:.*(?:톤|분위기|느낌|스타일|말투)(?:으로|로)?|.*(?:글자|텍스트|사람|로고) ?(?:없이|없는|없음).*|(?:정사각형|세로|가로|{_SHAPE})(?:형|로)?|(?:사진|이미지|영상)? ?\d+ ?(?:장|초|분|개)(?:.*)?)$",
    statement=r"(?:니다|어요|아요|해요|예요|이에요|세요|한다|있다|된다)$",
    cuts=frozenset(),
    stop=words("위한 새로 문을 연 첫 달 매일 매주 그리고 및 또는 모든 우리 저희 새 할인 무료 환영 까지 부터"),
    about=("{x}: 자세히 보기", "{x}: 모든 정보", "{x}: 문의하기", "{x}: 더 알아보기", "{x}: 가까이 보기"),
    frames=(
        "전경: {x}",
        "클로즈업: {x}",
        "위에서: {x}",
        "저녁 빛 속에서: {x}",
        "세부: {x}",
        "마지막 장면: {x}",
    ),
    moves=(
        "천천히 다가가기",
        "왼쪽에서 오른쪽으로",
        "고정",
        "천천히 물러나기",
        "천천히 위로",
        "천천히 아래로",
    ),
    calls={
        "": ("자세히 보기", "문의하기", "더 알아보기", "지금 확인하기", "가까이 보기"),
        "solemn": ("상담하기", "문의하기", "전화 주세요", "도움 받기"),
        "sale": ("혜택 보기", "할인 확인하기"),
        "book": ("예약하기", "상담하기"),
    },
    closers=("자세한 내용은 문의해 주세요.", "궁금한 점에 기꺼이 답해 드립니다.", "언제든지 연락 주세요."),
    greeting="안녕하세요.",
    cut_endings=r".(?:는|은|한|된|연|던|에|에서|의|로)$",
    is_head_last=True,
)

_CHINESE_WORKS = r"(?:广告|活动|海报|图片|照片|视频|短片|帖子|文案|横幅|故事板|情绪板|传单|宣传)"
CHINESE = Grammar(
    code="zh",
    order=rf"(?:请)?(?:帮我们?|给我们?)?(?:(?:制作|创建|设计|写|做|生成|准备|发布)(?:一个|一组|一张|一段|[0-9一二三四五六七八九十]+[张个段条])?(?:正方形的?|方形的?|竖版的?|横版的?)?(?:关于|为)?)?{_CHINESE_WORKS}\s*[：:]\s*|(?:请)?(?:推广|宣传|介绍|推出)(?=\S)|(?:请)?为(?=.+(?:制作|设计|写|做|生成))",
    order_end=rf"的?(?:(?:正方形|方形|竖版|横版|宣传|推广)的?)*(?:[0-9一二三四五六七八九十]+[张个段条])?{_CHINESE_WORKS}$|(?:制作|设计|写|做|生成)(?:一个|一组|一张|一段|[0-9一二三四五六七八九十]+[张个段条])?(?:正方形的?|方形的?)?{_CHINESE_WORKS}$",
    direction=r"(?:.*(?:语气|风格|色调|氛围).*|(?:不要|没有|无)(?:文字|人物|标志).*|正方形|方形|竖版|横版|[0-9一二三四五六七八九十]+(?:张|秒|分钟).*)$",
    statement=r"[是有在会能可将让]|(?:了|吗|吧|呢)$|欢迎|开放|开业",
    cuts=frozenset(),
    stop=words("我们 你们 全新 今天 每天 每周 首次 所有 全部"),
    about=("{x}：了解更多", "{x}：全部详情", "{x}：联系我们", "{x}：欢迎咨询", "{x}：近看细节"),
    frames=("全景：{x}", "特写：{x}", "俯视：{x}", "傍晚的光线：{x}", "细节：{x}", "最后一个镜头：{x}"),
    moves=("缓慢推进", "从左向右摇", "固定镜头", "缓慢拉远", "缓慢上升", "缓慢下降"),
    calls={
        "": ("了解更多", "联系我们", "查看详情", "欢迎咨询", "近看细节"),
        "solemn": ("与我们联系", "寻求建议", "致电我们", "欢迎咨询"),
        "sale": ("查看优惠", "立即省钱"),
        "book": ("立即预约", "寻求建议"),
    },
    closers=("欢迎联系我们了解更多。", "我们乐意解答您的问题。", "详情请咨询我们。"),
    greeting="您好，",
    joiner="",
    full_stop="。",
    comma="，",
    has_spaces=False,
    is_head_last=True,
)
