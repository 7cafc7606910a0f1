// `cal series update|shift|delete`: a plan for all events of a series that are not past. Those that were edited by hand are left alone.
import type { RecordSource } from "../../api/refs.ts";
import { createSiteId, type Plan, type Skipped } from "../../changes/change.ts";
import { assertWithinLimits } from "../../changes/limits.ts";
import { createDeleteChange, hashRecord } from "../../changes/plan.ts";
import { createPlanCollector, createPlanningSite } from "../../changes/planning.ts";
import { keepFields } from "../../changes/value-store.ts";
import type { Context } from "../../context.ts";
import { messageOf } from "../../errors.ts";
import { resources } from "../../model/resources.ts";
import { once } from "../../once.ts";
import type { Report } from "../../output/report.ts";
import type { Handler, Invocation } from "../command.ts";
import { planWithLedger } from "../ledger.ts";
import { parseLimits } from "../limits.ts";
import { finishPlan, runPlan } from "../plan.ts";
import { createRecordCommand, openSite, type Problems, type RecordCommand, tryParseFlag } from "../records/command.ts";
import { instantOf } from "../records/date-window.ts";
import { loadDateParser } from "../records/dates.ts";
import { findImageFileProblem, readInput } from "../records/input.ts";
import { update } from "../records/update.ts";
import { createSeriesNote, followResults, markChange } from "./follow.ts";
import { findSeries, formatMember, formatStart, getSeriesLedger, type Member, readMembers } from "./members.ts";

const { events } = resources;

/** The fields that would make all events of a series the same event. */
const refusedFields: Readonly<Record<string, string>> = {
  start_date: "all events would begin on one day",
  end_date: "all events would end on one day",
  slug: "a slug belongs to one event",
};

/** Plans the changes of these members. A member that can't be changed is skipped. */
type Planner = (context: Context, site: RecordSource, members: readonly Member[]) => Promise<Pick<Plan, "changes" | "skipped">>;

export const updateSeries: Handler = async (invocation, context) => {
  const stdin = { ...context.io.stdin, text: once(() => context.io.stdin.text()) };
  // The input is read twice.
  const again = { ...context, io: { ...context.io, stdin } };
  const input = await readInput(events, { ...invocation, problems: [] }, again, []);
  const problems = Object.entries(refusedFields).flatMap(([name, reason]) =>
    input[name] === undefined
      ? []
      : [
          {
            message: `series update takes no ${name}: ${reason}`,
            hint:
              name === "slug" ? "cal events update names one event" : "cal series shift moves them, --start-time gives another time of day",
          },
        ],
  );
  const {
    from: _from,
    "include-edited": _edited,
    "plan-out": _plan,
    "max-changes": _changes,
    "max-delete": _delete,
    ...flags
  } = invocation.flags;
  return changeSeries(
    { ...invocation, problems: [...invocation.problems, ...problems, ...findImageFileProblem(input, "series update")] },
    again,
    "update",
    createUpdatePlanner(flags, "update"),
  );
};

export const shiftSeries: Handler = async (invocation, context) => {
  const { args, flags } = invocation;
  const [series = "", typed] = args;
  const problems: Problems = [...invocation.problems];
  const offset = flags["shift"] ?? typed;
  if (offset === undefined)
    problems.push({ message: "by how much?", hint: `write cal series shift ${series || "<series>"} +1w, or --shift -30m` });
  if (typed !== undefined && flags["shift"] !== undefined) problems.push("the offset is there twice");
  const planner = createUpdatePlanner(offset === undefined ? {} : { shift: offset }, "shift");
  return changeSeries({ ...invocation, args: [series], problems }, context, "shift", planner);
};

export const deleteSeries: Handler = (invocation, context) =>
  changeSeries(invocation, context, "delete", async (_context, site, members) => ({
    changes: members.map(({ id, record }) => ({
      ...createDeleteChange(events, id, record),
      read: hashRecord(events, { record }, site.serverProfile),
    })),
    skipped: [],
  }));

