// `cal log` and `cal log show <operation>`: what was written, and what came of it.
import type { RecordSource } from "../api/refs.ts";
import { type Change, createSiteId, formatCounts, type SiteId } from "../changes/change.ts";
import {
  appendResolution,
  type JournaledChange,
  listJournals,
  nameRecord,
  type Operation,
  readHeader,
  readOperation,
  readPruned,
} from "../changes/history.ts";
import { resolveOutcome } from "../changes/outcome.ts";
import type { Keep } from "../changes/value-store.ts";
import type { Context } from "../context.ts";
import type { DataRecord } from "../data-record.ts";
import { CalError, usageError } from "../errors.ts";
import type { Column } from "../model/resource.ts";
import { serverProfiles } from "../model/server-profiles.ts";
import type { Report } from "../output/report.ts";
import type { Handler, Invocation } from "./command.ts";
import { formatFields, formatRecord } from "./plan.ts";

/** Lists the operations, the newest first, or shows one. */
export const log: Handler = async (invocation, context) => {
  const { args } = invocation;
  const [first, name] = args;
  if (first === undefined) return listOperations(invocation, context);
  if (first !== "show") throw usageError(`cal log takes no ${JSON.stringify(first)}`, { command: `cal log show ${first}` });
  if (name === undefined) throw usageError("which operation?", { text: "see them", command: "cal log" });
  return showOperation(context, name);
};

const operationColumns: readonly Column[] = [
  { header: "OPERATION", path: "operation", kind: "id", priority: 1 },
  { header: "STATE", path: "state", kind: "text", priority: 1 },
  { header: "CHANGES", path: "changes", kind: "text", priority: 2 },
  { header: "COMMAND", path: "command", kind: "text", priority: 1 },
  { header: "SITE", path: "site", kind: "text", priority: 3, machineReadableOnly: true },
  { header: "STARTED", path: "started", kind: "text", priority: 3, machineReadableOnly: true },
  { header: "UNDO", path: "undo", kind: "text", priority: 3 },
];

async function listOperations({ flags }: Invocation, context: Context): Promise<Report> {
  const settings = await context.settings();
  const site =
    flags["all-sites"] === true || (settings.base_url === undefined && !settings.sandbox.value) ? undefined : createSiteId(settings);
  const limit = flags["all"] === true ? Number.POSITIVE_INFINITY : Number(flags["limit"] ?? 20);
  const records: DataRecord[] = [];
  // The newest come first, so an undo is known before what it takes back.
  const undos = new Map<string, Undo>();
  let others = 0;
  for (const entry of listJournals(context.folders.state)) {
    const header = await readHeader(entry);
    if (header === undefined || (site !== undefined && header.site !== site)) continue;
    const operation = records.length < limit ? await readOperation(entry) : undefined;
    if (operation === undefined) others += 1;
    else {
      const undoneBy = undos.get(header.operation);
      noteUndo(undos, operation);
      records.push(summarize(operation, undoneBy));
    }
  }
  if (!settings.journal.value) await context.notice(`nothing new is journaled (${settings.journal.origin}), so it can't be undone`);
  if (others > 0) await context.notice(`showing ${records.length} of ${records.length + others}, use --all`);
  const pruned = readPruned(context.folders.state);
  if (pruned !== undefined) await context.notice(`${pruned.operations} older operations were removed, the last of them ${pruned.until}`);
  return { kind: "list", columns: operationColumns, fieldNames: operationColumns.map(({ path }) => path), records };
}

/** An operation that takes another one back, and the records of which it did. */
interface Undo {
  readonly operation: string;
  readonly records: ReadonlySet<string>;
}

/** Adds the operation where it takes another one back, unless it was taken back itself. */
function noteUndo(undos: Map<string, Undo>, { header, changes }: Operation): void {
  const { operation, undoes } = header;
  if (undoes === undefined || undos.has(operation)) return;
  const done = changes.filter(({ status }) => status === "done").map(({ change }) => change.key);
  const newer = undos.get(undoes);
  undos.set(undoes, { operation: newer?.operation ?? operation, records: new Set([...done, ...(newer?.records ?? [])]) });
}

function formatUndo(changes: readonly JournaledChange[], undo: Undo | undefined): string {
  const done = changes.filter(({ status }) => status === "done");
  const undoable = done.filter(isUndoable);
  if (undoable.length === 0) return "can't be undone";
  const undone = undoable.filter(({ change, id = "" }) => undo?.records.has(nameRecord(change.resource, id)));
  if (undo !== undefined && undone.length > 0) return `undone${undone.length < undoable.length ? " in part" : ""} by ${undo.operation}`;
  return undoable.length < done.length ? "in part" : "yes";
}

function summarize({ header, state, changes }: Operation, undo: Undo | undefined): DataRecord {
  const { operation, command, started, site, profile, undoes } = header;
  const count = (status: JournaledChange["status"]) => changes.filter((one) => one.status === status).length;
  return {
    operation,
    started,
    state,
    command,
    site,
    profile,
    changes: formatChanged(changes.map(({ change }) => change)),
    counts: { done: count("done"), failed: count("failed"), unknown: count("unknown") },
    undo: formatUndo(changes, undo),
    ...(undoes === undefined ? {} : { undoes }),
  };
}

