"""The grammar of English."""

# ruff: noqa: E501 - a list of words stands on one line

from impasto_nodes.providers.local.writing.grammar import PLATFORM, Grammar, words

ENGLISH = Grammar(
    code="en",
    order=r"(?:please\s+)?(?:(?:can|could) you\s+|(?:i|we)(?:['’]d| would)? (?:need|want|like)\s+(?:to\s+|you to\s+)?|let['’]?s\s+|help (?:me|us)\s+(?:to\s+)?)?"
    r"(?:(?:(?:create|make|write|generate|design|draft|produce|draw|show|prepare|give|compose|plan|shoot|film|launch|build|develop|imagine|paint|render)\s+)?"
    r"(?:me\s+|us\s+)?(?:(?:an?|the|some|our|my|one|two|three|four|five|six|seven|eight|nine|ten|\d+)\s+)?(?:[\w-]+\s+){0,4}?"
    r"(?:visuals?|images?|pictures?|posters?|photos?|photographs?|illustrations?|ads?|adverts?|advertisements?|banners?|campaigns?|shots?|packshots?|"
    r"commercials?|advertising|videos?|clips?|posts?|covers?|artworks?|moodboards?|storyboards?|teasers?|reels?|kit|copy|texts?|captions?|scripts?|flyers?|newsletters?|headlines?|slogans?|content|stor(?:y|ies)|film|trailer|variations?|announcement)"
    rf"(?:\s+(?:and|&)\s+[\w-]+)?(?:\s+(?:for|on)\s+(?:{PLATFORM}|social media|our (?:website|newsletter|shop window))(?:\s+(?:and)\s+{PLATFORM})?)?"
    r"\s*(?:(?:for|about|of|showing|on|to promote|promoting|announcing|to announce|to launch|that promotes?|featuring|with)\s+|:\s*)"
    r"|get (?:more )?(?:people|customers|guests|visitors|families) to (?:sign up for|book|try|visit|join|buy|come to)\s+"
    r"|(?:introducing|announcing|presenting)\s+|(?:advertising|promoting)\s+(?=(?:an?|the|our|my)\s)|(?:rent|book|visit|discover|buy|order)\s+(?=(?:an?|the|our|my)\s)"
    r"|(?:launch|promote|advertise|announce|introduce|celebrate|present|market|sell|showcase|publici[sz]e|push)\s+)",
    direction=r"(?:(?:please\s+)?(?:use|using|keep|avoid|include|add|don['’]?t|do not|make it|make them|show|please|tone|style|mood|format|size|ratio|language|text|words)\b.*"
    r"|(?:in )?(?:an? |the )?(?:[\w-]+ ){0,4}(?:tone|style|voice|mood|look|feel|format|aspect ratio|colou?rs)(?: of voice)?"
    r"|(?:no|without|not) (?:any )?(?:text|words|people|logos?|emojis?|jokes|hashtags|exclamation marks|hype|type|lettering)\b.*"
    r"|(?:square|portrait|landscape|vertical|horizontal|16:9|9:16|1:1|4:5)(?: format| [\w-]+s)?"
    r"|(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten) (?:[\w-]+ ){0,3}(?:pictures?|images?|photos?|visuals?|posts?|ads?|shots?|variations?|versions?|formats?|headlines?|frames?|posters?|clips?|videos?)"
    r"|(?:about |an? |the |one )?\d+[ -]?(?:s|sec|seconds?|minutes?)\b(?: long)?(?: teaser| video| clip| reel| spot| trailer)?"
    rf"|for (?:{PLATFORM}|social media|our website|the newsletter)(?: and {PLATFORM})?)$",
    statement=r"^(?:we|you|they|i|it|he|she|this|that|there|these|who|what|why|how|when|where)\b|['’](?:s|re|ve|ll) (?:on|in|a|the|not|now|here|back|open|time)\b"
    r"|\b(?:is|are|was|were|has|have|had|will|could|should|must|does|did|we|they|keeps?|makes?|opens?|helps?|tastes?|brings?|finds?|needs?|lets?|turns?|gives?|gets?|comes?|goes|starts?|offers?|wants?|loves?|knows?|works?|returns?|meets?|misses|writes?|tells?|says?|sells?|takes?|bakes?|builds?|fits?|lasts?|runs?|sings?|teaches|shows?|plays?|saves?|celebrates?|walks?|sits?|stands?|waits?|looks?|reads?|rides?|crosses|pours?|delivers?|follows?|melts?|sleeps?|answers|repairs|serves?|rents|carries|welcomes?|invites?|arrives?|protects?|connects?)\b",
    cuts=words(
        "for with of in on at by from to that which who whom whose where when while because as about "
        "after before until between above along around behind below beneath beside under over into "
        "onto without within since during near through across and or but"
    ),
    stop=words(
        "a an the too also only our my your their his her its this that these those and or but for with of in on "
        "at by from to as is are was were be been it we you they who which all every each any "
        "different still together today tomorrow weekend no not new very so more most than until now "
        "first last next one two three about after before when where while per off up out how why "
        "what can will has have us"
    ),
    determiner=r"(?:our|my|your|the|an?|this|these)\s+",
    topic=r"\b(?:our|my|an?)\s",
    about=("Get to know {x}", "{x}: find out more", "{x}: see the details", "More about {x}", "{x}: ask us"),
    frames=(
        "Wide view: {x}",
        "Close-up: {x}",
        "Seen from above: {x}",
        "In late light: {x}",
        "A detail: {x}",
        "Last frame: {x}",
    ),
    moves=(
        "Slow push in",
        "Pan from left to right",
        "Held still",
        "Pull back slowly",
        "Tilt up",
        "Drift down",
    ),
    calls={
        "": ("Find out more", "Get in touch", "See the details", "Ask us about it", "Take a closer look"),
        "solemn": ("Talk to us", "Call us at any time", "Ask us for advice", "Get in touch"),
        "hire": ("Apply today", "Join the team", "Ask about the job"),
        "sale": ("See the offer", "Shop the sale", "Save now"),
        "listen": ("Listen now", "Hear the episode", "Press play"),
        "help": ("See how you can help", "Get involved", "Lend a hand"),
        "book": ("Book an appointment", "Make an appointment", "Ask us for advice"),
        "visit": ("Plan your visit", "Come and see", "Save the date"),
        "try": ("Try it today", "See how it works", "Get started"),
        "read": ("Read more", "See why", "Learn how"),
    },
    closers=(
        "Find out more and get in touch.",
        "We are happy to answer your questions.",
        "Ask us for the details.",
    ),
    greeting="Hello,",
)
