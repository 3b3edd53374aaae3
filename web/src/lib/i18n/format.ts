/**
 * Implements the part of ICU MessageFormat that our messages use: arguments, `select`, and `plural` with `=n` and `#`.
 * A complete implementation would be larger than the rest of the home page's script. Tests compare the results with
 * those of a complete implementation and of `src/cairn/messages/format.py`, which the command line uses.
 */
type Values = Readonly<Record<string, unknown>>;

type Part =
    | string
    | { kind: "argument" | "number"; name: string }
    | { kind: "select" | "plural"; name: string; options: Readonly<Record<string, readonly Part[]>> };

/** Cache a formatter for each language, because formatters are slow to create. */
function once<Thing>(make: (language: string) => Thing): (language: string) => Thing {
    const made = new Map<string, Thing>();
    return (language) => {
        const found = made.get(language) ?? make(language);
        made.set(language, found);
        return found;
    };
}

const rulesOf = once((language) => new Intl.PluralRules(language));
const numbersOf = once((language) => new Intl.NumberFormat(language));

/** Format a number for a language. Small numbers look the same in all our languages. */
function formatNumber(value: unknown, language: string): string {
    const number = Number(value);
    return Number.isInteger(number) && number >= 0 && number < 1000
        ? String(number)
        : numbersOf(language).format(number);
}

/** Parse a message once, so that it can be formatted many times. */
export function compile(message: string, language: string): (values: Values) => string {
    const parts = new Reader(message).parts(null);
    const fill = (some: readonly Part[], values: Values): string => some.map((part) => one(part, values)).join("");

    function one(part: Part, values: Values): string {
        if (typeof part === "string") return part;
        const value = values[part.name];
        if (!("options" in part)) {
            return part.kind === "number" ? formatNumber(value, language) : String(value ?? "");
        }
        const { options } = part;
        const chosen =
            part.kind === "select"
                ? options[String(value)]
                : (options[`=${String(value)}`] ?? options[rulesOf(language).select(Number(value))]);
        return fill(chosen ?? options.other ?? [], values);
    }

    return (values) => fill(parts, values);
}

class Reader {
    #at = 0;
    readonly text: string;

    constructor(text: string) {
        this.text = text;
    }

    /** Parse everything up to the end or the closing brace. `counted` is the argument that # stands for. */
    parts(counted: string | null): Part[] {
        const found: Part[] = [];
        let words = "";
        while (this.#at < this.text.length && this.text[this.#at] !== "}") {
            const sign = this.text[this.#at];
            if (sign === "{" || (sign === "#" && counted)) {
                if (words) found.push(words);
                words = "";
                this.#at += 1;
                found.push(sign === "{" ? this.#argument(counted) : { kind: "number", name: counted ?? "" });
            } else {
                words += sign;
                this.#at += 1;
            }
        }
        if (words) found.push(words);
        return found;
    }

    #argument(counted: string | null): Part {
        const name = this.#word(/[^,}]/);
        if (this.#next("}")) return { kind: "argument", name };
        this.#expect(",");
        const kind = this.#word(/[^,}]/);
        if (kind !== "select" && kind !== "plural") throw new SyntaxError(`unknown argument type: ${kind}`);
        this.#expect(",");
        const options: Record<string, Part[]> = {};
        while (!this.#next("}")) {
            const key = this.#word(/[^{}\s]/);
            this.#expect("{");
            options[key] = this.parts(kind === "plural" ? name : counted);
            this.#expect("}");
        }
        return { kind, name, options };
    }

    #word(sign: RegExp): string {
        let word = "";
        while (this.#at < this.text.length && sign.test(this.text[this.#at] ?? "")) word += this.text[this.#at++];
        while (/\s/.test(this.text[this.#at] ?? "")) this.#at += 1;
        return word.trim();
    }

    #next(sign: string): boolean {
        while (/\s/.test(this.text[this.#at] ?? "")) this.#at += 1;
        if (this.text[this.#at] !== sign) return false;
        this.#at += 1;
        return true;
    }

    #expect(sign: string): void {
        if (!this.#next(sign)) throw new SyntaxError(`expected ${sign} at index ${this.#at} of: ${this.text}`);
        // Ignore spaces after a comma. Spaces inside an option are part of the text.
        if (sign === ",") while (/\s/.test(this.text[this.#at] ?? "")) this.#at += 1;
    }
}
