/** Games without a server. Loaded when they are first needed. */
export * from "./library";
export { DeviceTable } from "./table";
