/** Remembers the scroll position of each history entry, so that going back can restore it. */
import { readJson, sessionStore, writeJson } from "./storage";

const STORE = "cairn.scroll";
const MOST = 50;
/** How long to wait for a page whose content is still being fetched, in milliseconds. */
const LONGEST_WAIT = 3000;

const positions = new Map<string, number>(readPositions());

function readPositions(): [string, number][] {
    const saved = Object.entries(Object(readJson(sessionStore, STORE)));
    return saved.filter((each): each is [string, number] => typeof each[1] === "number");
}

/** Remember how far the page of a history entry is scrolled. */
export function rememberScroll(entry: string): void {
    positions.delete(entry);
    positions.set(entry, Math.round(window.scrollY));
    const [oldest] = positions.keys();
    if (positions.size > MOST && oldest) positions.delete(oldest);
}

/** How far the page of a history entry was scrolled; `null` if unknown. */
export function rememberedScroll(entry: string): number | null {
    return positions.get(entry) ?? null;
}

/** Save the positions, so that they survive a reload. */
export function saveScroll(): void {
    writeJson(sessionStore, STORE, Object.fromEntries(positions));
}

/**
 * Scroll to a position as soon as the page is tall enough, possibly only after its content has been fetched. Stops
 * when the visitor scrolls or when the returned function is called.
 */
export function scrollWhenTallEnough(top: number): () => void {
    const observer = new ResizeObserver(attempt);
    const timer = setTimeout(stop, LONGEST_WAIT);
    const actions = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

    function attempt(): void {
        window.scrollTo(0, top);
        if (document.documentElement.scrollHeight - window.innerHeight >= top) stop();
    }

    function stop(): void {
        observer.disconnect();
        clearTimeout(timer);
        for (const action of actions) window.removeEventListener(action, stop);
    }

    for (const action of actions) window.addEventListener(action, stop, { passive: true });
    observer.observe(document.body);
    attempt();
    return stop;
}
