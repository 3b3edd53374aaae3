/** The board demo: plain JavaScript, no framework. */
import { mount } from "@cairn/board";

const START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F";
/** One step of a game, as the web API sends it. */
const STEP = {
    effects: [
        { kind: "moved", tribe: "forest", origin: "a1", target: "a2", way: "step" },
        { kind: "flipped", tile: "move", face: "d" },
    ],
    position: "S1S1S/5/5/F4/2F1F b3CG,d3CD DRMD (ADCSPSSA) wdfm 0-0 S",
};

const find = (id) => document.getElementById(id);
const report = (text) => (find("event").textContent = text);

const board = mount(find("board"), {
    position: START,
    tiles: true,
    coordinates: true,
    pace: 300,
    targets: ["a1", "c1", "e1"],
    onpick(pick) {
        report(`pick ${pick}`);
        const first = ["a1", "c1", "e1"].includes(pick);
        board.set(
            first ? { selection: [pick], targets: ["b2", "d2"] } : { selection: [], targets: ["a1", "c1", "e1"] },
        );
    },
    onrefuse: (pick) => report(`refuse ${pick}`),
    oncancel: () => report("cancel"),
});

find("play").onclick = async () => {
    board.set({ position: START, lastTurn: [], targets: [], selection: [] });
    if (!(await board.play(STEP.effects))) return;
    board.set({ position: STEP.position, lastTurn: STEP.effects });
    report("played");
};
find("shapes").onclick = () =>
    board.set({
        shapes: [
            { kind: "arrow", from: "c1", to: "c3" },
            { kind: "arrow", from: "e5", to: "village:forest", tone: "danger" },
            { kind: "circle", at: "b3", tone: "good" },
            { kind: "number", at: "c1", text: 1 },
            { kind: "number", at: "c3", text: 2 },
        ],
    });
let orientation = "forest";
find("turn").onclick = () => {
    orientation = orientation === "forest" ? "sea" : "forest";
    board.set({ orientation });
};
find("theme").onclick = () => document.body.classList.toggle("dark");
find("reset").onclick = () =>
    board.set({ position: START, shapes: [], lastTurn: [], selection: [], targets: ["a1", "c1", "e1"] });
find("destroy").onclick = () => board.destroy();
