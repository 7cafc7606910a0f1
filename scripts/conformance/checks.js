// The table of checks, in the order in which records need each other.
import { deleteChecks } from "./checks/deletes.js";
import { eventChecks } from "./checks/events.js";
import { listChecks } from "./checks/lists.js";
import { placeChecks } from "./checks/places.js";
import { termChecks } from "./checks/terms.js";

/**
 * Every check of a run; the mark is part of every name that is written.
 * @param {string} mark one word, letters and digits
 * @returns {import("./walk.js").Check[]}
 */
export function checksFor(mark) {
  return [
    { does: "answers", name: "root of the interface", args: ["root"] },
    { does: "answers", name: "documentation of the interface", args: ["doc"] },
    ...termChecks(mark),
    ...placeChecks(mark),
    ...eventChecks(mark),
    ...listChecks(mark),
    ...deleteChecks(mark),
  ];
}
