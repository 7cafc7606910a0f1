// Notes in the ledger of the series what became of the changes of a plan: of a command with series, of a saved plan, and of an undo.
import { type Change, createSiteId, type Plan } from "../../changes/change.ts";
import { type OpenLedger, openLedger, readLedger } from "../../changes/ledger.ts";
import type { Result } from "../../changes/result.ts";
import type { Context } from "../../context.ts";
import { idOf } from "../../data-record.ts";
import { resources } from "../../model/resources.ts";
import { type ServerProfile, serverProfiles } from "../../model/server-profiles.ts";
import type { PlanFollower } from "../plan.ts";
import {
  createEntry,
  findEntry,
  findOwnFields,
  getSeriesLedger,
  moveEntry,
  revertEntry,
  updateEntry,
  validateSeriesName,
} from "./members.ts";

/** What marks the changes of a series, also in a saved plan. */
const sourceName = "series";

/** The change, as one of a series. */
export function markChange(change: Change, series: string): Change {
  return { ...change, source: { file: sourceName, item: series } };
}

function getMark({ resource, source }: Change): string | undefined {
  const { file, item } = source ?? {};
  if (resource !== resources.events.name || file !== sourceName || item === undefined) return undefined;
  return validateSeriesName(item) === undefined ? item : undefined;
}

/** Called for each change that was done. */
type Note = (change: Change, record: Result["record"]) => void;

interface FollowOptions {
  /** Closed after the last result. */
  readonly open: OpenLedger | undefined;
  readonly note: Note;
  /** Called after the last result. */
  readonly end?: () => Promise<void>;
}

/** The follower of a run. */
export function followResults(plan: Plan, { open, note, end }: FollowOptions): PlanFollower {
  const byKey = new Map(plan.changes.map((change) => [change.key, change]));
  return {
    more: 0,
    describe: () => undefined,
    results: async function* (results) {
      try {
        for await (const group of results) {
          for (const { change, status, record } of group) {
            const planned = byKey.get(change.key);
            if (planned !== undefined && (status === "done" || status === "unchanged")) note(planned, record);
          }
          yield group;
        }
        await end?.();
      } finally {
        await open?.close();
      }
    },
  };
}

/** Notes what a command with series has written. */
export function createSeriesNote({ ledger }: OpenLedger, profile: ServerProfile): Note {
  return (change, record) => {
    const series = getMark(change);
    if (series === undefined) return;
    const entry = change.id === undefined ? undefined : findEntry(ledger.entries, change.id);
    if (change.op === "create") {
      if (record !== undefined) ledger.put(createEntry(series, record, profile));
    } else if (entry === undefined) return;
    else if (change.op === "delete") ledger.put({ ...entry, gone: true });
    else if (record !== undefined) {
      const names = change.fields.map(({ name }) => name);
      ledger.put(updateEntry(entry, names, record, profile));
    }
  };
}

/** Notes what an undo has written. What it created anew has another id than before. */
function createUndoNote({ ledger }: OpenLedger, profile: ServerProfile): Note {
  return (change, record) => {
    if (change.resource !== resources.events.name) return;
    const formerId = change.id ?? change.key.split("/")[1] ?? "";
    const entry = findEntry(ledger.entries, formerId);
    if (entry === undefined) return;
    const { gone: _gone, ...there } = entry;
    if (change.op === "delete") ledger.put({ ...there, gone: true });
    else if (change.op === "update") {
      if (record !== undefined) ledger.put(revertEntry(entry, change.fields, record, profile));
    } else {
      const id = (record && idOf(record)) ?? formerId;
      if (id !== formerId) ledger.remove(entry.key);
      ledger.put(moveEntry(there, id));
    }
  };
}

/** The follower of a saved plan; undefined where it is none of a series. */
export async function followSavedPlan(context: Context, plan: Plan): Promise<PlanFollower | undefined> {
  if (!plan.changes.some((change) => getMark(change) !== undefined)) return undefined;
  const settings = await context.settings();
  const open = await openLedger(getSeriesLedger(context, createSiteId(settings)));
  return followResults(plan, { open, note: createSeriesNote(open, serverProfiles[settings.server.value]) });
}

/** Notes what a merge has written: the event has the same venue or organizer as before, under another id. */
function createMergeNote({ ledger }: OpenLedger, profile: ServerProfile): Note {
  return ({ op, resource, id = "", fields }, record) => {
    const entry = op === "update" && resource === resources.events.name ? findEntry(ledger.entries, id) : undefined;
    if (entry !== undefined && record !== undefined) ledger.put(updateEntry(entry, findOwnFields(entry, fields, profile), record, profile));
  };
}

export const followUndo = (context: Context, plan: Plan) => followMembers(context, plan, createUndoNote);

export const followMerge = (context: Context, plan: Plan) => followMembers(context, plan, createMergeNote);

/** The follower of a plan that is not of a series; undefined where it changes no event of one. */
async function followMembers(
  context: Context,
  plan: Plan,
  createNote: (open: OpenLedger, profile: ServerProfile) => Note,
): Promise<PlanFollower | undefined> {
  const settings = await context.settings();
  const options = getSeriesLedger(context, createSiteId(settings));
  const known = new Set([...readLedger(options.path, options.site).values()].map((entry) => ("id" in entry ? entry.id : "")));
  const isMember = ({ resource, id, key }: Change) => resource === resources.events.name && known.has(id ?? key.split("/")[1] ?? "");
  if (!plan.changes.some(isMember)) return undefined;
  const open = await openLedger(options);
  return followResults(plan, { open, note: createNote(open, serverProfiles[settings.server.value]) });
}
