/**
 * Variations in records. A comment such as `{(b1-b2 [quieter] a5-b4 $2 (c5-c4))}` contains a variation: other steps
 * instead of the one before the comment. Programs that do not know variations read it as a comment. docs/notation.md
 * describes the format.
 */
import type { Line } from "../../lib/client";
import { StudyTree, tokensTo, type StudyNode } from "./tree.svelte";

/** The comments and marks after a token of the main line, as the core reads and writes them. */
export interface Note {
    token: number;
    marks: number[];
    comments: string[];
}

/** A step of a variation, and the variations that could have been played instead of it. */
export interface WrittenStep {
    token: string;
    mark: number | null;
    comment: string;
    variations: WrittenStep[][];
}

type Study = (position: string, tokens: readonly string[]) => Promise<Line>;

/** The notes for the record of a tree's main line. */
export function notesOf(tree: StudyTree): Note[] {
    return tree.mainLine().flatMap((node, token) => {
        const others = node.parent?.children.slice(1) ?? [];
        const comments = [
            ...(node.comment ? [withoutBraces(node.comment)] : []),
            ...others.map((other) => `(${written(other)})`),
        ];
        const marks = node.mark === null ? [] : [node.mark];
        return comments.length > 0 || marks.length > 0 ? [{ token, marks, comments }] : [];
    });
}

function written(node: StudyNode): string {
    const words = [node.token];
    if (node.mark !== null) words.push(`$${node.mark}`);
    if (node.comment) words.push(`[${withoutBraces(node.comment).replaceAll(/[\\\]]/g, "\\$&")}]`);
    const [next, ...others] = node.children;
    if (next) {
        const [token, ...rest] = split(written(next));
        words.push(token, ...others.map((other) => `(${written(other)})`), ...rest);
    }
    return words.join(" ");
}

/** Split a written line after its first token with the mark and comment. */
function split(line: string): [string, ...string[]] {
    const first = /^\S+(?: \$\d+)?(?: \[(?:[^\\\]]|\\.)*\])?/s.exec(line)?.[0] ?? line;
    const rest = line.slice(first.length).trim();
    return rest ? [first, rest] : [first];
}

/** A comment in a record cannot contain a closing brace. */
function withoutBraces(text: string): string {
    return text.replaceAll("}", ")").trim();
}

const WORD = /\s*(?:(\$\d{1,3})|\[((?:[^\\\]]|\\.)*)\]|([()])|([^\s()[\]{}$]+))/sy;

/** The variation in a comment; `null` if the comment does not contain one. */
export function parseVariation(comment: string): WrittenStep[] | null {
    const text = comment.trim();
    if (!text.startsWith("(") || !text.endsWith(")")) return null;
    const stack: WrittenStep[][] = [];
    let found: WrittenStep[] | null = null;
    WORD.lastIndex = 0;
    while (WORD.lastIndex < text.length) {
        const match = WORD.exec(text);
        if (!match || found) return null;
        const [, mark, note, bracket, token] = match;
        const line = stack.at(-1);
        const last = line?.at(-1);
        if (bracket === "(") {
            const variation: WrittenStep[] = [];
            if (line && !last) return null;
            last?.variations.push(variation);
            stack.push(variation);
        } else if (bracket === ")") {
            const ended = stack.pop();
            if (!ended || ended.length === 0) return null;
            if (stack.length === 0) found = ended;
        } else if (token !== undefined) {
            line?.push({ token, mark: null, comment: "", variations: [] });
        } else if (!last) return null;
        else if (mark !== undefined) last.mark = Number(mark.slice(1));
        else last.comment = (note ?? "").replaceAll(/\\(.)/gs, "$1");
    }
    return found;
}

/** The tree of a record. The core replays the main line and all variations. */
export async function treeOf(
    study: Study,
    { position, tokens, notes }: { position: string; tokens: readonly string[]; notes: readonly Note[] },
): Promise<StudyTree> {
    const { start, steps, now } = await study(position, tokens);
    const tree = new StudyTree(start);
    const end = tree.add(tree.root, steps);
    end.moment = now;
    const main = tree.mainLine();
    for (const { token, marks, comments } of notes) {
        const node = main[token];
        if (!node?.parent) continue;
        node.mark = marks[0] ?? null;
        const texts: string[] = [];
        for (const comment of comments) {
            const variation = parseVariation(comment);
            if (!variation || !(await add(study, tree, node.parent, variation))) texts.push(comment);
        }
        node.comment = texts.join(" ");
    }
    return tree;
}

/** Add a variation, if it and all variations inside it are legal. Returns whether it was added. */
async function add(
    study: Study,
    tree: StudyTree,
    parent: StudyNode,
    variation: readonly WrittenStep[],
): Promise<boolean> {
    const before = tokensTo(parent);
    const lines = new Map<readonly WrittenStep[], Line>();
    if (!(await replay(study, tree.start, before, variation, lines))) return false;
    const insert = (at: StudyNode, some: readonly WrittenStep[]): void => {
        const steps = lines.get(some)?.steps.slice(tokensTo(at).length) ?? [];
        let node = at;
        for (const [index, { mark, comment, variations }] of some.entries()) {
            const previous = node;
            node = tree.add(node, steps.slice(index, index + 1));
            node.mark = mark;
            node.comment = comment;
            for (const other of variations) insert(previous, other);
        }
    };
    insert(parent, variation);
    return true;
}

/** Replay a variation and the variations inside it. Returns whether all of them are legal. */
async function replay(
    study: Study,
    start: string,
    before: readonly string[],
    variation: readonly WrittenStep[],
    lines: Map<readonly WrittenStep[], Line>,
): Promise<boolean> {
    const tokens = variation.map(({ token }) => token);
    try {
        lines.set(variation, await study(start, [...before, ...tokens]));
    } catch {
        return false;
    }
    for (const [index, { variations }] of variation.entries()) {
        for (const other of variations) {
            if (!(await replay(study, start, [...before, ...tokens.slice(0, index)], other, lines))) return false;
        }
    }
    return true;
}
