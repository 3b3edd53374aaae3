/** Computes what the clocks display. The server measures the time; nothing computed here is sent to it. */
import type { TribeName } from "../../lib/client";
import type { ClockView, Control } from "../../lib/online";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How many milliseconds a tribe has left at a given server time. */
export function remaining(clock: ClockView, tribe: TribeName, now: number): number {
    const used = clock.running === tribe ? Math.max(0, now - clock.at) : 0;
    return Math.max(0, clock[tribe] - used);
}

/** Whether less than 10% of the time is left. In a real-time game, the limit is at least 10 and at most 30 seconds. */
export function isLow(control: Control, left: number): boolean {
    if (control.kind === "correspondence") return left < (control.days * DAY) / 10;
    return left < Math.max(10 * SECOND, Math.min(30 * SECOND, control.initial / 10));
}

export type ClockText = { unit: "days"; n: number; hours: number } | { unit: "time"; text: string };

/** Format a remaining time: 4:05, 1:02:03 or 0:09.4, or in days and hours from two days on. */
export function clockText(left: number): ClockText {
    if (left >= 2 * DAY) return { unit: "days", n: Math.floor(left / DAY), hours: Math.floor((left % DAY) / HOUR) };
    if (left < 10 * SECOND) {
        const tenths = Math.floor(left / 100);
        return { unit: "time", text: `0:0${Math.floor(tenths / 10)}.${tenths % 10}` };
    }
    // Round up, as countdown clocks do.
    const seconds = Math.ceil(left / SECOND);
    const two = (number: number): string => String(number).padStart(2, "0");
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    return {
        unit: "time",
        text: hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`,
    };
}
