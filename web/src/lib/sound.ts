/** Small sounds, made here: wood, stone and a little bell. Nothing is fetched, and nothing sounds unless it is wanted. */
import type { Effect } from "./client";
import { settings } from "./settings.svelte";

/** One tone: where it begins and ends in hertz, when it starts, how long it lasts, how loud. */
interface Tone {
    from: number;
    to?: number;
    at?: number;
    length: number;
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
    draw: [{ from: 660, to: 880, length: 0.12, loud: 0.14 }],
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
} satisfies Record<string, Tone[]>;

export type Sound = keyof typeof SOUNDS;

let context: AudioContext | undefined;

/** Make a sound, if sounds are on and the browser lets us. */
export function sound(name: Sound): void {
    if (!settings.sound || typeof AudioContext === "undefined") return;
    try {
        context ??= new AudioContext();
        if (context.state === "suspended") void context.resume().catch(() => undefined);
        for (const tone of SOUNDS[name]) play(context, tone);
    } catch {
        // No sound card, or too many contexts: the game goes on in silence.
    }
}

function play(audio: AudioContext, { from, to = from, at = 0, length, loud, shape = "sine" }: Tone): void {
    const start = audio.currentTime + at;
    const oscillator = audio.createOscillator();
    const gain = audio.createGain();
    oscillator.type = shape;
    oscillator.frequency.setValueAtTime(from, start);
    oscillator.frequency.exponentialRampToValueAtTime(to, start + length);
    gain.gain.setValueAtTime(0.0001, start);
    gain.gain.exponentialRampToValueAtTime(loud * 0.35, start + 0.008);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
    oscillator.connect(gain).connect(audio.destination);
    oscillator.start(start);
    oscillator.stop(start + length + 0.02);
}

/** The sound of an effect; some make none. */
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
            return "draw";
        default:
            return null;
    }
}
