import type { TutorialText } from "../lessons";

const text: TutorialText = {
    move: {
        title: "Bewegen",
        steps: [
            [
                "Du spielst den Wald, unten. „Bewegen“ zeigt gerade Schritte: Wähle einen Schamanen, dann ein Feld daneben.",
                "Das geht auch, aber hier: Bewege einen Schamanen um ein Feld.",
            ],
            [
                "Das Plättchen liegt jetzt auf der anderen Seite und zeigt diagonale Schritte. Bewege noch einmal einen Schamanen.",
                "Hier: Bewege einen Schamanen diagonal um ein Feld.",
            ],
        ],
        done: "Jede Aktion dreht ihr Plättchen um.",
    },
    add: {
        title: "Einsetzen",
        steps: [
            [
                "Zwei Schamanen warten in deinem Dorf. Wähle das Dorf, dann dein weißes Totemfeld.",
                "Das geht auch, aber hier: Setze einen Schamanen ein.",
            ],
            [
                "„Einsetzen“ zeigt jetzt dein schwarzes Totemfeld, und dort steht ein Schamane des Meeres. Setze trotzdem einen Schamanen ein.",
                "Hier: Setze auf b1 ein. Der Schamane des Meeres wird verbannt.",
            ],
        ],
        done: "Ein verbannter Schamane kehrt in sein Dorf zurück.",
    },
    jump: {
        title: "Springen",
        steps: [
            [
                "„Springen“ zeigt einen eigenen Schamanen: Springe über deinen auf das Feld dahinter.",
                "Das geht auch, aber hier: Springe von a1 über b2.",
            ],
            [
                "Jetzt zeigt „Springen“ einen gegnerischen: Springe über den Schamanen des Meeres. Er bleibt stehen.",
                "Hier: Springe von c3 über d4.",
            ],
        ],
        done: "Du kannst in alle acht Richtungen springen.",
    },
    leave: {
        title: "Das Spielfeld verlassen",
        steps: [
            [
                "Dein Schamane ist am gegenüberliegenden Rand. Wähle ihn, dann das Dorf des Meeres: Er verlässt das Spielfeld.",
                "Das geht auch, aber hier: Geh von c5 über den Rand hinaus.",
            ],
            ["Errichte einen der beiden wartenden Megalithen."],
        ],
        done: "Der Megalith steht, wo dein Schamane hinausging. Das ist ein Punkt.",
    },
    win: {
        title: "Drei Megalithen",
        steps: [
            [
                "Du hast zwei Punkte, mit dreien gewinnst du. Zwei Schamanen können hinaus. Welches Feld hat noch Platz für einen Megalithen?",
                "Spring von d4 hinaus: Auf a5 steht schon ein Megalith.",
            ],
            ["Errichte deinen dritten Megalithen."],
        ],
        done: "Wer zuerst drei Megalithen hat, gewinnt.",
    },
    transform: {
        title: "Die Transformation",
        steps: [
            [
                "„Transformation“ zeigt einen gegnerischen Schamanen zwischen zwei eigenen. Bilde diese Linie: Geh von e4 nach d4.",
                "Das geht auch, aber hier: Geh von e4 nach d4.",
            ],
            [
                "Mach die Transformation: Dieser Schamane wird verbannt, und du errichtest dort einen Megalithen.",
                "Verzichten darfst du, aber hier: Mach die Transformation. Das bringt einen Punkt.",
            ],
            ["Wähle einen Megalithen."],
            [
                "Auch dieses Plättchen ist umgedreht: Der gegnerische muss nun am Ende stehen. Bilde diese Linie.",
                "Geh von a1 nach b1: zwei eigene, dann das Meer.",
            ],
            ["Mach die Transformation.", "Verzichten darfst du, aber hier: Mach sie."],
            ["Wähle einen Megalithen."],
        ],
        done: "Punkte bringen das Verlassen des Spielfelds und die Transformation.",
    },
    flips: {
        title: "Was du umdrehst",
        steps: [
            [
                "Das Meer auf b2 will über deinen Schamanen hinausspringen. Spring zuerst: So wird das Plättchen umgedreht.",
                "Dann springt das Meer hinaus. Nutze „Springen“, damit es keinen gegnerischen mehr zeigt.",
            ],
            [
                "„Springen“ zeigt einen eigenen: Das Meer sitzt fest. Tu alles, nur nicht springen.",
                "Dann zeigt „Springen“ wieder einen gegnerischen, und das Meer springt hinaus. Bewege lieber einen Schamanen.",
            ],
        ],
        done: "Die Gegenseite spielt mit den Seiten, die du aufdeckst.",
    },
    power: {
        title: "Kräfte",
        steps: [
            [
                "Ein Megalith wirkt, wenn ein Schamane auf ihm ankommt. Geh auf „{AD}“.",
                "Das geht auch, aber hier: Geh von c2 nach c3.",
            ],
            ["Die Kraft gehört dir: Verbanne einen der gegnerischen Schamanen daneben."],
        ],
        done: "Der Stamm, dessen Schamane ankommt, trifft die Wahl.",
    },
    chain: {
        title: "Ketten",
        steps: [
            [
                "Eine Kraft kann die nächste aktivieren. Geh auf „{CS}“.",
                "Das geht auch, aber hier: Geh von b2 nach b3.",
            ],
            ["Er bringt dich zu einem anderen Megalithen."],
            [
                "„{MD}“ bewegt dich um ein Feld. Bilde eine Linie aus dreien.",
                "Geh nach d4: Dann steht das Meer zwischen deinen beiden.",
            ],
            ["Nach den Kräften darfst du eine Transformation machen.", "Verzichten darfst du, aber hier: Mach sie."],
            ["Wähle einen Megalithen."],
        ],
        done: "Das alles war ein einziger Zug.",
    },
    forced: {
        title: "Erzwungene Kräfte",
        steps: [
            [
                "Eine Kraft muss genutzt werden, auch eine schlechte. Geh auf „{DR}“.",
                "Das geht auch, aber hier: Geh von c2 nach c3.",
            ],
            [
                "Schieb den Schamanen des Meeres auf „{TS}“: Wer dort ankommt, wird verbannt.",
                "Das geht auch, aber hier: Bewege ihn von d4 nach e4.",
            ],
        ],
        done: "Keine Kraft lässt sich ablehnen. Schau, wohin du gehst.",
    },
    again: {
        title: "Noch ein Zug",
        steps: [
            [
                "„{PS}“ geben dir auch den nächsten Zug. Geh auf diesen Megalithen.",
                "Das geht auch, aber zuerst: Geh von b2 nach b3.",
            ],
            ["Du bist wieder am Zug. Verlasse das Spielfeld.", "Das geht auch, aber hier: Geh von e5 hinaus."],
            ["Wähle einen Megalithen."],
        ],
        done: "Zwei Züge nacheinander können eine Partie entscheiden.",
    },
    plan: {
        title: "Ein erster Plan",
        steps: [
            [
                "Zwei zu zwei, und das Meer geht gleich hinaus. Gewinne jetzt: Suche Ausgänge, Linien und hilfreiche Megalithen.",
                "Das gewinnt nicht. Geh auf „{DR}“: Er kann eine Linie vollenden.",
            ],
            [
                "Welcher Schamane fehlt in deiner Linie?",
                "Bewege den Schamanen des Meeres von d4 nach d3, zwischen deine beiden.",
            ],
            ["Mach die Transformation.", "Verzichte nicht: Mit diesem Punkt gewinnst du."],
            ["Errichte einen Megalithen und gewinne."],
        ],
        done: "Jetzt weißt du alles, was du brauchst.",
    },
};

export default text;
