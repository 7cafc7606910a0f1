// Plans as files, to be looked at and carried out later, also on another machine. What is read is not trusted: anything unknown is refused.
import { readFileSync } from "node:fs";
import { writeFileAtomic } from "../atomic-file.ts";
import { type DataRecord, isRecord } from "../data-record.ts";
import { CalError, codeOf, messageOf, usageError } from "../errors.ts";
import { parseExactJson, stringifyExact } from "../http/json.ts";
import { resources } from "../model/resources.ts";
import { sanitizeLine } from "../text.ts";
import { type Change, type FieldChange, isKeyRef, operations, origins, type Plan, type SiteId, sortChanges } from "./change.ts";
import { type Keep, keepFields, keepInMemory } from "./value-store.ts";

/** Writes a plan as JSON, by a temporary file, with mode 600. Throws a CalError of kind `local`. */
export function writePlanFile(path: string, plan: Plan): void {
  try {
    writeFileAtomic(path, formatPlan(plan), { hasLock: false });
  } catch (error) {
    throw new CalError("local", `the plan can't be written to ${path}: ${codeOf(error) ?? messageOf(error)}`, {
      code: "plan-file",
      cause: error,
      hint: "--plan-out takes a file in a folder that exists",
    });
  }
}

/** As JSON, a change after the other: there can be many. */
function* formatPlan(plan: Plan): Generator<string> {
  const list = '\n  "changes": [';
  const [before, after = ""] = stringifyExact({ ...plan, changes: [] }, 2).split(list);
  yield `${before}${list}`;
  let separator = "";
  for (const change of plan.changes) {
    yield `${separator}\n    ${stringifyExact(change, 2).replaceAll("\n", "\n    ")}`;
    separator = ",";
  }
  yield `${separator === "" ? "" : "\n  "}${after}\n`;
}

/** A larger file is no plan of this program. */
const maxBytes = 256_000_000;

/**
 * Reads and checks a plan for this site, and returns its changes in the order in which they are carried out. Rejects with a usage error that
 * lists every problem.
 */
export async function readPlanFile(path: string, site: SiteId, keep: Keep = keepInMemory): Promise<Plan> {
  const plan = parsePlan(await readJson(path), site);
  if (plan.problems.length > 0) throw usageError([`${path} is not a plan that can be carried out; nothing was sent`, ...plan.problems]);
  const changes = plan.changes.map((change) => keepFields(change, keep));
  return { version: 1, site, changes: sortChanges(changes), unchanged: 0, skipped: [], conflicts: [] };
}

async function readJson(path: string): Promise<unknown> {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") throw usageError(`there is no file or folder ${path}`, "a plan is a file that --plan-out wrote");
    throw new CalError("local", `${path} can't be read: ${messageOf(error)}`, { code: "plan-file", cause: error });
  }
  if (bytes.length > maxBytes) throw usageError(`${path} is too large for a plan`);
  try {
    return await parseExactJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw usageError(`${path} is not valid JSON: ${sanitizeLine(messageOf(error))}`, "a plan is a file that --plan-out wrote");
  }
}

interface ParsedPlan {
  readonly changes: readonly Change[];
  readonly problems: readonly string[];
}

function parsePlan(value: unknown, site: SiteId): ParsedPlan {
  if (!isRecord(value) || !Array.isArray(value["changes"])) return { changes: [], problems: ["it has no list of changes"] };
  if (value["version"] !== 1)
    return { changes: [], problems: [`its version is ${stringifyExact(value["version"])}; this program knows 1`] };
  const problems: string[] = [];
  if (value["site"] !== site) problems.push(`it is for another site: ${stringifyExact(value["site"])}, and this is ${site}`);
  const list: readonly unknown[] = value["changes"];
  const conflicts: unknown = value["conflicts"];
  if (Array.isArray(conflicts) && conflicts.length > 0) problems.push(`it has ${conflicts.length} conflicts that are not decided`);
  const changes = list.flatMap((one, at) => {
    const found: string[] = [];
    const change = isRecord(one) ? parseChange(one, found) : undefined;
    if (change === undefined && found.length === 0) found.push("it is not an object");
    problems.push(...found.map((problem) => `change ${at + 1}: ${problem}`));
    return change === undefined || found.length > 0 ? [] : [change];
  });
  const keys = new Set<string>();
  let repeated: string | undefined;
  for (const { key } of changes) {
    if (keys.has(key)) repeated ??= key;
    keys.add(key);
  }
  if (repeated !== undefined) problems.push(`two changes have the key ${stringifyExact(repeated)}`);
  return { changes, problems };
}

/** The parts of a change; anything else is refused. */
const changeParts = ["op", "resource", "key", "id", "title", "read", "fields", "needs", "onlyIfUnused", "source"];

