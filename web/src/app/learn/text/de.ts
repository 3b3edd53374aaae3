import type { LearnText } from "../contents";

const text: LearnText = {
    summary: [
        "Du führst die fünf Schamanen des **Waldes** oder des **Meeres**. Wer zuerst **drei Megalithen** errichtet, gewinnt.",
        "In deinem Zug nutzt du **eines von drei Plättchen**: einen Schamanen einsetzen, einen bewegen oder mit einem springen. Dann wird das Plättchen **umgedreht**, und die Gegenseite bekommt seine Rückseite.",
        "Führe einen Schamanen über das Spielfeld und am **gegenüberliegenden Rand** hinaus: Er kehrt heim, und du errichtest einen Megalithen auf dem Feld, das er verlassen hat, falls dort noch keiner steht.",
        "Oder fange einen gegnerischen Schamanen in einer Linie aus dreien, wie das **Transformationsplättchen** sie zeigt: Er kehrt heim, und du errichtest einen Megalithen, wo er stand, falls dort noch keiner steht.",
        "Kommt ein Schamane auf einen Megalithen, aktiviert er dessen **Kraft**. Sie dient dem Stamm dieses Schamanen, ganz gleich, wer den Stein errichtet hat.",
    ],
    sections: {
        field: {
            title: "Das Spielfeld",
            points: [
                "Das Spielfeld hat 5\u00a0×\u00a05 Felder. Das **Dorf** des Waldes liegt unten, das des Meeres oben. Jedes Feld ist nach Spalte und Reihe benannt: c3 ist die Mitte.",
                "Deine **erste Reihe** ist die an deinem eigenen Dorf. Der **gegenüberliegende Rand** ist der am anderen Dorf; dorthin wollen deine Schamanen.",
                "Jede erste Reihe hat zwei **Totemfelder**: vom Dorf aus gesehen rechts das weiße, links das schwarze.",
                "Die zwei **Steinkreise**, b3 und d3, tragen die ersten Megalithen.",
                "Ein Feld hat Platz für einen Schamanen und einen Megalithen, auch für beide zugleich.",
                "**Neben** einem Feld liegen alle Felder ringsum, auch die diagonalen: höchstens acht.",
            ],
        },
        setup: {
            title: "Der Aufbau",
            points: [
                "Von jedem Stamm stehen drei Schamanen in der ersten Reihe, auf den Feldern ohne Totem; zwei warten im Dorf. Es steht 0 zu 0.",
                "Die Variante bestimmt, welche Megalithen mitspielen. **Anfänger**: die acht hellen; „{CG}“ steht auf b3 und „{CD}“ auf d3.",
                "**Standard**: vierzehn Megalithen. **Experten**: alle siebzehn. Bei beiden kommen die ersten zwei aufgedeckten auf die Steinkreise.",
                "Zwei weitere liegen offen neben dem Spielfeld: die **wartenden** Megalithen, die man errichten kann. Der Rest ist der verdeckte Stapel.",
                "Die drei Aktionsplättchen und das Transformationsplättchen werden geworfen: Jedes zeigt eine seiner zwei Seiten.",
                "Wer beginnt, wird vereinbart oder ausgelost.",
            ],
        },
        turn: {
            title: "Dein Zug",
            points: [
                "Führe **genau eine** der drei Aktionen aus, so wie ihr Plättchen sie zeigt. Dann wird das Plättchen umgedreht.",
                "Das kleine Bild in der Ecke zeigt die Rückseite: Mit ihr spielt danach die Gegenseite.",
                "Ist ein Schamane auf einen Megalithen gekommen, folgt **dessen Kraft** mit allem, was sie auslöst.",
                "Danach darfst du **eine Transformation** machen.",
                "Dann ist die Gegenseite am Zug, es sei denn, „{PS}“ schenken dir auch den nächsten.",
            ],
        },
        add: {
            title: "Einen Schamanen einsetzen",
            points: [
                "Das Plättchen zeigt Weiß oder Schwarz: Stelle einen Schamanen aus deinem Dorf auf **dein Totemfeld dieser Farbe**.",
                "Dafür brauchst du einen Schamanen im Dorf, und auf dem Feld darf kein eigener stehen.",
                "Steht dort ein gegnerischer Schamane, wird er zuerst **verbannt**, und das Feld gehört dir.",
                "Ein verbannter Schamane kehrt in sein Dorf heim und kann wiederkommen. Für das Verbannen allein wird kein Megalith errichtet.",
            ],
        },
        move: {
            title: "Einen Schamanen bewegen",
            points: [
                "Das Plättchen zeigt die geraden Richtungen oder die Diagonalen: Bewege einen deiner Schamanen um **ein Feld** in eine dieser Richtungen, auf ein Feld ohne Schamanen.",
                "Aus der ersten Reihe der Gegenseite kann er auch **das Spielfeld verlassen**, über den gegenüberliegenden Rand.",
            ],
        },
        jump: {
            title: "Mit einem Schamanen springen",
            points: [
                "Das Plättchen zeigt einen eigenen oder gegnerischen Schamanen: Einer deiner Schamanen springt über **einen** solchen Nachbarn und landet direkt dahinter.",
                "Alle acht Richtungen sind erlaubt. Das Ziel ist ein Feld ohne Schamanen oder liegt jenseits des gegenüberliegenden Randes.",
                "Der übersprungene Schamane bleibt, wo er ist.",
            ],
        },
        leave: {
            title: "Das Spielfeld verlassen",
            points: [
                "Ein Schamane verlässt das Spielfeld nur über den **gegenüberliegenden Rand**, mit einem Schritt oder Sprung, der jenseits der ersten Reihe der Gegenseite endet. Alle anderen Ränder sind zu.",
                "Die Spalte spielt keine Rolle: Auch eine Diagonale an der Ecke vorbei zählt.",
                "Der Schamane kehrt in sein Dorf zurück, und sein Stamm **errichtet einen Megalithen auf dem Feld, das er verlassen hat**.",
            ],
        },
        build: {
            title: "Einen Megalithen errichten",
            points: [
                "Lege einen der wartenden Megalithen auf das Feld; dafür gibt es **einen Punkt**. Ein Plättchen vom Stapel kommt auf das leere Wartefeld.",
                "Steht auf dem Feld schon ein Megalith, wird keiner errichtet, und es gibt keinen Punkt. Die Partie geht weiter.",
                "Das Errichten aktiviert einen Megalithen nicht.",
                "Ist der Stapel leer, bleibt das Wartefeld leer. Sind beide Wartefelder leer, bekommst du deinen Punkt auch ohne Plättchen.",
            ],
        },
        powers: {
            title: "Die Kräfte",
            points: [
                "Ein Schamane, der auf einen Megalithen bewegt oder eingesetzt wird, aktiviert ihn, ganz gleich, durch wen und ob gewollt oder nicht (ein Tausch durch „{WC}“ zählt nicht).",
                "Die Kraft gehört dem **Stamm dieses Schamanen**. Er trifft alle Entscheidungen, auch mitten im gegnerischen Zug.",
                "Sie **muss** genutzt werden, wenn sie etwas bewirken kann. Kann sie das nicht, geschieht nichts.",
                "Das Aktionsplättchen wird vor der ersten Kraft umgedreht.",
                "Einen Megalithen zu verschieben, zu tauschen, zu ersetzen oder zu errichten aktiviert ihn nicht, auch nicht unter einem Schamanen. Schamanen wandern nie mit einem Stein mit.",
            ],
        },
        chains: {
            title: "Ketten",
            points: [
                "Bringt eine Kraft einen Schamanen auf einen anderen Megalithen, wird dieser als Nächster aktiviert, für den Stamm **dieses** Schamanen.",
                "So kann eine Kette vom einen Stamm zum anderen wandern und zurück. Sie wird zu Ende geführt, bevor der Zug weitergeht.",
                "Keine Kette läuft ewig im Kreis. Innerhalb eines Zuges gilt für jeden Stamm und jeden Megalithen: Beim **ersten** Mal muss die Kraft genutzt werden.",
                "Beim **zweiten** Mal darf der Stamm stattdessen aufhören. Ab dem **dritten** Mal schweigt der Megalith.",
                "Leiht sich „{SH}“ eine Kraft, zählt das nur für „{SH}“ selbst.",
            ],
        },
        exits: {
            title: "Von einer Kraft hinausbewegt",
            points: [
                "Eine Kraft, die einen Schamanen um ein Feld bewegt, darf das in alle acht Richtungen, auf ein Feld ohne Schamanen.",
                "Sie darf ihn auch **hinausbewegen**, über den Rand, der seinem Dorf gegenüberliegt.",
                "Ganz gleich, wer ihn bewegt hat: Der **Stamm des Schamanen** errichtet einen Megalithen und punktet. Überlege gut, bevor du einen gegnerischen über den Rand schiebst.",
            ],
        },
        transformation: {
            title: "Die Transformation",
            points: [
                "Das Plättchen zeigt drei Felder nebeneinander in einer Linie, gerade oder diagonal, mit zwei eigenen Schamanen und einem gegnerischen.",
                "Nur die sichtbare Seite zählt. **In der Mitte**: Der gegnerische Schamane steht zwischen deinen beiden. **Am Ende**: Deine zwei stehen nebeneinander und der gegnerische an einem der Enden.",
                "Mindestens einer der drei muss **in diesem Zug** eingesetzt oder bewegt worden sein, durch deine Aktion oder durch irgendeine Kraft, ganz gleich, wer sie genutzt hat.",
                "Der gegnerische Schamane wird verbannt, du errichtest einen Megalithen, **wo er stand**, und das Transformationsplättchen wird umgedreht. Steht dort schon ein Megalith, wird keiner errichtet.",
                "Eine Transformation ist nur im eigenen Zug möglich, höchstens einmal und nach allen Kräften. Sie aktiviert nichts.",
                "Du darfst verzichten. Kommen mehrere gegnerische Schamanen infrage, wählst du einen.",
            ],
        },
        end: {
            title: "Das Ende der Partie",
            points: [
                "Mit drei Punkten gewinnst du **sofort**, auch mitten im Zug und sogar im gegnerischen.",
                "Wer zu Beginn seines Zuges keine der drei Aktionen ausführen kann, verliert.",
                "Steht dieselbe Stellung zum dritten Mal am Beginn eines Zuges, endet die Partie **unentschieden**. Alles muss gleich sein: Schamanen, Megalithen, wartende Plättchen, Stapel, Plättchenseiten, Punktestand und wer am Zug ist. Auch die Anfangsstellung zählt mit. Online kann eine Partie auch durch Aufgabe, Einigung oder Zeitüberschreitung enden.",
            ],
        },
        printed: {
            title: "Wenn du das Brettspiel besitzt",
            points: [
                "Die gedruckten Anleitungen lassen ein paar Lücken und unterscheiden sich je nach Sprache. So spielen wir.",
                "Eine Diagonale, die jenseits der Ecke am gegenüberliegenden Rand endet, führt hinaus.",
                "Eine Kraft kann einen Schamanen vom Spielfeld bringen. Den Megalithen errichtet dann der Stamm des Schamanen, nicht der Stamm am Zug.",
                "Eine Transformation ist nie Pflicht. Einen Schamanen im selben Zug weg- und zurückzubewegen gilt als Bewegung.",
                "{CD}: Auf dem Feld darf kein Schamane stehen. Nur beim Einsetzen per Plättchen wird verbannt, wer dort steht.",
                "Gegen Endlosschleifen wird gezählt: Erst muss, dann darf die Kraft genutzt werden, dann schweigt der Megalith. Auch die Ankunft eines anderen Schamanen desselben Stammes zählt mit.",
                "„{SH}“ kopiert einen der wartenden Megalithen. Eine Kraft, die nichts bewirken könnte, wird nicht angeboten.",
                "Gehen die Plättchen aus, gibt es weiterhin Punkte.",
                "Das Unentschieden durch Wiederholung ist unsere Zutat: Die gedruckten Regeln kennen keines.",
            ],
        },
    },
    examples: {
        setup: "Zu Beginn",
        "add-white": "Weißes Totem",
        "add-black": "Schwarzes Totem",
        "add-banish": "Besetztes Totem",
        "move-orthogonal": "Gerader Schritt",
        "move-diagonal": "Diagonaler Schritt",
        "jump-friend": "Über einen eigenen",
        "jump-enemy": "Über einen gegnerischen",
        "leaving-step": "Mit einem Schritt",
        "leaving-jump": "Mit einem Sprung",
        "leaving-corner": "An der Ecke vorbei",
        "leaving-occupied": "Dort steht schon ein Megalith",
        "opponent-decides": "Der andere Stamm entscheidet",
        "power-nothing": "Nichts zu tun",
        chain: "Drei nacheinander",
        "loop-guard": "Zweites Mal: aufhören",
        "loop-guard-third": "Drittes Mal: Stille",
        "power-exit": "Hinaus durch eine Kraft",
        "transformation-middle": "In der Mitte",
        "transformation-end": "Am Ende",
        "transformation-declined": "Nein danke",
        winning: "Drei Punkte",
        "no-action": "Keine Aktion mehr",
        repetition: "Wiederholung",
    },
    rulings: {
        CG: [
            "Überall in deiner ersten Reihe, auch weit weg von diesem Stein: Reihe 1 für den Wald, Reihe 5 für das Meer.",
            "Für das Verbannen wird kein Megalith errichtet, und es gibt keinen Punkt.",
        ],
        CD: [
            "Jedes Feld der ersten Reihe ist erlaubt, nicht nur die Totemfelder. Es darf kein Schamane darauf stehen.",
            "Kommt der neue Schamane auf einen Megalithen, wird dieser als Nächster aktiviert.",
        ],
        CS: [
            "Es muss ein anderer Megalith sein, beliebig weit entfernt und ohne Schamanen. Gibt es keinen, geschieht nichts.",
            "Der Megalith, auf dem der Schamane ankommt, wird als Nächster aktiviert.",
        ],
        PS: [
            "Im eigenen Zug aktiviert, lassen sie dich zweimal nacheinander ziehen. Im gegnerischen Zug ist der nächste ohnehin deiner.",
            "Vorher darfst du noch eine Transformation machen. Der zusätzliche Zug beginnt dann wie jeder andere.",
        ],
        AD: [
            "Der gegnerische Schamane darf auf jedem der acht Felder ringsum stehen.",
            "Ist dort keiner, geschieht nichts.",
        ],
        DR: [
            "Nicht der Schamane, der hier steht: Es muss einer neben diesem Stein sein.",
            "Ein Schamane darf über den Rand hinausbewegt werden, der seinem Dorf gegenüberliegt. Dann errichtet sein Stamm einen Megalithen.",
        ],
        MD: [
            "In alle acht Richtungen, auch über den gegenüberliegenden Rand hinaus.",
            "Kommt er auf einen anderen Megalithen, geht die Kette weiter.",
        ],
        SA: [
            "Es darf sich selbst verschieben.",
            "Ob auf einem der beiden Felder ein Schamane steht, spielt keine Rolle: Schamanen bleiben stehen, und nichts wird aktiviert.",
        ],
        TS: [
            "Zu wählen gibt es nichts: Wer hierherkommt, kehrt heim.",
            "Das ist kein Verlassen des Spielfelds: Es wird nichts errichtet.",
        ],
        SW: ["Er darf einer der beiden sein.", "Schamanen bleiben stehen, und nichts wird aktiviert."],
        FC: [
            "Wird ein gegnerischer Schamane auf einen Megalithen bewegt, bekommt sein Stamm dessen Kraft und entscheidet.",
            "Wird er hinausbewegt, errichtet sein Stamm einen Megalithen und punktet.",
        ],
        HP: [
            "Nicht der Schamane, der hier steht: ein anderer, irgendwo auf dem Spielfeld.",
            "Er darf auch über den gegenüberliegenden Rand hinaus: Dann errichtest du einen Megalithen.",
        ],
        MM: [
            "Das eben genutzte Plättchen ist schon umgedreht. Du darfst es zurückdrehen.",
            "Das Transformationsplättchen ist kein Aktionsplättchen.",
        ],
        SS: [
            "Sie darf sich selbst ersetzen. Es gibt keinen Punkt, und der neue Megalith wird nicht aktiviert.",
            "Ist der Stapel leer, wird das ersetzte Plättchen selbst zum wartenden Megalithen.",
        ],
        WC: [
            "Einer der beiden darf der Schamane sein, der hierhergekommen ist.",
            "Beide gelten als in diesem Zug bewegt: Eine Transformation kann folgen.",
        ],
        SH: [
            "Das wartende Plättchen bleibt liegen. Eine Kraft, die nichts bewirken könnte, wird nicht angeboten.",
            "In einer Schleife zählt es nur als Aktivierung dieses Steins.",
        ],
        HE: [
            "Auf dem Feld darf weder ein Schamane noch ein Megalith stehen. Es gibt keinen Punkt.",
            "Der neue Megalith wird nicht aktiviert.",
        ],
    },
};

export default text;
