/** Computes the paths of a rating plot. */
import type { RatingPoint } from "../../lib/online";

export interface Plot {
    /** The rating line and its uncertainty band, as SVG paths. */
    line: string;
    band: string;
    /** The labels of the rating axis and their y coordinates. */
    marks: readonly { rating: number; y: number }[];
    last: { x: number; y: number };
}

/** Plot one point for each rated game, from left to right, in an area of this size. */
export function plot(
    history: readonly Pick<RatingPoint, "rating" | "deviation">[],
    width: number,
    height: number,
): Plot {
    const lows = history.map(({ rating, deviation }) => rating - deviation);
    const highs = history.map(({ rating, deviation }) => rating + deviation);
    const step = Math.max(...highs) - Math.min(...lows) > 500 ? 200 : 100;
    const low = Math.floor(Math.min(...lows) / step) * step;
    const high = Math.max(low + step, Math.ceil(Math.max(...highs) / step) * step);
    const x = (index: number): number =>
        history.length === 1 ? width / 2 : round((index / (history.length - 1)) * width);
    const y = (rating: number): number => round(height - ((rating - low) / (high - low)) * height);
    const path = (values: readonly number[]): string[] => values.map((value, index) => `${x(index)} ${y(value)}`);
    const marks = [];
    for (let rating = low; rating <= high; rating += step) marks.push({ rating, y: y(rating) });
    const last = history.length - 1;
    return {
        line: `M${path(history.map(({ rating }) => rating)).join("L")}`,
        band: `M${[...path(highs), ...path(lows).reverse()].join("L")}Z`,
        marks,
        last: { x: x(last), y: y(history[last]?.rating ?? low) },
    };
}

function round(value: number): number {
    return Math.round(value * 10) / 10;
}
