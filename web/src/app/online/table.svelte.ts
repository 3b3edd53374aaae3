/** Everything around an online game: presence, chat, rematch offers and muted players. */
import type { TribeName } from "../../lib/client";
import { me } from "../../lib/me.svelte";
import type { ChatLine, Players } from "../../lib/online";
import { sound } from "../../lib/sound";
import type { TableChannel, TableEvent } from "../../lib/source";
import { localStore, readJson, writeJson } from "../../lib/storage";

const MUTED = "cairn.muted";
const MOST_MUTED = 200;

export class OnlineTable {
    readonly id: string;
    readonly channel: TableChannel;
    #unlisten: (() => void) | undefined;
    #chatFetched = false;

    /** Which players are present, and how many people are watching; `null` until this is known. */
    presence = $state.raw<{ forest: boolean; sea: boolean; watchers: number | null } | null>(null);
    lines = $state.raw<readonly ChatLine[]>([]);
    /** How many lines have been read. */
    read = $state(0);
    /** Text that has been typed but not sent. */
    draft = $state("");
    /** The rematch offer. */
    rematch = $state.raw<{ challenge: string; by: TribeName } | null>(null);
    /** Whether this player is withdrawing an offer, so that its end is not reported as the other player's answer. */
    withdrawing = false;
    /** The round-trip time to the server, in milliseconds. */
    lag = $state<number | null>(null);
    /** Players whose messages are hidden in this browser. */
    muted = $state.raw<readonly string[]>(loadMuted());
    /** When each absent player left, according to this device's clock. */
    away = $state.raw<Partial<Record<TribeName, number>>>({});

    /** The lines to show, without the lines of muted players. */
    readonly visibleLines: readonly ChatLine[] = $derived(
        this.lines.filter((line) => !this.muted.includes(line.by.id)),
    );
    readonly unread: number = $derived(Math.max(0, this.visibleLines.length - this.read));

    constructor(id: string, channel: TableChannel) {
        this.id = id;
        this.channel = channel;
    }

    start(): void {
        this.#unlisten = this.channel.listen((event) => this.#handle(event));
    }

    stop(): void {
        this.#unlisten?.();
    }

    /** Whether a player is present. */
    isHere(tribe: TribeName, players: Players): boolean {
        return this.presence?.[tribe] ?? players[tribe].online;
    }

    /** How long a player has been away, in milliseconds; `undefined` if the player is present. */
    awayFor(tribe: TribeName): number | undefined {
        const since = this.away[tribe];
        return since === undefined ? undefined : Date.now() - since;
    }

    mute(player: string, muted: boolean): void {
        const others = this.muted.filter((each) => each !== player);
        this.muted = muted ? [...others, player] : others;
        writeJson(localStore, MUTED, this.muted.slice(-MOST_MUTED));
    }

    /** Fetch the lines that were written before the connection was opened. */
    async #fetchChat(): Promise<void> {
        try {
            const lines = await this.channel.chat();
            const newer = this.lines.filter(({ number }) => !lines.some((line) => line.number === number));
            this.lines = [...lines, ...newer];
            // Lines that were written before the page was opened count as read.
            if (!this.#chatFetched) this.read = this.visibleLines.length;
            this.#chatFetched = true;
        } catch {
            // The next connection retries.
        }
    }

    #handle(event: TableEvent): void {
        switch (event.type) {
            case "connected":
                void this.#fetchChat();
                break;
            case "presence":
                this.#attend(event);
                break;
            case "chat":
                if (this.lines.some(({ number }) => number === event.line.number)) break;
                this.lines = [...this.lines, event.line];
                if (event.line.by.id !== me.player?.id && this.visibleLines.includes(event.line)) sound("chat");
                break;
            case "rematch":
                this.rematch = event;
                break;
            case "lag":
                this.lag = event.lag;
                break;
        }
    }

    #attend({ forest, sea, watchers }: Extract<TableEvent, { type: "presence" }>): void {
        const now = Date.now();
        if (this.presence || watchers !== undefined)
            this.presence = { forest, sea, watchers: watchers ?? this.presence?.watchers ?? null };
        this.away = {
            ...(forest ? {} : { forest: this.away.forest ?? now }),
            ...(sea ? {} : { sea: this.away.sea ?? now }),
        };
    }
}

function loadMuted(): readonly string[] {
    const found = readJson(localStore, MUTED);
    return Array.isArray(found) ? found.filter((each) => typeof each === "string") : [];
}
