import { describe, expect, test } from "vitest";

import type { Line, Step } from "../../lib/client";
import { expectationOf } from "./expectation";
import { lineFrom, StudyTree, tokensTo, type StudyNode } from "./tree.svelte";
import { notesOf, parseVariation, treeOf, type Note } from "./variations";

const step = (token: string): Step => ({ token }) as Step;

function add(tree: StudyTree, parent: StudyNode, ...tokens: string[]): StudyNode {
    return tree.add(parent, tokens.map(step));
}

/** The node that one reaches by following these children. */
function at(tree: StudyTree, ...indices: number[]): StudyNode {
    return indices.reduce((node, index) => node.children[index] ?? node, tree.root);
}

/** A study in which every token is legal, except `illegal`. */
const study = (position: string, tokens: readonly string[]): Promise<Line> =>
    tokens.includes("illegal")
        ? Promise.reject(new Error("not legal"))
        : Promise.resolve({ start: position, steps: tokens.map(step), now: {} } as Line);

/** The tree as text: each node with its variations. */
function text(node: StudyNode): string {
    const own = `${node.token}${node.mark === null ? "" : `$${node.mark}`}${node.comment ? `[${node.comment}]` : ""}`;
    return [own, ...node.children.map((child) => `<${text(child)}>`)].join("");
}

function sample(): StudyTree {
    const tree = new StudyTree("start");
    const b = add(tree, tree.root, "a", "b");
    add(tree, b, "c", "d");
    const e = add(tree, at(tree, 0), "e");
    e.mark = 2;
    e.comment = "why not ] or \\ here";
    add(tree, e, "f", "g");
    add(tree, e, "h");
    b.comment = "a plain comment";
    b.mark = 1;
    add(tree, tree.root, "i");
    return tree;
}

describe("a tree", () => {
    test("keeps steps that exist already, and adds variations after them", () => {
        const tree = sample();
        expect(lineFrom(tree.root).map(({ token }) => token)).toEqual(["", "a", "b", "c", "d"]);
        expect(add(tree, tree.root, "a", "b")).toBe(at(tree, 0, 0));
        expect(tree.root.children.map(({ token }) => token)).toEqual(["a", "i"]);
    });

    test("can lose a variation, or make it the main line", () => {
        const tree = sample();
        const g = at(tree, 0, 1, 0, 0);
        tree.promote(g);
        expect(tree.mainLine().map(({ token }) => token)).toEqual(["a", "e", "f", "g"]);
        expect(tree.remove(at(tree, 0))).toBe(tree.root);
        expect(tree.mainLine().map(({ token }) => token)).toEqual(["i"]);
        expect(tokensTo(g)).toEqual(["a", "e", "f", "g"]);
    });
});

describe("variations in a record", () => {
    test("are comments that programs without variations can skip", () => {
        expect(notesOf(sample())).toEqual([
            { token: 0, marks: [], comments: ["(i)"] },
            { token: 1, marks: [1], comments: ["a plain comment", "(e $2 [why not \\] or \\\\ here] f (h) g)"] },
        ]);
    });

    test("are the same after writing and reading", async () => {
        const tree = sample();
        const notes = notesOf(tree);
        const again = await treeOf(study, { position: "start", tokens: ["a", "b", "c", "d"], notes });
        expect(text(again.root)).toBe(text(tree.root));
        expect(notesOf(again)).toEqual(notes);
    });

    test("that are not legal, or not variations, remain comments", async () => {
        const kept = ["(illegal)", "(a (illegal))", "(", "()", "(a", "a)", "(a) b", "($1)", "([x])", "(a [x)", "no"];
        const notes: Note[] = [{ token: 0, marks: [], comments: kept }];
        const tree = await treeOf(study, { position: "start", tokens: ["m"], notes });
        expect(tree.root.children).toHaveLength(1);
        expect(at(tree, 0).comment).toBe(kept.join(" "));
    });

    test("cannot contain a closing brace", () => {
        const tree = new StudyTree("start");
        add(tree, tree.root, "a").comment = "an odd } comment";
        expect(notesOf(tree)[0]?.comments).toEqual(["an odd ) comment"]);
    });

    test("nest", () => {
        expect(parseVariation("(a (b [x y] c (d)) $3 e)")).toMatchObject([
            {
                token: "a",
                mark: 3,
                variations: [
                    [
                        { token: "b", comment: "x y" },
                        { token: "c", variations: [[{ token: "d" }]] },
                    ],
                ],
            },
            { token: "e" },
        ]);
    });
});

test("a score is Forest's expectation, and a proof says who wins and when", () => {
    expect(expectationOf(0, "sea")).toEqual({ forest: 0.5, proven: null });
    expect(expectationOf(150, "forest").forest).toBeCloseTo(0.909, 3);
    expect(expectationOf(150, "sea").forest).toBeCloseTo(0.091, 3);
    expect(expectationOf(29_997, "sea")).toEqual({ forest: 0, proven: { winner: "sea", turns: 3 } });
    expect(expectationOf(-29_998, "sea")).toEqual({ forest: 1, proven: { winner: "forest", turns: 2 } });
});
