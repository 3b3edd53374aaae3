/** Values of a review as text. The core counts in millionths of a game. */
import { language } from "../../lib/i18n";

const CERTAIN = 1_000_000;

/** A value in points, such as "0.523"; with `signed`, also its sign. */
export function points(value: number, signed = false): string {
    const format = new Intl.NumberFormat(language(), {
        minimumFractionDigits: 3,
        maximumFractionDigits: 3,
        signDisplay: signed ? "exceptZero" : "auto",
    });
    return format.format(value / CERTAIN);
}

export function percent(value: number): string {
    return new Intl.NumberFormat(language(), { style: "percent" }).format(value / CERTAIN);
}

/** A value as a share from 0 to 1, for drawing. */
export function share(value: number): number {
    return value / CERTAIN;
}
