"""The grammars of Portuguese, Spanish and French."""

# ruff: noqa: E501 - a list of words stands on one line

from impasto_nodes.providers.local.writing.grammar import PLATFORM, Grammar, words

PORTUGUESE = Grammar(
    code="pt",
    order=r"(?:por favor,?\s+)?(?:(?:precisamos|preciso|queremos|quero|gostaria) (?:de\s+)?)?"
    r"(?:(?:cri(?:a|e|ar)|fa(?:z|ça|zer)|escrev[ae]r?|produz(?:a|ir)?|desenh[ae]r?|ger(?:a|e|ar)|prepar[ae]r?|mostr[ae]r?)\s+)?"
    r"(?:(?:uma?|uns|umas|os?|as?|dois|duas|três|quatro|cinco|seis|sete|oito|nove|dez|\d+)\s+)?"
    r"(?:campanhas?|anúncios?|imagens|imagem|fotos?|fotografias?|cartaz(?:es)?|posts?|publicidade|propaganda|publicaç(?:ão|ões)|vídeos?|videos?|teasers?|textos?|banners?|reels?|materiais|material|visuais|storyboards?|moodboards?|flyers?|guião|roteiro|newsletter|variações)"
    r"(?:\s+(?:quadrad|publicitári|vertica|horizonta|digita|curt)\w*)*(?:\s+e\s+[\w-]+)?"
    rf"(?:\s+(?:para|no|de|do)\s+{PLATFORM}(?:\s+e\s+{PLATFORM})?)?\s*(?:(?:para|sobre|que promovam?|a promover|de promoção d[aeo])\s+|(?P<de>d[aeo]s?)\s+|:\s*)"
    r"|(?:alug|visit|reserv|descub)(?:a|e|ue|ar|ra|rir)\s+(?=(?:uma?|os?|as?)\s)"
    r"|(?:lanç(?:a|e|ar)|promov(?:a|e|er)|anunci(?:a|e|ar)|divulg(?:a|ue|ar)|apresent(?:a|e|ar)|vend(?:a|e|er)|celebr(?:a|e|ar))\s+",
    direction=r"(?:(?:por favor\s+)?(?:us[ae]|utiliz[ae]|evit[ae]|mantenha|mostr[ae]|inclu[ai]|tom|estilo|formato|tamanho|idioma|linguagem)\b.*"
    r"|(?:com |em |num )?(?:um )?(?:tom|estilo|ambiente|visual) .*"
    r"|(?:sem|nada de) (?:texto|palavras|pessoas|logótipo|logotipo|emojis?|letras)\b.*"
    r"|(?:quadrad\w+|vertical|horizontal|16:9|9:16|1:1|4:5)"
    r"|(?:\d+|duas|três|quatro|cinco|seis|sete|oito) (?:imagens|fotos|posts|anúncios|variações|versões|vídeos)(?: \w+)?"
    rf"|\d+ ?(?:s|segundos?|minutos?)|para (?:o )?{PLATFORM})$",
    statement=r"^\w{2,}[aei]mos\b|^(?:nós|eu|ele|ela|vocês?|isto|isso|aqui|agora|quem|que|como|porque|quando)\b|\b(?:é|são|está|estão|foi|tem|têm|temos|somos|pode|podem|abre|abrem|abrimos|ajuda|ajudamos|faz|fazem|fazemos|traz|chega|começa|canta|oferece|oferecemos|mantém|cuida|cuidamos|dura|encontra|perde|vende|vendemos|leva|serve|entrega|entregam|segue|derrete|atende|recebe|ensina)\b",
    cuts=words(
        "para com de do da dos das em no na nos nas por pelo pela que onde quando sem sobre até "
        "desde entre e ou mas ao aos à às"
    ),
    stop=words(
        "o a os as um uma uns umas e ou de do da dos das em no na nos nas por para pelo pela com sem "
        "que é são nosso nossa nossos nossas seu sua novo nova novos novas cada um diferente "
        "diferentes feito feita feitos feitas mais todo todos toda todas não primeiro primeira ao à"
    ),
    topic=r"\b(?:(?:[oa]s?\s+)?noss[ao]s?|uma?)\s",
    determiner=r"(?:(?:os?|as?)\s+)?(?:noss[ao]s?|seus?|suas?)\s+|(?:os?|as?|uma?)\s+",
    about=("Conheça {x}", "{x}: saiba mais", "Descubra {x}", "{x}: todos os detalhes", "{x}: fale connosco"),
    frames=(
        "Plano geral: {x}",
        "Grande plano: {x}",
        "Visto de cima: {x}",
        "À luz do fim da tarde: {x}",
        "Um detalhe: {x}",
        "Última imagem: {x}",
    ),
    moves=(
        "Aproximação lenta",
        "Panorâmica da esquerda para a direita",
        "Plano fixo",
        "Recuo lento",
        "Subida suave",
        "Descida suave",
    ),
    calls={
        "": ("Saiba mais", "Fale connosco", "Veja os detalhes", "Venha conhecer", "Peça informações"),
        "solemn": ("Fale connosco", "Peça aconselhamento", "Contacte-nos", "Ligue-nos"),
        "hire": ("Candidate-se", "Junte-se à equipa", "Veja a vaga"),
        "sale": ("Veja a oferta", "Aproveite a oferta", "Poupe agora"),
        "listen": ("Ouça agora", "Ouça o episódio", "Carregue no play"),
        "help": ("Veja como ajudar", "Participe", "Dê uma mão"),
        "book": ("Marque a sua consulta", "Peça aconselhamento", "Fale connosco"),
        "visit": ("Planeie a sua visita", "Reserve a data", "Venha ver"),
        "try": ("Experimente hoje", "Veja como funciona", "Comece agora"),
        "read": ("Leia mais", "Veja porquê", "Saiba como"),
    },
    closers=(
        "Saiba mais e fale connosco.",
        "Teremos gosto em responder às suas perguntas.",
        "Peça-nos todos os detalhes.",
    ),
    greeting="Olá,",
)