/** `2 created, 14 updated`. */
function formatChanged(changes: readonly Change[]): string {
  return formatCounts(changes)
    .replaceAll("to create", "created")
    .replaceAll("to update", "updated")
    .replaceAll("to delete", "deleted")
    .replaceAll("to restore", "restored");
}

/** Whether the former values are known, where they are needed. */
export function isUndoable({ change: { op }, former, existed }: JournaledChange): boolean {
  return op === "create" || op === "restore" ? existed !== true : former !== undefined;
}

// One operation.

const changeColumns: readonly Column[] = [
  { header: "OP", path: "op", kind: "text", priority: 1 },
  { header: "RECORD", path: "record", kind: "name", priority: 1 },
  { header: "STATUS", path: "status", kind: "text", priority: 1 },
  { header: "CHANGES", path: "changes", kind: "text", priority: 2 },
  { header: "MESSAGE", path: "message", kind: "text", priority: 2 },
];

async function showOperation(context: Context, name: string): Promise<Report> {
  const operation = await findOperation(context, name);
  const { header, state } = operation;
  const changes = await resolveUnknown(context, operation);
  await context.notice(`${header.command}\n${state}, began ${header.started}, site ${header.site}, profile ${header.profile}`);
  const records = changes.map((one) => {
    const { change, status, id = change.id, message = "" } = one;
    const undo = isUndoable(one) ? "" : "can't be undone: the former values are not known";
    return {
      op: change.op,
      resource: change.resource,
      ...(id === undefined ? {} : { id }),
      key: change.key,
      record: formatRecord(id === undefined ? change : { ...change, id }),
      status,
      fields: change.fields,
      changes: formatFields(change).join("; "),
      message: [message, undo].filter((text) => text !== "").join("; "),
    };
  });
  return {
    kind: "list",
    columns: changeColumns,
    fieldNames: ["op", "resource", "id", "key", "record", "status", "fields", "changes", "message"],
    records,
  };
}

/** The operation with this name, or the only one whose name begins so. Rejects with kind `not-found`. */
export async function findOperation({ folders }: Pick<Context, "folders">, name: string, keep?: Keep): Promise<Operation> {
  const found = listJournals(folders.state).filter(({ operation }) => operation.startsWith(name));
  const [first] = found.length > 1 ? found.filter(({ operation }) => operation === name) : found;
  const operation = first === undefined ? undefined : await readOperation(first, keep);
  if (operation !== undefined) return operation;
  const message =
    found.length > 1 ? `${found.length} operations begin with ${JSON.stringify(name)}` : `there is no operation ${JSON.stringify(name)}`;
  throw new CalError("not-found", message, {
    code: "no-operation",
    hint: { text: "see them", command: "cal log" },
  });
}

/** The changes, with each unknown outcome looked up on the site, where that tells it. What is found is added to the journal. */
export async function resolveUnknown(context: Context, { entry, header, changes, state }: Operation): Promise<readonly JournaledChange[]> {
  if (state === "running" || !changes.some(({ status }) => status === "unknown")) return changes;
  const site = await openJournalSite(context, header.site);
  if (site === undefined) {
    await context.notice(
      `the outcomes that are unknown are looked up with the profile of the site: cal log show ${entry.operation} -p ${header.profile}`,
    );
    return changes;
  }
  const resolved: JournaledChange[] = [];
  for (const one of changes) {
    const found = one.status === "unknown" ? await resolveOutcome(site, one, header.started) : undefined;
    if (found !== undefined) appendResolution(entry, { n: one.n, ...found });
    resolved.push(
      found === undefined
        ? one
        : { ...one, status: found.resolved, ...(found.id && { id: found.id }), ...(found.after && { after: found.after }) },
    );
  }
  return resolved;
}

/** The site of this command; undefined where it is another one. */
async function openJournalSite(context: Context, site: SiteId): Promise<RecordSource | undefined> {
  const settings = await context.settings();
  if (createSiteId(settings) !== site) return undefined;
  return openSource(context);
}

/** The site of the settings. Rejects with kind `local` where no profile names one. */
export async function openSource(context: Context): Promise<RecordSource> {
  const { namespace, server } = await context.settings();
  return { client: await context.client(), namespace: namespace.value, serverProfile: serverProfiles[server.value] };
}

/** The newest operation of this site that has ended; undefined where there is none. */
export async function findNewestOperation({ folders }: Pick<Context, "folders">, site: SiteId, keep: Keep): Promise<Operation | undefined> {
  for (const entry of listJournals(folders.state)) {
    if ((await readHeader(entry))?.site !== site) continue;
    const operation = await readOperation(entry, keep);
    if (operation !== undefined && operation.state !== "running") return operation;
  }
  return undefined;
}
