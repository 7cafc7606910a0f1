// Runs the checks one after the other and records what they create.
import { actions } from "./actions.js";

/**
 * @typedef {"events" | "venues" | "organizers" | "categories" | "tags"} ResourceName
 */

/**
 * One check, as data.
 * @typedef {object} Check
 * @property {keyof typeof actions} action
 * @property {string} name what this check covers
 * @property {ResourceName} [resource]
 * @property {string} [recordKey] local name of the record that the check creates, reads, updates or deletes
 * @property {"id" | "slug"} [refType] how the command refers to the record; default: id
 * @property {Readonly<Record<string, string | boolean>>} [fields] values to write, by the interface's field names
 * @property {Readonly<Record<string, readonly string[]>>} [links] field: record keys, each `key`, `slug:key` or `name:key`
 * @property {import("./compare-fields.js").ExpectedFields} [expectedFields] values to read back, where they differ from the values written
 * @property {readonly string[]} [args] more arguments
 * @property {readonly string[]} [expectedRecords] keys of the records that a list must contain; it must contain no others
 */

/**
 * @typedef {object} CreatedRecord
 * @property {ResourceName} resource
 * @property {string} id
 * @property {string} slug
 * @property {import("./compare-fields.js").ExpectedFields} expectedFields everything that was written to the record so far
 * @property {boolean} isDeleted
 */

/**
 * @typedef {object} RunState
 * @property {string} marker text in the title or name of every record of this run
 * @property {Map<string, CreatedRecord>} createdRecords by record key
 * @property {{ resource: ResourceName, id: string }[]} trashedRecords deleted records that the site keeps in its trash
 * @property {boolean} hasUnknownIds a create failed, so a record with an unknown id may exist
 */

/**
 * @typedef {object} CheckResult
 * @property {string} label
 * @property {"passed" | "failed" | "skipped"} result
 * @property {readonly string[]} problems
 * @property {readonly string[]} findings
 */

/**
 * Runs the checks until the signal aborts. Skips a check if a record that it needs was not created.
 * @param {readonly Check[]} checks
 * @param {import("./program.js").Cal} cal
 * @param {RunState} state
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<CheckResult>}
 */
export async function* runChecks(checks, cal, state, signal) {
  const reported = new Set();
  for (const check of checks) {
    if (signal.aborted) return;
    const checkResult = await runCheck(check, cal, state);
    // Some warnings repeat for every command: report each only once.
    const findings = [...new Set(checkResult.findings)].filter((text) => !reported.has(text));
    for (const text of findings) reported.add(text);
    yield { ...checkResult, findings };
  }
}

/**
 * @param {Check} check
 * @param {import("./program.js").Cal} cal
 * @param {RunState} state
 * @returns {Promise<CheckResult>}
 */
async function runCheck(check, cal, state) {
  /** @type {string[]} */
  const findings = [];
  const label = formatLabel(check);
  const missing = findRequiredRecords(check).filter((key) => !state.createdRecords.has(key));
  if (missing.length > 0) return { label, result: "skipped", problems: [`was not made: ${missing.join(", ")}`], findings };
  /** @type {import("./program.js").Cal} */
  const calWithFindings = async (...args) => {
    const result = await cal(...args);
    findings.push(...result.findings);
    return result;
  };
  const problems = await actions[check.action](check, calWithFindings, state);
  return { label, result: problems.length === 0 ? "passed" : "failed", problems, findings };
}

/**
 * The keys of the records that must exist before the check runs.
 * @param {Check} check
 */
function findRequiredRecords({ action, recordKey, links = {}, expectedRecords = [] }) {
  const linked = Object.values(links).flatMap((names) => names.map((link) => link.replace(/^\w+:/, "")));
  return [...new Set([...linked, ...expectedRecords, ...(recordKey === undefined || action === "create" ? [] : [recordKey])])];
}

/** @param {Check} check */
function formatLabel({ resource, action, refType, name }) {
  const verb = action === "request" ? "" : action;
  return `${[resource, verb, refType === undefined ? "" : `by ${refType}`].filter(Boolean).join(" ") || "cal"}: ${name}`;
}
