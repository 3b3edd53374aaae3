import type { TutorialText } from "../lessons";

const text: TutorialText = {
    move: {
        title: "Bewegen",
        steps: [
            [
                "Du spielst unten den Wald. „Bewegen“ zeigt die geraden Richtungen: Wähle einen Schamanen, dann ein Feld daneben.",
                "Das ist auch erlaubt. Bewege hier aber einen Schamanen um ein Feld.",
            ],
            [
                "Das Plättchen ist umgedreht: Jetzt zeigt es die Diagonalen. Bewege noch einmal einen Schamanen.",
                "Bewege hier einen Schamanen diagonal um ein Feld.",
            ],
        ],
        done: "Jede Aktion dreht ihr Plättchen um.",
    },
    add: {
        title: "Einsetzen",
        steps: [
            [
                "Zwei Schamanen warten in deinem Dorf. Wähle das Dorf, dann dein weißes Totemfeld.",
                "Das ist auch erlaubt. Setze hier aber einen Schamanen ein.",
            ],
            [
                "„Einsetzen“ zeigt jetzt dein schwarzes Totemfeld, und dort steht ein Schamane des Meeres. Setze trotzdem einen Schamanen ein.",
                "Setze hier einen Schamanen auf b1 ein: Der des Meeres wird verbannt.",
            ],
        ],
        done: "Ein verbannter Schamane kehrt in sein Dorf zurück.",
    },
    jump: {
        title: "Springen",
        steps: [
            [
                "„Springen“ zeigt einen eigenen Schamanen: Springe über einen von deinen auf das Feld dahinter.",
                "Das ist auch erlaubt. Springe hier aber von a1 über b2.",
            ],
            [
                "Jetzt zeigt „Springen“ einen gegnerischen Schamanen: Springe über den des Meeres. Er bleibt stehen.",
                "Springe hier von c3 über d4.",
            ],
        ],
        done: "Du kannst in alle acht Richtungen springen.",
    },
    leave: {
        title: "Das Spielfeld verlassen",
        steps: [
            [
                "Dein Schamane ist am gegenüberliegenden Rand. Wähle ihn, dann das Dorf des Meeres: Er verlässt das Spielfeld.",
                "Das ist auch erlaubt. Geh hier aber von c5 über den Rand hinaus.",
            ],
            ["Errichte einen der beiden wartenden Megalithen."],
        ],
        done: "Der Megalith steht auf dem Feld, das dein Schamane verlassen hat. Das ist ein Punkt.",
    },
    win: {
        title: "Drei Megalithen",
        steps: [
            [
                "Du hast zwei Punkte, mit dreien gewinnst du. Zwei Schamanen können hinaus, einer mit einem Sprung. Welches Feld hat noch Platz für einen Megalithen?",
                "Springe von d4 hinaus: Auf a5 steht schon ein Megalith.",
            ],
            ["Errichte deinen dritten Megalithen."],
        ],
        done: "Wer zuerst drei Megalithen errichtet, gewinnt.",
    },
    transform: {
        title: "Die Transformation",
        steps: [
            [
                "„Transformation“ zeigt einen gegnerischen Schamanen zwischen zwei eigenen. Bilde diese Linie: Geh von e4 nach d4.",
                "Das ist auch erlaubt. Geh hier aber von e4 nach d4.",
            ],
            [
                "Mache die Transformation: Dieser Schamane wird verbannt, und du errichtest dort „{DR}“.",
                "Du darfst verzichten. Mache hier aber die Transformation: Sie bringt einen Punkt.",
            ],
            [
                "Auch dieses Plättchen ist umgedreht: Der gegnerische Schamane muss nun am Ende stehen. Bilde diese Linie.",
                "Geh von a1 nach b1: zwei eigene Schamanen, dann der des Meeres.",
            ],
            [
                "Mache die Transformation und errichte „{MD}“.",
                "Du darfst verzichten. Mache hier aber die Transformation.",
            ],
        ],
        done: "Punkte gibt es für das Verlassen des Spielfelds und für Transformationen.",
    },
    flips: {
        title: "Was du umdrehst",
        steps: [
            [
                "Der Schamane des Meeres auf b2 will über deinen springen und das Spielfeld verlassen. Springe zuerst: So wird das Plättchen umgedreht.",
                "Dann springt das Meer hinaus. Nutze „Springen“, damit es keinen gegnerischen Schamanen mehr zeigt.",
            ],
            [
                "„Springen“ zeigt einen eigenen Schamanen: So kann das Meer nicht hinausspringen. Nutze jetzt ein anderes Plättchen.",
                "Dann zeigt „Springen“ wieder einen gegnerischen Schamanen, und das Meer springt hinaus. Bewege lieber einen von deinen.",
            ],
        ],
        done: "Die Gegenseite spielt mit den Seiten, die du nach oben drehst.",
    },
    power: {
        title: "Kräfte",
        steps: [
            [
                "Ein Megalith wirkt, wenn ein Schamane auf ihm ankommt. Geh auf „{AD}“.",
                "Das ist auch erlaubt. Geh hier aber von c2 nach c3.",
            ],
            ["Die Kraft gehört dir: Verbanne einen der gegnerischen Schamanen neben diesem Stein."],
        ],
        done: "Der Stamm, dessen Schamane ankommt, trifft die Wahl.",
    },
    chain: {
        title: "Ketten",
        steps: [
            [
                "Eine Kraft kann die nächste auslösen. Geh auf „{CS}“.",
                "Das ist auch erlaubt. Geh hier aber von b2 nach b3.",
            ],
            ["Er bringt dich auf einen anderen Megalithen: Wähle ihn."],
            [
                "„{MD}“ bewegt dich um ein Feld. Bilde eine Linie aus dreien.",
                "Geh nach d4: Dann steht der Schamane des Meeres zwischen deinen beiden.",
            ],
            [
                "Nach den Kräften darfst du eine Transformation machen. Du errichtest „{DR}“.",
                "Du darfst verzichten. Mache hier aber die Transformation.",
            ],
        ],
        done: "Das alles war ein einziger Zug.",
    },
    forced: {
        title: "Kräfte sind Pflicht",
        steps: [
            [
                "Eine Kraft muss genutzt werden, auch eine schlechte. Geh auf „{DR}“.",
                "Das ist auch erlaubt. Geh hier aber von c2 nach c3.",
            ],
            [
                "Bewege den Schamanen des Meeres von d4 auf „{TS}“: Wer dort ankommt, wird verbannt.",
                "Das ist auch erlaubt. Bewege ihn hier aber von d4 nach e4.",
            ],
        ],
        done: "Kräfte sind nicht freiwillig. Achte darauf, wohin du gehst.",
    },
    again: {
        title: "Noch ein Zug",
        steps: [
            [
                "„{PS}“ schenken dir auch den nächsten Zug. Geh auf diesen Megalithen.",
                "Das ist auch erlaubt. Geh aber zuerst von b2 nach b3.",
            ],
            [
                "Du bist wieder am Zug. Verlasse das Spielfeld und errichte „{DR}“.",
                "Das ist auch erlaubt. Geh hier aber von e5 hinaus.",
            ],
        ],
        done: "Zwei Züge nacheinander können eine Partie entscheiden.",
    },
    plan: {
        title: "Ein erster Plan",
        steps: [
            [
                "Es steht zwei zu zwei, und das Meer kann gleich hinaus. Gewinne jetzt: Suche Ausgänge, Linien und hilfreiche Megalithen.",
                "Damit gewinnst du nicht. Geh auf „{DR}“: Er kann eine Linie vollenden.",
            ],
            [
                "Vollende deine Linie: Wo muss dieser Schamane stehen?",
                "Bewege den Schamanen des Meeres von d4 nach d3, zwischen deine beiden.",
            ],
            [
                "Mache die Transformation und errichte „{AD}“: Damit gewinnst du.",
                "Verzichte nicht: Mit diesem Punkt gewinnst du.",
            ],
        ],
        done: "Jetzt weißt du alles, was du brauchst.",
    },
};

export default text;
