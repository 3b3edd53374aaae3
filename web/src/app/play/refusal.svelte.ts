/** Shows why a tap had no effect, for a few seconds. */
import { sound } from "../../lib/sound";

/** How long a refusal is shown, in milliseconds. */
const SHOWN = 4_000;

export class Refusal {
    sentence = $state<string | null>(null);
    #timer: ReturnType<typeof setTimeout> | undefined;

    show(sentence: string): void {
        this.clear();
        this.sentence = sentence;
        sound("refuse");
        this.#timer = setTimeout(() => (this.sentence = null), SHOWN);
    }

    clear(): void {
        clearTimeout(this.#timer);
        this.sentence = null;
    }
}
