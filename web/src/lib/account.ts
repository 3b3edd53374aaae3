/** The server's API for players and accounts. */
import type { components } from "./api";
import { json, send } from "./client";

type Schemas = components["schemas"];

export type Me = Schemas["Me"];
export type PlayerView = Schemas["PlayerView"];
export type NewToken = Schemas["NewToken"];
export type TokenList = Schemas["TokenList"];
export type TokenView = Schemas["TokenView"];
export type ReportView = Schemas["ReportView"];
export type ReportList = Schemas["ReportList"];
export type DamageList = Schemas["DamageList"];
export type Traffic = Schemas["Traffic"];
export type ResetLink = Schemas["ResetLink"];
export type PlayerDetails = Schemas["PlayerDetails"];

async function done(...request: Parameters<typeof send>): Promise<void> {
    await send(...request);
}

const ofPlayer = (name: string, rest: string): string => `/admin/players/${encodeURIComponent(name)}/${rest}`;

export const accounts = {
    me: () => json<Me>("GET", "/me"),
    signUp: (name: string, password: string) => json<Me>("POST", "/account", { name, password }),
    signIn: (name: string, password: string) => json<Me>("POST", "/session", { name, password }),
    signOut: () => done("DELETE", "/session"),
    /** The URL for downloading everything that the server stores about the visitor. */
    exportAddress: "/api/account/export",
    remove: (password: string | null) => done("DELETE", "/account", { password }),
    changePassword: (old: string, password: string) => done("POST", "/account/password", { old, new: password }),
    reset: (token: string, password: string) => json<Me>("POST", `/reset/${encodeURIComponent(token)}`, { password }),
    tokens: () => json<TokenList>("GET", "/account/tokens"),
    newToken: (bot: string, label: string) => json<NewToken>("POST", "/account/tokens", { bot, label }),
    revokeToken: (id: string) => done("DELETE", `/account/tokens/${encodeURIComponent(id)}`),
};

export const administration = {
    reports: (finished: boolean, offset: number, limit: number) =>
        json<ReportList>("GET", `/admin/reports?done=${finished}&offset=${offset}&limit=${limit}`),
    damage: () => json<DamageList>("GET", "/admin/damage"),
    traffic: () => json<Traffic>("GET", "/admin/traffic"),
    finishReport: (id: number) => done("POST", `/admin/reports/${id}/done`),
    mute: (player: string, muted: boolean) => json<PlayerDetails>("POST", ofPlayer(player, "mute"), { muted }),
    resetLink: (player: string) => json<ResetLink>("POST", ofPlayer(player, "reset")),
};
