/** Short sounds, synthesised in the browser: wood, stone and a bell. No files are fetched. */
import type { Effect, TribeName } from "./client";
import { settings } from "./settings.svelte";

interface Tone {
    /** The pitch at the start and at the end, in hertz. */
    from: number;
    to?: number;
    /** When the tone starts and how long it lasts, in seconds. */
    at?: number;
    length: number;
    /** The volume, from 0 to 1. */
    loud: number;
    shape?: OscillatorType;
}

const SOUNDS = {
    step: [{ from: 240, to: 120, length: 0.09, loud: 0.5, shape: "triangle" }],
    jump: [
        { from: 260, to: 420, length: 0.1, loud: 0.3, shape: "triangle" },
        { from: 230, to: 110, at: 0.14, length: 0.1, loud: 0.5, shape: "triangle" },
    ],
    flip: [{ from: 900, to: 500, length: 0.04, loud: 0.15, shape: "triangle" }],
    wake: [
        { from: 523, length: 0.5, loud: 0.16 },
        { from: 784, at: 0.05, length: 0.5, loud: 0.1 },
    ],
    home: [{ from: 330, to: 140, length: 0.28, loud: 0.3, shape: "sine" }],
    stone: [
        { from: 95, to: 60, length: 0.22, loud: 0.9, shape: "triangle" },
        { from: 190, to: 110, length: 0.1, loud: 0.3, shape: "square" },
    ],
    drawTile: [{ from: 660, to: 880, length: 0.12, loud: 0.14 }],
    turn: [
        { from: 587, length: 0.35, loud: 0.2 },
        { from: 880, at: 0.12, length: 0.5, loud: 0.18 },
    ],
    offer: [
        { from: 494, length: 0.22, loud: 0.2, shape: "triangle" },
        { from: 494, at: 0.18, length: 0.22, loud: 0.2, shape: "triangle" },
        { from: 659, at: 0.36, length: 0.4, loud: 0.2, shape: "triangle" },
    ],
    chat: [
        { from: 740, to: 620, length: 0.07, loud: 0.2 },
        { from: 880, to: 760, at: 0.08, length: 0.09, loud: 0.18 },
    ],
    lowTime: [
        { from: 1047, length: 0.08, loud: 0.25, shape: "triangle" },
        { from: 1047, at: 0.16, length: 0.08, loud: 0.25, shape: "triangle" },
        { from: 1047, at: 0.32, length: 0.08, loud: 0.25, shape: "triangle" },
    ],
    refuse: [{ from: 150, to: 130, length: 0.1, loud: 0.25, shape: "sine" }],
    win: [
        { from: 392, length: 0.5, loud: 0.2 },
        { from: 494, at: 0.14, length: 0.5, loud: 0.2 },
        { from: 587, at: 0.28, length: 0.9, loud: 0.22 },
    ],
    lose: [
        { from: 330, length: 0.5, loud: 0.18 },
        { from: 262, at: 0.2, length: 0.8, loud: 0.18 },
    ],
    drawnGame: [
        { from: 392, length: 0.5, loud: 0.18 },
        { from: 392, at: 0.2, length: 0.8, loud: 0.18 },
    ],
} satisfies Record<string, Tone[]>;

export type Sound = keyof typeof SOUNDS;

/** The longest acceptable delay of a sound, in milliseconds. A later sound would not match the screen. */
const LATEST = 200;
/** The gain at full volume. */
const LOUDEST = 0.5;

let context: AudioContext | undefined;

/** Play a sound, if sounds are on and the browser allows it. */
export function sound(name: Sound): void {
    if (!settings.sound || settings.volume === 0 || typeof AudioContext === "undefined") return;
    try {
        const audio = (context ??= new AudioContext());
        const start = (): void => SOUNDS[name].forEach((tone) => play(audio, tone));
        if (audio.state === "running") start();
        else resume(audio, start);
    } catch {
        // No sound card or too many contexts. The game continues without sounds.
    }
}

/**
 * Resume a suspended context, and start a sound only if the context resumes right away. Browsers suspend audio until
 * the visitor clicks. Meanwhile, the context's clock does not advance, so all sounds scheduled on it would play
 * together later.
 */
function resume(audio: AudioContext, start: () => void): void {
    const asked = Date.now();
    audio.resume().then(
        () => Date.now() - asked <= LATEST && start(),
        () => undefined,
    );
}

function play(audio: AudioContext, { from, to = from, at = 0, length, loud, shape = "sine" }: Tone): void {
    const start = audio.currentTime + at;
    const oscillator = audio.createOscillator();
    const gain = audio.createGain();
    oscillator.type = shape;
    oscillator.frequency.setValueAtTime(from, start);
    oscillator.frequency.exponentialRampToValueAtTime(to, start + length);
    gain.gain.setValueAtTime(0.0001, start);
    gain.gain.exponentialRampToValueAtTime((loud * LOUDEST * settings.volume) / 100, start + 0.008);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
    oscillator.connect(gain).connect(audio.destination);
    oscillator.start(start);
    oscillator.stop(start + length + 0.02);
}

/** The sound of an effect; `null` if the effect is silent. */
export function soundOf(effect: Effect): Sound | null {
    switch (effect.kind) {
        case "moved":
        case "left":
            return effect.way === "jump" ? "jump" : "step";
        case "added":
        case "shamans-swapped":
            return "step";
        case "flipped":
            return "flip";
        case "activated":
            return effect.result === "nothing" ? null : "wake";
        case "banished":
            return "home";
        case "built":
        case "replaced":
        case "megalith-moved":
        case "megaliths-swapped":
            return "stone";
        case "drawn":
            return "drawTile";
        default:
            return null;
    }
}

/** The sound at the end of a game. `people` are the tribes played by people at this screen. */
export function endSound(winner: TribeName | null, people: readonly TribeName[]): Sound {
    if (!winner) return "drawnGame";
    return people.length === 1 && winner !== people[0] ? "lose" : "win";
}
