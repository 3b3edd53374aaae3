/**
 * Live boards: replaces each drawing in a `.cairn-board` by a board that plays the line in its `data-line`.
 * Without scripts, or if a file cannot be loaded, the drawing stays.
 */
import { mount } from "./board.js";

const PACE = 350;
const LOOK = 1200;
/** The width in pixels from which there is room for the tiles next to the board. */
const WIDE = 560;
const places = [...document.querySelectorAll(".cairn-board[data-line]")];

function button(label, text, press) {
    const element = document.createElement("button");
    element.type = "button";
    element.textContent = text;
    element.title = label;
    element.setAttribute("aria-label", label);
    element.addEventListener("click", press);
    return element;
}

function makeLive(place, line, labels) {
    const drawing = place.querySelector("img");
    const picture = document.createElement("div");
    picture.className = "cairn-picture";
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", drawing?.alt ?? "");
    const inside = document.createElement("div");
    inside.inert = true;
    picture.append(inside);
    const tiles = place.clientWidth >= WIDE;
    const board = mount(inside, { position: line.start, tiles, coordinates: true, pace: PACE });
    const old = drawing?.closest("p") ?? drawing;
    if (old) old.replaceWith(picture);
    else place.prepend(picture);
    place.classList.add("cairn-live");
    if (line.steps.length === 0) return;

    let played = 0;
    let watching = 0;
    const count = document.createElement("span");
    const position = (steps) => line.steps[steps - 1]?.position ?? line.start;

    async function go(steps) {
        if (steps < 0 || steps > line.steps.length) return;
        const forward = steps === played + 1;
        if (forward) board.set({ position: position(played), lastTurn: [] });
        played = steps;
        count.textContent = `${steps} / ${line.steps.length}`;
        count.setAttribute("aria-label", labels.step.replace("{step}", steps).replace("{all}", line.steps.length));
        const effects = line.steps[steps - 1]?.effects ?? [];
        if (forward && !(await board.play(effects))) return;
        board.set({ position: position(steps), lastTurn: effects });
    }

    function show(running) {
        const label = running ? labels.pause : labels.replay;
        watch.textContent = label;
        watch.setAttribute("aria-label", label);
        watch.title = label;
    }

    function stop() {
        watching += 1;
        show(false);
    }

    async function play() {
        const round = (watching += 1);
        show(true);
        await go(0);
        while (played < line.steps.length) {
            await new Promise((resume) => setTimeout(resume, LOOK));
            if (round !== watching) return;
            await go(played + 1);
        }
        if (round === watching) stop();
    }

    const choose = (change) => () => {
        stop();
        void go(played + change);
    };
    const watch = button("", "", () => (watch.textContent === labels.pause ? stop() : void play()));
    const controls = document.createElement("div");
    controls.className = "cairn-controls";
    controls.setAttribute("role", "group");
    controls.setAttribute("aria-label", labels.steps);
    controls.append(button(labels.previous, "‹", choose(-1)), count, button(labels.next, "›", choose(1)), watch);
    show(false);
    void go(0);
    picture.after(controls);
}

if (places.length > 0) {
    const { boards, labels } = await (await fetch(new URL("lines.json", import.meta.url))).json();
    const words = labels[document.documentElement.lang] ?? labels.en;
    // A page can have forty boards, so each one is created when it comes near the window.
    const observer = new IntersectionObserver(
        (entries) => {
            for (const { target, isIntersecting } of entries) {
                if (!isIntersecting) continue;
                observer.unobserve(target);
                const line = boards[target.dataset.line];
                if (!line) throw new Error(`There is no line of play with the name ${target.dataset.line}.`);
                makeLive(target, line, words);
            }
        },
        { rootMargin: "400px" },
    );
    for (const place of places) observer.observe(place);
}
