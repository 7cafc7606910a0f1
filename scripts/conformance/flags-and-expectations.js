// Converts a check to the flags of its command and to the fields that must be read back.

/** @typedef {import("./run-checks.js").Check} Check */
/** @typedef {import("./run-checks.js").RunState} RunState */
/** @typedef {import("./run-checks.js").CreatedRecord} CreatedRecord */
/** @typedef {import("./compare-fields.js").ExpectedFields} ExpectedFields */

/**
 * The fields that must be read back after a write: the values of earlier writes, replaced by the values of this write.
 * @param {Check} check
 * @param {RunState} state
 * @param {ExpectedFields} earlierFields
 * @returns {ExpectedFields}
 */
export function mergeExpectedFields({ fields = {}, links = {}, expectedFields = {} }, state, earlierFields) {
  const linkedIds = Object.entries(links).map(([field, names]) => [field, names.map((name) => parseLink(name, state).record.id)]);
  return { ...earlierFields, ...fields, ...Object.fromEntries(linkedIds), ...expectedFields };
}

/**
 * The flags of a create or update command.
 * @param {Check} check
 * @param {RunState} state
 */
export function formatFlags({ fields = {}, links = {}, args = [] }, state) {
  const fieldFlags = Object.entries(fields).map(([field, value]) => {
    const flag = field.replaceAll("_", "-");
    return value === true ? `--${flag}` : value === false ? `--no-${flag}` : `--${flag}=${value}`;
  });
  return [...fieldFlags, ...Object.entries(links).flatMap(([field, names]) => formatLinkFlags(field, names, state)), ...args];
}

/**
 * @param {string} field
 * @param {readonly string[]} links
 * @param {RunState} state
 */
export function formatLinkFlags(field, links, state) {
  return links.map((link) => {
    const { refType, record } = parseLink(link, state);
    return `--${field}=${{ id: record.id, slug: `slug:${record.slug}`, name: `name:${findName(record)}` }[refType]}`;
  });
}

/**
 * @param {string} link `venue`, `slug:venue` or `name:venue`
 * @param {RunState} state
 * @returns {{ refType: "id" | "slug" | "name", record: CreatedRecord }}
 */
function parseLink(link, state) {
  const refType = link.startsWith("slug:") ? "slug" : link.startsWith("name:") ? "name" : "id";
  return { refType, record: findRecord({ name: link, recordKey: link.replace(/^\w+:/, "") }, state) };
}

/** @param {CreatedRecord} record */
function findName({ expectedFields }) {
  const { title, name, venue, organizer } = expectedFields;
  return String(title ?? name ?? venue ?? organizer);
}

/**
 * The created record with the key of a check. Throws if it does not exist.
 * @param {Pick<Check, "recordKey" | "name">} check
 * @param {RunState} state
 * @returns {CreatedRecord}
 */
export function findRecord({ recordKey = "", name }, state) {
  const record = state.createdRecords.get(recordKey);
  if (record === undefined) throw new Error(`the table of checks is wrong: ${name} uses ${recordKey}, which nothing makes`);
  return record;
}

/**
 * The argument that refers to a record.
 * @param {Check} check
 * @param {CreatedRecord} record
 */
export function formatRef({ refType = "id" }, record) {
  return refType === "id" ? `id:${record.id}` : `slug:${record.slug}`;
}

/**
 * The record in the output of a command; an empty object if there is none.
 * @param {unknown} value
 * @returns {Record<string, unknown>}
 */
export function parseRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
