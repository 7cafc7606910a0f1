// Deletes every record that the run created. Reports the records that could not be deleted and those in the site's trash.

/** @typedef {import("./run-checks.js").RunState} RunState */
/** @typedef {import("./run-checks.js").ResourceName} ResourceName */
/** @typedef {{ resource: ResourceName, id: string, reason: string }} DeleteFailure */

/** Events are first because they link to the other resources. */
const deletionOrder = /** @type {const} */ (["events", "venues", "organizers", "tags", "categories"]);

/** List arguments that find records with unknown ids. Some servers list private records only if the request asks for them. */
const searchArgs = {
  events: [["--all-dates"], ["--all-dates", "--status", "private"]],
  venues: [[], ["--status", "private"]],
  organizers: [[], ["--status", "private"]],
  tags: [["--include-empty"]],
  categories: [["--include-empty"]],
};

/**
 * Deletes the created records. If some ids may be unknown, it also searches for records with the marker and deletes them.
 * @param {import("./program.js").Cal} cal
 * @param {RunState} state
 * @returns {Promise<DeleteFailure[]>}
 */
export async function deleteCreatedRecords(cal, state) {
  /** @type {DeleteFailure[]} */
  const failures = [];
  for (const resource of deletionOrder) {
    const created = [...state.createdRecords.values()].filter((record) => record.resource === resource);
    const found = state.hasUnknownIds ? await findRecordIds(cal, resource, state.marker) : [];
    if (found === undefined) failures.push({ resource, id: "of unknown id", reason: `the list can't be read; look for ${state.marker}` });
    const deleted = new Set(created.filter((record) => record.isDeleted).map(({ id }) => id));
    const ids = [...new Set([...created.map(({ id }) => id), ...(found ?? [])])].filter((id) => !deleted.has(id));
    if (ids.length > 0) failures.push(...(await deleteRecords(cal, state, resource, ids)));
  }
  return failures;
}

/**
 * The ids of the records that contain the marker; undefined if no list can be read.
 * @param {import("./program.js").Cal} cal
 * @param {ResourceName} resource
 * @param {string} marker
 * @returns {Promise<string[] | undefined>}
 */
async function findRecordIds(cal, resource, marker) {
  const results = [];
  for (const args of searchArgs[resource]) results.push((await cal([resource, "list", "--all", `--search=${marker}`, ...args])).value);
  const lists = results.filter((result) => Array.isArray(result));
  const records = lists.flat().filter((record) => JSON.stringify(record).includes(marker));
  return lists.length === 0 ? undefined : records.map(({ id }) => String(id));
}

/**
 * @param {import("./program.js").Cal} cal
 * @param {RunState} state
 * @param {ResourceName} resource
 * @param {readonly string[]} ids
 * @returns {Promise<DeleteFailure[]>}
 */
async function deleteRecords(cal, state, resource, ids) {
  const { value, problem } = await cal([resource, "delete", "-", "--yes", "--ignore-missing"], ids.join("\n"));
  if (!Array.isArray(value)) return ids.map((id) => ({ resource, id, reason: problem }));
  return value.flatMap(({ ref, ok, record, error }) => {
    if (ok && record?.status === "trash") state.trashedRecords.push({ resource, id: ref });
    return ok ? [] : [{ resource, id: ref, reason: String(error?.message) }];
  });
}

/**
 * @param {readonly DeleteFailure[]} failures
 * @param {RunState} state
 * @returns {string[]} lines
 */
export function formatCleanup(failures, { marker, trashedRecords }) {
  const trashLines = deletionOrder.flatMap((resource) => {
    const ids = trashedRecords.filter((record) => record.resource === resource).map(({ id }) => id);
    return ids.length === 0 ? [] : [`  ${resource} ${ids.join(" ")}`];
  });
  const failureLines = failures.map(({ resource, id, reason }) => `  ${resource} ${id}: ${reason}`);
  return [
    ...(failureLines.length === 0 ? [] : ["could not be deleted:", ...failureLines]),
    ...(trashLines.length === 0 ? [] : [`in the site's trash, where a search for ${marker} finds them:`, ...trashLines]),
    ...(failureLines.length + trashLines.length === 0 ? ["nothing of it is left on the site"] : []),
  ];
}
