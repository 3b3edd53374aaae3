/** Remembers whether this browser has ever stored games. If not, the code for device games need not be loaded. */
import { localStore } from "./storage";

const STORE = "cairn.device-games";

export function hasHadDeviceGames(): boolean {
    return localStore.getItem(STORE) !== null;
}

export function noteDeviceGame(): void {
    localStore.setItem(STORE, "yes");
}
