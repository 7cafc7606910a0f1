// What a check does: a command, and what must then be true. Each answers with what is wrong, in words.
import { differences } from "./compare.js";
import { expectedOf, flagsOf, linkFlags, madeFor, recordOf, refOf } from "./words.js";

/** @typedef {import("./walk.js").Check} Check */
/** @typedef {import("./walk.js").Ledger} Ledger */
/** @typedef {import("./walk.js").Made} Made */
/** @typedef {import("./program.js").Cal} Cal */
/** @typedef {(check: Check, cal: Cal, ledger: Ledger) => Promise<string[]>} Verb */

/** The verbs by the word that a check has for them. */
export const verbs = { answers, create, get, update, list, delete: remove };

/** @type {Verb} */
async function answers({ args = [] }, cal) {
  const { problem } = await cal(args);
  return problem === "" ? [] : [problem];
}

/** @type {Verb} */
async function create(check, cal, ledger) {
  const { resource = "events", record = "" } = check;
  const { problem, value } = await cal([resource, "create", ...flagsOf(check, ledger)]);
  const answered = recordOf(value);
  const expected = expectedOf(check, ledger, {});
  const made = { resource, id: String(answered["id"]), slug: "", expected, deleted: false };
  const read = problem === "" ? await readBack(check, made, cal, ledger) : { problem, record: {} };
  // Only what carries the mark is ours to delete; whatever else was made is searched for at the end.
  if (read.problem !== "") {
    ledger.unsure = true;
    return [read.problem];
  }
  ledger.made.set(record, { ...made, slug: String(read.record["slug"] ?? "") });
  return together(differences(expected, answered), differences(expected, read.record));
}

/** @type {Verb} */
async function get(check, cal, ledger) {
  const made = madeFor(check, ledger);
  const { problem, record } = await readBack(check, made, cal, ledger);
  return problem === "" ? differences(made.expected, record) : [problem];
}

/** @type {Verb} */
async function update(check, cal, ledger) {
  const made = madeFor(check, ledger);
  const { problem, value } = await cal([made.resource, "update", refOf(check, made), ...flagsOf(check, ledger)]);
  if (problem !== "") return [problem];
  made.expected = expectedOf(check, ledger, made.expected);
  const read = await readBack(check, made, cal, ledger);
  if (read.problem !== "") return [read.problem];
  made.slug = String(read.record["slug"] ?? made.slug);
  return together(differences(made.expected, recordOf(value)), differences(made.expected, read.record));
}

/** @type {Verb} */
async function list({ resource = "events", links = {}, finds = [], args = [] }, cal, ledger) {
  const linked = Object.entries(links).flatMap(([filter, names]) => linkFlags(filter, names, ledger));
  const { problem, value } = await cal([resource, "list", ...args, ...linked]);
  if (problem !== "") return [problem];
  const records = Array.isArray(value) ? value.map(recordOf) : [];
  const wanted = finds.flatMap((name) => ledger.made.get(name) ?? []);
  const found = records.map(({ id }) => String(id)).sort();
  const ids = wanted.map(({ id }) => id).sort();
  if (found.join() !== ids.join()) return [`listed ${found.join(" ") || "nothing"}, not ${ids.join(" ") || "nothing"}`];
  return wanted.flatMap(({ id, expected }) =>
    differences(expected, records.find((one) => String(one["id"]) === id) ?? {}).map((text) => `${id}: ${text}`),
  );
}

/**
 * Deletes, and looks whether it is gone: not to be found, or answered as something in the trash.
 * @type {Verb}
 */
async function remove(check, cal, ledger) {
  const made = madeFor(check, ledger);
  const { problem } = await cal([made.resource, "delete", refOf(check, made), "--yes"]);
  if (problem !== "") return [problem];
  const { code, value, serverCode } = await cal([made.resource, "get", `id:${made.id}`]);
  const inTrash = recordOf(value)["status"] === "trash" || /trash|no-longer-available/.test(serverCode);
  if (code !== 3 && !inTrash) return [`it can still be read (exit ${code})`];
  made.deleted = true;
  if (inTrash) ledger.trashed.push({ resource: made.resource, id: made.id });
  return [];
}

/**
 * Reads a record of ours; a problem is told where it can't be read, or is another one.
 * @param {Check} check
 * @param {Made} made
 * @param {Cal} cal
 * @param {Ledger} ledger
 * @returns {Promise<{ problem: string, record: Record<string, unknown> }>}
 */
async function readBack(check, made, cal, { mark }) {
  const ref = refOf(check, made);
  const { problem, value } = await cal([made.resource, "get", ref]);
  const record = recordOf(value);
  const isOurs = String(record["id"]) === made.id && JSON.stringify(record).includes(mark);
  return { problem: problem !== "" || isOurs ? problem : `${ref} is another record: ${JSON.stringify(record).slice(0, 120)}`, record };
}

/**
 * What differs is told once where the answer to the write and the record that was read agree.
 * @param {string[]} answered
 * @param {string[]} read
 */
function together(answered, read) {
  return [...read, ...answered.filter((text) => !read.includes(text)).map((text) => `in the answer: ${text}`)];
}