/** The updates that `events update` would send, as changes. */
function createUpdatePlanner(flags: Invocation["flags"], verb: string): Planner {
  return async (context, site, members) => {
    const collector = createPlanCollector(await context.openStore());
    // These are about the rows of the plan.
    const { fields: _fields, field: _field, ...globals } = context.globals;
    const planning: Context = {
      ...context,
      globals: { ...globals, "dry-run": true },
      journal: async () => collector,
      client: async () => createPlanningSite(site).client,
    };
    const args = members.map(({ id }) => id);
    const report = await update(events, `cal series ${verb}`)({ args, flags, problems: [] }, planning);
    const skipped =
      report.kind === "plan"
        ? report.requests.flatMap((one): readonly Skipped[] => ("ref" in one ? [{ key: one.ref, reason: messageOf(one.error) }] : []))
        : [];
    const order = new Map(args.map((id, at) => [id, at]));
    const changes = [...collector.planned].sort((left, right) => (order.get(left.key) ?? 0) - (order.get(right.key) ?? 0));
    return { changes, skipped };
  };
}

async function changeSeries(invocation: Invocation, context: Context, verb: string, plan: Planner): Promise<Report> {
  const { flags, args } = invocation;
  const problems: Problems = [...invocation.problems];
  const [text] = args;
  if (text === undefined || text === "") problems.push({ message: "which series?", hint: "cal series list shows them" });
  const initial = await createRecordCommand(events, verb, invocation, context, problems);
  const command = { ...initial, helpCommand: `cal series ${verb}` };
  const from = await readFrom(command);
  const site = await openSite(command);
  const { settings, serverProfile } = command;
  const siteId = createSiteId(settings);
  return planWithLedger(context, getSeriesLedger(context, siteId), async (entries, open) => {
    const series = findSeries(entries, text ?? "");
    const { members, missing } = await readMembers(site, series, { now: context.clock.now(), zone: settings.tz.value });
    for (const id of missing) await context.notice(`event ${id} of the series is no longer there`);
    const chosen = members.filter(({ isPast, record }) => !isPast && (instantOf(record, "start_date", settings.tz.value) ?? 0) >= from);
    const edited = flags["include-edited"] === true ? [] : chosen.filter((member) => member.edited.length > 0);
    for (const member of edited) await context.warn(`left alone, edited by hand: ${formatMember(member)} (${member.edited.join(", ")})`);
    if (edited.length > 0) await context.notice("--include-edited changes them too");
    const planned = await planMembers(
      context,
      site,
      chosen.filter((member) => !edited.includes(member)),
      plan,
    );
    for (const { key, reason } of planned.skipped) await context.warn(`left out: event ${key}: ${reason}`);
    const starts = new Map(members.map(({ id, record }) => [id, formatStart(record)]));
    const keep = await context.openStore();
    const changes = planned.changes.map((change) => {
      const title = `${change.title ?? ""}, ${starts.get(change.id ?? "") ?? ""}`;
      return keepFields({ ...markChange(change, series.name), title }, keep);
    });
    assertWithinLimits(changes, parseLimits(invocation));
    const whole: Plan = { version: 1, site: siteId, changes, unchanged: 0, skipped: planned.skipped, conflicts: [] };
    const leftAlone = edited.map((member) => ({ key: member.id, reason: `edited by hand: ${member.edited.join(", ")}` }));
    const preview = { ...whole, skipped: [...whole.skipped, ...leftAlone] };
    return finishPlan(invocation, context, preview, async () => {
      if (changes.length === 0) await context.notice(`nothing to ${verb} in the series ${series.name}`);
      const note = open === undefined ? () => undefined : createSeriesNote(open, serverProfile);
      return runPlan(context, whole, { site, settings, mayBeDone: false, follow: followResults(whole, { open, note }) });
    });
  });
}

async function planMembers(context: Context, site: RecordSource, members: readonly Member[], plan: Planner): ReturnType<Planner> {
  return members.length === 0 ? { changes: [], skipped: [] } : plan(context, site, members);
}

/** `--from` as an instant: events that start earlier are not changed. */
async function readFrom({ invocation: { flags }, context, settings, problems }: RecordCommand): Promise<number> {
  const { from } = flags;
  if (from === undefined) return Number.NEGATIVE_INFINITY;
  const { parse } = await loadDateParser();
  const options = { now: context.clock.now(), zone: settings.tz.value, side: "start" } as const;
  return tryParseFlag("from", problems, () => parse.parseDate(String(from), options).epoch) ?? Number.NEGATIVE_INFINITY;
}
