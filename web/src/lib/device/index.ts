/** Games without a server. This code is loaded when it is first needed. */
export * from "./library";
export { DeviceTable } from "./table";
