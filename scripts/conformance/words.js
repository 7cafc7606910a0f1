// From a check to the arguments of its command, and to what must be read back.

/** @typedef {import("./walk.js").Check} Check */
/** @typedef {import("./walk.js").Ledger} Ledger */
/** @typedef {import("./walk.js").Made} Made */

/**
 * What must be read back after a write: all that was written before, with what is written now.
 * @param {Check} check
 * @param {Ledger} ledger
 * @param {import("./compare.js").Expected} earlier
 * @returns {import("./compare.js").Expected}
 */
export function expectedOf({ fields = {}, links = {}, expect = {} }, ledger, earlier) {
  const linked = Object.entries(links).map(([field, names]) => [field, names.map((name) => named(name, ledger).made.id)]);
  return { ...earlier, ...fields, ...Object.fromEntries(linked), ...expect };
}

/**
 * The flags of a write.
 * @param {Check} check
 * @param {Ledger} ledger
 */
export function flagsOf({ fields = {}, links = {}, args = [] }, ledger) {
  const written = Object.entries(fields).map(([field, value]) => {
    const flag = field.replaceAll("_", "-");
    return value === true ? `--${flag}` : value === false ? `--no-${flag}` : `--${flag}=${value}`;
  });
  return [...written, ...Object.entries(links).flatMap(([field, names]) => linkFlags(field, names, ledger)), ...args];
}

/**
 * The flags that name linked records.
 * @param {string} field
 * @param {readonly string[]} names
 * @param {Ledger} ledger
 */
export function linkFlags(field, names, ledger) {
  return names.map((name) => {
    const { by, made } = named(name, ledger);
    return `--${field}=${{ id: made.id, slug: `slug:${made.slug}`, name: `name:${nameOf(made)}` }[by]}`;
  });
}

/**
 * @param {string} link `venue`, `slug:venue` or `name:venue`
 * @param {Ledger} ledger
 * @returns {{ by: "id" | "slug" | "name", made: Made }}
 */
function named(link, ledger) {
  const by = link.startsWith("slug:") ? "slug" : link.startsWith("name:") ? "name" : "id";
  return { by, made: madeFor({ name: link, record: link.replace(/^\w+:/, "") }, ledger) };
}

/** @param {Made} made */
function nameOf({ expected }) {
  return String(expected["title"] ?? expected["name"] ?? expected["venue"] ?? expected["organizer"]);
}

/**
 * The record that a check is about.
 * @param {Pick<Check, "record" | "name">} check
 * @param {Ledger} ledger
 * @returns {Made}
 */
export function madeFor({ record = "", name }, ledger) {
  const made = ledger.made.get(record);
  if (made === undefined) throw new Error(`the table of checks is wrong: ${name} uses ${record}, which nothing makes`);
  return made;
}

/**
 * How a check points at its record.
 * @param {Check} check
 * @param {Made} made
 */
export function refOf({ by = "id" }, made) {
  return by === "id" ? `id:${made.id}` : `slug:${made.slug}`;
}

/**
 * A record out of an answer; an empty one where it holds none.
 * @param {unknown} value
 * @returns {Record<string, unknown>}
 */
export function recordOf(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
