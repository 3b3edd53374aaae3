import { flushSync, mount as mountComponent, unmount } from "svelte";

import sheet from "./art.svg?raw";
import type { BoardApi, Config } from "./config";
import Mounted from "./Mounted.svelte";
import { parsePosition, type Table } from "./position";
import { installSheet } from "./sheet";
import { Stage } from "./stage.svelte";

/** Draw a board that fills an element. The element may be part of a shadow tree. */
export function mount(element: Element, config: Config): BoardApi {
    const root = element.getRootNode();
    installSheet(root instanceof ShadowRoot ? root : element.ownerDocument, sheet);
    const stage = new Stage(tableOf(config.position));
    let current = $state.raw(config);
    const component = mountComponent(Mounted, {
        target: element,
        props: {
            stage,
            get config() {
                return current;
            },
        },
    });
    flushSync();
    return {
        set(change) {
            current = { ...current, ...change };
            if (change.position !== undefined) stage.show(tableOf(change.position));
            flushSync();
        },
        play: (effects, pace = () => current.pace ?? 0) => stage.play(effects, pace),
        skip: () => stage.skip(),
        get table() {
            return stage.scene;
        },
        destroy() {
            stage.show(stage.scene);
            void unmount(component);
        },
    };
}

function tableOf(position: string | Table): Table {
    return typeof position === "string" ? parsePosition(position) : position;
}