function parseChange(value: DataRecord, problems: string[]): Change | undefined {
  const { key, id, title, read, needs, onlyIfUnused, source } = value;
  const op = operations.find((one) => one === value["op"]);
  const isFile = value["resource"] === "media" && (op === "create" || op === "delete");
  const resource = Object.values(resources).find(({ name }) => name === value["resource"]);
  if (op === undefined) problems.push(`unknown operation ${stringifyExact(value["op"])}`);
  if (resource === undefined && !isFile) problems.push(`unknown resource ${stringifyExact(value["resource"])}`);
  for (const name of Object.keys(value)) if (!changeParts.includes(name)) problems.push(`unknown part ${stringifyExact(name)}`);
  if (typeof key !== "string" || key === "") problems.push("it has no key");
  if (op === "create" ? id !== undefined : typeof id !== "string" || !/^\d+$/.test(id))
    problems.push(op === "create" ? "a create must have no id" : `its id is not digits: ${stringifyExact(id)}`);
  if (title !== undefined && typeof title !== "string") problems.push('its "title" is not a text');
  if (!Array.isArray(needs) || !needs.every((one) => typeof one === "string")) problems.push('its "needs" is not a list of keys');
  if (read !== undefined && !isReadMark(read)) problems.push('its "read" has no hash');
  if (onlyIfUnused !== undefined && (onlyIfUnused !== true || op !== "delete"))
    problems.push('"onlyIfUnused" can only be true, and only in a delete');
  if (source !== undefined && !isSource(source)) problems.push('its "source" has no file');
  const list: readonly unknown[] = Array.isArray(value["fields"]) ? value["fields"] : [];
  if (!Array.isArray(value["fields"])) problems.push("it has no list of fields");
  const names = isFile ? Object.keys(fileFields) : (resource?.fields.map(({ name }) => name) ?? []);
  const fields = list.flatMap((one) => parseFieldChange(one, names, problems));
  const twice = fields.find(({ name }, at) => fields.findIndex((one) => one.name === name) !== at);
  if (twice !== undefined) problems.push(`the field ${twice.name} is there twice`);
  if (isFile && op === "create") problems.push(...findFileProblems(fields));
  const missing =
    op === "create" ? (resource?.fields.filter(({ name, required }) => required && !fields.some((one) => one.name === name)) ?? []) : [];
  for (const { name } of missing) problems.push(`a new ${resource?.singular} needs ${name}`);
  const keyRefs = fields.flatMap(({ to }) => [to].flat().filter(isKeyRef));
  for (const ref of keyRefs)
    if (!Array.isArray(needs) || !needs.includes(ref.key))
      problems.push(`it links to ${stringifyExact(ref.key)}, which its needs do not name`);
  if (op === undefined || (resource === undefined && !isFile) || typeof key !== "string" || !Array.isArray(needs)) return undefined;
  return {
    op,
    resource: resource?.name ?? "media",
    key,
    ...(typeof id === "string" ? { id } : {}),
    ...(typeof title === "string" ? { title } : {}),
    ...(isReadMark(read) ? { read } : {}),
    fields,
    needs: needs.filter((one) => typeof one === "string"),
    ...(onlyIfUnused === true ? { onlyIfUnused } : {}),
    ...(isSource(source) ? { source } : {}),
  };
}

/** The parts of an upload. Only the last may be absent. */
const fileFields: Readonly<Record<string, (value: unknown) => boolean>> = {
  file: (value) => typeof value === "string" && value !== "",
  type: (value) => typeof value === "string",
  size: (value) => typeof value === "number",
  sha256: (value) => typeof value === "string" && /^[\da-f]{64}$/.test(value),
  alt_text: (value) => value === undefined || typeof value === "string",
};

function findFileProblems(fields: readonly FieldChange[]): readonly string[] {
  return Object.entries(fileFields).flatMap(([name, isValid]) =>
    isValid(fields.find((field) => field.name === name)?.to) ? [] : [`a file needs a valid ${name}`],
  );
}

function isSource(value: unknown): value is NonNullable<Change["source"]> {
  const isAbsentOr = (type: string, one: unknown) => one === undefined || typeof one === type;
  return isRecord(value) && typeof value["file"] === "string" && isAbsentOr("number", value["line"]) && isAbsentOr("string", value["item"]);
}

function isReadMark(value: unknown): value is NonNullable<Change["read"]> {
  return isRecord(value) && typeof value["hash"] === "string" && (value["how"] === "raw" || value["how"] === "view");
}

function parseFieldChange(value: unknown, names: readonly string[], problems: string[]): readonly FieldChange[] {
  if (!isRecord(value) || !Object.hasOwn(value, "to")) {
    problems.push("one of its fields has no new value");
    return [];
  }
  const { name, from, to } = value;
  const origin = origins.find((one) => one === value["origin"]);
  if (typeof name !== "string" || !names.includes(name)) problems.push(`unknown field ${stringifyExact(name)}`);
  if (origin === undefined) problems.push(`unknown origin ${stringifyExact(value["origin"])} of ${stringifyExact(name)}`);
  return typeof name !== "string" || origin === undefined ? [] : [{ name, ...(from === undefined ? {} : { from }), to, origin }];
}
