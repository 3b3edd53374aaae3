/** The sources of games that need no server, as one chunk. */
export { DeviceGameSource } from "./device";
export { LinkedGameSource } from "./linked";
