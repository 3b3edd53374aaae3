import type { LearnText } from "../contents";

const text: LearnText = {
    summary: [
        "Vous menez cinq chamans, ceux de la **Forêt** ou ceux de la **Mer**. La première tribu qui construit **trois mégalithes** gagne.",
        "À votre tour, vous utilisez **une des trois tuiles**\u00a0: ajouter un chaman, en déplacer un, ou sauter avec l’un d’eux. Puis la tuile est **retournée**, et l’adversaire en aura l’autre face.",
        "Faites traverser le terrain à un chaman, puis faites-le sortir par le **côté adverse**\u00a0: il rentre au village, et vous construisez un mégalithe là d’où il part, s’il n’y en a pas déjà un.",
        "Ou piégez un chaman adverse dans une ligne de trois, comme le montre la tuile **Transformation**\u00a0: il rentre chez lui, et vous construisez là où il se tenait, à la même condition.",
        "Un chaman qui arrive sur un mégalithe en active le **pouvoir**. Ce pouvoir sert la tribu de ce chaman, peu importe qui a construit la pierre.",
    ],
    sections: {
        field: {
            title: "Le terrain",
            points: [
                "Le terrain compte 5\u00a0×\u00a05 cases. Le **village** de la Forêt est en bas, celui de la Mer en haut. Une case porte le nom de sa colonne et de sa ligne\u00a0: c3 est au centre.",
                "Votre **première ligne** est celle qui borde votre village. Le **côté adverse** est le bord de l’autre village\u00a0: c’est là que vont vos chamans.",
                "Chaque première ligne a deux **cases Totem**\u00a0: la blanche à droite, vue du village, la noire à gauche.",
                "Les deux **cercles de pierre**, b3 et d3, portent les premiers mégalithes.",
                "Une case accueille au plus un chaman et un mégalithe, parfois les deux à la fois.",
                "**Voisine** se dit de toute case qui en touche une autre, diagonales comprises\u00a0: il y en a huit au plus.",
            ],
        },
        setup: {
            title: "La mise en place",
            points: [
                "Trois chamans de chaque tribu se tiennent dans leur première ligne, sur les cases sans totem\u00a0; deux attendent au village. Le score est de 0 à 0.",
                "La variante fixe les mégalithes en jeu. **Initiation**\u00a0: les huit pierres claires\u00a0; «\u00a0{CG}\u00a0» est en b3 et «\u00a0{CD}\u00a0» en d3.",
                "**Standard**\u00a0: quatorze mégalithes. **Expert**\u00a0: les dix-sept. Dans les deux cas, les deux premiers piochés vont sur les cercles de pierre.",
                "Deux autres sont face visible à côté du terrain\u00a0: les mégalithes **en attente**, ceux que l’on peut construire. Le reste forme la pioche, face cachée.",
                "Les trois tuiles Action et la tuile Transformation sont lancées en l’air\u00a0: chacune montre l’une de ses deux faces.",
                "On décide ensemble qui commence, ou on le tire au sort.",
            ],
        },
        turn: {
            title: "Votre tour",
            points: [
                "Faites **exactement une** des trois actions, telle que sa tuile la montre. Puis la tuile est retournée.",
                "La petite image dans le coin de la tuile est son autre face\u00a0: celle qu’aura l’adversaire.",
                "Si un chaman est arrivé sur un mégalithe, le **pouvoir de ce mégalithe** s’applique, avec tout ce qu’il déclenche.",
                "Ensuite, vous pouvez faire **une transformation**.",
                "Puis c’est à l’adversaire, sauf si «\u00a0{PS}\u00a0» vous donnent aussi le tour suivant.",
            ],
        },
        add: {
            title: "Ajouter un chaman",
            points: [
                "La tuile montre le blanc ou le noir\u00a0: posez un chaman de votre village sur **votre case Totem de cette couleur**.",
                "Il faut un chaman dans votre village, et aucun des vôtres sur cette case.",
                "Si un chaman adverse s’y trouve, il est d’abord **banni**, et la case est à vous.",
                "Un chaman banni rentre dans son village et pourra revenir. Bannir ne suffit pas pour construire.",
            ],
        },
        move: {
            title: "Déplacer un chaman",
            points: [
                "La tuile montre la ligne droite ou la diagonale\u00a0: un de vos chamans se déplace **d’une case** de cette façon, vers une case sans chaman.",
                "Depuis la première ligne adverse, il peut aussi **sortir du terrain** par le côté adverse.",
            ],
        },
        jump: {
            title: "Sauter avec un chaman",
            points: [
                "La tuile montre un allié ou un chaman adverse\u00a0: un de vos chamans saute par-dessus **un** voisin de ce camp et retombe juste derrière lui.",
                "Les huit directions sont permises. La case d’arrivée doit être sans chaman, ou se trouver au-delà du côté adverse.",
                "Le chaman survolé reste où il est.",
            ],
        },
        leave: {
            title: "Sortir du terrain",
            points: [
                "Un chaman ne sort que par le **côté adverse**, d’un pas ou d’un saut qui finit au-delà de la première ligne de l’autre tribu. Les autres bords sont fermés.",
                "La colonne ne compte pas\u00a0: une diagonale qui dépasse le coin est aussi une sortie.",
                "Le chaman rentre dans son village, et sa tribu **construit un mégalithe sur la case qu’il a quittée**.",
            ],
        },
        build: {
            title: "Construire",
            points: [
                "Posez sur la case l’un des mégalithes en attente, au choix, et marquez **un point**. Une tuile de la pioche remplit l’emplacement vide.",
                "Si la case porte déjà un mégalithe, rien n’est construit et aucun point n’est marqué. La partie continue.",
                "Construire un mégalithe ne l’active pas.",
                "Si la pioche est vide, l’emplacement reste vide. Si les deux emplacements sont vides, vous marquez quand même votre point, sans poser de tuile.",
            ],
        },
        powers: {
            title: "Les pouvoirs",
            points: [
                "Tout chaman déplacé ou ajouté sur un mégalithe l’active, peu importe qui l’y amène, de gré ou de force (un échange par «\u00a0{WC}\u00a0» ne compte pas).",
                "Le pouvoir revient à la **tribu de ce chaman**, qui fait tous les choix, même pendant le tour adverse.",
                "Il **faut** l’utiliser s’il peut avoir un effet. Sinon, il ne se passe rien.",
                "La tuile Action est retournée avant le premier pouvoir.",
                "Déplacer, échanger, remplacer ou construire un mégalithe ne l’active pas, même sous un chaman. Les chamans ne voyagent jamais avec une pierre.",
            ],
        },
        chains: {
            title: "Les enchaînements",
            points: [
                "Si un pouvoir amène un chaman sur un autre mégalithe, celui-ci s’active à son tour, pour la tribu de **ce** chaman.",
                "Un enchaînement peut donc passer d’une tribu à l’autre et revenir. On le suit jusqu’au bout avant de poursuivre le tour.",
                "Un enchaînement ne peut pas tourner sans fin. Dans un même tour, pour chaque tribu et chaque mégalithe\u00a0: la **première** fois, le pouvoir est obligatoire.",
                "La **deuxième** fois, la tribu du chaman peut s’arrêter là. À partir de la **troisième**, le mégalithe reste sans effet.",
                "Un pouvoir emprunté par «\u00a0{SH}\u00a0» ne compte que pour «\u00a0{SH}\u00a0».",
            ],
        },
        exits: {
            title: "Sortir par un pouvoir",
            points: [
                "Un pouvoir qui déplace un chaman d’une case peut le faire dans les huit directions, vers une case sans chaman.",
                "Il peut aussi le faire **sortir**, par le bord opposé au village de ce chaman.",
                "Peu importe qui l’a déplacé\u00a0: c’est la **tribu du chaman** qui construit et marque. Réfléchissez avant de pousser dehors un chaman adverse.",
            ],
        },
        transformation: {
            title: "La transformation",
            points: [
                "La tuile montre trois cases voisines alignées, en ligne droite ou en diagonale, avec deux de vos chamans et un chaman adverse.",
                "Seule la face visible compte. **Au milieu**\u00a0: le chaman adverse est entre vos deux chamans. **Au bout**\u00a0: vos deux chamans sont côte à côte, et le chaman adverse est à l’une ou l’autre extrémité.",
                "L’un des trois au moins doit avoir été posé ou déplacé **pendant ce tour**, par votre action ou par un pouvoir, quelle que soit la tribu qui l’a utilisé.",
                "Le chaman adverse est banni, vous construisez un mégalithe **là où il se tenait**, et la tuile Transformation est retournée. S’il y a déjà un mégalithe, rien n’est construit.",
                "La transformation se fait à votre tour, une fois au plus, après tous les pouvoirs. Elle n’active rien.",
                "Vous pouvez y renoncer. Si plusieurs chamans adverses conviennent, vous en choisissez un.",
            ],
        },
        end: {
            title: "La fin de la partie",
            points: [
                "Trois points donnent la victoire **aussitôt**, même au milieu d’un tour, même pendant le tour adverse.",
                "Si aucune des trois actions n’est possible au début de votre tour, vous perdez.",
                "Quand la même position se présente pour la troisième fois au début d’un tour, la partie est **nulle**. Tout doit être identique\u00a0: chamans, mégalithes, tuiles en attente, pioche, faces des tuiles, score et tribu dont c’est le tour. La position de départ compte aussi. En ligne, une partie peut aussi se terminer par abandon, par accord ou au temps.",
            ],
        },
        printed: {
            title: "Si vous avez le jeu de plateau",
            points: [
                "Les règles imprimées ont quelques lacunes et diffèrent d’une langue à l’autre. Voici comment nous jouons.",
                "Une diagonale qui finit au-delà du coin du côté adverse est une sortie.",
                "Un pouvoir peut faire sortir un chaman, et c’est la tribu du chaman qui construit, pas celle dont c’est le tour.",
                "Une transformation n’est jamais imposée. Éloigner un chaman et le ramener dans le même tour, c’est l’avoir déplacé.",
                "{CD}\u00a0: la case doit être sans chaman. Seule la tuile Ajouter bannit le chaman qui s’y trouve.",
                "Pour arrêter les boucles sans fin, on compte\u00a0: le pouvoir est obligatoire la première fois, facultatif la deuxième, sans effet ensuite. L’arrivée d’un autre chaman de la même tribu compte aussi.",
                "«\u00a0{SH}\u00a0» copie l’un des mégalithes en attente. Un pouvoir qui ne ferait rien n’est pas proposé.",
                "Quand il n’y a plus de tuiles, on marque encore des points.",
                "La nulle par répétition est un ajout de notre part\u00a0: les règles imprimées n’en prévoient pas.",
            ],
        },
    },
    examples: {
        setup: "Au départ",
        "add-white": "Totem blanc",
        "add-black": "Totem noir",
        "add-banish": "Case occupée",
        "move-orthogonal": "En ligne droite",
        "move-diagonal": "En diagonale",
        "jump-friend": "Par-dessus un allié",
        "jump-enemy": "Par-dessus un chaman adverse",
        "leaving-step": "D’un pas",
        "leaving-jump": "D’un saut",
        "leaving-corner": "Par-delà le coin",
        "leaving-occupied": "Un mégalithe est déjà là",
        "opponent-decides": "L’autre tribu décide",
        "power-nothing": "Rien à faire",
        chain: "Trois de suite",
        "loop-guard": "Deuxième fois\u00a0: arrêt",
        "loop-guard-third": "Troisième fois\u00a0: sans effet",
        "power-exit": "Sortie par un pouvoir",
        "transformation-middle": "Au milieu",
        "transformation-end": "Au bout",
        "transformation-declined": "Non merci",
        winning: "Trois points",
        "no-action": "Plus d’action",
        repetition: "Répétition",
    },
    rulings: {
        CG: [
            "N’importe où dans votre première ligne, même loin de cette pierre\u00a0: ligne 1 pour la Forêt, ligne 5 pour la Mer.",
            "Bannir ne permet pas de construire et ne rapporte aucun point.",
        ],
        CD: [
            "Toute case de la première ligne convient, pas seulement les cases Totem. Elle doit être sans chaman.",
            "Si le nouveau chaman arrive sur un mégalithe, celui-ci s’active à son tour.",
        ],
        CS: [
            "Il faut un autre mégalithe, à n’importe quelle distance, sans chaman dessus. S’il n’y en a pas, il ne se passe rien.",
            "Le mégalithe où le chaman arrive s’active à son tour.",
        ],
        PS: [
            "Activés à votre tour, ils vous font jouer deux fois de suite. Pendant le tour adverse, le suivant est de toute façon à vous.",
            "Vous pouvez d’abord faire une transformation. Le tour supplémentaire commence ensuite comme n’importe quel autre.",
        ],
        AD: [
            "Le chaman adverse peut être sur n’importe laquelle des huit cases autour.",
            "S’il n’y en a aucun, il ne se passe rien.",
        ],
        DR: [
            "Pas le chaman qui se tient ici\u00a0: il en faut un à côté de cette pierre.",
            "Le chaman peut aussi sortir par le bord opposé à son village. C’est sa tribu qui construit.",
        ],
        MD: [
            "Dans l’une des huit directions, ou hors du terrain par le côté adverse.",
            "S’il arrive sur un autre mégalithe, l’enchaînement continue.",
        ],
        SA: [
            "Il peut se déplacer lui-même.",
            "Peu importe qu’un chaman soit sur l’une des deux cases\u00a0: les chamans ne bougent pas, et rien ne s’active.",
        ],
        TS: [
            "Il n’y a rien à choisir\u00a0: le chaman qui arrive ici rentre chez lui.",
            "Ce n’est pas une sortie\u00a0: rien n’est construit.",
        ],
        SW: ["Il peut être l’un des deux.", "Les chamans ne bougent pas, et rien ne s’active."],
        FC: [
            "Un chaman adverse amené sur un mégalithe en active le pouvoir\u00a0: c’est sa tribu qui choisit.",
            "Un chaman adverse que l’on fait sortir permet à sa tribu de construire et de marquer.",
        ],
        HP: [
            "Pas le chaman qui se tient ici\u00a0: un autre, n’importe où sur le terrain.",
            "Il peut aussi sortir par le côté adverse\u00a0: c’est alors à vous de construire.",
        ],
        MM: [
            "La tuile que vous venez d’utiliser est déjà retournée. Vous pouvez la retourner de nouveau.",
            "La tuile Transformation n’est pas une tuile Action.",
        ],
        SS: [
            "Elle peut se remplacer elle-même. Aucun point n’est marqué, et le nouveau mégalithe ne s’active pas.",
            "Si la pioche est vide, la tuile remplacée devient aussitôt le nouveau mégalithe en attente.",
        ],
        WC: [
            "L’un des deux peut être le chaman arrivé ici.",
            "Tous deux comptent comme déplacés\u00a0: une transformation peut suivre.",
        ],
        SH: [
            "La tuile en attente reste à sa place. Un pouvoir qui ne ferait rien n’est pas proposé.",
            "Dans une boucle, cela ne compte que comme une activation de cette pierre.",
        ],
        HE: [
            "La case ne doit porter ni chaman ni mégalithe. Aucun point n’est marqué.",
            "Le nouveau mégalithe ne s’active pas.",
        ],
    },
};

export default text;
