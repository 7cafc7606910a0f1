// All checks of a run. Their order matters: a check can use only records that an earlier check created.
import { createDeleteChecks } from "./checks/deletes.js";
import { createEventChecks } from "./checks/events.js";
import { createListChecks } from "./checks/lists.js";
import { createPlaceChecks } from "./checks/places.js";
import { createTermChecks } from "./checks/terms.js";

/**
 * @param {string} marker letters and digits; part of every title and name that the checks write
 * @returns {import("./run-checks.js").Check[]}
 */
export function createChecks(marker) {
  return [
    { action: "request", name: "root of the interface", args: ["root"] },
    { action: "request", name: "documentation of the interface", args: ["doc"] },
    ...createTermChecks(marker),
    ...createPlaceChecks(marker),
    ...createEventChecks(marker),
    ...createListChecks(marker),
    ...createDeleteChecks(marker),
  ];
}
