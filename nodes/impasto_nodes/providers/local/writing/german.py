"""The grammar of German."""

# ruff: noqa: E501 - a list of words stands on one line

from impasto_nodes.providers.local.writing.grammar import PLATFORM, Grammar, words

GERMAN = Grammar(
    code="de",
    order=r"(?:bitte\s+)?(?:(?:wir|ich) (?:brauchen?|möchten?|wollen|benötigen?)\s+)?"
    r"(?:(?:erstelle|erstellen sie|mach|mache|machen sie|schreibe?|schreiben sie|entwirf|gestalte|gestalten sie|produziere|zeichne|zeige|plane|entwickle)\s+)?(?:mir\s+|uns\s+)?"
    r"(?:(?:eine?n?|die|das|den|ein paar|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|\d+)\s+)?(?:[\w-]+\s+){0,3}?"
    r"(?:[\w-]*(?:kampagne|anzeigen?|annoncen?|inserate?|reklame|werbung|plakate?|bilder|bild|fotos?|visuals?|posts?|beiträge|beitrag|videos?|clips?|teaser|texte?|banner|reels?|storyboards?|moodboards?|flyer|motive?|spot|skript|newsletter|varianten|fotografien?|werbetexte?|ankündigung))"
    rf"(?:\s+(?:und|&)\s+[\w-]+)?(?:\s+(?:für|auf)\s+{PLATFORM}(?:\s+und\s+{PLATFORM})?)?"
    r"\s*(?:(?P<acc>für|über)\s+|(?P<dat>zu|zum|zur|mit|von|vom)\s+|(?P<owner>)(?=(?:unser|mein)(?:er\s|es\s\w+[^\Wes]s\b))|:\s*)"
    r"|(?:bewirb|bewerbe|bewerben sie|präsentiere|feiere|stelle?|lanciere|verkaufe)\s+(?P<acc2>)",
    direction=r"(?:(?:bitte\s+)?(?:nutze|verwende|vermeide|zeige|behalte|stil|ton|tonfall|stimmung|format|sprache|größe|tonalität|farben)\b.*"
    r"|(?:in |im )?(?:eine[mrn]? )?(?:[\w-]+ ){0,4}(?:ton|tonfall|stil|stimmung|look|tonalität|farben)"
    r"|(?:kein|keine|keinen|ohne) (?:text|wörter|menschen|logos?|emojis?|witze|schrift|ausrufezeichen)\b.*"
    r"|(?:quadratisch|hochformat|querformat|hochkant|16:9|9:16|1:1|4:5)(?:e [\w-]+)?"
    r"|(?:\d+|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn) (?:[\w-]+ ){0,3}(?:bilder|fotos|motive|posts|anzeigen|varianten|versionen|formate|plakate|clips|videos)"
    r"|\d+[ -]?(?:s|sek|sekunden?|minuten?)(?: lang| teaser| video)?"
    rf"|für (?:{PLATFORM}|social media|unsere website))$",
    statement=r"^(?:wir|sie|ihr|ich|es|er|du|das ist|hier|jetzt|so|wer|was|wie|warum|wann|wo)\b|\b(?:ist|sind|war|waren|hat|haben|wird|werden|kann|können|muss|soll|macht|machen|öffnet|öffnen|bringt|bringen|hilft|helfen|schmeckt|gibt|kommt|kommen|geht|beginnt|lädt|laden|sucht|suchen|singt|singen|backt|backen|findet|feiert|feiern|zeigt|zeigen|bleibt|bleiben|hält|passt|fährt|fahren|trägt|tragen|liefert|liefern|baut|bauen|folgt|folgen|schmilzt|antwortet|repariert|vermietet|reinigt|schützt|leuchtet|liegt|steht|schläft|spart|verbindet|wächst|duftet|bietet|bieten|eröffnet|eröffnen|startet|starten|reicht|reichen)\b",
    cuts=words(
        "für mit von aus in im am auf an bei zu zum zur ab bis ohne nach vor über unter zwischen "
        "durch gegen um die der das und oder dass weil wenn als wo"
    ),
    stop=words(
        "der die das den dem des ein eine einen einem einer eines und oder für mit von aus in im am "
        "auf an bei zu zum zur ab bis ohne nach vor über unter ist sind wir sie ihr es unser unsere "
        "unseren unserem unserer unseres eine einen zwei drei vier fünf sechs sieben acht neun zehn "
        "neue neuer neues neuen alle jede jeder nicht kein keine erste ersten nächste uhr vorrat tag tage tagen "
        "woche wochen monat monate jahr jahre prozent euro solange samstags sonntags"
    ),
    topic=r"\bunser(?:e[nmrs]?)?\s|^(?:Der|Die|Das|Eine?)\s",
    determiner=r"(?:unsere?[nmrs]?|unser|meine?[nmrs]?|ihre?[nmrs]?|de[rnms]|die|das|eine?[nmrs]?)\s+",
    about=(
        "{x}: jetzt entdecken",
        "{x}: alle Details",
        "{x}: mehr erfahren",
        "{x}: sprechen Sie uns an",
        "{x}: fragen Sie uns",
    ),
    frames=(
        "Weite Einstellung: {x}",
        "Nahaufnahme: {x}",
        "Von oben gesehen: {x}",
        "Im Abendlicht: {x}",
        "Ein Detail: {x}",
        "Letztes Bild: {x}",
    ),
    moves=(
        "Langsam näher",
        "Schwenk von links nach rechts",
        "Feste Einstellung",
        "Langsam zurück",
        "Schwenk nach oben",
        "Sanft nach unten",
    ),
    calls={
        "": (
            "Mehr erfahren",
            "Kontakt aufnehmen",
            "Alle Details ansehen",
            "Jetzt entdecken",
            "Jetzt nachfragen",
        ),
        "solemn": ("Kontakt aufnehmen", "Gespräch vereinbaren", "Rat einholen", "Jederzeit anrufen"),
        "hire": ("Jetzt bewerben", "Teil des Teams werden", "Zur Stelle"),
        "sale": ("Zum Angebot", "Angebot ansehen", "Jetzt sparen"),
        "listen": ("Jetzt anhören", "Zur Folge", "Reinhören"),
        "help": ("So kannst du helfen", "Jetzt mithelfen", "Mitmachen"),
        "book": ("Termin vereinbaren", "Beratung anfragen", "Kontakt aufnehmen"),
        "visit": ("Besuch planen", "Termin vormerken", "Vorbeikommen"),
        "try": ("Jetzt ausprobieren", "So funktioniert es", "Jetzt starten"),
        "read": ("Weiterlesen", "Mehr erfahren", "Zu den Gründen"),
    },
    closers=(
        "Mehr dazu erfahren Sie bei uns.",
        "Ihre Fragen beantworten wir gern.",
        "Sprechen Sie uns an.",
    ),
    greeting="Guten Tag,",
    has_capital_nouns=True,
)
