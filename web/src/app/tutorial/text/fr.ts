import type { TutorialText } from "../lessons";

const text: TutorialText = {
    move: {
        title: "Déplacer",
        steps: [
            [
                "Vous jouez la Forêt, en bas. «\u00a0Déplacer\u00a0» montre la ligne droite\u00a0: choisissez un chaman, puis une case voisine.",
                "C’est permis aussi, mais ici, déplacez un chaman d’une case.",
            ],
            [
                "La tuile s’est retournée\u00a0: elle montre maintenant la diagonale. Déplacez encore un chaman.",
                "Ici, déplacez un chaman d’une case en diagonale.",
            ],
        ],
        done: "Chaque action retourne sa tuile.",
    },
    add: {
        title: "Ajouter",
        steps: [
            [
                "Deux chamans attendent au village. Choisissez votre village, puis la case Totem blanche.",
                "C’est permis aussi, mais ici, ajoutez un chaman.",
            ],
            [
                "«\u00a0Ajouter\u00a0» montre maintenant le totem noir, occupé par la Mer. Ajoutez quand même un chaman.",
                "Ici, ajoutez un chaman en b1\u00a0: celui de la Mer est banni.",
            ],
        ],
        done: "Un chaman banni retourne dans son village.",
    },
    jump: {
        title: "Sauter",
        steps: [
            [
                "«\u00a0Sauter\u00a0» montre un allié\u00a0: sautez par-dessus un de vos chamans, jusqu’à la case juste derrière.",
                "C’est permis aussi, mais ici, sautez de a1 par-dessus b2.",
            ],
            [
                "«\u00a0Sauter\u00a0» montre maintenant un chaman adverse\u00a0: sautez par-dessus le chaman de la Mer. Il reste en place.",
                "Ici, sautez de c3 par-dessus d4.",
            ],
        ],
        done: "On peut sauter dans les huit directions.",
    },
    leave: {
        title: "Sortir du terrain",
        steps: [
            [
                "Votre chaman a atteint le bord opposé. Choisissez-le, puis le village de la Mer\u00a0: il sort.",
                "C’est permis aussi, mais ici, sortez par le bord opposé depuis c5.",
            ],
            ["Vous construisez\u00a0: choisissez l’un des mégalithes en attente."],
        ],
        done: "Le mégalithe est maintenant sur la case quittée. Cela fait un point.",
    },
    win: {
        title: "Trois mégalithes",
        steps: [
            [
                "Vous avez deux points\u00a0; il en faut trois pour gagner. Deux chamans peuvent sortir, dont un en sautant. Quelle case peut encore recevoir un mégalithe\u00a0?",
                "Sortez en sautant depuis d4\u00a0: il y a déjà un mégalithe en a5.",
            ],
            ["Construisez votre troisième mégalithe."],
        ],
        done: "La première tribu à construire trois mégalithes gagne.",
    },
    transform: {
        title: "La transformation",
        steps: [
            [
                "«\u00a0Transformation\u00a0» montre un chaman adverse entre deux des vôtres. Formez cette ligne\u00a0: allez de e4 en d4.",
                "C’est permis aussi, mais ici, allez de e4 en d4.",
            ],
            [
                "Faites la transformation\u00a0: ce chaman est banni, et vous construisez «\u00a0{DR}\u00a0» sur sa case.",
                "On peut passer, mais ici, faites la transformation\u00a0: elle rapporte un point.",
            ],
            [
                "Cette tuile aussi s’est retournée\u00a0: le chaman adverse doit être au bout. Formez cette ligne.",
                "Allez de a1 en b1\u00a0: deux des vôtres, puis celui de la Mer.",
            ],
            ["Faites la transformation et construisez «\u00a0{MD}\u00a0».", "On peut passer, mais ici, faites-la."],
        ],
        done: "On marque des points en sortant du terrain et par des transformations.",
    },
    flips: {
        title: "Ce que vous retournez",
        steps: [
            [
                "Le chaman de la Mer en b2 veut sauter par-dessus le vôtre et sortir. Sautez d’abord\u00a0: la tuile se retourne.",
                "La Mer sortirait. Utilisez «\u00a0Sauter\u00a0», pour que la tuile ne montre plus un chaman adverse.",
            ],
            [
                "«\u00a0Sauter\u00a0» montre un allié\u00a0: la Mer ne peut plus sortir. Jouez autre chose qu’un saut.",
                "La tuile se retournerait, et la Mer sortirait. Déplacez plutôt un chaman.",
            ],
        ],
        done: "L’adversaire joue avec les faces que vous lui laissez.",
    },
    power: {
        title: "Pouvoirs",
        steps: [
            [
                "Un mégalithe agit quand un chaman y arrive. Allez sur «\u00a0{AD}\u00a0».",
                "C’est permis aussi, mais ici, allez de c2 en c3.",
            ],
            ["Le pouvoir est à vous\u00a0: bannissez un des chamans adverses voisins de cette pierre."],
        ],
        done: "La tribu du chaman qui arrive fait le choix.",
    },
    chain: {
        title: "Enchaînements",
        steps: [
            [
                "Un pouvoir peut en activer un autre. Allez sur «\u00a0{CS}\u00a0».",
                "C’est permis aussi, mais ici, allez de b2 en b3.",
            ],
            ["Il vous emmène sur un autre mégalithe\u00a0: choisissez-le."],
            [
                "«\u00a0{MD}\u00a0» vous déplace d’une case. Formez une ligne de trois.",
                "Allez en d4\u00a0: la Mer est alors entre vos deux chamans.",
            ],
            [
                "Après les pouvoirs, vous pouvez faire une transformation. Vous construisez «\u00a0{DR}\u00a0».",
                "On peut passer, mais ici, faites-la.",
            ],
        ],
        done: "Tout cela en un seul tour.",
    },
    forced: {
        title: "Pouvoirs obligatoires",
        steps: [
            [
                "Un pouvoir est obligatoire, même quand il vous gêne. Allez sur «\u00a0{DR}\u00a0».",
                "C’est permis aussi, mais ici, allez de c2 en c3.",
            ],
            [
                "Poussez le chaman adverse de d4 sur «\u00a0{TS}\u00a0», qui bannit tout chaman qui y arrive.",
                "C’est permis aussi, mais ici, déplacez-le de d4 en e4.",
            ],
        ],
        done: "Un pouvoir ne se refuse pas\u00a0: regardez où vous mettez les pieds.",
    },
    again: {
        title: "Encore un tour",
        steps: [
            [
                "«\u00a0{PS}\u00a0» vous donnent aussi le tour suivant. Allez sur ce mégalithe.",
                "C’est permis aussi, mais d’abord, allez de b2 en b3.",
            ],
            [
                "C’est encore à vous. Sortez du terrain et construisez «\u00a0{DR}\u00a0».",
                "C’est permis aussi, mais ici, sortez depuis e5.",
            ],
        ],
        done: "Deux tours de suite peuvent décider d’une partie.",
    },
    plan: {
        title: "Un premier plan",
        steps: [
            [
                "Deux points partout, et la Mer va sortir. Gagnez maintenant\u00a0: cherchez une sortie, une ligne, un mégalithe utile.",
                "Cela ne suffit pas pour gagner. Allez sur «\u00a0{DR}\u00a0», qui peut compléter une ligne.",
            ],
            [
                "Complétez votre ligne\u00a0: où placer ce chaman\u00a0?",
                "Déplacez celui de la Mer de d4 en d3, entre les vôtres.",
            ],
            [
                "Faites la transformation et construisez «\u00a0{AD}\u00a0»\u00a0: c’est gagné.",
                "Ne passez pas\u00a0: ce point vous fait gagner.",
            ],
        ],
        done: "Vous savez maintenant tout ce qu’il faut pour jouer.",
    },
};

export default text;
