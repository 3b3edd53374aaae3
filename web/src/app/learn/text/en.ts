import type { LearnText } from "../contents";

const text: LearnText = {
    summary: [
        "You lead five shamans, of **Forest** or of **Sea**. The first to build **three megaliths** wins.",
        "On your turn you use **one of three tiles**: add a shaman, move one, or jump with one. Then the tile is **flipped**, and your opponent gets its other side.",
        "Lead a shaman across the field and off it on the **opposing side**: it goes home, and you build a megalith on the space it left, if no megalith stands there yet.",
        "Or trap an enemy in a line of three, as the **Transformation** tile shows: it goes home, and you build where it stood, again only if no megalith stands there yet.",
        "A shaman that arrives on a megalith activates its **power**. The power serves the owner of that shaman, whoever built the stone.",
    ],
    sections: {
        field: {
            title: "The field",
            points: [
                "The field has 5\u00a0×\u00a05 spaces. Forest’s **village** lies below it, Sea’s above. A space is named by its column and its row: c3 is the centre.",
                "Your **first row** is the one next to your own village. The **opposing side** is the edge next to the other village; that is where your shamans are heading.",
                "Each first row has two **totem spaces**: the white one on its player’s right, the black one on the left.",
                "The two **stone circles**, b3 and d3, hold the first megaliths.",
                "A space has room for one shaman and one megalith, and may hold both.",
                "**Next to** means any of the surrounding spaces, up to eight of them, diagonals included.",
            ],
        },
        setup: {
            title: "Setting up",
            points: [
                "Three shamans of each tribe stand on the first-row spaces without a totem, and two wait in their village. The score is 0–0.",
                "The variant decides which megaliths are in the game. **Beginner**: the eight light ones; {CG} lies on b3 and {CD} on d3.",
                "**Standard**: fourteen megaliths. **Expert**: all seventeen. In both, the first two drawn lie on the stone circles.",
                "Two more lie face up beside the field: the **upcoming** megaliths, the ones that can be built. The rest is the face-down deck.",
                "The three action tiles and the transformation tile are tossed: each shows one of its two sides.",
                "The players agree on who begins, or toss for it.",
            ],
        },
        turn: {
            title: "Your turn",
            points: [
                "Perform **exactly one** of the three actions, as its tile shows. Then the tile is flipped.",
                "The small picture in the tile’s corner is its other side: the one your opponent will get.",
                "If a shaman has arrived on a megalith, **that megalith’s power** follows, and whatever it sets off.",
                "After that you may make **one transformation**.",
                "Then it is your opponent’s turn, unless {PS} give you the next one.",
            ],
        },
        add: {
            title: "Add a shaman",
            points: [
                "The tile shows white or black: put a shaman from your village on **your totem space of that colour**.",
                "You need a shaman in your village, and none of your own may stand on that space.",
                "If an enemy stands there, it is **banished** first, and the space is yours.",
                "A banished shaman goes home to its village and can come back later. Banishing alone builds nothing.",
            ],
        },
        move: {
            title: "Move a shaman",
            points: [
                "The tile shows straight or diagonal: move one of your shamans **one space** that way, to a space without a shaman.",
                "From your opponent’s first row it may also step **off the field** across the opposing side.",
            ],
        },
        jump: {
            title: "Jump with a shaman",
            points: [
                "The tile shows a friend or an enemy: one of your shamans jumps over **one** neighbour of that kind and lands right behind it.",
                "All eight directions are allowed. The landing space must be without a shaman, or lie beyond the opposing side.",
                "The shaman that was jumped over stays where it is.",
            ],
        },
        leave: {
            title: "Leaving the field",
            points: [
                "A shaman leaves only across its **opposing side**, by a step or a jump that ends beyond the opponent’s first row. All other edges are closed.",
                "The column does not matter: a diagonal past the corner counts too.",
                "The shaman goes back to its village, and its owner **builds a megalith on the space it left**.",
            ],
        },
        build: {
            title: "Building",
            points: [
                "Put one of the upcoming megaliths on the space and score **one point**. A tile from the deck fills the empty slot.",
                "If the space already holds a megalith, nothing is built and nothing is scored. The game goes on.",
                "Building a megalith does not activate it.",
                "If the deck is empty, the slot stays empty. If both slots are empty, you still score your point, without a tile.",
            ],
        },
        powers: {
            title: "Powers",
            points: [
                "A shaman that is moved or added onto a megalith activates it, whoever moved it, and whether its owner likes it or not (a swap by {WC} does not count).",
                "The power belongs to the **owner of that shaman**, who makes all its choices, even on the opponent’s turn.",
                "The power **must** be used if it can do anything. If it cannot, nothing happens.",
                "The action tile is flipped before the first power is used.",
                "Moving, swapping, replacing or building a megalith does not activate it, not even under a shaman. Shamans never travel with a stone.",
            ],
        },
        chains: {
            title: "Chains",
            points: [
                "If a power brings a shaman onto another megalith, that one is activated next, for the owner of **that** shaman.",
                "So a chain can pass from one player to the other and back. It is followed to its end before the turn goes on.",
                "Chains cannot go round forever. Within one turn, for each tribe and each megalith: the **first** time, the power must be used.",
                "The **second** time, its owner may stop there instead. From the **third** time on, the megalith stays silent.",
                "A power that {SH} borrows counts only for {SH} itself.",
            ],
        },
        exits: {
            title: "Moved out by a power",
            points: [
                "A power that moves a shaman one space may use any of the eight directions, to a space without a shaman.",
                "It may also move the shaman **out**, across that shaman’s own opposing side.",
                "No matter who moved it, the **owner of the shaman** builds and scores. Think twice before you push an enemy over the edge.",
            ],
        },
        transformation: {
            title: "Transformation",
            points: [
                "The tile shows a line of three adjacent spaces, straight or diagonal, with two of your shamans and one enemy.",
                "Only the side now showing counts. **Middle**: the enemy stands between your two. **End**: your two stand side by side, and the enemy at either end.",
                "At least one of the three must have been placed or moved **this turn**, by your action or by any power, whoever used it.",
                "The enemy is banished, you build a megalith **where it stood**, and the transformation tile is flipped. If a megalith already stands there, nothing is built.",
                "A transformation is possible only on your own turn, once at most, and after all powers. It activates nothing.",
                "You may decline. If several enemies qualify, you pick one.",
            ],
        },
        end: {
            title: "The end of the game",
            points: [
                "Three points win **at once**, even in the middle of a turn, and even on the opponent’s turn.",
                "If you can perform none of the three actions when your turn begins, you lose.",
                "When the same position stands at the start of a turn for the third time, the game is a **draw**. Everything must be the same: shamans, megaliths, upcoming tiles, deck, tile sides, score, and whose turn it is. The starting position counts too. Online, a game also ends when a player resigns or runs out of time, or when both agree to a draw.",
            ],
        },
        printed: {
            title: "If you own the board game",
            points: [
                "The printed rulebooks leave a few gaps, and the languages differ. This is how we play.",
                "A diagonal that ends past the corner of the opposing side is an exit.",
                "A power can take a shaman off the field, and the shaman’s owner builds, not the player whose turn it is.",
                "A transformation is never forced. Moving a shaman away and back within a turn counts as moving it.",
                "{CD}: the space must be without a shaman. Only the Add tile banishes a shaman that stands there.",
                "Counting stops an endless loop: the first time you must use the power, the second time you may, the third time it stays silent. An arrival by another shaman of the same tribe counts too.",
                "{SH} copies one of the upcoming megaliths. A power that could do nothing is not offered.",
                "When the tiles run out, points are still scored.",
                "The draw by repetition is our own addition: the printed rules have none.",
            ],
        },
    },
    examples: {
        setup: "At the start",
        "add-white": "White totem",
        "add-black": "Black totem",
        "add-banish": "An enemy on it",
        "move-orthogonal": "Straight",
        "move-diagonal": "Diagonal",
        "jump-friend": "Over a friend",
        "jump-enemy": "Over an enemy",
        "leaving-step": "By a step",
        "leaving-jump": "By a jump",
        "leaving-corner": "Past the corner",
        "leaving-occupied": "A megalith is there already",
        "opponent-decides": "The other tribe decides",
        "power-nothing": "Nothing to do",
        chain: "Three in a row",
        "loop-guard": "Second time: stop",
        "loop-guard-third": "Third time: silence",
        "power-exit": "Out by a power",
        "transformation-middle": "In the middle",
        "transformation-end": "At the end",
        "transformation-declined": "No, thank you",
        winning: "Three points",
        "no-action": "No action left",
        repetition: "Repetition",
    },
    rulings: {
        CG: [
            "Anywhere in your first row, however far from this stone: row 1 for Forest, row 5 for Sea.",
            "Banishing builds nothing and scores nothing.",
        ],
        CD: [
            "Any space of the first row will do, not only the totem spaces. It must be without a shaman.",
            "If the new shaman arrives on a megalith, that one is activated next.",
        ],
        CS: [
            "It must be another megalith, at any distance, with no shaman on it. If there is none, nothing happens.",
            "The megalith where the shaman arrives is activated next.",
        ],
        PS: [
            "Activated on your own turn, they let you play twice in a row. On your opponent’s turn, the next one is yours anyway.",
            "You may still make a transformation first. The extra turn then begins like any other.",
        ],
        AD: ["The enemy may stand on any of the eight spaces around.", "If no enemy is there, nothing happens."],
        DR: [
            "Not the shaman that stands here: it has to be one next to this stone.",
            "A shaman may be moved out across its own opposing side. Its owner builds.",
        ],
        MD: [
            "In any of the eight directions, or out across the opposing side.",
            "If it arrives on another megalith, the chain goes on.",
        ],
        SA: [
            "It may move itself.",
            "A shaman on either space does not matter: shamans stay where they are, and nothing is activated.",
        ],
        TS: [
            "There is nothing to choose: the shaman that arrives here goes home.",
            "It is not an exit: nothing is built.",
        ],
        SW: ["It may be one of the two.", "Shamans stay where they are, and nothing is activated."],
        FC: [
            "An enemy that is moved onto a megalith activates it, and the enemy’s owner chooses.",
            "An enemy that is moved out lets its owner build and score.",
        ],
        HP: [
            "Not the shaman that stands here: another one, anywhere on the field.",
            "It may also go out across the opposing side: then you build.",
        ],
        MM: [
            "The tile just used has already been flipped. You may flip it back.",
            "The transformation tile is not an action tile.",
        ],
        SS: [
            "It may replace itself. Nothing is scored, and the new megalith is not activated.",
            "With an empty deck, the very tile that you replaced becomes the upcoming one.",
        ],
        WC: [
            "One of the two may be the shaman that has just arrived here.",
            "Both count as moved this turn, so a transformation may follow.",
        ],
        SH: [
            "The upcoming tile stays where it is. A power that could do nothing is not offered.",
            "In a loop, it counts as an activation of this stone alone.",
        ],
        HE: [
            "The space must hold neither shaman nor megalith. No point is scored.",
            "The new megalith is not activated.",
        ],
    },
};

export default text;