SPANISH = Grammar(
    code="es",
    order=r"(?:por favor,?\s+)?(?:(?:necesitamos|necesito|queremos|quiero)\s+)?"
    r"(?:(?:cre(?:a|e|ar)|ha(?:z|ga|cer)|escrib[aei]r?|produc\w+|diseñ[ae]r?|gener[ae]r?|prepar[ae]r?|muestr[ae])\s+)?"
    r"(?:(?:una?|unos|unas|el|los|las?|dos|tres|cuatro|cinco|seis|siete|ocho|\d+)\s+)?"
    r"(?:campañas?|anuncios?|imágenes|imagen|fotos?|fotografías?|carteles|cartel|posts?|publicidad|propaganda|publicaci(?:ón|ones)|vídeos?|videos?|teasers?|textos?|banners?|reels?|storyboards?|moodboards?|folletos?|guion|boletín)"
    r"(?:\s+(?:cuadrad|publicitari|vertical|horizontal|digital|cort)\w*)*"
    rf"(?:\s+(?:para|en|de)\s+{PLATFORM})?\s*(?:(?:para|sobre|que promuevan?)\s+|(?P<de>del?)\s+|:\s*)"
    r"|(?:lanz(?:a|ar)|promocion(?:a|ar)|anunci(?:a|ar)|present(?:a|ar)|vend(?:e|er)|celebr(?:a|ar))\s+",
    direction=r"(?:(?:por favor\s+)?(?:us[ae]|utiliz[ae]|evit[ae]|muestr[ae]|incluy[ae]|tono|estilo|formato|tamaño|idioma)\b.*|(?:con |en )?(?:un )?(?:tono|estilo|ambiente) .*"
    r"|sin (?:texto|palabras|personas|logotipo|emojis?|letras)\b.*|(?:cuadrad\w+|vertical|horizontal|16:9|9:16|1:1|4:5)"
    rf"|(?:\d+|dos|tres|cuatro|cinco|seis) (?:imágenes|fotos|posts|anuncios|variaciones|versiones|vídeos)(?: \w+)?|\d+ ?(?:s|segundos?|minutos?)|para {PLATFORM})$",
    statement=r"^\w{2,}[aei]mos\b|^(?:nosotros|yo|él|ella|usted|esto|aquí|ahora|quien|qué|cómo|cuando)\b|\b(?:es|son|está|están|fue|tiene|tienen|tenemos|somos|puede|pueden|abre|abrimos|ayuda|ayudamos|hace|hacemos|trae|llega|empieza|canta|ofrece|ofrecemos|mantiene|cuida|cuidamos|dura|encuentra|pierde|vende|sirve)\b",
    cuts=words("para con de del en por que donde cuando sin sobre hasta desde entre y o pero al a"),
    stop=words(
        "el la los las un una unos unas y o de del en por para con sin que es son nuestro nuestra "
        "nuestros nuestras su sus nuevo nueva nuevos nuevas más todo todos toda todas no primer "
        "primera al"
    ),
    topic=r"\b(?:nuestr[ao]s?|una?)\s",
    determiner=r"(?:nuestr[ao]s?|sus?|el|la|los|las|una?)\s+",
    about=(
        "Descubra: {x}",
        "{x}: más información",
        "{x}: todos los detalles",
        "{x}: consúltenos",
        "{x}: hable con nosotros",
    ),
    frames=(
        "Plano general: {x}",
        "Primer plano: {x}",
        "Visto desde arriba: {x}",
        "A la luz de la tarde: {x}",
        "Un detalle: {x}",
        "Última imagen: {x}",
    ),
    moves=(
        "Acercamiento lento",
        "Panorámica de izquierda a derecha",
        "Plano fijo",
        "Alejamiento lento",
        "Subida suave",
        "Bajada suave",
    ),
    calls={
        "": ("Más información", "Contacto", "Ver los detalles", "Pedir información", "Venir a conocernos"),
        "solemn": ("Contacto", "Pedir consejo", "Llamar", "Hablar con nosotros"),
        "hire": ("Enviar solicitud", "Unirse al equipo"),
        "sale": ("Ver la oferta", "Aprovechar la oferta"),
        "listen": ("Escuchar ahora", "Escuchar el episodio"),
        "help": ("Ver cómo ayudar", "Participar"),
        "book": ("Pedir cita", "Pedir consejo"),
        "visit": ("Planear la visita", "Guardar la fecha"),
        "try": ("Probar hoy", "Ver cómo funciona"),
        "read": ("Leer más", "Ver por qué"),
    },
    closers=("Quedamos a su disposición.", "Con gusto respondemos a todas las preguntas."),
    greeting="Hola:",
)

