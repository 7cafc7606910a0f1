// The actions of checks. Each runs a command, verifies the effect, and returns one message for each problem.
import { findDifferences } from "./compare-fields.js";
import { findRecord, formatFlags, formatLinkFlags, formatRef, mergeExpectedFields, parseRecord } from "./flags-and-expectations.js";

/** @typedef {import("./run-checks.js").Check} Check */
/** @typedef {import("./run-checks.js").RunState} RunState */
/** @typedef {import("./run-checks.js").CreatedRecord} CreatedRecord */
/** @typedef {import("./program.js").Cal} Cal */
/** @typedef {(check: Check, cal: Cal, state: RunState) => Promise<string[]>} Action */

export const actions = {
  request: sendRequest,
  create: createRecord,
  get: getRecord,
  update: updateRecord,
  list: listRecords,
  delete: deleteRecord,
};

/** @type {Action} */
async function sendRequest({ args = [] }, cal) {
  const { problem } = await cal(args);
  return problem === "" ? [] : [problem];
}

/** @type {Action} */
async function createRecord(check, cal, state) {
  const { resource = "events", recordKey = "" } = check;
  const { problem, value } = await cal([resource, "create", ...formatFlags(check, state)]);
  const response = parseRecord(value);
  const expectedFields = mergeExpectedFields(check, state, {});
  const created = { resource, id: String(response["id"]), slug: "", expectedFields, isDeleted: false };
  const stored = problem === "" ? await readRecord(check, created, cal, state) : { problem, record: {} };
  // The run may delete only records with the marker. The cleanup searches for a record that was created without a correct response.
  if (stored.problem !== "") {
    state.hasUnknownIds = true;
    return [stored.problem];
  }
  state.createdRecords.set(recordKey, { ...created, slug: String(stored.record["slug"] ?? "") });
  return mergeDifferences(findDifferences(expectedFields, response), findDifferences(expectedFields, stored.record));
}

/** @type {Action} */
async function getRecord(check, cal, state) {
  const created = findRecord(check, state);
  const { problem, record } = await readRecord(check, created, cal, state);
  return problem === "" ? findDifferences(created.expectedFields, record) : [problem];
}

/** @type {Action} */
async function updateRecord(check, cal, state) {
  const created = findRecord(check, state);
  const { problem, value } = await cal([created.resource, "update", formatRef(check, created), ...formatFlags(check, state)]);
  if (problem !== "") return [problem];
  created.expectedFields = mergeExpectedFields(check, state, created.expectedFields);
  const stored = await readRecord(check, created, cal, state);
  if (stored.problem !== "") return [stored.problem];
  created.slug = String(stored.record["slug"] ?? created.slug);
  return mergeDifferences(
    findDifferences(created.expectedFields, parseRecord(value)),
    findDifferences(created.expectedFields, stored.record),
  );
}

/** @type {Action} */
async function listRecords({ resource = "events", links = {}, expectedRecords = [], args = [] }, cal, state) {
  const filters = Object.entries(links).flatMap(([filter, names]) => formatLinkFlags(filter, names, state));
  const { problem, value } = await cal([resource, "list", ...args, ...filters]);
  if (problem !== "") return [problem];
  const records = Array.isArray(value) ? value.map(parseRecord) : [];
  const expected = expectedRecords.flatMap((key) => state.createdRecords.get(key) ?? []);
  const actualIds = records.map(({ id }) => String(id)).sort();
  const expectedIds = expected.map(({ id }) => id).sort();
  if (actualIds.join() !== expectedIds.join())
    return [`listed ${actualIds.join(" ") || "nothing"}, not ${expectedIds.join(" ") || "nothing"}`];
  return expected.flatMap(({ id, expectedFields }) => {
    const record = records.find((candidate) => String(candidate["id"]) === id) ?? {};
    return findDifferences(expectedFields, record).map((text) => `${id}: ${text}`);
  });
}

/**
 * Deletes a record, then reads it. The record must be missing or in the trash.
 * @type {Action}
 */
async function deleteRecord(check, cal, state) {
  const created = findRecord(check, state);
  const { problem } = await cal([created.resource, "delete", formatRef(check, created), "--yes"]);
  if (problem !== "") return [problem];
  const { code, value, serverCode } = await cal([created.resource, "get", `id:${created.id}`]);
  const isInTrash = parseRecord(value)["status"] === "trash" || /trash|no-longer-available/.test(serverCode);
  if (code !== 3 && !isInTrash) return [`it can still be read (exit ${code})`];
  created.isDeleted = true;
  if (isInTrash) state.trashedRecords.push({ resource: created.resource, id: created.id });
  return [];
}

/**
 * Reads a created record. It is a problem if the command fails or returns a different record.
 * @param {Check} check
 * @param {CreatedRecord} created
 * @param {Cal} cal
 * @param {RunState} state
 * @returns {Promise<{ problem: string, record: Record<string, unknown> }>}
 */
async function readRecord(check, created, cal, { marker }) {
  const ref = formatRef(check, created);
  const { problem, value } = await cal([created.resource, "get", ref]);
  const record = parseRecord(value);
  const isSameRecord = String(record["id"]) === created.id && JSON.stringify(record).includes(marker);
  if (problem !== "" || isSameRecord) return { problem, record };
  return { problem: `${ref} is another record: ${JSON.stringify(record).slice(0, 120)}`, record };
}

/**
 * Reports a difference once if the response to the write and the stored record both have it.
 * @param {string[]} inResponse
 * @param {string[]} inStored
 */
function mergeDifferences(inResponse, inStored) {
  return [...inStored, ...inResponse.filter((text) => !inStored.includes(text)).map((text) => `in the answer: ${text}`)];
}
