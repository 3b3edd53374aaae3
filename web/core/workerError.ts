/** One of the core's files could not be loaded: its module or the script of a worker. */
export class MissingFile extends Error {}

/** Why a worker failed. The browser gives no message if it could not load the worker's script. */
export function workerError({ message }: Partial<ErrorEvent>): Error {
    return message ? new Error(message) : new MissingFile("cannot load a worker's script");
}

/** Lets the worker fail, so that the page receives an error event. For errors that were caught in a promise. */
export function failWorker(error: unknown): void {
    setTimeout(() => {
        throw error;
    });
}
