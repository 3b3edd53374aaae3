/**
 * The Cairn board for any page: `mount(element, config)`. It draws a position, reports what players pick, and plays
 * effects. It contains no game rules.
 */
export type { BoardApi, Config } from "./config";
export type { Effect } from "./effects";
export type { Aim, Tag } from "./marks";
export { mount } from "./mount.svelte";
export type { Pace } from "./playback";
export { parsePosition, PositionError, writePosition } from "./position";
export type { Faces, Space, Table, TileName, Tribe } from "./position";
export type { Shape, Tone } from "./shapes";
