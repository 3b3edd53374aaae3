/** Which lessons this visitor has completed. Stored on this device only. */
import { LESSONS, type Lesson } from "./lessons";
import { storedLessons, storeLessons } from "../../lib/completedLessons";

/** Ignores lessons that no longer exist. */
function known(): readonly string[] {
    return storedLessons().filter((each) => LESSONS.some(({ id }) => id === each));
}

let completed = $state.raw(known());

export const progress = {
    /** The ids of the completed lessons. Reactive. */
    get completed(): readonly string[] {
        return completed;
    },
    /** The first lesson that is not completed, or the first lesson if all are completed. */
    get next(): Lesson | undefined {
        return LESSONS.find(({ id }) => !completed.includes(id)) ?? LESSONS[0];
    },
    complete(id: string): void {
        // Read again, because another tab may have completed a lesson in the meantime.
        completed = [...new Set([...known(), ...completed, id])];
        storeLessons(completed);
    },
};