FRENCH = Grammar(
    code="fr",
    order=r"(?:s['’]il (?:te|vous) plaît,?\s+)?(?:(?:nous voulons|je veux|nous avons besoin d['’]|il (?:me|nous) faut)\s*)?"
    r"(?:(?:cré(?:e|er|ez)|fai(?:s|re|tes)|écri(?:s|re|vez)|produi\w+|dessine\w*|génér\w+|prépar\w+|montr\w+)\s+)?(?:(?:une?|des|les?|la|deux|trois|quatre|cinq|six|sept|huit|\d+)\s+)?"
    r"(?:campagnes?|annonces?|publicités?|pubs?|réclames?|images?|photos?|affiches?|posts?|publications?|vidéos?|teasers?|textes?|bannières?|reels?|visuels?|storyboards?|moodboards?|dépliants?|script|newsletter)"
    r"(?:\s+(?:carré|publicitaire|vertica|horizonta|numérique|court)\w*)*"
    rf"(?:\s+(?:pour|sur)\s+{PLATFORM})?\s*(?:(?:pour|sur|qui présentent?)\s+|(?P<de>du|de la|des|de l['’]|de(?=\s+(?:notre|nos|mon|ma|mes)\s)|d['’](?=une?\s))\s*|:\s*)"
    r"|(?:lance[rz]?|promeu\w+|annonce[rz]?|présente[rz]?|vend\w*|célèbre[rz]?)\s+",
    direction=r"(?:(?:utilise\w*|évite\w*|montre\w*|ajoute\w*|ton|style|format|taille|langue)\b.*|(?:avec |dans )?(?:un )?(?:ton|style|ambiance) .*"
    r"|sans (?:texte|mots|personnes?|logo|emojis?|lettres)\b.*|(?:carrée?s?|vertical|horizontal|16:9|9:16|1:1|4:5)"
    rf"|(?:\d+|deux|trois|quatre|cinq|six) (?:images|photos|posts|annonces|variations|versions|vidéos)(?: \w+)?|\d+ ?(?:s|secondes?|minutes?)|pour {PLATFORM})$",
    statement=r"^(?:nous|vous|je|il|elle|on|ils|elles|ceci|ici|maintenant|qui|que|comment|quand|c['’]est)\b|\b(?:est|sont|était|a|ont|avons|sommes|peut|peuvent|ouvre|ouvrons|aide|aidons|fait|faisons|apporte|arrive|commence|chante|offre|offrons|garde|prend|dure|trouve|vend)\b",
    cuts=words(
        "pour avec de du des en dans sur par qui que où quand sans jusqu'à depuis entre et ou mais à au aux"
    ),
    stop=words(
        "le la les l un une des et ou de du d en dans sur par pour avec sans qui que est sont notre "
        "nos votre vos son sa ses nouveau nouvelle nouveaux nouvelles plus tout tous toute toutes ne "
        "pas premier première au aux à sous entre chez sur depuis jusqu dès"
    ),
    topic=r"\b(?:notre|nos|une?)\s",
    determiner=r"(?:notre|nos|votre|vos|le|la|les|une?|des)\s+|l['’]",
    about=(
        "À découvrir : {x}",
        "{x} : en savoir plus",
        "{x} : tous les détails",
        "{x} : parlons-en",
        "{x} : contactez-nous",
    ),
    frames=(
        "Plan large : {x}",
        "Gros plan : {x}",
        "Vu d’en haut : {x}",
        "Dans la lumière du soir : {x}",
        "Un détail : {x}",
        "Dernière image : {x}",
    ),
    moves=(
        "Avancée lente",
        "Panoramique de gauche à droite",
        "Plan fixe",
        "Recul lent",
        "Montée douce",
        "Descente douce",
    ),
    calls={
        "": ("En savoir plus", "Nous contacter", "Voir les détails", "Poser une question", "Venir nous voir"),
        "solemn": ("Nous contacter", "Demander conseil", "Nous appeler", "Nous parler"),
        "hire": ("Postuler", "Rejoindre l’équipe"),
        "sale": ("Voir l’offre", "Profiter de l’offre"),
        "listen": ("Écouter maintenant", "Écouter l’épisode"),
        "help": ("Voir comment aider", "Participer"),
        "book": ("Prendre rendez-vous", "Demander conseil"),
        "visit": ("Préparer la visite", "Noter la date"),
        "try": ("Essayer", "Voir comment ça marche"),
        "read": ("Lire la suite", "Voir pourquoi"),
    },
    closers=("Plus d’informations auprès de nous.", "Nous répondons volontiers à vos questions."),
    greeting="Bonjour,",
)
