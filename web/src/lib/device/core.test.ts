import { beforeEach, expect, test, vi } from "vitest";

import { MissingFile } from "../../../core/workerError";
import { ApiProblem } from "../client";
import { SharedCore, type DeviceCore } from "./core";

const loadModule = vi.hoisted(() => vi.fn(() => Promise.resolve({})));
vi.mock("../../../core/module", () => ({ loadModule }));
vi.mock("../../../core/gameClient", () => ({
    GameClient: class {
        isClosed = false;
        close(): void {
            this.isClosed = true;
        }
    },
}));

beforeEach(() => void vi.clearAllMocks());

const coreOf = (shared: SharedCore): Promise<DeviceCore> => shared.use((core) => Promise.resolve(core));

test("a shared core is started once", async () => {
    const shared = new SharedCore();
    const [one, other] = await Promise.all([coreOf(shared), coreOf(shared)]);
    expect(one).toBe(other);
    expect(await coreOf(shared)).toBe(one);
});

test("a core that has failed is replaced once, even if it failed between two uses", async () => {
    const shared = new SharedCore();
    const failed = await coreOf(shared);
    failed.client.close();
    const [one, other] = await Promise.all([coreOf(shared), coreOf(shared)]);
    expect(one).not.toBe(failed);
    expect(one).toBe(other);
    expect(one.client.isClosed).toBe(false);
});

test("a file that could not be loaded is reported and loaded again at the next use", async () => {
    const shared = new SharedCore();
    loadModule.mockRejectedValueOnce(new MissingFile("404"));
    await expect(coreOf(shared)).rejects.toMatchObject({ kind: "core-missing" });
    const script = shared.use(({ client }) => {
        client.close();
        return Promise.reject(new MissingFile("404"));
    });
    await expect(script).rejects.toMatchObject({ kind: "core-missing" });
    expect((await coreOf(shared)).client.isClosed).toBe(false);
});

test("an answer from the core does not replace the core", async () => {
    const shared = new SharedCore();
    const core = await coreOf(shared);
    const refusal = new ApiProblem("illegal-token", "", 409);
    await expect(shared.use(() => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(await coreOf(shared)).toBe(core);
});

test("a core that is closed while it is being started stays closed", async () => {
    const shared = new SharedCore();
    const starting = coreOf(shared);
    shared.close();
    await expect(starting).rejects.toThrow("the core is closed");
    await expect(coreOf(shared)).rejects.toThrow("the core is closed");
    expect(loadModule).toHaveBeenCalledTimes(1);
});
