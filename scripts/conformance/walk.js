// Runs the checks one after the other and keeps the book of what was made.
import { verbs } from "./verbs.js";

/**
 * @typedef {"events" | "venues" | "organizers" | "categories" | "tags"} ResourceName
 */

/**
 * One check, as data. Records have names of our own; `by` says how a record is pointed at.
 * @typedef {object} Check
 * @property {keyof typeof verbs} does
 * @property {string} name what is special about it
 * @property {ResourceName} [resource]
 * @property {string} [record] the record that is made, read, changed or deleted
 * @property {"id" | "slug"} [by] id unless told
 * @property {Readonly<Record<string, string | boolean>>} [fields] what is written, by the interface's names
 * @property {Readonly<Record<string, readonly string[]>>} [links] field: records, each `name`, `slug:name` or `name:name`
 * @property {import("./compare.js").Expected} [expect] what is read back, where it is not what was written
 * @property {readonly string[]} [args] further arguments
 * @property {readonly string[]} [finds] the records that a list must hold, and no others
 */

/**
 * A record that was made.
 * @typedef {object} Made
 * @property {ResourceName} resource
 * @property {string} id
 * @property {string} slug
 * @property {import("./compare.js").Expected} expected everything that was written to it up to now
 * @property {boolean} deleted
 */

/**
 * @typedef {object} Ledger
 * @property {string} mark the word that every record of the run carries
 * @property {Map<string, Made>} made by our own names
 * @property {{ resource: ResourceName, id: string }[]} trashed what the site keeps in its trash
 * @property {boolean} unsure whether there may be records nobody told the ids of
 */

/**
 * @typedef {object} Row
 * @property {string} check
 * @property {"passed" | "failed" | "skipped"} result
 * @property {readonly string[]} problems
 * @property {readonly string[]} findings
 */

/**
 * Runs every check; what needs a record that could not be made is skipped. Ends early where it is stopped.
 * @param {readonly Check[]} checks
 * @param {import("./program.js").Cal} cal
 * @param {Ledger} ledger
 * @param {AbortSignal} stop
 * @returns {AsyncGenerator<Row>}
 */
export async function* walk(checks, cal, ledger, stop) {
  const told = new Set();
  for (const check of checks) {
    if (stop.aborted) return;
    const row = await rowOf(check, cal, ledger);
    // What is said of every call is told once.
    const findings = [...new Set(row.findings)].filter((text) => !told.has(text));
    for (const text of findings) told.add(text);
    yield { ...row, findings };
  }
}

/**
 * @param {Check} check
 * @param {import("./program.js").Cal} cal
 * @param {Ledger} ledger
 * @returns {Promise<Row>}
 */
async function rowOf(check, cal, ledger) {
  /** @type {string[]} */
  const findings = [];
  const absent = needs(check).filter((name) => !ledger.made.has(name));
  if (absent.length > 0) return { check: labelOf(check), result: "skipped", problems: [`was not made: ${absent.join(", ")}`], findings };
  /** @type {import("./program.js").Cal} */
  const watched = async (...call) => {
    const answer = await cal(...call);
    findings.push(...answer.findings);
    return answer;
  };
  const problems = await verbs[check.does](check, watched, ledger);
  return { check: labelOf(check), result: problems.length === 0 ? "passed" : "failed", problems, findings };
}

/** @param {Check} check */
function needs({ does, record, links = {}, finds = [] }) {
  const linked = Object.values(links).flatMap((names) => names.map((link) => link.replace(/^\w+:/, "")));
  return [...new Set([...linked, ...finds, ...(record === undefined || does === "create" ? [] : [record])])];
}

/** @param {Check} check */
function labelOf({ resource, does, by, name }) {
  const verb = does === "answers" ? "" : does;
  return `${[resource, verb, by === undefined ? "" : `by ${by}`].filter(Boolean).join(" ") || "cal"}: ${name}`;
}
