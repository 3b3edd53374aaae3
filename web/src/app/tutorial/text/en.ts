import type { TutorialText } from "../lessons";

const text: TutorialText = {
    move: {
        title: "Move",
        steps: [
            [
                "You play Forest, at the bottom. The Move tile shows straight steps: pick a shaman, then a space next to it.",
                "That is allowed, too. But this time, move a shaman one space.",
            ],
            [
                "The tile has flipped: now it shows diagonal steps. Move again.",
                "This time, move a shaman one space diagonally.",
            ],
        ],
        done: "Every action flips its tile.",
    },
    add: {
        title: "Add",
        steps: [
            [
                "Two shamans wait in your village. Pick the village, then your white totem.",
                "That is allowed, too. But this time, add a shaman.",
            ],
            [
                "Add now shows your black totem, and a Sea shaman stands there. Add a shaman anyway.",
                "This time, add a shaman on b1: that banishes the Sea shaman.",
            ],
        ],
        done: "A banished shaman goes back to its village.",
    },
    jump: {
        title: "Jump",
        steps: [
            [
                "Jump shows a friend: jump over your own shaman to the space behind it.",
                "That is allowed, too. But this time, jump from a1 over b2.",
            ],
            [
                "Now Jump shows an enemy: jump over a Sea shaman. It stays where it is.",
                "This time, jump from c3 over d4.",
            ],
        ],
        done: "You can jump in all eight directions.",
    },
    leave: {
        title: "Leave the field",
        steps: [
            [
                "Your shaman has reached the far edge. Pick it, then Sea’s village: it leaves the field.",
                "That is allowed, too. But this time, leave over the far edge from c5.",
            ],
            ["Now you build: pick one of the upcoming megaliths."],
        ],
        done: "The megalith stands on the space your shaman left. That is one point.",
    },
    win: {
        title: "Three megaliths",
        steps: [
            [
                "You have two points, and three win. Two shamans can leave, one by a jump. Which space still has room for a megalith?",
                "Jump out from d4: a5 already has a megalith.",
            ],
            ["Build your third megalith."],
        ],
        done: "The first tribe with three megaliths wins.",
    },
    transform: {
        title: "Transformation",
        steps: [
            [
                "Transformation shows an enemy between two of yours. Make that line: move from e4 to d4.",
                "That is allowed, too. But this time, move from e4 to d4.",
            ],
            [
                "Make the transformation: the enemy is banished, and you build {DR} on its space.",
                "You may skip. But this time, make the transformation: it scores a point.",
            ],
            [
                "This tile has flipped, too: now the enemy must stand at the end. Make that line.",
                "Move from a1 to b1: two of yours, then the enemy.",
            ],
            ["Make the transformation and build {MD}.", "You may skip. But this time, make the transformation."],
        ],
        done: "You score by leaving the field and by transformations.",
    },
    flips: {
        title: "What you flip",
        steps: [
            [
                "The Sea shaman on b2 wants to jump over yours and out. Jump first: that flips the tile.",
                "That lets Sea jump out. Use Jump, so that it no longer shows an enemy.",
            ],
            [
                "Jump now shows a friend, so Sea cannot jump out. Do anything but jump.",
                "That flips Jump back, and Sea jumps out. Move a shaman instead.",
            ],
        ],
        done: "Your opponent plays with the sides you leave showing.",
    },
    power: {
        title: "Powers",
        steps: [
            [
                "A megalith acts when a shaman arrives on it. Move onto {AD}.",
                "That is allowed, too. But this time, move from c2 to c3.",
            ],
            ["The power is yours: banish one of the enemies next to this stone."],
        ],
        done: "The tribe whose shaman arrives makes the choice.",
    },
    chain: {
        title: "Chains",
        steps: [
            [
                "One power can set off the next. Move onto {CS}.",
                "That is allowed, too. But this time, move from b2 to b3.",
            ],
            ["It takes you to another megalith: pick it."],
            ["{MD} moves you one space. Make a line of three.", "Go to d4, so that Sea stands between your two."],
            [
                "After the powers, you may make a transformation. You build {DR}.",
                "You may skip. But this time, make it.",
            ],
        ],
        done: "All of that was one turn.",
    },
    forced: {
        title: "Forced powers",
        steps: [
            [
                "A power must be used, even a bad one. Move onto {DR}.",
                "That is allowed, too. But this time, move from c2 to c3.",
            ],
            [
                "Move the Sea shaman on d4 onto {TS}, which banishes every shaman that arrives.",
                "That is allowed, too. But this time, move it from d4 to e4.",
            ],
        ],
        done: "You cannot refuse a power, so watch where you step.",
    },
    again: {
        title: "One more turn",
        steps: [
            [
                "{PS} give you the next turn as well. Move onto that megalith.",
                "That is allowed, too. But first, move from b2 to b3.",
            ],
            [
                "It is your turn again. Leave the field and build {DR}.",
                "That is allowed, too. But this time, leave from e5.",
            ],
        ],
        done: "Two turns in a row can decide a game.",
    },
    plan: {
        title: "A first plan",
        steps: [
            [
                "Two points each, and Sea is about to leave. Win now: look for exits, lines and helpful megaliths.",
                "That does not win. Move onto {DR}: it can complete a line.",
            ],
            [
                "Complete your line: where must this shaman stand?",
                "Move the Sea shaman from d4 to d3, between your two.",
            ],
            ["Make the transformation and build {AD}: that wins.", "Do not skip: this point wins."],
        ],
        done: "Now you know all you need to play.",
    },
};

export default text;
