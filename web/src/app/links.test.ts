import { expect, test } from "vitest";

const components = import.meta.glob<string>("../**/*.svelte", { eager: true, query: "?raw", import: "default" });

test("every link to a page uses href(), so that it also works on a static site", () => {
    const plain = Object.entries(components).flatMap(([path, text]) =>
        [...text.matchAll(/href=(?:"|\{\s*["'`])\/.*/g)].map(([link]) => `${path}: ${link}`),
    );
    expect(Object.keys(components).length).toBeGreaterThan(50);
    expect(plain).toEqual([]);
});
