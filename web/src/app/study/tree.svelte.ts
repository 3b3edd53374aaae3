/** A game with variations: a tree of steps. It contains no rules; every step comes from the core. */
import type { Moment, Step } from "../../lib/client";

export class StudyNode {
    readonly parent: StudyNode | null;
    /** The step that leads here; `null` at the start. */
    readonly step: Step | null;
    /** The moment after the step, once the core has been asked. */
    moment: Moment | null = null;
    /** The first child continues the line; the others are variations. */
    children = $state.raw<readonly StudyNode[]>([]);
    comment = $state("");
    /** A mark as in PGN, such as 1 for a good step; `null` for none. */
    mark = $state<number | null>(null);

    constructor(parent: StudyNode | null, step: Step | null) {
        this.parent = parent;
        this.step = step;
    }

    get token(): string {
        return this.step?.token ?? "";
    }
}

export class StudyTree {
    readonly start: string;
    readonly root = new StudyNode(null, null);

    constructor(start: string) {
        this.start = start;
    }

    /** Add steps that follow one another, and return the last node. Steps that exist already are kept. */
    add(parent: StudyNode, steps: readonly Step[]): StudyNode {
        let node = parent;
        for (const step of steps) {
            let next = node.children.find(({ token }) => token === step.token);
            if (!next) {
                next = new StudyNode(node, step);
                node.children = [...node.children, next];
            }
            node = next;
        }
        return node;
    }

    /** Delete a node and everything after it. Returns the node before it. */
    remove(node: StudyNode): StudyNode {
        const { parent } = node;
        if (!parent) return node;
        parent.children = parent.children.filter((child) => child !== node);
        return parent;
    }

    /** Make a node, and every node that leads to it, the first child of its parent. */
    promote(node: StudyNode): void {
        for (const each of pathTo(node)) {
            const { parent } = each;
            if (parent) parent.children = [each, ...parent.children.filter((child) => child !== each)];
        }
    }

    /** The nodes of the main line, without the start. */
    mainLine(): StudyNode[] {
        return lineFrom(this.root).slice(1);
    }
}

/** The nodes from the start to a node, without the start itself. */
export function pathTo(node: StudyNode): StudyNode[] {
    const path: StudyNode[] = [];
    for (let at = node; at.parent; at = at.parent) path.unshift(at);
    return path;
}

export function tokensTo(node: StudyNode): string[] {
    return pathTo(node).map(({ token }) => token);
}

export function stepsTo(node: StudyNode): Step[] {
    return pathTo(node).flatMap(({ step }) => step ?? []);
}

/** A node and its first children, up to the end of the line. */
export function lineFrom(node: StudyNode): StudyNode[] {
    const line = [node];
    for (let next = node.children[0]; next; next = next.children[0]) line.push(next);
    return line;
}
